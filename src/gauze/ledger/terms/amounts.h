#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gauze/base/rational.h"

namespace gauze {

/// What an amount in the ledger is counted in. An amount is a whole number of units, so that ten times 0.1 is 1.
enum class Currency {
  epsilon,     ///< units of 1e-9
  rho,         ///< zCDP, units of 1e-15
  rdp,         ///< Renyi-DP at one order, units of 1e-15
  mu,          ///< Gaussian DP, units of 1e-9
  mu_squared,  ///< what Gaussian DP adds up, units of 1e-15
  delta,       ///< units of 1e-18
  share,       ///< a part of a total, units of 1e-9
};

/// The key it has in JSON: "mu_squared".
[[nodiscard]] std::string_view to_string(Currency currency);

/// The largest amount the ledger holds: two of them add up within 64 bits. It is epsilon 4e9, or rho 4000.
inline constexpr std::int64_t kMostUnits = 4'000'000'000'000'000'000;

/// How many units make 1.
[[nodiscard]] std::int64_t units_in_one(Currency currency);

/// The amount, which must not be negative, in units: rounded up for charges, down for totals and for what is left.
/// Nothing when it is more than kMostUnits.
[[nodiscard]] std::optional<std::int64_t> units_up(const Rational& amount, Currency currency);
[[nodiscard]] std::optional<std::int64_t> units_down(const Rational& amount, Currency currency);

[[nodiscard]] Rational amount_of(std::int64_t units, Currency currency);
/// The exact decimal of so many units: "0.1".
[[nodiscard]] std::string decimal_of(std::int64_t units, Currency currency);

/// units * part / whole, rounded down, without overflow on the way.
[[nodiscard]] std::int64_t part_of(std::int64_t units, std::int64_t part, std::int64_t whole);

}  // namespace gauze
