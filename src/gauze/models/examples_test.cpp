#include "gauze/models/examples.h"

#include <gtest/gtest.h>

#include <limits>

#include "gauze/models/boosted_trees.h"
#include "gauze/models/internal/training_rows.h"
#include "gauze/models/logistic_regression.h"

namespace gauze::models {
namespace examples_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Examples one_feature(const std::vector<double>& positive, const std::vector<double>& negative) {
  Examples examples{.cardinalities = {5}, .codes = {{}}, .positive = positive, .negative = negative};
  for (std::size_t i = 0; i < examples.size(); ++i) examples.codes[0].push_back(static_cast<std::uint32_t>(i % 5));
  return examples;
}

TEST(Examples, WeightsMustBeFiniteAndNotNegative) {
  EXPECT_TRUE(check_weights(std::vector<double>{0, 1e300}, std::vector<double>{1, 0}));
  for (const double bad : {-1e-9, kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
    const Examples as_positive = one_feature({1, bad}, {1, 1});
    const Examples as_negative = one_feature({1, 1}, {bad, 1});
    for (const Examples& examples : {as_positive, as_negative}) {
      const auto logistic = LogisticRegression::train(examples);
      ASSERT_FALSE(logistic);
      EXPECT_EQ(logistic.error().code, ErrorCode::invalid_parameter);
      EXPECT_FALSE(BoostedTrees::train(examples));
    }
  }
}

TEST(Examples, TheTotalWeightMustBeFinite) {
  const auto result = LogisticRegression::train(one_feature({1.5e308, 1}, {1.5e308, 1}));
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("finite"), std::string::npos);
}

TEST(TrainingRows, LeaveOutWhatWeighsNothing) {
  const auto rows = internal::training_rows(one_feature({1, 0, 2, 0}, {1, 0, 0, 4}), 0).value();
  EXPECT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows.code_of, (std::vector<std::uint32_t>{0, 2, 3}));
  EXPECT_EQ(rows.columns, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(rows.first_column, (std::vector<std::uint32_t>{0, 3}));
  EXPECT_EQ(rows.total_positive, 3);
  EXPECT_EQ(rows.total_negative, 5);
  EXPECT_EQ(rows.unit, 8);
  EXPECT_EQ(rows.positive, (std::vector<double>{1.0 / 8, 2.0 / 8, 0}));
}

TEST(TrainingRows, WeighAboutOneInTotalWhateverTheUnit) {
  for (const double factor : {1e-300, 1e-12, 1.0, 1e12, 1e300}) {
    const auto rows = internal::training_rows(one_feature({3 * factor, factor}, {factor, factor}), 0).value();
    double sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) sum += rows.positive[i] + rows.negative[i];
    EXPECT_GE(sum, 1);
    EXPECT_LT(sum, 2);
  }
}

TEST(TrainingRows, NumberTheValuesOfAllFeaturesOneAfterTheOther) {
  const Examples examples{.cardinalities = {3, 9}, .codes = {{2, 0}, {8, 5}}, .positive = {1, 1}, .negative = {0, 0}};
  const auto rows = internal::training_rows(examples, 0).value();
  EXPECT_EQ(rows.columns, (std::vector<std::uint32_t>{1, 3, 0, 2}));
  EXPECT_EQ(rows.code_of, (std::vector<std::uint32_t>{0, 2, 5, 8}));
  EXPECT_TRUE(rows.one_class());
}

TEST(ExamplesDeathTest, ShapesThatDoNotFitAreBugs) {
  EXPECT_DEATH(
      (void)LogisticRegression::train({.cardinalities = {2}, .codes = {{2}}, .positive = {1}, .negative = {1}}),
      "code < bound");
  EXPECT_DEATH((void)BoostedTrees::train({.cardinalities = {2}, .codes = {{0, 1}}, .positive = {1}, .negative = {1}}),
               "size");
  const auto model =
      LogisticRegression::train({.cardinalities = {2}, .codes = {{0}}, .positive = {1}, .negative = {1}}).value();
  const std::vector<std::vector<std::uint32_t>> beyond = {{0, 7}};
  EXPECT_DEATH((void)model.probabilities(beyond), "code < bound");
}

}  // namespace examples_test
}  // namespace gauze::models
