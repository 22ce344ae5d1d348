// The exponential mechanism: candidate i with probability proportional to w_i, where the best score has weight 1.
//   exponential: w_i = exp(-rate (best - q_i));   base 2: w_i = b^(best - q_i) with b a dyadic fraction, exact.
// A draw takes a candidate from integer bounds on the weights and accepts it with exactly w_i * constant / bound.

#include <algorithm>
#include <cmath>

#include "gauze/mechanisms/internal/exact_bernoulli.h"
#include "gauze/mechanisms/internal/majorant_choice.h"
#include "gauze/mechanisms/internal/selection_strategy.h"

namespace gauze::internal {
namespace {

/// Weights by their logarithms: approximately for bounds and filters, enclosed for decisions.
class WeightedChoice : public SelectionStrategy {
 public:
  [[nodiscard]] std::size_t draw(RandomWords& random) const override {
    for (;;) {
      const std::size_t place = choice_.choose(random.next()).index;
      const std::uint64_t word = random.next();
      if (word < choice_.sure(place)) return order_[place];
      switch (MajorantChoice::compare(word, weight_[place] * choice_.factor(place))) {
        case MajorantChoice::Verdict::accept:
          return order_[place];
        case MajorantChoice::Verdict::reject:
          continue;
        case MajorantChoice::Verdict::unclear:
          break;
      }
      const Rational factor = choice_.exact_factor(place);
      const std::size_t candidate = order_[place];
      if (exact_bernoulli(random, word, [&](mpfr_prec_t precision) {
            return enclose_weight(candidate, precision) * Interval(factor, precision);
          })) {
        return candidate;
      }
    }
  }

  [[nodiscard]] Result<std::vector<double>> probabilities() const override {
    constexpr mpfr_prec_t kPrecision = 192;
    std::vector<Interval> weights;
    Interval total(kPrecision);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      weights.push_back(enclose_weight(i, kPrecision));
      total = total + weights.back();
    }
    std::vector<double> result;
    for (const Interval& weight : weights) result.push_back((weight / total).middle());
    return result;
  }

 protected:
  [[nodiscard]] virtual Interval enclose_weight(std::size_t candidate, mpfr_prec_t precision) const = 0;

  /// approximate[i]: the weight of candidate i within 2^-44 relative (0 when it underflows); the best one has 1.
  void build(std::span<const double> approximate) {
    // A heaviest candidate goes first: it takes what rounding leaves over.
    order_.resize(approximate.size());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = i;
    const auto best = std::max_element(approximate.begin(), approximate.end()) - approximate.begin();
    std::swap(order_[0], order_[static_cast<std::size_t>(best)]);
    weight_.reserve(approximate.size());
    for (const std::size_t i : order_) weight_.push_back(approximate[i]);
    choice_ = MajorantChoice(weight_, weight_);
  }

 private:
  std::vector<std::size_t> order_;
  std::vector<double> weight_;  // by place in order_
  MajorantChoice choice_;
};

/// Distances to the best score.
std::vector<Rational> distances(std::span<const Rational> scores) {
  const Rational best = *std::max_element(scores.begin(), scores.end());
  std::vector<Rational> result;
  result.reserve(scores.size());
  for (const Rational& score : scores) result.push_back(best - score);
  return result;
}

class Exponential final : public WeightedChoice {
 public:
  Exponential(std::span<const Rational> scores, const Rational& rate) : energy_(distances(scores)) {
    std::vector<double> approximate;
    approximate.reserve(energy_.size());
    for (Rational& energy : energy_) {
      energy *= rate;
      approximate.push_back(std::exp(-energy.to_double()));
    }
    build(approximate);
  }

 private:
  [[nodiscard]] Interval enclose_weight(std::size_t candidate, mpfr_prec_t precision) const override {
    return (-Interval(energy_[candidate], precision)).exp();
  }
  std::vector<Rational> energy_;
};

/// The base: the smallest multiple of 2^-bits at least exp(-rate). Rounding up makes weights more alike, never less.
Rational base_above(const Rational& rate) {
  const double nats = rate.to_double();
  const int bits =
      64 + static_cast<int>(std::min(4000.0, std::ceil(nats * 1.4427))) + std::max(0, -rate.floor_log2());
  const Interval exact = (-Interval(rate, bits + 64)).exp();
  mpfr_t scaled;
  mpfr_init2(scaled, bits + 64);
  mpfr_mul_2si(scaled, exact.high_end(), bits, MPFR_RNDU);
  mpfr_ceil(scaled, scaled);
  mpfr_mul_2si(scaled, scaled, -bits, MPFR_RNDU);
  mpq_t value;
  mpq_init(value);
  mpfr_get_q(value, scaled);
  Rational base = Rational::from_gmp(value);
  mpq_clear(value);
  mpfr_clear(scaled);
  return base;
}

class Base2Exponential final : public WeightedChoice {
 public:
  Base2Exponential(std::vector<Rational> steps, const Rational& rate)
      : steps_(std::move(steps)), base_(base_above(rate)) {
    // The smaller the rate, the more digits of the base are nines.
    const double log_base = Interval(base_, 256 + std::max(0, -rate.floor_log2())).log().middle();
    std::vector<double> approximate;
    approximate.reserve(steps_.size());
    for (const Rational& step : steps_) approximate.push_back(std::exp(log_base * step.to_double()));
    build(approximate);
  }

 private:
  [[nodiscard]] Interval enclose_weight(std::size_t candidate, mpfr_prec_t precision) const override {
    // A power loses as many bits as its exponent has.
    const Rational& step = steps_[candidate];
    return Interval(base_, precision + 64 + (step.sign() > 0 ? step.floor_log2() : 0)).power(step);
  }
  std::vector<Rational> steps_;
  Rational base_;
};

}  // namespace

std::unique_ptr<SelectionStrategy> make_exponential(std::span<const Rational> scores, const Rational& rate) {
  return std::make_unique<Exponential>(scores, rate);
}

Result<std::unique_ptr<SelectionStrategy>> make_base2_exponential(std::span<const Rational> scores,
                                                                  const Rational& rate) {
  for (const Rational& score : scores) {
    if (!score.is_integer()) {
      return invalid_parameter("base2-exponential takes whole-number scores only; round them, or use exponential");
    }
  }
  return std::make_unique<Base2Exponential>(distances(scores), rate);
}

}  // namespace gauze::internal
