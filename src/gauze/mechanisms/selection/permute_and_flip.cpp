// Permute-and-flip (McKenna, Sheldon 2020): visit the candidates in a random order and take the first whose coin
// shows heads, with probability exp(-rate (best - q_i)). The best candidate's coin always does, so every round ends.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gauze/mechanisms/internal/exact_bernoulli.h"
#include "gauze/mechanisms/internal/majorant_choice.h"
#include "gauze/mechanisms/internal/quadrature.h"
#include "gauze/mechanisms/internal/selection_strategy.h"

namespace gauze::internal {
namespace {

constexpr std::size_t kMostForProbabilities = 4000;

class PermuteAndFlip final : public SelectionStrategy {
 public:
  PermuteAndFlip(std::span<const Rational> scores, const Rational& rate) {
    const Rational best = *std::max_element(scores.begin(), scores.end());
    energy_.reserve(scores.size());
    for (const Rational& score : scores) {
      energy_.push_back((best - score) * rate);
      heads_.push_back(std::exp(-energy_.back().to_double()));
    }
  }

  [[nodiscard]] std::size_t draw(RandomWords& random) const override {
    std::vector<std::size_t> order(energy_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = 0; i < order.size(); ++i) {
      std::swap(order[i], order[i + random.below(order.size() - i)]);
      if (flip(random, order[i])) return order[i];
    }
    GAUZE_CHECK(false);  // the best candidate's coin shows heads
    return 0;
  }

  [[nodiscard]] Result<std::vector<double>> probabilities() const override {
    if (heads_.size() > kMostForProbabilities) {
      return invalid_parameter("the exact distribution of permute-and-flip is computed for at most {} scores",
                               kMostForProbabilities);
    }
    // P[i] = p_i * integral over t in [0, 1] of the product over j != i of (1 - t p_j): t is the share of candidates
    // that come before i. A polynomial of degree n - 1, so Gauss-Legendre with n / 2 nodes is exact up to rounding.
    const Quadrature rule = gauss_legendre(heads_.size() / 2 + 1);
    std::vector<double> result(heads_.size(), 0.0);
    for (std::size_t k = 0; k < rule.nodes.size(); ++k) {
      double log_all = 0;
      for (const double p : heads_) log_all += std::log1p(-rule.nodes[k] * p);
      for (std::size_t i = 0; i < heads_.size(); ++i) {
        const double others = std::exp(log_all - std::log1p(-rule.nodes[k] * heads_[i]));
        result[i] += rule.weights[k] * heads_[i] * others;
      }
    }
    return result;
  }

 private:
  [[nodiscard]] bool flip(RandomWords& random, std::size_t i) const {
    if (energy_[i].sign() == 0) return true;
    const std::uint64_t word = random.next();
    switch (MajorantChoice::compare(word, heads_[i])) {
      case MajorantChoice::Verdict::accept:
        return true;
      case MajorantChoice::Verdict::reject:
        return false;
      case MajorantChoice::Verdict::unclear:
        break;
    }
    return exact_bernoulli(random, word,
                           [&](mpfr_prec_t precision) { return (-Interval(energy_[i], precision)).exp(); });
  }

  std::vector<Rational> energy_;
  std::vector<double> heads_;
};

}  // namespace

std::unique_ptr<SelectionStrategy> make_permute_and_flip(std::span<const Rational> scores, const Rational& rate) {
  return std::make_unique<PermuteAndFlip>(scores, rate);
}

}  // namespace gauze::internal
