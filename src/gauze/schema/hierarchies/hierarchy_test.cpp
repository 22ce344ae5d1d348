#include "gauze/schema/hierarchies/hierarchy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <numeric>

#include "gauze/schema/hierarchies/hierarchy_builder.h"
#include "gauze/schema/hierarchies/hierarchy_testing.h"

namespace gauze::schema {
namespace hierarchy_test {

using Rows = std::vector<std::vector<std::string>>;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A random tree: every level groups the values of the one below.
Rows random_rows() {
  const auto size = *rc::gen::inRange<std::size_t>(1, 40);
  const auto height = *rc::gen::inRange<std::size_t>(0, 5);
  Rows rows(size);
  std::vector<std::size_t> groups(size);
  std::iota(groups.begin(), groups.end(), 0U);
  std::size_t count = size;
  for (std::size_t row = 0; row < size; ++row) rows[row].push_back("v" + std::to_string(row));
  for (std::size_t level = 1; level <= height; ++level) {
    const std::size_t fewer = *rc::gen::inRange<std::size_t>(1, count + 1);
    const auto parents =
        *rc::gen::container<std::vector<std::size_t>>(count, rc::gen::inRange<std::size_t>(0, fewer));
    for (std::size_t row = 0; row < size; ++row) {
      groups[row] = parents[groups[row]];
      rows[row].push_back("g" + std::to_string(groups[row]));
    }
    count = fewer;
  }
  return rows;
}

TEST(Hierarchy, KnowsItsLevels) {
  const auto hierarchy = Hierarchy::make(
      "city", {{"Bonn", "NRW", "DE"}, {"Köln", "NRW", "DE"}, {"北京", "北京市", "CN"}, {"Ulm", "BW", "DE"}});
  ASSERT_TRUE(hierarchy) << hierarchy.error().message;
  EXPECT_EQ(hierarchy->name(), "city");
  EXPECT_EQ(hierarchy->size(), 4U);
  EXPECT_EQ(hierarchy->levels(), 3);
  EXPECT_EQ(hierarchy->height(), 2);
  EXPECT_EQ(hierarchy->value_count(1), 3U);
  EXPECT_EQ(hierarchy->text(1, 0), "NRW");
  EXPECT_EQ(hierarchy->rows_under(1, 0), 2U);
  EXPECT_EQ(hierarchy->rows_under(2, 0), 3U);
  EXPECT_EQ(hierarchy->code(0, 3), 3U);
  EXPECT_EQ(hierarchy->code(1, 3), 2U);
  EXPECT_EQ(hierarchy->find("北京"), 2U);
  EXPECT_EQ(hierarchy->find("Berlin"), std::nullopt);
  EXPECT_THAT(path_of(*hierarchy, "Köln"), ElementsAre("Köln", "NRW", "DE"));
}

TEST(Hierarchy, OneLevelIsEnough) {
  const auto hierarchy = Hierarchy::make("flat", {{"a"}, {"b"}});
  ASSERT_TRUE(hierarchy);
  EXPECT_EQ(hierarchy->height(), 0);
  EXPECT_EQ(hierarchy->rows_under(0, 1), 1U);
}

TEST(Hierarchy, RefusesNoRows) {
  EXPECT_EQ(error_of(Hierarchy::make("age", {})), "hierarchy 'age' has no lines");
  EXPECT_EQ(error_of(Hierarchy::make("age", {{}})), "hierarchy 'age': line 1 is empty");
}

TEST(Hierarchy, RefusesRaggedRowsWithTheirLine) {
  EXPECT_EQ(error_of(Hierarchy::make("age", {{"1", "*"}, {"2", "*"}, {"3", "low", "*"}})),
            "hierarchy 'age': line 3 has 3 levels, the lines before it have 2");
  EXPECT_THAT(error_of(Hierarchy::make("age", {{"1", "*"}, {"2"}})), HasSubstr("line 2 has 1 levels"));
  EXPECT_THAT(error_of(Hierarchy::make("age", {{"1", "*"}, {}})), HasSubstr("line 2 has 0 levels"));
}

TEST(Hierarchy, RefusesAGroundValueThatIsListedTwice) {
  const auto hierarchy = Hierarchy::make("age", {{"1", "*"}, {"2", "*"}, {"1", "*"}});
  EXPECT_EQ(error_of(hierarchy), "hierarchy 'age': line 3: the ground value of line 1 is listed again");
  EXPECT_EQ(hierarchy.error().code, ErrorCode::bad_data);
}

TEST(Hierarchy, RefusesAValueWithTwoParents) {
  EXPECT_EQ(
      error_of(Hierarchy::make("age", {{"1", "low", "a"}, {"2", "high", "b"}, {"3", "low", "b"}})),
      "hierarchy 'age': levels are not nested: a value of level 1 has one parent at level 2 on line 1 and another on "
      "line 3");
  // The same text may stand at different levels: only a level and the next belong together.
  EXPECT_TRUE(Hierarchy::make("age", {{"a", "b", "*"}, {"b", "a", "*"}}));
}

TEST(Hierarchy, RefusesTooManyLevels) {
  EXPECT_THAT(error_of(Hierarchy::make("deep", {std::vector<std::string>(101, "x")})), HasSubstr("at most 100"));
  EXPECT_TRUE(Hierarchy::make("deep", {std::vector<std::string>(100, "x")}));
}

RC_GTEST_PROP(Hierarchy, EveryLevelIsAFunctionOfTheOneBelow, ()) {
  const Rows rows = random_rows();
  const auto hierarchy = Hierarchy::make("random", rows);
  RC_ASSERT(hierarchy.has_value());
  for (int level = 0; level < hierarchy->levels(); ++level) {
    std::map<std::uint32_t, std::uint32_t> parent;
    std::uint32_t under = 0;
    for (std::uint32_t row = 0; row < hierarchy->size(); ++row) {
      RC_ASSERT(hierarchy->text(level, hierarchy->code(level, row)) == rows[row][static_cast<std::size_t>(level)]);
      if (level == hierarchy->height()) continue;
      const auto [known, is_new] = parent.emplace(hierarchy->code(level, row), hierarchy->code(level + 1, row));
      RC_ASSERT(is_new || known->second == hierarchy->code(level + 1, row));
    }
    for (std::uint32_t code = 0; code < hierarchy->value_count(level); ++code) {
      RC_ASSERT(hierarchy->rows_under(level, code) > 0U);
      under += hierarchy->rows_under(level, code);
    }
    RC_ASSERT(under == hierarchy->size());
    if (level > 0) RC_ASSERT(hierarchy->value_count(level) <= hierarchy->value_count(level - 1));
  }
}

RC_GTEST_PROP(Hierarchy, TheOrderOfRowsDoesNotMatter, ()) {
  const Rows rows = random_rows();
  Rows shuffled = rows;
  const auto keys = *rc::gen::container<std::vector<int>>(rows.size(), rc::gen::arbitrary<int>());
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return std::pair(keys[a], a) < std::pair(keys[b], b); });
  for (std::size_t i = 0; i < order.size(); ++i) shuffled[i] = rows[order[i]];
  const auto one = Hierarchy::make("one", rows);
  const auto other = Hierarchy::make("other", shuffled);
  RC_ASSERT(one.has_value() && other.has_value());
  for (const auto& row : rows) RC_ASSERT(path_of(*one, row[0]) == path_of(*other, row[0]));
}

