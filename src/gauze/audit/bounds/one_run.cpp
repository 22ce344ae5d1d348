#include "gauze/audit/bounds/one_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "gauze/statistics/binomial_interval.h"

namespace gauze::audit {
namespace {

constexpr double kMostEpsilon = 64;
constexpr double kNarrowest = 1e-6;
/// More than the arithmetic of tails can be off, relatively.
constexpr double kSlack = 1e-8;
constexpr double kStepSlack = 1e-15;
/// Chances below e to this are taken for it: in double precision they would vanish, and with them what they grow to.
constexpr double kNothing = -600;
constexpr std::array<int, kNumbersOfGuesses> kPercents = {1, 2, 5, 10, 20, 50, 100};

double chance_of_right(double epsilon) { return 1 / (1 + std::exp(-epsilon)); }
double chance_of_wrong(double epsilon) { return 1 / (1 + std::exp(epsilon)); }

/// At least the chance of so many right guesses for every epsilon from `low` to `high`.
class TailBound {
 public:
  TailBound(std::uint64_t canaries, std::uint64_t guesses, std::uint64_t correct, double delta)
      : canaries_(canaries), guesses_(guesses), correct_(correct), delta_(delta) {}

  [[nodiscard]] double operator()(double low, double high) const {
    const double q = chance_of_right(high);
    const double tail = binomial_tail(correct_, guesses_, q) * (1 + kSlack);
    if (delta_ == 0) return tail;
    const double lowest = binomial_tail(correct_, guesses_, chance_of_right(low)) * (1 - kSlack);
    return tail + 2 * static_cast<double>(canaries_) * delta_ * largest_mean_mass(tail - lowest, high);
  }

 private:
  /// At least the largest of P[correct > W >= correct - i] / i over i. Of the chance for any epsilon of the range: at most what is so likely
  /// at `high` less what is more likely than `correct` even at the other end; `between` is that of i = 0.
  [[nodiscard]] double largest_mean_mass(double between, double high) const {
    const std::uint64_t most = std::min(correct_, canaries_);
    const double odds_of_wrong = std::exp(-high);
    double best = between + std::exp(kNothing);  // of i = 1, were it nothing but that
    std::uint64_t i = first_that_counts(high, most);
    if (i > most) return best;
    between += static_cast<double>(i) * std::exp(kNothing);
    double mass = std::exp(log_mass(correct_ - i, high)) * (1 + kSlack + log_error());
    for (;; ++i) {
      between += mass;
      best = std::max(best, between / static_cast<double>(i));
      if (i == most || best * static_cast<double>(i) >= 1) return best;  // no sum of chances can beat it any more
      const auto below = static_cast<double>(correct_ - i);
      // P[W = below - 1] from P[W = below]
      const double ratio = below / (static_cast<double>(guesses_) - below + 1) * odds_of_wrong;
      // beyond the mode each step has a smaller ratio: what is left is less than a geometric series
      if (ratio < 1 && between + mass * ratio / (1 - ratio) <= best * static_cast<double>(i + 1)) return best;
      mass *= ratio * (1 + kStepSlack);
    }
  }

  /// The first i for which P[W = correct - i] is more than nothing: chances rise from there down to the mode.
  [[nodiscard]] std::uint64_t first_that_counts(double epsilon, std::uint64_t most) const {
    const double mode = std::floor(static_cast<double>(guesses_ + 1) * chance_of_right(epsilon));
    const auto correct = static_cast<double>(correct_);
    std::uint64_t low = 1;
    std::uint64_t high = std::min(most, mode < correct ? static_cast<std::uint64_t>(correct - mode) : 1);
    high = std::max(low, high);
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (log_mass(correct_ - middle, epsilon) >= kNothing)
        high = middle;
      else
        low = middle + 1;
    }
    return low;
  }

