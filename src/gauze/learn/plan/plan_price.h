#pragma once

#include <vector>

#include "gauze/accounting/accountant.h"
#include "gauze/base/rational.h"

namespace gauze::learn {

/// The certified bounds of epsilon at delta.
[[nodiscard]] Result<Bounds> epsilon_of(const std::vector<PrivacyEvent>& events, const Rational& delta);

/// The smallest sigma, as its shortest decimal, within 1e-4, with which the last of the events, together with those before it, costs at
/// most (epsilon, delta). `infeasible` when those before it cost as much alone.
[[nodiscard]] Result<Rational> sigma_for(std::vector<PrivacyEvent> events, const Rational& epsilon,
                                         const Rational& delta);

/// (a^-2 - b^-2)^(-1/2), rounded up; b must be above a.
[[nodiscard]] Rational remaining_sigma(const Rational& a, const Rational& b);

}  // namespace gauze::learn
