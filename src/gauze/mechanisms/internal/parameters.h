#pragma once

#include <string_view>

#include "gauze/base/rational.h"

namespace gauze::internal {

/// The checks that every mechanism makes on its parameters. Parameters are public, so messages may quote them.

/// Finite and between 1e-9 and 1e9.
[[nodiscard]] Result<void> check_epsilon(const Rational& epsilon);
/// Positive and below 1, and at least 1e-300.
[[nodiscard]] Result<void> check_delta(const Rational& delta);
/// Finite, positive, between 1e-100 and 1e100.
[[nodiscard]] Result<void> check_sensitivity(const Rational& sensitivity);
/// The same, and a whole number of at most 2^52.
[[nodiscard]] Result<void> check_integer_sensitivity(const Rational& sensitivity);
/// A scale or standard deviation given instead of epsilon: finite, positive, between 1e-100 and 1e100.
[[nodiscard]] Result<void> check_spread(std::string_view name, const Rational& spread);
/// Between 0 and 48.
[[nodiscard]] Result<void> check_granularity_bits(int bits);
/// Between 1 and 2^40.
[[nodiscard]] Result<void> check_dimension(std::int64_t dimension);

}  // namespace gauze::internal
