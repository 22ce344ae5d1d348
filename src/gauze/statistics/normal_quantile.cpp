#include "gauze/statistics/normal_quantile.h"

#include <cmath>
#include <numbers>

namespace gauze {

double normal_quantile(double probability) {
  const bool is_upper = probability > 0.5;
  const double tail = is_upper ? 1 - probability : probability;
  // erfc falls: halve until the ends are neighbours. P[Z > 38.5] is below the smallest double.
  double low = 0;
  double high = 38.5;
  for (;;) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    if (std::erfc(middle / std::numbers::sqrt2) / 2 > tail)
      low = middle;
    else
      high = middle;
  }
  return is_upper ? low : -low;
}

}  // namespace gauze