RC_GTEST_PROP(Hierarchy, ASecondParentIsFoundWhereverItStands, ()) {
  Rows rows = random_rows();
  RC_PRE(rows.front().size() > 1U);
  // A new ground value below an old value of level 1, whose parent at level 2 is another one.
  rows.push_back(rows.front());
  rows.back()[0] = "new";
  for (auto& row : rows) row.push_back("top");
  rows.back().back() = "another top";
  RC_ASSERT(!Hierarchy::make("random", rows).has_value());
}

TEST(HierarchyBuilder, GoesOnFromAFinishedHierarchy) {
  auto hierarchy = Hierarchy::make("age", {{"1", "low", "*"}, {"2", "high", "*"}});
  ASSERT_TRUE(hierarchy);
  {
    HierarchyBuilder builder(*hierarchy);
    const std::vector<std::string_view> row = {"3", "low", "*"};
    ASSERT_TRUE(builder.add(row, 3));
    const auto longer = builder.finish();
    ASSERT_TRUE(longer);
    EXPECT_EQ(longer->size(), 3U);
    EXPECT_EQ(longer->rows_under(1, 0), 2U);
    EXPECT_THAT(path_of(*longer, "3"), ElementsAre("3", "low", "*"));
  }
  HierarchyBuilder builder(*hierarchy);
  const std::vector<std::string_view> wrong = {"3", "low", "other"};
  EXPECT_THAT(error_of(builder.add(wrong, 3)), HasSubstr("not nested"));
  HierarchyBuilder again(*hierarchy);
  const std::vector<std::string_view> twice = {"2", "low", "*"};
  EXPECT_THAT(error_of(again.add(twice, 3)), HasSubstr("line 3: the ground value of line 2"));
}

}  // namespace hierarchy_test
}  // namespace gauze::schema
