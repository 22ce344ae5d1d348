#include "gauze/accounting/internal/pure_composition.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gauze::internal {

double optimal_composition_epsilon(double epsilon, double delta, double count, double total_delta) {
  // 1 - (1 - delta)^k is gone; the rest must come from the pure part.
  const double failed = -std::expm1(count * std::log1p(-delta));
  const double left = (total_delta - failed * (1 + 1e-12)) / (1 - failed);
  if (left < 0) return std::numeric_limits<double>::infinity();
  // The sum of losses is (k - 2 i) epsilon with probability C(k, i) p^(k - i) (1 - p)^i, p = e^epsilon / (1 + e^epsilon).
  // delta(e) = sum over (k - 2i) epsilon > e of mass * (1 - exp(e - loss)): walk down from the largest loss.
  const double log_heavy = -std::log1p(std::exp(-epsilon));
  const double log_light = log_heavy - epsilon;
  const double margin = 1e-15 * (count + 1e4);  // of the logarithm of a mass
  double p = 0, q = 0;                          // masses under P and under Q of the losses above
  for (double i = 0; i <= count; ++i) {
    const double loss = (count - 2 * i) * epsilon;
    // At this loss, with everything above it summed: does delta reach the target?
    const double here = p - q * std::exp(loss);
    if (here > left) {
      // It does between this loss and the one above: p - q e^epsilon = left.
      const double found = std::log((p - left) / q);
      return std::clamp(found * (1 + 1e-13) + margin, std::max(0.0, loss), loss + 2 * epsilon);
    }
    if (loss < 0) return 0;
    const double log_mass = std::lgamma(count + 1) - std::lgamma(i + 1) - std::lgamma(count - i + 1) +
                            (count - i) * log_heavy + i * log_light;
    // Rounded up under P and down under Q: either can only raise delta.
    p += std::exp(log_mass + margin * std::log(count + 2));
    q += std::exp(log_mass - loss - margin * std::log(count + 2));
  }
  return 0;
}

}  // namespace gauze::internal
