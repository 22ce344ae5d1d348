#pragma once

#include <optional>

#include "gauze/mechanisms/noise/count_noise.h"
#include "gauze/release/job/bounded_units.h"
#include "gauze/schema/policy/policy.h"

namespace gauze::release {

/// What a release is allowed to cost.
struct ReleaseTarget {
  Rational epsilon = 0;
  Rational delta = 0;  ///< needed for `stability` and for Gaussian noise, refused otherwise
};

/// How epsilon (or rho) is divided, and the noise that follows. All of it is public.
struct ReleaseBudget {
  Rational epsilon;         ///< of the whole release
  Rational delta;           ///< 0 for pure guarantees
  Rational epsilon_select;  ///< for choosing levels; 0 without
  Rational epsilon_total;   ///< for the noisy total; 0 without one, and with Gaussian noise
  Rational epsilon_cells;   ///< for the counts; with Gaussian noise what rho_cells + rho_total were converted from
  Rational rho_total;       ///< with Gaussian noise
  Rational rho_cells;
  Rational spread;                             ///< scale or sigma of the noise on counts
  Rational total_spread;                       ///< scale or sigma of the noise on the total
  CountNoise cell_noise;                       ///< on counts
  std::optional<CountNoise> total_noise = {};  ///< none: no noisy total
};

/// Divides what a release may cost by the shares of the policy. Under replace-one with rows as the unit their number is
/// public and gets no share. Refuses a delta that is missing or that means nothing.
[[nodiscard]] Result<ReleaseBudget> divide_budget(const schema::PolicyRelease& release, const UnitBounds& bounds,
                                                  const ReleaseTarget& target);

}  // namespace gauze::release
