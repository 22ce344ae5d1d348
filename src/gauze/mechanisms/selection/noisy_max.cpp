// Report-noisy-max: the candidate with the largest score after discrete Laplace noise. Scores and noise live on a
// grid that is fixed by sensitivity and epsilon alone; among equals the first of a random order wins.

#include <algorithm>
#include <cmath>

#include "gauze/mechanisms/internal/selection_strategy.h"
#include "gauze/mechanisms/noise/grid.h"
#include "gauze/mechanisms/noise/noise_law.h"

namespace gauze::internal {
namespace {

/// A grid step is at most 2^-10 of the sensitivity and of the scale: rounding costs less than a thousandth of either,
/// and the exact distribution can still be summed up.
constexpr int kGridBits = 10;
constexpr double kMostWork = 4e9;

class NoisyMax final : public SelectionStrategy {
 public:
  NoisyMax(std::vector<Int128> units, Rational scale_units, DiscreteLaplaceLaw law)
      : units_(std::move(units)), scale_units_(std::move(scale_units)), law_(std::move(law)) {}

  [[nodiscard]] std::size_t draw(RandomWords& random) const override {
    std::vector<std::int64_t> noise(units_.size());
    law_.sample(random, noise);
    std::size_t winner = 0;
    std::uint64_t ties = 1;
    for (std::size_t i = 1; i < units_.size(); ++i) {
      const Int128 lead = units_[i] + noise[i] - (units_[winner] + noise[winner]);
      if (lead > 0) {
        winner = i;
        ties = 1;
      } else if (lead == 0 && random.below(++ties) == 0) {
        winner = i;  // each of the equals is the first of a random order with the same probability
      }
    }
    return winner;
  }

  [[nodiscard]] Result<std::vector<double>> probabilities() const override;

 private:
  std::vector<Int128> units_;
  Rational scale_units_;
  DiscreteLaplaceLaw law_;
};

/// P[i wins] = sum over v of P[q_i + Z_i = v] * integral over s in [0, 1] of the product over j != i of
/// (P[q_j + Z_j < v] + s P[q_j + Z_j = v]), where s is i's place in the random order. A polynomial in s.
Result<std::vector<double>> NoisyMax::probabilities() const {
  const std::size_t n = units_.size();
  const double scale = scale_units_.to_double();
  const Int128 highest = *std::max_element(units_.begin(), units_.end());
  // Below the best score minus 40 scales nobody wins, above it plus 40 scales nobody is: either has probability
  // 4e-18.
  const double reach = std::ceil(40 * scale);
  const Quadrature rule = gauss_legendre(n / 2 + 1);
  if ((2 * reach + 1) * static_cast<double>(n) * static_cast<double>(rule.nodes.size() + 2) > kMostWork) {
    return invalid_parameter(
        "the exact distribution of noisy-max over {} scores at this epsilon takes too many terms; give fewer scores "
        "or a larger epsilon",
        n);
  }
  const double r = std::exp(-1 / scale);
  const double peak = -std::expm1(-1 / scale) / (1 + r);
  std::vector<double> result(n, 0.0), at(n), below(n), product(rule.nodes.size());
  for (auto offset = static_cast<std::int64_t>(-reach); offset <= static_cast<std::int64_t>(reach); ++offset) {
    for (std::size_t j = 0; j < n; ++j) {
      const double d = static_cast<double>(highest - units_[j]) + static_cast<double>(offset);  // v - q_j
      const double decay = std::exp(-std::abs(d) / scale);
      at[j] = peak * decay;
      below[j] = d > 0 ? 1 - decay / (1 + r) : decay * r / (1 + r);
    }
    for (std::size_t k = 0; k < rule.nodes.size(); ++k) {
      product[k] = rule.weights[k];
      for (std::size_t j = 0; j < n; ++j) product[k] *= below[j] + rule.nodes[k] * at[j];
    }
    for (std::size_t i = 0; i < n; ++i) {
      double others = 0;
      for (std::size_t k = 0; k < rule.nodes.size(); ++k) {
        const double own = below[i] + rule.nodes[k] * at[i];
        if (own > 0) others += product[k] / own;
      }
      result[i] += at[i] * others;
    }
  }
  return result;
}

}  // namespace

Result<std::unique_ptr<SelectionStrategy>> make_noisy_max(std::span<const Rational> scores, const Rational& rate,
                                                          const Rational& sensitivity) {
  const Rational scale = Rational(1) / rate;
  const Grid grid = Grid::finer_than(std::min(sensitivity, scale), kGridBits);
  const Rational scale_units = grid.steps_up(sensitivity) / (rate * sensitivity);
  GAUZE_TRY(DiscreteLaplaceLaw law, DiscreteLaplaceLaw::make(scale_units));
  // Only distances to the best score matter. Raising scores that are further away to 2^100 steps below it keeps the
  // sensitivity and the direction of moves, and nothing can overflow.
  std::vector<Rational> rounded;
  rounded.reserve(scores.size());
  for (const Rational& score : scores) rounded.push_back((score / grid.granularity() + Rational(1, 2)).floor());
  const Rational best = *std::max_element(rounded.begin(), rounded.end());
  std::vector<Int128> units;
  units.reserve(scores.size());
  for (const Rational& steps : rounded) units.push_back(Grid(0).round(steps - best));
  return std::make_unique<NoisyMax>(std::move(units), scale_units, std::move(law));
}

}  // namespace gauze::internal
