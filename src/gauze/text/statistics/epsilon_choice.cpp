#include "gauze/text/statistics/epsilon_choice.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace gauze::text {
namespace {

/// Epsilons of four significant digits in order: step s stands for (1000 + s mod 9000) 10^(s / 9000 - 9), from 1e-6 on.
constexpr int kStepsADecade = 9000;
constexpr int kSteps = 12 * kStepsADecade;

Rational epsilon_of(int step) {
  const int decade = step / kStepsADecade;
  Rational value(1000 + step % kStepsADecade);
  for (int i = decade; i < 9; ++i) value = value / Rational(10);
  for (int i = 9; i < decade; ++i) value = value * Rational(10);
  return value;
}

double odds(double p) { return std::log(std::max(p, 1e-300)) - std::log(std::max(1 - p, 1e-300)); }

}  // namespace

Result<EpsilonChoice> choose_epsilon(const FigureOfEpsilon& figure, double target) {
  if (!(target > 0 && target < 1)) return invalid_parameter("the target must lie between 0 and 1, but is {}", target);
  std::map<int, double> known;
  const auto at = [&](int step) -> Result<double> {
    if (const auto found = known.find(step); found != known.end()) return found->second;
    GAUZE_TRY(const double value, figure(epsilon_of(step)));
    known[step] = value;
    return value;
  };
  // From epsilon 1 in growing steps to both sides of the target.
  const int start = 6 * kStepsADecade;
  GAUZE_TRY(const double first, at(start));
  int low = start;
  int high = start;
  double low_value = first;
  double high_value = first;
  for (int stride = kStepsADecade / 2; low_value > target; stride *= 2) {
    if (low == 0)
      return invalid_parameter("no epsilon from 1e-6 to 1e6 is so private: the figure is {:.6g} at the least",
                               low_value);
    high = low;
    high_value = low_value;
    low = std::max(0, low - stride);
    GAUZE_TRY(low_value, at(low));
  }
  for (int stride = kStepsADecade / 2; high_value <= target; stride *= 2) {
    if (high == kSteps)
      return invalid_parameter("every epsilon from 1e-6 to 1e6 is private enough: the figure is {:.6g} at the most",
                               high_value);
    low = high;
    low_value = high_value;
    high = std::min(kSteps, high + stride);
    GAUZE_TRY(high_value, at(high));
  }
  // Between them by the chord of the logits, which is nearly straight, and by halves when that gets stuck.
  for (int turn = 0; high - low > 1; ++turn) {
    const double share = (odds(target) - odds(low_value)) / (odds(high_value) - odds(low_value));
    int middle = low + (high - low) / 2;
    if (turn % 3 != 2 && std::isfinite(share))
      middle = low + static_cast<int>(std::lround(share * static_cast<double>(high - low)));
    middle = std::clamp(middle, low + 1, high - 1);
    GAUZE_TRY(const double value, at(middle));
    (value <= target ? low : high) = middle;
    (value <= target ? low_value : high_value) = value;
  }
  return EpsilonChoice{epsilon_of(low), low_value, high_value, static_cast<int>(known.size())};
}

}  // namespace gauze::text
