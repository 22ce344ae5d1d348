#pragma once

#include "gauze/accounting/accountant.h"

namespace gauze {

/// What a mechanism must be to stay within a target. Every answer was checked against the target itself: a parameter that
/// misses it is never returned, also where the cost is not monotone (discrete Gaussian). Checked means: its shortest
/// decimal, given to Accountant::epsilon() at the usual tolerance, shows no more than the target.

/// The smallest sigma (Gaussian kinds) or scale (Laplace kinds), within 1e-4 relative, with which the event costs at most
/// (epsilon, delta). The event's own sigma or scale is ignored.
[[nodiscard]] Result<double> calibrate_noise(const PrivacyEvent& event, double epsilon, double delta);

/// The largest number of steps within the target; `infeasible` when one step exceeds it.
[[nodiscard]] Result<double> calibrate_steps(const PrivacyEvent& event, double epsilon, double delta);

/// The largest sampling rate within the target, within 1e-4 relative; `infeasible` below 1e-9.
[[nodiscard]] Result<double> calibrate_rate(const PrivacyEvent& event, double epsilon, double delta);

}  // namespace gauze
