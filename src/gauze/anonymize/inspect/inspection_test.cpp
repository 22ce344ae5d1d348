#include "gauze/anonymize/inspect/inspection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/anonymize/inspect/column_roles.h"
#include "gauze/table/testing/memory_table.h"

namespace gauze::anonymize {
namespace {

using namespace schema;  // the vocabulary of this file

using ::testing::HasSubstr;

table::MemoryTable people() {
  table::MemoryTable::Rows rows;
  for (int i = 0; i < 60; ++i)
    rows.push_back({"P" + std::to_string(1000 + i), std::to_string(20 + i % 7), i % 2 == 0 ? "Female" : "Male",
                    i % 2 == 0 ? "Wife" : "Husband", "9" + std::to_string(i % 5),
                    i % 3 == 0   ? "?"
                    : i % 3 == 1 ? "flu"
                                 : "asthma",
                    "x", std::to_string(i) + ".5"});
  return {{"patient_id", "age", "sex", "relationship", "zip", "diagnosis", "constant", "weight"}, rows};
}

const Inspection::Column& column(const Inspection& found, const std::string& name) {
  for (const auto& one : found.columns)
    if (one.name == name) return one;
  throw std::out_of_range(name);
}

TEST(Inspection, SuggestsRolesWithReasons) {
  table::MemoryTable table = people();
  Progress progress;
  const auto found = inspect(table, {}, progress);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->rows, 60U);
  EXPECT_EQ(column(*found, "patient_id").role, Role::identifier);
  EXPECT_EQ(column(*found, "age").role, Role::quasi);
  EXPECT_EQ(column(*found, "zip").role, Role::quasi);
  EXPECT_EQ(column(*found, "diagnosis").role, Role::sensitive);
  EXPECT_EQ(column(*found, "constant").role, Role::insensitive);
  EXPECT_EQ(column(*found, "weight").role, Role::quasi) << "nearly every row has a weight of its own";
  EXPECT_EQ(column(*found, "diagnosis").missing, 20U);
  EXPECT_EQ(column(*found, "age").distinct, 7U);
  EXPECT_THAT(column(*found, "age").reason, HasSubstr("age"));
  EXPECT_FALSE(column(*found, "age").risk.has_value());
}

TEST(Inspection, RiskIsNormalisedInformationTimesAvailability) {
  table::MemoryTable table = people();
  Progress progress;
  InspectionRequest request;
  request.target = "sex";
  request.columns = {"relationship", "zip", "age"};
  request.availability = {{"relationship", 2}};
  const auto found = inspect(table, request, progress);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(column(*found, "relationship").normalized_mutual_information, 1);
  EXPECT_EQ(column(*found, "relationship").risk, 2);
  double least = 1;
  for (const char* name : {"zip", "age"})
    least = std::min(least, *column(*found, name).normalized_mutual_information);
  EXPECT_EQ(least, 0);
  EXPECT_EQ(column(*found, "sex").role, Role::target);
  EXPECT_FALSE(column(*found, "sex").mutual_information.has_value());
}

TEST(Inspection, WarnsOfColumnsTiedToAProtectedOne) {
  table::MemoryTable table = people();
  Progress progress;
  const auto found = inspect(table, {}, progress);
  ASSERT_TRUE(found.has_value());
  ASSERT_FALSE(found->ties.empty());
  EXPECT_EQ(found->ties.front().column, "relationship");
  EXPECT_EQ(found->ties.front().protected_group, "sex");
  EXPECT_DOUBLE_EQ(found->ties.front().cramers_v, 1);
}

TEST(Inspection, CombinationsCountUniqueRows) {
  table::MemoryTable table(
      {"age", "zip", "sex"},
      {{"1", "a", "m"}, {"1", "a", "m"}, {"2", "a", "m"}, {"1", "b", "f"}, {"2", "b", "f"}, {"2", "b", "f"}});
  Progress progress;
  InspectionRequest request;
  request.columns = {"age", "zip", "sex"};
  request.k = 2;
  const auto found = inspect(table, request, progress);
  ASSERT_TRUE(found.has_value());
  ASSERT_EQ(found->combinations.size(), 1U);
  EXPECT_EQ(found->combinations[0].uniques, 2U);
  EXPECT_EQ(found->combinations[0].below_k, 2U);
  EXPECT_EQ(found->combinations[0].smallest_class, 1U);
}

TEST(Inspection, WorksOnATableWithoutRows) {
  table::MemoryTable table({"age", "zip", "sex", "income"}, {});
  Progress progress;
  InspectionRequest request;
  request.target = "income";
  const auto found = inspect(table, request, progress);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->rows, 0U);
  EXPECT_TRUE(found->combinations.empty());
}

TEST(Inspection, RefusesUnknownColumns) {
  table::MemoryTable table = people();
  Progress progress;
  InspectionRequest request;
  request.target = "ages";
  const auto found = inspect(table, request, progress);
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().code, ErrorCode::unknown_column);
}

TEST(SuggestedRole, KnowsChineseNames) {
  table::ColumnSummary summary;
  summary.distinct = 5;
  EXPECT_EQ(suggest_role("患者姓名", summary, {}, 100).role, Role::identifier);
  EXPECT_EQ(suggest_role("年龄", summary, {}, 100).role, Role::quasi);
  EXPECT_EQ(suggest_role("疾病", summary, {}, 100).role, Role::sensitive);
  EXPECT_EQ(default_availability("学历", Role::quasi), 5);
}

TEST(SuggestedRole, LooksAtWordsNotAtLetters) {
  table::ColumnSummary summary;
  summary.distinct = 5;
  EXPECT_THAT(suggest_role("percentage", summary, {}, 100).reason, Not(HasSubstr("age,")));
  EXPECT_EQ(suggest_role("birthDate", summary, {}, 100).role, Role::quasi);
  EXPECT_EQ(suggest_role("city_name", summary, {}, 100).role, Role::quasi);
}

}  // namespace
}  // namespace gauze::anonymize