  [[nodiscard]] double log_mass(std::uint64_t hits, double epsilon) const {
    const auto n = static_cast<double>(guesses_);
    const auto k = static_cast<double>(hits);
    return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(chance_of_right(epsilon)) +
           (n - k) * std::log(chance_of_wrong(epsilon));
  }
  /// More than that is off, since terms of many times its size cancel.
  [[nodiscard]] double log_error() const {
    const auto n = static_cast<double>(guesses_);
    return 32 * std::numeric_limits<double>::epsilon() * (std::lgamma(n + 1) + n * kMostEpsilon);
  }

  std::uint64_t canaries_;
  std::uint64_t guesses_;
  std::uint64_t correct_;
  double delta_;
};

/// The score that is the `place`-th from above (1: the highest) among all.
double ranked_from_above(const SortedScores& scores, std::size_t place) {
  const std::vector<double>& a = scores.members();
  const std::vector<double>& b = scores.others();
  // so many of a are among the `place` highest; the least number for which the rest of a lies below the last of b
  std::size_t low = place > b.size() ? place - b.size() : 0;
  std::size_t high = std::min(place, a.size());
  const auto from_above = [](const std::vector<double>& sorted, std::size_t i) { return sorted[sorted.size() - i]; };
  while (low < high) {
    const std::size_t of_a = (low + high) / 2;
    const std::size_t of_b = place - of_a;
    if (of_a < a.size() && of_b > 0 && from_above(a, of_a + 1) > from_above(b, of_b))
      low = of_a + 1;
    else
      high = of_a;
  }
  double least = HUGE_VAL;
  if (low > 0) least = std::min(least, from_above(a, low));
  if (place - low > 0) least = std::min(least, from_above(b, place - low));
  return least;
}

std::size_t above(const std::vector<double>& sorted, double score) {
  return static_cast<std::size_t>(sorted.end() - std::upper_bound(sorted.begin(), sorted.end(), score));
}

std::size_t below(const std::vector<double>& sorted, double score) {
  return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), score) - sorted.begin());
}

}  // namespace

double one_run_lower(std::uint64_t canaries, std::uint64_t guesses, std::uint64_t correct, double delta,
                     double error) {
  if (correct == 0 || guesses == 0) return 0;
  const TailBound bound(canaries, guesses, correct, delta);
  if (bound(0, 0) > error) return 0;
  double reached = 0;
  double width = 0.1;
  while (reached < kMostEpsilon && width >= kNarrowest) {
    // upwards: with delta the chance may rise and fall again, and the bound is where it first exceeds the error
    if (bound(reached, reached + width) <= error) {
      reached += width;
      width = std::min(2 * width, 0.5);
    } else {
      width /= 2;
    }
  }
  return reached;
}

double telling_delta(double delta, double error, std::uint64_t canaries) {
  return std::min(delta, error / (4 * static_cast<double>(std::max<std::uint64_t>(canaries, 1))));
}

OneRunBound one_run_bound(const SortedScores& scores, double delta, double error) {
  const std::size_t canaries = scores.members().size() + scores.others().size();
  OneRunBound best;
  for (const int percent : kPercents) {
    const std::size_t half = canaries * static_cast<std::size_t>(percent) / 100 / 2;
    if (half == 0) continue;
    const double first_not_in = ranked_from_above(scores, half + 1);
    const double first_not_out = ranked_from_above(scores, canaries - half);
    const std::uint64_t right_in = above(scores.members(), first_not_in);
    const std::uint64_t right_out = below(scores.others(), first_not_out);
    const std::uint64_t guesses =
        right_in + right_out + above(scores.others(), first_not_in) + below(scores.members(), first_not_out);
    const std::uint64_t correct = right_in + right_out;
    const double lower = one_run_lower(canaries, guesses, correct, delta, error);
    if (lower > best.epsilon_lower || best.guesses == 0)
      best = {.guesses = guesses, .correct = correct, .epsilon_lower = lower};
  }
  return best;
}

}  // namespace gauze::audit
