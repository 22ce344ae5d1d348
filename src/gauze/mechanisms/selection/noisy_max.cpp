// Report-noisy-max: the candidate with the largest score after discrete Laplace noise. Scores and noise live on a
// grid that is fixed by sensitivity and epsilon alone; among equals the first of a random order wins.

#include <algorithm>
#include <cmath>

#include "gauze/mechanisms/internal/quadrature.h"
#include "gauze/mechanisms/internal/selection_strategy.h"
#include "gauze/mechanisms/noise/grid.h"
#include "gauze/mechanisms/noise/noise_law.h"

namespace gauze::internal {
namespace {

/// A grid step is at most 2^-10 of the sensitivity and of the scale: rounding costs less than a thousandth of either,
/// and the exact distribution can still be summed up.
constexpr int kGridBits = 10;
constexpr double kMostWork = 1e9;  // about two seconds

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

/// Of the places v that the winner can have, those that are looked at, and for how many each stands.
///
/// Between two neighbouring scores what is summed is analytic in v and changes over a scale at the soonest: twelve places
/// stand for half a scale. Continued to complex v it stays below 1 in an ellipse around the piece whose axes add up to 6.6
/// of its half lengths, so a piece is off by about 6.6^-24 = 2e-20.
Quadrature places(const std::vector<double>& rising_scores, std::int64_t lowest, std::int64_t highest, double scale) {
  constexpr std::int64_t kNodes = 12, kShortest = 4 * kNodes;
  Quadrature all;
  const auto add = [&](std::int64_t first, std::int64_t points) {
    const bool few = points < kShortest;
    const Quadrature piece = few ? Quadrature() : gauss_sum(kNodes, points);
    for (std::int64_t k = 0; k < (few ? points : kNodes); ++k) {
      const auto node = static_cast<std::size_t>(k);
      all.nodes.push_back(static_cast<double>(first) + (few ? static_cast<double>(k) : piece.nodes[node]));
      all.weights.push_back(few ? 1 : piece.weights[node]);
    }
  };
  const auto most = static_cast<std::int64_t>(scale / 2);
  std::int64_t first = lowest;
  const auto add_up_to = [&](std::int64_t last) {
    for (std::int64_t pieces = (last - first + most) / most; pieces > 0; --pieces) {
      const std::int64_t points = (last - first + 1) / pieces;
      add(first, points);
      first += points;
    }
  };
  for (const double score : rising_scores) {
    if (score >= static_cast<double>(first)) add_up_to(static_cast<std::int64_t>(score));
  }
  add_up_to(highest);
  return all;
}

/// How many nodes the integral over the place s in [0, 1] needs: of a product of n terms 1 + s x, all x at most 1 / scale.
std::size_t nodes_for_order(std::size_t n, double scale) {
  const double growth = static_cast<double>(n) / scale;
  // By how much the rule of m nodes is off at most for exp(growth s): growth^(2m) m!^4 / ((2m + 1) (2m)!^3).
  const auto log_error = [&](double m) {
    return growth + 2 * m * std::log(growth) + 4 * std::lgamma(m + 1) - std::log(2 * m + 1) -
           3 * std::lgamma(2 * m + 1);
  };
  const std::size_t enough = n / 2 + 1;
  std::size_t nodes = 1;
  while (nodes < enough && log_error(static_cast<double>(nodes)) > std::log(1e-18)) ++nodes;
  return nodes;
}

/// P[i wins] = sum over v of P[q_i + Z_i = v] * integral over s in [0, 1] of the product over j != i of
/// (P[q_j + Z_j < v] + s P[q_j + Z_j = v]), where s is i's place in the random order. A polynomial in s.
Result<std::vector<double>> NoisyMax::probabilities() const {
  const std::size_t n = units_.size();
  const double scale = scale_units_.to_double();
  std::vector<double> scores(n);  // from the best one, which is 0
  const Int128 highest = *std::max_element(units_.begin(), units_.end());
  for (std::size_t j = 0; j < n; ++j) scores[j] = static_cast<double>(units_[j] - highest);
  std::vector<double> rising = scores;
  std::sort(rising.begin(), rising.end());
  rising.erase(std::unique(rising.begin(), rising.end()), rising.end());
  // Below the best score minus 40 scales nobody wins, above it plus 40 scales nobody is: either has probability
  // 4e-18.
  const auto reach = static_cast<std::int64_t>(std::ceil(40 * scale));
  const std::size_t order_nodes = nodes_for_order(n, scale);
  std::erase_if(rising, [&](double score) { return score < -static_cast<double>(reach); });
  const auto is_too_much = [&](std::size_t nodes) {
    return static_cast<double>(nodes) * static_cast<double>(n) * static_cast<double>(order_nodes + 2) > kMostWork;
  };
  // There is a node for every score at least, which is known before they are all made.
  const Quadrature sum = is_too_much(rising.size()) ? Quadrature() : places(rising, -reach, reach, scale);
  if (sum.nodes.empty() || is_too_much(sum.nodes.size())) {
    return invalid_parameter(
        "the exact distribution of noisy-max over {} scores takes too many terms; give fewer scores", n);
  }
  const Quadrature rule = gauss_legendre(order_nodes);
  const double r = std::exp(-1 / scale);
  const double peak = -std::expm1(-1 / scale) / (1 + r);
  std::vector<double> result(n, 0.0), at(n), below(n), product(rule.nodes.size());
  for (std::size_t place = 0; place < sum.nodes.size(); ++place) {
    for (std::size_t j = 0; j < n; ++j) {
      const double d = sum.nodes[place] - scores[j];
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
      result[i] += sum.weights[place] * at[i] * others;
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
