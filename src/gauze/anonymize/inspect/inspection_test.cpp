#include "gauze/anonymize/inspect/inspection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/anonymize/inspect/association.h"
#include "gauze/anonymize/inspect/coded_columns.h"
#include "gauze/anonymize/inspect/column_roles.h"
#include "gauze/table/testing/memory_table.h"

namespace gauze::anonymize {
namespace inspection_test {

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

TEST(Inspection, TellsDistinctionAndSeparationAsShares) {
  table::MemoryTable table({"a", "b"}, {{"x", "3"}, {"x", "10"}, {"y", "3"}, {"?", "-1"}});
  Progress progress;
  const auto found = inspect(table, {}, progress);
  ASSERT_TRUE(found.has_value());
  const ColumnFigures& a = column(*found, "a").figures;
  EXPECT_DOUBLE_EQ(a.distinction, 2.0 / 3) << "two values in three rows that have one";
  EXPECT_DOUBLE_EQ(*a.separation, 5.0 / 6) << "of six pairs one is alike; missing is a value of its own";
  EXPECT_EQ(a.commonest.size(), 1U);
  EXPECT_EQ(a.commonest[0].value, "x");
  const ColumnFigures& b = column(*found, "b").figures;
  EXPECT_EQ(b.least, "-1");
  EXPECT_EQ(b.largest, "10") << "by size";
}

TEST(Inspection, LeastAndLargestDatesAreByTime) {
  table::MemoryTable table({"d"}, {{"31.12.1999"}, {"01.01.2005"}, {"05.06.2001"}});
  Progress progress;
  const auto found = inspect(table, {}, progress);
  EXPECT_EQ(column(*found, "d").figures.least, "31.12.1999");
  EXPECT_EQ(column(*found, "d").figures.largest, "01.01.2005");
}

TEST(Inspection, NamesColumnsThatDetermineEachOther) {
  table::MemoryTable::Rows rows;
  for (int i = 0; i < 30; ++i)
    rows.push_back({std::to_string(i % 5), "c" + std::to_string(i % 5), std::to_string((i / 2) % 5)});
  table::MemoryTable table({"gdp", "country", "other"}, rows);
  Progress progress;
  const auto found = inspect(table, {}, progress);
  ASSERT_EQ(found->twins.size(), 1U);
  rows.push_back({"0", "c1", "0"});
  table::MemoryTable contradicted({"gdp", "country", "other"}, rows);
  EXPECT_TRUE(inspect(contradicted, {}, progress)->twins.empty()) << "one row speaks against it";
  EXPECT_EQ(found->twins[0].one, "gdp");
  EXPECT_EQ(found->twins[0].other, "country");
}

TEST(Inspection, TellsOfCellsThatDoNotFitTheirColumn) {
  table::MemoryTable::Rows rows;
  for (int i = 0; i < 28; ++i) rows.push_back({fmt::format("2001-01-{:02}", i + 1), "a", "b", "c"});
  rows.push_back({"-", "a", "b", "d"});
  table::MemoryTable table({"day", "age", "sex", "zip"}, rows);
  Progress progress;
  const auto found = inspect(table, {}, progress);
  ASSERT_TRUE(found.has_value()) << found.error().message;
  ASSERT_TRUE(column(*found, "day").odd.has_value());
  EXPECT_EQ(column(*found, "day").odd->cells, 1U);
  EXPECT_FALSE(column(*found, "age").odd.has_value());
}

// Pairs that are counted in memory are those of a grouped scan.
TEST(CodedColumns, CountPairsLikeAGroupedScan) {
  table::MemoryTable table({"a", "b"}, {{"x", " 1"}, {"x", "1"}, {"?", "2"}, {"", "2"}, {"y", "1"}});
  Progress progress;
  const auto kept = CodedColumns::read(table, {0, 1}, progress);
  ASSERT_TRUE(kept.has_value());
  const table::TupleCounts pairs = kept->pairs(0, 1);
  const std::size_t both[] = {0, 1};
  const auto grouped = table.group(both, progress);
  ASSERT_EQ(pairs.size(), grouped->size());
  EXPECT_DOUBLE_EQ(mutual_information(pairs), mutual_information(*grouped));
  EXPECT_EQ(pairs.dictionaries[0].values, grouped->dictionaries[0].values);
}

}  // namespace inspection_test
}  // namespace gauze::anonymize
