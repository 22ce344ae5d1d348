#pragma once

#include "gauze/base/error.h"
#include "gauze/base/rational.h"

namespace gauze {

/// Between definitions of privacy, rounded the safe way. Costs ("what holds") are rounded up, budgets ("what may be
/// spent") down. delta lies in (0, 1), amounts are not negative.

/// The epsilon that rho-zCDP implies at delta (Canonne, Kamath, Steinke 2020, proposition 12): the best order, rounded up.
[[nodiscard]] Rational epsilon_of_zcdp(const Rational& rho, const Rational& delta);
/// The largest rho, rounded down, that still implies (epsilon, delta). 0 when none does.
[[nodiscard]] Rational rho_budget(const Rational& epsilon, const Rational& delta);

/// The epsilon that Renyi-DP `rdp` at `order` implies at delta: rdp + ln(1 - 1/order) - ln(order delta) / (order - 1).
/// order must be above 1. Rounded up; never below 0.
[[nodiscard]] Rational epsilon_of_rdp(const Rational& rdp, const Rational& order, const Rational& delta);
/// The largest Renyi-DP at this order, rounded down, that still implies (epsilon, delta). 0 when none does.
[[nodiscard]] Rational rdp_budget(const Rational& epsilon, const Rational& delta, const Rational& order);

/// The largest mu, rounded down, for which mu-GDP implies (epsilon, delta).
[[nodiscard]] Rational mu_budget(const Rational& epsilon, const Rational& delta);
/// The epsilon that mu-GDP implies at delta, rounded up.
[[nodiscard]] Rational epsilon_of_gdp(const Rational& mu, const Rational& delta);

}  // namespace gauze
