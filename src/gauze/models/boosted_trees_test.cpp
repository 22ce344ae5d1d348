#include "gauze/models/boosted_trees.h"

#include <gtest/gtest.h>

#include "gauze/models/models_testing.h"
#include "gauze/models/performance.h"

namespace gauze::models {
namespace boosted_trees_test {

using Options = BoostedTrees::Options;

std::vector<double> trained(const Examples& examples, const Options& options = {}) {
  return BoostedTrees::train(examples, options).value().probabilities(examples);
}

TEST(BoostedTrees, LearnXorWhichALineCannot) {
  const Examples examples = xor_examples();
  const auto p = trained(examples, {.depth = 2});
  EXPECT_LT(p[0], 0.05);
  EXPECT_GT(p[1], 0.95);
  EXPECT_GT(p[2], 0.95);
  EXPECT_LT(p[3], 0.05);
  for (const double each : trained(examples, {.depth = 1})) EXPECT_NEAR(each, 0.5, 0.1);
}

struct Sums {
  double g = 0;
  double h = 0;
};

/// The probabilities after one tree of depth 1 on one feature or several, found by trying every subset of every
/// feature's values: nothing of the code under test, not even the order of values.
std::vector<double> brute_force_stump(const Examples& e, double l2, double rate, double min_child_weight) {
  double positive = 0;
  for (const double each : e.positive) positive += each;
  const double base = positive / total(e);
  double best = -1;
  std::vector<double> result;
  for (std::size_t f = 0; f < e.codes.size(); ++f) {
    for (std::uint32_t subset = 1; subset + 1 < (1U << e.cardinalities[f]); ++subset) {
      Sums side[2];
      for (std::size_t i = 0; i < e.size(); ++i) {
        Sums& sums = side[subset >> e.codes[f][i] & 1];
        const double weight = e.positive[i] + e.negative[i];
        sums.g += weight * base - e.positive[i];
        sums.h += weight * base * (1 - base);
      }
      if (side[0].h < min_child_weight || side[1].h < min_child_weight) continue;
      const double gain = side[0].g * side[0].g / (side[0].h + l2) + side[1].g * side[1].g / (side[1].h + l2);
      if (gain <= best * (1 + 1e-12)) continue;
      best = gain;
      result.clear();
      for (std::size_t i = 0; i < e.size(); ++i) {
        const Sums& sums = side[subset >> e.codes[f][i] & 1];
        const double score = std::log(base / (1 - base)) - rate * sums.g / (sums.h + l2);
        result.push_back(1 / (1 + std::exp(-score)));
      }
    }
  }
  return result;
}

TEST(BoostedTrees, AStumpIsTheBestOfAllSubsetsOfAllFeatures) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 60; ++round) {
    Examples examples = random_examples(random, {2, 7, 5}, 40, 30);
    for (std::uint32_t code = 0; code < 7; ++code) {  // every value occurs, so that both agree on unseen ones
      examples.codes[0].push_back(code % 2);
      examples.codes[1].push_back(code);
      examples.codes[2].push_back(code % 5);
      examples.positive.push_back(1 + uniform(random));
      examples.negative.push_back(1 + uniform(random));
    }
    const double l2 = round % 3 == 0 ? 0 : 5 * uniform(random);
    const auto p = trained(examples, {.trees = 1, .depth = 1, .learning_rate = 0.3, .l2 = l2, .min_child_weight = 0});
    EXPECT_LT(largest_gap(p, brute_force_stump(examples, l2, 0.3, 0)), 1e-12) << round;
  }
}

TEST(BoostedTrees, ChildrenWeighAtLeastWhatIsAskedFor) {
  // Rates 0.9, 0.5, 0.1; the first value is worth splitting off, but too light.
  const Examples examples{
      .cardinalities = {3}, .codes = {{0, 1, 2}}, .positive = {9, 50, 40}, .negative = {1, 50, 60}};
  const auto free = trained(examples, {.trees = 1, .depth = 1, .l2 = 0, .min_child_weight = 0});
  const auto bound = trained(examples, {.trees = 1, .depth = 1, .l2 = 0, .min_child_weight = 5});
  EXPECT_LT(largest_gap(bound, brute_force_stump(examples, 0, 0.2, 5)), 1e-12);
  EXPECT_LT(largest_gap(free, brute_force_stump(examples, 0, 0.2, 0)), 1e-12);
  EXPECT_GT(free[0], free[1]);
  EXPECT_EQ(bound[0], bound[1]);
  EXPECT_EQ(BoostedTrees::train(examples, {.min_child_weight = 1000}).value().size(), 0U);
}

