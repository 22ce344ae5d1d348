#include "gauze/models/performance.h"

#include <gtest/gtest.h>

#include <limits>

#include "gauze/models/models_testing.h"

namespace gauze::models {
namespace performance_test {

using Numbers = std::vector<double>;

TEST(Performance, CountsTheFourCellsAndTheirRates) {
  // Predicted positive: 0.9 and 0.5. tp = 3 + 2, fp = 1 + 4, fn = 6, tn = 7 + 1.
  const Performance p = measure(Numbers{0.9, 0.5, 0.4, 0.1}, Numbers{3, 2, 6, 0}, Numbers{1, 4, 7, 1});
  EXPECT_EQ(p.true_positive, 5);
  EXPECT_EQ(p.false_positive, 5);
  EXPECT_EQ(p.false_negative, 6);
  EXPECT_EQ(p.true_negative, 8);
  EXPECT_DOUBLE_EQ(p.accuracy.value(), 13.0 / 24);
  EXPECT_DOUBLE_EQ(p.precision.value(), 0.5);
  EXPECT_DOUBLE_EQ(p.recall.value(), 5.0 / 11);
  EXPECT_DOUBLE_EQ(p.balanced_accuracy.value(), (5.0 / 11 + 8.0 / 13) / 2);
  EXPECT_DOUBLE_EQ(p.f1.value(), 10.0 / 21);
}

TEST(Performance, TheThresholdItselfIsPositive) {
  EXPECT_EQ(measure(Numbers{0.3}, Numbers{2}, Numbers{1}, 0.3).true_positive, 2);
  EXPECT_EQ(measure(Numbers{0.3}, Numbers{2}, Numbers{1}, 0.31).false_negative, 2);
}

TEST(Performance, WithoutWeightThereAreNoRates) {
  for (const Performance& p : {measure({}, {}, {}), measure(Numbers{0.7, 0.2}, Numbers{0, 0}, Numbers{0, 0})}) {
    EXPECT_FALSE(p.accuracy || p.balanced_accuracy || p.precision || p.recall || p.f1 || p.auc);
  }
}

TEST(Performance, RatesWithoutADenominatorAreAbsentAndNotZero) {
  const Performance nothing_predicted = measure(Numbers{0.1, 0.2}, Numbers{1, 1}, Numbers{1, 1});
  EXPECT_FALSE(nothing_predicted.precision);
  EXPECT_EQ(nothing_predicted.recall.value(), 0);
  EXPECT_EQ(nothing_predicted.f1.value(), 0);
  EXPECT_EQ(nothing_predicted.balanced_accuracy.value(), 0.5);

  const Performance no_positives = measure(Numbers{0.1, 0.9}, Numbers{0, 0}, Numbers{1, 3});
  EXPECT_FALSE(no_positives.recall || no_positives.balanced_accuracy || no_positives.auc);
  EXPECT_EQ(no_positives.precision.value(), 0);
  EXPECT_EQ(no_positives.accuracy.value(), 0.25);

  const Performance nothing_positive_at_all = measure(Numbers{0.1}, Numbers{0}, Numbers{1});
  EXPECT_FALSE(nothing_positive_at_all.f1);
  EXPECT_FALSE(measure(Numbers{0.1, 0.9}, Numbers{1, 3}, Numbers{0, 0}).auc);
}

TEST(Performance, AucOfPerfectReversedAndConstantPredictions) {
  const Numbers up = {0.1, 0.2, 0.8, 0.9};
  EXPECT_EQ(measure(up, Numbers{0, 0, 2, 5}, Numbers{3, 1, 0, 0}).auc.value(), 1);
  EXPECT_EQ(measure(up, Numbers{3, 1, 0, 0}, Numbers{0, 0, 2, 5}).auc.value(), 0);
  EXPECT_EQ(measure(Numbers(4, 0.3), Numbers{3, 1, 2, 5}, Numbers{1, 0, 2, 5}).auc.value(), 0.5);
}

TEST(Performance, AucIsTheShareOfPairsInTheRightOrderWithTiesHalf) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 100; ++round) {
    const std::size_t n = 1 + random() % 40;
    Numbers probabilities, positive, negative;
    for (std::size_t i = 0; i < n; ++i) {
      probabilities.push_back(static_cast<double>(random() % 12) / 11);  // many ties
      positive.push_back(static_cast<double>(random() % 5));
      negative.push_back(static_cast<double>(random() % 5));
    }
    double right = 0;
    double all = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const double order = probabilities[i] > probabilities[j] ? 1 : probabilities[i] == probabilities[j] ? 0.5 : 0;
        right += positive[i] * negative[j] * order;
        all += positive[i] * negative[j];
      }
    }
    const auto auc = measure(probabilities, positive, negative).auc;
    ASSERT_EQ(auc.has_value(), all > 0);
    if (auc) {
      EXPECT_EQ(*auc, right / all);  // whole numbers: exact on both sides
    }
  }
}

