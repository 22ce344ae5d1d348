#include "gauze/learn/rows/learning_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gauze::learn {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

schema::LearnPolicy policy() {
  schema::LearnPolicy policy;
  policy.unit = schema::LearnUnit{.id = "who", .max_rows = 2};
  policy.features = {{.name = "x", .low = 0, .high = 10, .scale = schema::NumberScale::unit}};
  policy.target = {.column = "y", .classes = {{"low", {"0", "1"}}, {"high", {"2"}}}};
  policy.weights = schema::LearnWeights{.column = "w", .low = Rational(1, 2), .high = 4};
  policy.class_weights = {{"high", 3}};
  return policy;
}

LearningRows rows_of(const schema::LearnPolicy& policy, const std::vector<std::vector<std::string>>& table) {
  LearningRows rows(policy, InputEncoding::expanded, table::DecimalSign::point, {});
  for (const auto& row : table) {
    if (row.empty()) {
      rows.add_unreadable();
      continue;
    }
    const std::vector<std::string_view> cells(row.begin(), row.end());
    rows.add(cells);
  }
  rows.finish();
  return rows;
}

// columns: x, y, w, who
TEST(LearningRows, JoinsRowsOfAUnitInTheOrderOfTheirFirstOne) {
  const LearningRows rows =
      rows_of(policy(), {{"1", "0", "1", "b"}, {"2", "2", "1", "a"}, {"3", "1", "1", " b "}, {"4", "2", "1", "c"}});
  EXPECT_EQ(rows.units(), 3u);
  EXPECT_THAT(rows.rows_of(0), ElementsAre(0, 2));
  EXPECT_THAT(rows.rows_of(1), ElementsAre(1));
  EXPECT_THAT(rows.rows_of(2), ElementsAre(3));
}

TEST(LearningRows, RowsWithoutIdOrTargetContributeNothing) {
  const LearningRows rows = rows_of(policy(), {{"1", "0", "1", ""},
                                               {"2", "7", "1", "a"},
                                               {"3", "", "1", "b"},
                                               {},
                                               {"4", "0", "1", "\xff"},
                                               {"5", "0", "1", "b"}});
  EXPECT_EQ(rows.units(), 2u);
  EXPECT_THAT(rows.rows_of(0), IsEmpty());
  EXPECT_EQ(rows.rows_of(1).size(), 1u);
}

TEST(LearningRows, EveryRowIsAUnitWhereThereIsNoId) {
  schema::LearnPolicy plain = policy();
  plain.unit.reset();
  const LearningRows rows = rows_of(plain, {{"1", "0", "1"}, {"2", "7", "1"}, {}, {"3", "2", "1"}});
  EXPECT_EQ(rows.units(), 4u);
  EXPECT_EQ(rows.rows(), 2u);
  EXPECT_THAT(rows.rows_of(1), IsEmpty());
  EXPECT_THAT(rows.rows_of(2), IsEmpty());
  EXPECT_THAT(rows.rows_of(3), ElementsAre(1));
}

TEST(LearningRows, WeightsAreWithinTheirBoundsWhateverTheCellsSay) {
  const LearningRows rows = rows_of(policy(), {{"1", "0", "2", "a"},
                                               {"1", "2", "2", "b"},
                                               {"1", "0", "1e30", "c"},
                                               {"1", "0", "-inf", "d"},
                                               {"1", "0", "nan", "e"},
                                               {"1", "0", "", "f"},
                                               {"1", "2", "inf", "g"}});
  std::vector<float> weights;
  for (std::size_t row = 0; row < rows.rows(); ++row) weights.push_back(rows.target(row).weight);
  EXPECT_THAT(weights, ElementsAre(2, 6, 4, 0.5, 0.5, 0.5, 12));
  EXPECT_EQ(rows.target(1).label, 1u);
}

TEST(LearningRows, ClampsANumberThatIsPredicted) {
  schema::LearnPolicy numeric = policy();
  numeric.target = {.column = "y", .numeric = true, .low = 0, .high = 4};
  numeric.class_weights.clear();
  numeric.weights.reset();
  numeric.unit.reset();
  const LearningRows rows = rows_of(numeric, {{"1", "3"}, {"1", "-9"}, {"1", "inf"}, {"1", "x"}});
  EXPECT_EQ(rows.rows(), 3u);
  EXPECT_FLOAT_EQ(rows.target(0).value, 0.5F);
  EXPECT_FLOAT_EQ(rows.target(1).value, -1.0F);
  EXPECT_FLOAT_EQ(rows.target(2).value, 1.0F);
}

TEST(LearningRows, KeepsManyRows) {
  schema::LearnPolicy plain = policy();
  plain.unit.reset();
  LearningRows rows(plain, InputEncoding::expanded, table::DecimalSign::point, {});
  for (int i = 0; i < 10'000; ++i) {
    const std::string x = std::to_string(i % 11);
    const std::vector<std::string_view> cells = {x, "0", "1"};
    rows.add(cells);
  }
  rows.finish();
  ASSERT_EQ(rows.units(), 10'000u);
  std::vector<float> input(1);
  rows.encoder().encode(rows.codes(9'999), input);
  EXPECT_FLOAT_EQ(input[0], static_cast<float>(9'999 % 11) / 10);
}

}  // namespace
}  // namespace gauze::learn
