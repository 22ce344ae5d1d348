#include "gauze/ledger/terms/privacy_filter.h"

#include <algorithm>

#include "gauze/accounting/conversions.h"

namespace gauze {
namespace {

constexpr std::int64_t kLargestOrder = 1'000'000;

/// The half of delta that pays for the conversion into (epsilon, delta).
Rational conversion_delta(const Total& total) { return amount_of(total.delta / 2, Currency::delta); }

/// The square root, rounded up to 1e-12.
Rational root_up(const Rational& square) {
  std::int64_t low = 0;
  std::int64_t high = 1'000'000'000'000'000;  // kMostUnits of mu squared are a mu of 63.2
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    const Rational root(middle, 1'000'000'000'000);
    if (root * root < square) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return {low, 1'000'000'000'000};
}

tl::unexpected<Error> cannot_absorb(std::string_view accountant, std::string_view reason) {
  return invalid_parameter("the {} accountant of this dataset cannot absorb this charge: {}", accountant, reason);
}

constexpr const char* kRdpNeedsOrder =
    "a Renyi-DP bound at one order says nothing about the others; charge epsilon, rho or mu, or create the dataset "
    "with the accountant rdp:ORDER";

constexpr const char* kApproximateNeedsZcdp =
    "rho with a delta is approximate zCDP, which the zcdp accountant adds up. Create the dataset with that accountant";

}  // namespace

Result<Charge> Charge::make(Kind kind, const Rational& amount, const Rational& delta) {
  Charge charge;
  charge.kind = kind;
  const Currency currency = charge.currency();
  const auto units = units_up(amount, currency);
  if (!(amount > Rational())) return invalid_parameter("{} of a charge must be above 0", to_string(currency));
  if (!units) {
    return invalid_parameter("{} of a charge must be at most {}", to_string(currency),
                             decimal_of(kMostUnits, currency));
  }
  if (!(delta >= Rational() && delta < Rational(1))) {
    return invalid_parameter("delta of a charge must be at least 0 and below 1");
  }
  if (delta.sign() > 0 && kind != Kind::epsilon && kind != Kind::rho) {
    return invalid_parameter("delta of a charge goes with epsilon or rho, not with {}", to_string(currency));
  }
  charge.amount = *units;
  charge.delta = *units_up(delta, Currency::delta);
  return charge;
}

Currency Charge::currency() const {
  switch (kind) {
    case Kind::epsilon:
      return Currency::epsilon;
    case Kind::rho:
      return Currency::rho;
    case Kind::mu:
      return Currency::mu;
    case Kind::rdp:
      return Currency::rdp;
  }
  return Currency::epsilon;
}

Json Charge::to_json() const {
  Json json = Json::object({{std::string(to_string(currency())), Json::number(decimal_of(amount, currency()))}});
  if (delta > 0) json.set("delta", Json::number(decimal_of(delta, Currency::delta)));
  return json;
}

Result<PrivacyFilter> PrivacyFilter::parse(std::string_view text) {
  if (text == "basic") return PrivacyFilter(Kind::basic, Rational());
  if (text == "zcdp") return PrivacyFilter(Kind::zcdp, Rational());
  if (text == "gdp") return PrivacyFilter(Kind::gdp, Rational());
  if (!text.starts_with("rdp:")) {
    return invalid_parameter("an accountant must be basic, zcdp, rdp:ORDER or gdp");
  }
  const auto order = Rational::parse(text.substr(4));
  if (!order || !(*order > Rational(1)) || *order > Rational(kLargestOrder) ||
      !(*order * Rational(1'000'000'000)).is_integer()) {
    return invalid_parameter("the order in rdp:ORDER must be above 1, at most {}, with at most nine decimals",
                             kLargestOrder);
  }
  return PrivacyFilter(Kind::rdp, *order);
}

std::string PrivacyFilter::name() const {
  switch (kind_) {
    case Kind::basic:
      return "basic";
    case Kind::zcdp:
      return "zcdp";
    case Kind::rdp:
      return "rdp:" + order_.to_decimal();
    case Kind::gdp:
      return "gdp";
  }
  return "basic";
}

Currency PrivacyFilter::currency() const {
  switch (kind_) {
    case Kind::basic:
      return Currency::epsilon;
    case Kind::zcdp:
      return Currency::rho;
    case Kind::rdp:
      return Currency::rdp;
    case Kind::gdp:
      return Currency::mu_squared;
  }
  return Currency::epsilon;
}

Result<Cost> PrivacyFilter::capacity(const Total& total) const {
  if (total.is_pure() && kind_ != Kind::basic) {
    return invalid_parameter(
        "a pure total needs the basic accountant: {} bounds imply no epsilon without a delta. Give a delta, or a total "
        "in rho with the accountant zcdp",
        name());
  }
  if (total.kind == Total::Kind::rho && kind_ != Kind::zcdp) {
    return invalid_parameter("a total in rho needs the zcdp accountant: the {} accountant does not add up rho",
                             name());
  }
  GAUZE_TRY(const std::int64_t amount, capacity_of(total.amount, total));
  const bool converted = kind_ != Kind::basic && total.kind == Total::Kind::epsilon;
  return Cost{.amount = amount, .delta = converted ? total.delta / 2 : total.delta};
}

Result<std::int64_t> PrivacyFilter::capacity_of(std::int64_t amount, const Total& total) const {
  if (kind_ == Kind::basic || total.kind == Total::Kind::rho) return amount;
  const Rational delta = conversion_delta(total);
  if (delta.sign() == 0) return invalid_parameter("delta must be at least 2e-18, so that half of it is one unit");
  const Rational epsilon = amount_of(amount, Currency::epsilon);
  Rational most;
  if (kind_ == Kind::zcdp) most = rho_budget(epsilon, delta);
  if (kind_ == Kind::rdp) most = rdp_budget(epsilon, delta, order_);
  if (kind_ == Kind::gdp) {
    const Rational mu = mu_budget(epsilon, delta);
    most = mu * mu;
  }
  const auto units = units_down(most, currency());
  if (!units) {
    return invalid_parameter("the {} accountant holds at most {} of {}, and this total is larger", name(),
                             decimal_of(kMostUnits, currency()), to_string(currency()));
  }
  if (*units == 0) {
    return invalid_parameter(
        "epsilon {} at half of delta leaves nothing to the {} accountant; choose a larger epsilon or delta{}",
        epsilon.to_decimal(), name(), kind_ == Kind::rdp ? ", or a higher order" : "");
  }
  return *units;
}

Result<Cost> PrivacyFilter::cost(const Charge& charge) const {
  GAUZE_TRY(const Rational exact, exact_cost(charge));
  return Cost{.amount = units_up(exact, currency()).value_or(kMostUnits + 1), .delta = charge.delta};
}

Result<Rational> PrivacyFilter::exact_cost(const Charge& charge) const {
  const Rational amount = amount_of(charge.amount, charge.currency());
  const Rational half_square = amount * amount / Rational(2);
  switch (kind_) {
    case Kind::basic:
      if (charge.kind == Charge::Kind::epsilon) return amount;
      return cannot_absorb(name(),
                           "it adds up epsilon and delta. Charge the (epsilon, delta) that the release implies, or "
                           "create the dataset with another accountant");
    case Kind::zcdp:
      // epsilon-DP implies epsilon^2/2-zCDP, and (epsilon, delta)-DP its delta-approximate form (Bun, Steinke 2016);
      // mu-GDP implies mu^2/2-zCDP. A rho with a delta is approximate zCDP as it stands.
      if (charge.kind == Charge::Kind::rho) return amount;
      if (charge.kind != Charge::Kind::rdp) return half_square;
      return cannot_absorb(name(), kRdpNeedsOrder);
    case Kind::rdp:
      if (charge.kind == Charge::Kind::rdp) return amount;
      if (charge.kind == Charge::Kind::rho && charge.delta > 0) return cannot_absorb(name(), kApproximateNeedsZcdp);
      if (charge.kind == Charge::Kind::rho) return order_ * amount;
      if (charge.kind == Charge::Kind::mu) return order_ * half_square;
      return std::min(amount, order_ * half_square, [](const Rational& a, const Rational& b) { return a < b; });
    case Kind::gdp:
      if (charge.kind == Charge::Kind::mu) return amount * amount;
      return cannot_absorb(name(), "it adds up mu^2 and takes charges in mu only");
  }
  return cannot_absorb(name(), "it is of an unknown kind");
}

std::int64_t PrivacyFilter::as_one_pure_release(std::int64_t amount) const {
  std::int64_t fits = 0;
  std::int64_t too_much = kMostUnits + 1;
  while (too_much - fits > 1) {
    const std::int64_t middle = fits + (too_much - fits) / 2;
    const auto taken = cost({.kind = Charge::Kind::epsilon, .amount = middle});
    (taken && taken->amount <= amount ? fits : too_much) = middle;
  }
  return fits;
}

std::int64_t PrivacyFilter::epsilon_of(std::int64_t spent, const Total& total) const {
  if (spent == 0) return 0;
  if (kind_ == Kind::basic) return spent;
  const Rational amount = amount_of(spent, currency());
  const Rational delta = conversion_delta(total);
  Rational epsilon;
  if (kind_ == Kind::zcdp) epsilon = epsilon_of_zcdp(amount, delta);
  if (kind_ == Kind::rdp) epsilon = epsilon_of_rdp(amount, order_, delta);
  if (kind_ == Kind::gdp) epsilon = epsilon_of_gdp(root_up(amount), delta);
  return units_up(epsilon, Currency::epsilon).value_or(kMostUnits);
}

}  // namespace gauze
