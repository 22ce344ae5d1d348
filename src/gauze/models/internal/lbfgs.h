#pragma once

#include <functional>
#include <span>

namespace gauze::models::internal {

/// Returns the value at x and writes the gradient there.
using Objective = std::function<double(std::span<const double> x, std::span<double> gradient)>;

struct LbfgsOutcome {
  int iterations = 0;
  bool converged = false;
};

/// Minimises a smooth, strictly convex function from x on, by L-BFGS with ten pairs and backtracking (Nocedal and Wright,
/// Numerical Optimization, 2nd edition, section 7.2); convexity makes every pair usable. `curvature` is about the second
/// derivative by each variable, positive. Ends when no |gradient| / curvature exceeds the tolerance: about the distance
/// of each variable from its best place. The value never increases, up to rounding.
LbfgsOutcome minimize_lbfgs(const Objective& objective, std::span<const double> curvature, int max_iterations,
                            double tolerance, std::span<double> x);

}  // namespace gauze::models::internal
