#include "gauze/text/statistics/epsilon_choice.h"

#include <algorithm>
#include <array>
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

/// Steps with the figure at most the target, and above it.
struct Bracket {
  int low = 0;
  double low_value = 0;
  int high = 0;
  double high_value = 0;
};
using FigureOfStep = std::function<Result<double>(int step)>;

/// From epsilon 1 in growing steps to both sides of the target.
Result<Bracket> bracket_outwards(const FigureOfStep& at, double target) {
  const int start = 6 * kStepsADecade;
  GAUZE_TRY(const double first, at(start));
  Bracket b{start, first, start, first};
  for (int stride = kStepsADecade / 2; b.low_value > target; stride *= 2) {
    if (b.low == 0)
      return make_error(ErrorCode::infeasible,
                        "no epsilon from 1e-6 to 1e6 is so private: the figure is {:.6g} at the least", b.low_value);
    b.high = b.low;
    b.high_value = b.low_value;
    b.low = std::max(0, b.low - stride);
    GAUZE_TRY(b.low_value, at(b.low));
  }
  for (int stride = kStepsADecade / 2; b.high_value <= target; stride *= 2) {
    if (b.high == kSteps)
      return make_error(ErrorCode::infeasible,
                        "every epsilon from 1e-6 to 1e6 is private enough: the figure is {:.6g} at the most",
                        b.high_value);
    b.low = b.high;
    b.low_value = b.high_value;
    b.high = std::min(kSteps, b.high + stride);
    GAUZE_TRY(b.high_value, at(b.high));
  }
  return b;
}

/// Through the decades from below, to the first epsilon at which the target is exceeded.
Result<Bracket> bracket_upwards(const FigureOfStep& at, double target) {
  constexpr int kFirst = 3 * kStepsADecade;
  constexpr int kLast = 10 * kStepsADecade;
  constexpr std::array<int, 8> kInADecade = {0, 340, 780, 1370, 2160, 3220, 4620, 6500};  // 1, 1.34, 1.78 ... 7.5
  Bracket b;
  double most = 0;
  for (int decade = kFirst; decade < kLast; decade += kStepsADecade) {
    for (const int place : kInADecade) {
      GAUZE_TRY(const double value, at(decade + place));
      most = std::max(most, value);
      b.high = decade + place;
      b.high_value = value;
      if (value > target && b.high == kFirst)
        return make_error(ErrorCode::infeasible, "no epsilon from 1e-3 on is so private: the figure is {:.6g} there",
                          value);
      if (value > target) return b;
      b.low = b.high;
      b.low_value = value;
    }
  }
  return make_error(ErrorCode::infeasible,
                    "the figure is {:.6g} at the most at all epsilons that were tried, from 1e-3 to 1e4", most);
}

}  // namespace

Result<EpsilonChoice> choose_epsilon(const FigureOfEpsilon& figure, double target, FigureGrows grows) {
  if (!(target > 0 && target < 1)) return invalid_parameter("the target must lie between 0 and 1, but is {}", target);
  std::map<int, double> known;
  const auto at = [&](int step) -> Result<double> {
    if (const auto found = known.find(step); found != known.end()) return found->second;
    GAUZE_TRY(const double value, figure(epsilon_of(step)));
    known[step] = value;
    return value;
  };
  GAUZE_TRY(Bracket bracket,
            grows == FigureGrows::always ? bracket_outwards(at, target) : bracket_upwards(at, target));
  auto& [low, low_value, high, high_value] = bracket;
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
