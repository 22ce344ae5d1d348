#include "gauze/accounting/internal/tilt_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gauze/accounting/internal/infinity.h"

namespace gauze::internal {
namespace {}  // namespace

Sketch sketch(const PrivacyLoss& loss, const LossRange& range, double count) {
  // Cells that grow with the distance from zero: losses of a sampled mechanism spread over many orders of magnitude.
  constexpr int kCells = 1500;
  const double unit = 1e-9 * std::max({std::abs(range.low), range.high, 1e-9});
  const double low = std::asinh(range.low / unit), high = std::asinh(range.high / unit);
  Sketch result;
  result.count = count;
  PrivacyLoss::Tail upper{1, 1};
  for (int i = 0; i <= kCells; ++i) {
    const double edge = unit * std::sinh(low + (high - low) * i / kCells) * (1 + 1e-15);
    const PrivacyLoss::Tail next = i == kCells ? PrivacyLoss::Tail{loss.infinite_mass(), 0} : loss.above(edge);
    const double p = upper.p - next.p, q = upper.q - next.q;
    if (p > 0) {
      const double ratio = q > 0 ? std::log(p / q) : edge;
      result.loss.push_back(std::clamp(ratio, std::min(range.low, 0.0), std::max(range.high, 0.0)));
      result.mass.push_back(p);
    }
    upper = next;
  }
  return result;
}

Moments moments(const std::vector<Sketch>& sketches, double order) {
  Moments total;
  for (const Sketch& part : sketches) {
    double peak = -kInfinity;
    for (std::size_t i = 0; i < part.loss.size(); ++i) {
      peak = std::max(peak, order * part.loss[i] + std::log(part.mass[i]));
    }
    double sum = 0, first = 0, second = 0;
    for (std::size_t i = 0; i < part.loss.size(); ++i) {
      const double weight = part.mass[i] * std::exp(order * part.loss[i] - peak);
      sum += weight;
      first += weight * part.loss[i];
      second += weight * part.loss[i] * part.loss[i];
    }
    total.log_moment += part.count * (peak + std::log(sum));
    total.mean += part.count * first / sum;
    total.variance += part.count * std::max(0.0, second / sum - first / sum * (first / sum));
  }
  return total;
}

double best_order(double largest, const std::function<double(double)>& cost) {
  double best = std::min(1.0, largest), width = std::log(1e4);
  for (int round = 0; round < 4; ++round) {
    const double centre = std::log(best);
    double lowest = kInfinity, chosen = best;
    for (int i = -12; i <= 12; ++i) {
      const double order = std::min(largest, std::exp(centre + width * i / 12));
      const double value = cost(order);
      if (value < lowest) {
        lowest = value;
        chosen = order;
      }
    }
    best = chosen;
    width /= 8;
  }
  return best;
}

}  // namespace gauze::internal