TEST(BoostedTrees, TheTrainingLossNeverIncreases) {
  std::mt19937_64 random(2);
  for (const double rate : {0.2, 1.0}) {
    for (const double factor : {1.0, 1e12}) {
      const Examples examples = scaled(random_examples(random, {6, 9, 4}, 150, 8), factor);
      double before = INFINITY;
      for (int trees = 1; trees <= 40; ++trees) {
        const double loss = log_loss(trained(examples, {.trees = trees, .learning_rate = rate}), examples);
        EXPECT_LE(loss, before * (1 + 1e-12));
        before = loss;
      }
    }
  }
}

TEST(BoostedTrees, RareOutcomesOfLargeWeightDoNotOvershoot) {
  // The base rate is about 1e-4. A plain Newton step in the second value would be thousands long, and the next one as
  // wrong in the other direction.
  const Examples examples{.cardinalities = {2}, .codes = {{0, 1}}, .positive = {0, 9e11}, .negative = {1e16, 1e11}};
  double before = INFINITY;
  for (int trees = 1; trees <= 60; ++trees) {
    const auto p = trained(examples, {.trees = trees, .learning_rate = 1});
    const double loss = log_loss(p, examples);
    EXPECT_LE(loss, before * (1 + 1e-9)) << trees;
    before = loss;
    if (trees == 60) {
      EXPECT_NEAR(p[1], 0.9, 1e-6);
    }
  }
}

TEST(BoostedTrees, ManyTreesReachTheRateOfEveryTuple) {
  std::mt19937_64 random(3);
  Examples examples = random_examples(random, {4, 3}, 0);
  for (std::uint32_t a = 0; a < 4; ++a) {
    for (std::uint32_t b = 0; b < 3; ++b) {
      examples.codes[0].push_back(a);
      examples.codes[1].push_back(b);
      examples.positive.push_back(10 + 80 * uniform(random));
      examples.negative.push_back(100 - examples.positive.back());
    }
  }
  const auto p = trained(examples, {.trees = 3000, .depth = 5, .l2 = 0, .min_child_weight = 0});
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(p[i], examples.positive[i] / 100, 1e-6);
}

TEST(BoostedTrees, SplitShuffledOrScaledTuplesGiveTheSameModel) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 20; ++round) {
    const Examples examples = random_examples(random, {5, 7, 3}, 100);
    const auto wanted = trained(examples);
    const auto probabilities = [&](const Examples& training, const Options& options = {}) {
      return BoostedTrees::train(training, options).value().probabilities(examples);
    };
    EXPECT_LT(largest_gap(probabilities(with_tuples_split(examples)), wanted), 1e-9);
    EXPECT_LT(largest_gap(probabilities(shuffled(random, examples)), wanted), 1e-9);
    EXPECT_LT(largest_gap(probabilities(scaled(examples, 3), {.l2 = 3, .min_child_weight = 3}), wanted), 1e-9);
    EXPECT_EQ(probabilities(scaled(examples, 1024), {.l2 = 1024, .min_child_weight = 1024}), wanted);
    EXPECT_EQ(probabilities(examples), wanted);
  }
}

TEST(BoostedTrees, CodesAreNamesWithoutAnOrder) {
  std::mt19937_64 random(5);
  const Examples examples = random_examples(random, {8, 4}, 150);
  Examples renamed = examples;
  for (auto& code : renamed.codes[0]) code = (code * 3 + 1) % 8;
  EXPECT_LT(largest_gap(trained(examples), trained(renamed)), 1e-9);
}

TEST(BoostedTrees, TiesGoToTheFirstFeature) {
  // Two features that say the same in training, and differ in what is asked afterwards.
  const Examples examples{
      .cardinalities = {2, 2}, .codes = {{0, 1}, {0, 1}}, .positive = {90, 10}, .negative = {10, 90}};
  const auto model = BoostedTrees::train(examples).value();
  const std::vector<std::vector<std::uint32_t>> asked = {{0, 1}, {1, 0}};
  const auto p = model.probabilities(asked);
  EXPECT_GT(p[0], 0.8);
  EXPECT_LT(p[1], 0.2);
}

