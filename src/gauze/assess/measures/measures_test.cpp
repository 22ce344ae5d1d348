#include <gtest/gtest.h>

#include <cmath>

#include "gauze/assess/measures/class_view.h"
#include "gauze/assess/measures/fairness.h"
#include "gauze/assess/measures/model_transfer.h"
#include "gauze/random/seeded_random.h"

namespace gauze::assess {
namespace measures_test {

std::shared_ptr<const schema::Domain> domain_of(std::vector<int> sizes) {
  std::vector<schema::Domain::Axis> axes;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    schema::PolicyColumn column;
    column.name = "c" + std::to_string(i);
    column.values = {"other"};
    for (int v = 1; v < sizes[i]; ++v) column.values.push_back("v" + std::to_string(v));
    axes.push_back({std::make_shared<const schema::DomainColumn>(*schema::DomainColumn::make(column)), 0});
  }
  return std::make_shared<const schema::Domain>(*schema::Domain::product(std::move(axes)));
}

ClassTable random_table(SeededRandom& random, std::uint64_t cells) {
  ClassTable table;
  for (std::uint64_t cell = 0; cell < cells; ++cell)
    if (random.below(3) > 0) table.classes.push_back({cell, static_cast<double>(1 + random.below(50))});
  table.rest = static_cast<double>(random.below(5));
  return table;
}

TEST(TotalVariation, OnTheExamplesOfTheThesis) {
  // Figure 3.3 in words: half the sum of the differences of shares.
  ClassTable truth{{{0, 20}, {1, 25}, {2, 55}}, 0};
  ClassTable released{{{0, 17}, {1, 20}, {2, 63}}, 0};
  EXPECT_NEAR(total_variation(truth, released), 0.08, 1e-12);
  EXPECT_EQ(total_variation(truth, truth), 0);
  EXPECT_NEAR(total_variation(truth, {{{0, 40}, {1, 50}, {2, 110}}, 0}), 0, 1e-12) << "shares, not counts";
}

TEST(TotalVariation, IsADistanceBetweenZeroAndOne) {
  SeededRandom random(2);
  for (int trial = 0; trial < 500; ++trial) {
    const ClassTable a = random_table(random, 12);
    const ClassTable b = random_table(random, 12);
    const double distance = total_variation(a, b);
    EXPECT_GE(distance, 0);
    EXPECT_LE(distance, 1 + 1e-12);
    EXPECT_DOUBLE_EQ(distance, total_variation(b, a));
  }
  EXPECT_EQ(total_variation({{{0, 1}}, 0}, {}), 1);
  EXPECT_EQ(total_variation({}, {}), 0);
  EXPECT_EQ(total_variation({{{0, 1}}, 0}, {{{1, 1}}, 0}), 1);
}

TEST(Marginals, CoarserMarginalsAreNeverFartherApart) {
  SeededRandom random(5);
  const auto domain = domain_of({3, 4, 2});
  for (int trial = 0; trial < 100; ++trial) {
    const ClassTable truth = random_table(random, domain->size());
    const ClassTable released = random_table(random, domain->size());
    const Marginals marginals(domain, truth);
    EXPECT_LE(marginals.distance(released, 1), marginals.distance(released, 2) + 1e-12);
    EXPECT_LE(marginals.distance(released, 2), marginals.distance(released, 3) + 1e-12);
    EXPECT_NEAR(marginals.distance(released, 3), total_variation(truth, released), 1e-12) << "all three columns";
    EXPECT_NEAR(marginals.distance(truth, 2), 0, 1e-12);
  }
  EXPECT_TRUE(std::isnan(Marginals(domain_of({3, 4}), random_table(random, 12)).distance({}, 3)));
}

TEST(Marginals, ChiSquareByHand) {
  const auto domain = domain_of({2});
  const Marginals marginals(domain, {{{0, 50}, {1, 50}}, 0});
  const auto chi = marginals.chi_square({{{0, 60}, {1, 40}}, 0}, 0);
  EXPECT_NEAR(chi.statistic, 4, 1e-9);  // 100 (0.1^2 / 0.5 + 0.1^2 / 0.5)
  EXPECT_EQ(chi.degrees, 1U);
  EXPECT_TRUE(chi.rejected);
  EXPECT_FALSE(marginals.chi_square({{{0, 55}, {1, 45}}, 0}, 0).rejected);
  const Marginals lonely(domain, {{{0, 50}}, 0});
  EXPECT_TRUE(std::isinf(lonely.chi_square({{{0, 50}, {1, 1}}, 0}, 0).statistic));
}

TEST(RangeQueries, AreExactOnTheTruthAndFixedByTheSeed) {
  SeededRandom random(7);
  const auto domain = domain_of({5, 4, 3});
  const ClassTable truth = random_table(random, domain->size());
  ClassTable released = truth;
  for (ClassCount& one : released.classes) one.count += 3;
  const RangeQueries queries(domain, truth, 11);
  EXPECT_EQ(queries.size(), RangeQueries::kMost);
  EXPECT_EQ(queries.error(truth), 0);
  EXPECT_GT(queries.error(released), 0);
  EXPECT_EQ(queries.error(released), RangeQueries(domain, truth, 11).error(released));
  EXPECT_NE(queries.error(released), RangeQueries(domain, truth, 12).error(released));
}

models::GroupRates group(double size, std::optional<double> tpr, std::optional<double> fpr) {
  return {.size = size, .tpr = tpr, .fpr = fpr, .selection_rate = 0.5, .precision = std::nullopt};
}

TEST(Fairness, GapsByTheThreeDefinitions) {
  const std::vector<models::GroupRates> groups = {group(100, 0.45, 0.10), group(100, 0.20, 0.02),
                                                  group(100, 0.30, 0.05)};
  const FairnessGaps gaps = fairness_gaps(groups, {});
  EXPECT_NEAR(gaps.eod_sum, 0.33, 1e-12);
  EXPECT_NEAR(gaps.eod_max, 0.25, 1e-12);
  EXPECT_NEAR(gaps.eod_mean, 0.165, 1e-12);
  EXPECT_NEAR(gaps.equal_opportunity, 0.25, 1e-12);
  EXPECT_EQ(gaps.demographic_parity, 0);
  EXPECT_TRUE(std::isnan(gaps.predictive_parity)) << "nobody was predicted positive";
}

TEST(Fairness, AGroupWithoutPositivesHasNoRateOfZero) {
  const std::vector<models::GroupRates> groups = {group(100, 0.4, 0.1), group(100, std::nullopt, 0.1),
                                                  group(100, 0.3, 0.1)};
  EXPECT_NEAR(fairness_gaps(groups, {}).eod_sum, 0.1, 1e-12);
  EXPECT_NEAR(fairness_gaps(groups, {.minimum_group = 0, .undefined_is_zero = true}).eod_sum, 0.4, 1e-12)
      << "as published it counts as 0";
}

TEST(Fairness, SmallGroupsDoNotCountAndOneGroupCannotDiffer) {
  const std::vector<models::GroupRates> groups = {group(100, 0.4, 0.1), group(29, 0.9, 0.1), group(100, 0.3, 0.1)};
  EXPECT_NEAR(fairness_gaps(groups, {.minimum_group = 30}).eod_max, 0.1, 1e-12);
  EXPECT_TRUE(std::isnan(fairness_gaps(std::vector{group(100, 0.4, 0.1)}, {}).eod_sum));
  EXPECT_TRUE(std::isnan(fairness_gaps({}, {}).eod_max));
}

/// A test set on one feature with two values, in two groups.
ModelTest small_test() {
  return ModelTest({2}, {{0, 1}},
                   {{.features = 0, .positive = 10, .negative = 90, .groups = {0}},
                    {.features = 1, .positive = 80, .negative = 20, .groups = {1}},
                    {.features = ModelTest::kNoFeatures, .positive = 0, .negative = 5, .groups = {1}}},
                   {2});
}

TEST(ModelTransfer, TestsOnRealRowsWhatWasLearntElsewhere) {
  const ModelTest test = small_test();
  const models::Examples training{{2}, {{0, 1}}, {50, 900}, {900, 50}};
  const ModelRun run = test.run(training, test.plain_weights(), {});
  EXPECT_NEAR(*run.logistic.accuracy, (90 + 80 + 0.0) / 205, 1e-12)
      << "outside rows get the base rate, one half: positive";
  EXPECT_NEAR(*run.groups[0][0].fpr, 0, 1e-12);
  EXPECT_NEAR(*run.groups[0][1].tpr, 1, 1e-12);
  EXPECT_EQ(run.groups[0][1].size, 105);
}

TEST(ModelTransfer, WhoTreatsEverybodyAlikeIsNotCalledFair) {
  const ModelTest test = small_test();
  const models::Examples all_negative{{2}, {{0, 1}}, {1, 1}, {900, 900}};
  const ModelRun run = test.run(all_negative, test.plain_weights(), {});
  EXPECT_TRUE(is_degenerate(run.logistic));
  EXPECT_NEAR(*run.groups[0][0].tpr, 0, 1e-12) << "rates stay";
  EXPECT_TRUE(std::isnan(run.gaps[0].eod_max));
  EXPECT_TRUE(std::isnan(run.gaps[0].demographic_parity));
  const FairnessRules published{.minimum_group = 0, .undefined_is_zero = true};
  EXPECT_EQ(test.run(all_negative, test.plain_weights(), published).gaps[0].eod_max, 0);
  const models::Examples telling{{2}, {{0, 1}}, {50, 900}, {900, 50}};
  EXPECT_FALSE(std::isnan(test.run(telling, test.plain_weights(), {}).gaps[0].eod_max));
}

TEST(ModelTransfer, AHandfulOfOutcomesShowsNoFairness) {
  const models::Examples telling{{2}, {{0, 1}}, {50, 900}, {900, 50}};
  const auto eod_with = [&](double positives) {
    const ModelTest test({2}, {{0, 1}},
                         {{.features = 0, .positive = 10, .negative = 90, .groups = {0}},
                          {.features = 1, .positive = positives, .negative = 20, .groups = {1}}},
                         {2});
    EXPECT_EQ(test.rarer_outcome(), 10 + positives);
    return test.run(telling, test.plain_weights(), {}).gaps[0].eod_max;
  };
  EXPECT_TRUE(std::isnan(eod_with(19)));
  EXPECT_FALSE(std::isnan(eod_with(20)));
}

TEST(ModelTransfer, AnEmptyReleaseStillGivesAnAnswer) {
  const ModelTest test = small_test();
  const ModelRun run = test.run({{2}, {{}}, {}, {}}, test.plain_weights(), {});
  EXPECT_TRUE(run.logistic.accuracy.has_value());
}

// The bootstrap keeps weights on average: 3,000 draws, 5 standard errors.
TEST(ModelTransfer, ResamplingIsUnbiased) {
  const ModelTest test = small_test();
  SeededRandom random(9);
  std::vector<double> sums(6, 0);
  for (int i = 0; i < 3000; ++i) {
    const auto weights = test.resampled_weights(random);
    for (std::size_t w = 0; w < weights.size(); ++w) sums[w] += weights[w];
  }
  const auto plain = test.plain_weights();
  for (std::size_t w = 0; w < plain.size(); ++w)
    EXPECT_NEAR(sums[w] / 3000, plain[w], 5 * std::sqrt(plain[w] / 3000) + 1e-12);
}

}  // namespace measures_test
}  // namespace gauze::assess