TEST(Performance, HugeAndTinyWeightsKeepTheirRates) {
  const Numbers probabilities = {0.9, 0.6, 0.4};
  const Performance plain = measure(probabilities, Numbers{3, 1, 1}, Numbers{1, 2, 4});
  for (const double factor : {1e-100, 1e200}) {
    const Performance p =
        measure(probabilities, Numbers{3 * factor, factor, factor}, Numbers{factor, 2 * factor, 4 * factor});
    EXPECT_NEAR(p.auc.value(), plain.auc.value(), 1e-15);
    EXPECT_NEAR(p.balanced_accuracy.value(), plain.balanced_accuracy.value(), 1e-15);
    EXPECT_NEAR(p.f1.value(), plain.f1.value(), 1e-15);
  }
}

TEST(Performance, SplittingATupleChangesNothing) {
  const Performance whole = measure(Numbers{0.9, 0.2}, Numbers{4, 2}, Numbers{2, 6});
  const Performance parts = measure(Numbers{0.9, 0.2, 0.9, 0.2}, Numbers{1, 1, 3, 1}, Numbers{2, 4, 0, 2});
  EXPECT_EQ(whole.auc, parts.auc);
  EXPECT_EQ(whole.accuracy, parts.accuracy);
  EXPECT_EQ(whole.f1, parts.f1);
}

TEST(GroupRates, AreThoseOfEachGroupAlone) {
  const Numbers probabilities = {0.9, 0.1, 0.8, 0.3};
  const Numbers positive = {4, 1, 0, 0};
  const Numbers negative = {1, 2, 5, 5};
  const std::vector<std::uint32_t> groups = {0, 0, 2, 2};
  const auto rates = rates_by_group(probabilities, positive, negative, groups, 3);
  ASSERT_EQ(rates.size(), 3U);
  EXPECT_EQ(rates[0].size, 8);
  EXPECT_DOUBLE_EQ(rates[0].tpr.value(), 0.8);
  EXPECT_DOUBLE_EQ(rates[0].fpr.value(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(rates[0].selection_rate.value(), 5.0 / 8);
  EXPECT_DOUBLE_EQ(rates[0].precision.value(), 0.8);

  EXPECT_EQ(rates[1].size, 0);
  EXPECT_FALSE(rates[1].tpr || rates[1].fpr || rates[1].selection_rate || rates[1].precision);

  EXPECT_FALSE(rates[2].tpr);
  EXPECT_DOUBLE_EQ(rates[2].fpr.value(), 0.5);
  EXPECT_DOUBLE_EQ(rates[2].selection_rate.value(), 0.5);
  EXPECT_EQ(rates[2].precision.value(), 0);
}

TEST(GroupRates, OfOneGroupAreThePerformance) {
  std::mt19937_64 random(6);
  Numbers probabilities, positive, negative;
  for (int i = 0; i < 50; ++i) {
    probabilities.push_back(uniform(random));
    positive.push_back(uniform(random));
    negative.push_back(uniform(random));
  }
  const std::vector<std::uint32_t> groups(50, 0);
  const auto rates = rates_by_group(probabilities, positive, negative, groups, 1, 0.7);
  const Performance all = measure(probabilities, positive, negative, 0.7);
  EXPECT_EQ(rates[0].tpr, all.recall);
  EXPECT_EQ(rates[0].precision, all.precision);
}

TEST(GroupRatesDeathTest, NansAndUnknownGroupsAreBugs) {
  const std::vector<std::uint32_t> group = {1};
  EXPECT_DEATH((void)rates_by_group(Numbers{0.5}, Numbers{1}, Numbers{1}, group, 1), "group_count");
  EXPECT_DEATH((void)measure(Numbers{std::numeric_limits<double>::quiet_NaN()}, Numbers{1}, Numbers{1}), "isnan");
  EXPECT_DEATH((void)measure(Numbers{0.5}, Numbers{-1}, Numbers{1}), "is_weight");
}

}  // namespace performance_test
}  // namespace gauze::models