TEST(BoostedTrees, ValuesNotSeenFollowTheHeavierChild) {
  const Examples examples{.cardinalities = {4}, .codes = {{0, 2}}, .positive = {90, 100}, .negative = {10, 900}};
  const auto model = BoostedTrees::train(examples).value();
  const std::vector<std::vector<std::uint32_t>> asked = {{0, 1, 2, 3}};
  const auto p = model.probabilities(asked);
  EXPECT_EQ(p[1], p[2]);
  EXPECT_EQ(p[3], p[2]);
  EXPECT_GT(p[0], p[2]);
}

TEST(BoostedTrees, WithoutAnythingToLearnThereAreNoTrees) {
  const Examples independent{
      .cardinalities = {3}, .codes = {{0, 1, 2}}, .positive = {3, 30, 21}, .negative = {7, 70, 49}};
  const auto model = BoostedTrees::train(independent).value();
  EXPECT_EQ(model.size(), 0U);
  EXPECT_LT(largest_gap(model.probabilities(independent), {0.3, 0.3, 0.3}), 1e-15);
  const Examples no_features{.cardinalities = {}, .codes = {}, .positive = {3}, .negative = {7}};
  EXPECT_LT(largest_gap(trained(no_features), {0.3}), 1e-15);
}

TEST(BoostedTrees, OneOutcomeOrNoWeightGivesTheSmoothedConstant) {
  Examples examples{.cardinalities = {3}, .codes = {{0, 1}}, .positive = {4, 5}, .negative = {0, 0}};
  EXPECT_LT(largest_gap(trained(examples), {0.95, 0.95}), 1e-14);
  EXPECT_EQ(trained(scaled(examples, 0)), (std::vector<double>{0.5, 0.5}));
  std::swap(examples.positive, examples.negative);
  EXPECT_LT(largest_gap(trained(examples), {0.05, 0.05}), 1e-14);
  const auto empty = BoostedTrees::train({.cardinalities = {3}, .codes = {{}}, .positive = {}, .negative = {}});
  EXPECT_EQ(empty.value().probabilities(examples), (std::vector<double>{0.5, 0.5}));
}

TEST(BoostedTrees, HugeTinyAndSeparableWeightsStayFinite) {
  std::mt19937_64 random(6);
  const Examples examples = random_examples(random, {4, 6}, 80, 3);
  for (const double factor : {1e-300, 1e-12, 1e12, 1e300}) {
    for (const double l2 : {0.0, 1.0}) {
      for (const double each : trained(scaled(examples, factor), {.trees = 300, .l2 = l2, .min_child_weight = 0})) {
        EXPECT_TRUE(each >= 0 && each <= 1) << factor;
      }
    }
  }
  const Examples separable{.cardinalities = {2}, .codes = {{0, 1}}, .positive = {5, 0}, .negative = {0, 5}};
  const auto p = trained(separable, {.trees = 5000, .learning_rate = 1, .l2 = 0, .min_child_weight = 0});
  EXPECT_GT(p[0], 0.999);
  EXPECT_LT(p[1], 0.001);
}

TEST(BoostedTrees, RefuseOptionsOutOfRange) {
  for (const Options& bad :
       {Options{.trees = 0}, Options{.trees = 10'001}, Options{.depth = 0}, Options{.depth = 13},
        Options{.learning_rate = 0}, Options{.learning_rate = 1.1}, Options{.learning_rate = NAN}, Options{.l2 = -1},
        Options{.l2 = INFINITY}, Options{.min_child_weight = -1}, Options{.min_child_weight = NAN}}) {
    const auto result = BoostedTrees::train(xor_examples(), bad);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::invalid_parameter);
  }
}

TEST(BoostedTrees, PredictBetterThanALineWhereFeaturesInteract) {
  std::mt19937_64 random(7);
  Examples examples = random_examples(random, {6, 6}, 400, 20);
  for (std::size_t i = 0; i < examples.size(); ++i) {
    if ((examples.codes[0][i] + examples.codes[1][i]) % 3 == 0) std::swap(examples.positive[i], examples.negative[i]);
  }
  const auto auc = [&](const std::vector<double>& p) {
    return *measure(p, examples.positive, examples.negative).auc;
  };
  EXPECT_GT(auc(trained(examples)), auc(LogisticRegression::train(examples).value().probabilities(examples)) + 0.05);
}

}  // namespace boosted_trees_test
}  // namespace gauze::models
