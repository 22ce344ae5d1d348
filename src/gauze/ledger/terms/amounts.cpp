#include "gauze/ledger/terms/amounts.h"

namespace gauze {
namespace {

std::optional<std::int64_t> within_limit(const Rational& whole) {
  if (!whole.is_defined() || whole.sign() < 0 || whole > Rational(kMostUnits)) return std::nullopt;
  return *whole.to_int64();
}

}  // namespace

std::string_view to_string(Currency currency) {
  switch (currency) {
    case Currency::epsilon:
      return "epsilon";
    case Currency::rho:
      return "rho";
    case Currency::rdp:
      return "rdp";
    case Currency::mu:
      return "mu";
    case Currency::mu_squared:
      return "mu_squared";
    case Currency::delta:
      return "delta";
    case Currency::share:
      return "share";
  }
  return "epsilon";
}

std::int64_t units_in_one(Currency currency) {
  switch (currency) {
    case Currency::epsilon:
    case Currency::mu:
    case Currency::share:
      return 1'000'000'000;
    case Currency::rho:
    case Currency::rdp:
    case Currency::mu_squared:
      return 1'000'000'000'000'000;
    case Currency::delta:
      return 1'000'000'000'000'000'000;
  }
  return 1;
}

std::optional<std::int64_t> units_up(const Rational& amount, Currency currency) {
  return within_limit((amount * Rational(units_in_one(currency))).ceil());
}

std::optional<std::int64_t> units_down(const Rational& amount, Currency currency) {
  return within_limit((amount * Rational(units_in_one(currency))).floor());
}

Rational amount_of(std::int64_t units, Currency currency) { return {units, units_in_one(currency)}; }

std::string decimal_of(std::int64_t units, Currency currency) { return amount_of(units, currency).to_decimal(); }

std::int64_t part_of(std::int64_t units, std::int64_t part, std::int64_t whole) {
  __extension__ using Wide = __int128;
  return static_cast<std::int64_t>(static_cast<Wide>(units) * part / whole);
}

}  // namespace gauze
