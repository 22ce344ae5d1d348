#include "gauze/assess/measures/model_transfer.h"

#include <algorithm>
#include <cmath>

#include "gauze/models/boosted_trees.h"
#include "gauze/models/logistic_regression.h"

namespace gauze::assess {
namespace {

double uniform(SeededRandom& random) { return (static_cast<double>(random.next() >> 11) + 0.5) * 0x1p-53; }

/// A Poisson draw: by multiplication for small means, from the normal law for large ones. For utility only.
double poisson(SeededRandom& random, double mean) {
  if (mean <= 0) return 0;
  if (mean < 50) {
    const double limit = std::exp(-mean);
    double product = uniform(random);
    double count = 0;
    while (product > limit) {
      product *= uniform(random);
      count += 1;
    }
    return count;
  }
  constexpr double kTwoPi = 6.283185307179586;
  const double normal = std::sqrt(-2 * std::log(uniform(random))) * std::cos(kTwoPi * uniform(random));
  return std::max(0.0, std::round(mean + std::sqrt(mean) * normal));
}

}  // namespace

bool is_degenerate(const models::Performance& performance) {
  return performance.balanced_accuracy.value_or(0) < kChance;
}

ModelTest::ModelTest(std::vector<std::uint32_t> cardinalities, std::vector<std::vector<std::uint32_t>> codes,
                     std::vector<Unit> units, std::vector<std::uint32_t> group_counts)
    : cardinalities_(std::move(cardinalities)),
      codes_(std::move(codes)),
      units_(std::move(units)),
      group_counts_(std::move(group_counts)) {
  unit_groups_.resize(group_counts_.size());
  for (const std::uint32_t groups : group_counts_) group_sizes_.emplace_back(groups, 0.0);
  double positive = 0;
  double negative = 0;
  for (const Unit& unit : units_) {
    positive += unit.positive;
    negative += unit.negative;
    for (std::size_t g = 0; g < group_counts_.size(); ++g) {
      unit_groups_[g].push_back(unit.groups[g]);
      group_sizes_[g][unit.groups[g]] += unit.positive + unit.negative;
    }
  }
  rarer_outcome_ = std::min(positive, negative);
}

std::vector<double> ModelTest::plain_weights() const {
  std::vector<double> weights;
  for (const Unit& unit : units_) {
    weights.push_back(unit.positive);
    weights.push_back(unit.negative);
  }
  return weights;
}

std::vector<double> ModelTest::resampled_weights(SeededRandom& random) const {
  std::vector<double> weights = plain_weights();
  for (double& weight : weights) weight = poisson(random, weight);
  return weights;
}

template <class Model>
std::vector<double> ModelTest::predict(const Model& model, double base_rate) const {
  const std::vector<double> of_features = model.probabilities(models::CodeColumns(codes_));
  std::vector<double> of_units;
  of_units.reserve(units_.size());
  for (const Unit& unit : units_)
    of_units.push_back(unit.features == kNoFeatures ? base_rate : of_features[unit.features]);
  return of_units;
}

ModelRun ModelTest::run(const models::Examples& training, std::span<const double> weights,
                        const FairnessRules& rules) const {
  double positive = 0;
  double negative = 0;
  for (const double weight : training.positive) positive += weight;
  for (const double weight : training.negative) negative += weight;
  const double base_rate = positive + negative > 0 ? positive / (positive + negative) : 0.5;
  std::vector<double> test_positive;
  std::vector<double> test_negative;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    test_positive.push_back(weights[2 * i]);
    test_negative.push_back(weights[2 * i + 1]);
  }
  ModelRun run;
  const auto logistic = models::LogisticRegression::train(training);
  const auto trees = models::BoostedTrees::train(training);
  GAUZE_CHECK(logistic.has_value() && trees.has_value());  // weights are counts: finite, not negative
  const std::vector<double> predicted = predict(*logistic, base_rate);
  run.logistic = models::measure(predicted, test_positive, test_negative);
  run.trees = models::measure(predict(*trees, base_rate), test_positive, test_negative);
  // Who treats everybody alike treats all groups alike: that is no fairness. Nor do a handful of outcomes show any.
  const bool is_scored =
      rules.undefined_is_zero || (!is_degenerate(run.logistic) && rarer_outcome_ >= rules.minimum_group);
  for (std::size_t g = 0; g < group_counts_.size(); ++g) {
    run.groups.push_back(
        models::rates_by_group(predicted, test_positive, test_negative, unit_groups_[g], group_counts_[g]));
    // Whether a group is large enough does not depend on the resampling.
    for (std::size_t i = 0; i < group_counts_[g]; ++i) run.groups.back()[i].size = group_sizes_[g][i];
    run.gaps.push_back(is_scored ? fairness_gaps(run.groups.back(), rules) : FairnessGaps{});
  }
  return run;
}

}  // namespace gauze::assess
