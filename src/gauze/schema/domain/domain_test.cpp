#include "gauze/schema/domain/domain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "gauze/schema/testing/small_tables.h"

namespace gauze::schema {
namespace domain_test {

using ::testing::ElementsAre;

TEST(Domain, NumbersEveryCombination) {
  const auto domain = Domain::product({{values_column("a", 3), 0}, {values_column("b", 2), 0}});
  ASSERT_TRUE(domain);
  EXPECT_EQ(domain->size(), 12U);  // 4 x 3: each has an "other"
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> seen;
  for (std::uint64_t cell = 0; cell < domain->size(); ++cell) ++seen[{domain->code(cell, 0), domain->code(cell, 1)}];
  EXPECT_EQ(seen.size(), 12U);
  EXPECT_EQ(domain->text(11, 0), "other");
}

TEST(Domain, RefusesLevelsAndSizesItCannotHave) {
  EXPECT_FALSE(Domain::product({{values_column("a", 3), 2}}));
  EXPECT_FALSE(Domain::product({{values_column("a", 3), -1}}));
  std::vector<Domain::Axis> axes;
  for (int i = 0; i < 7; ++i) axes.push_back({values_column("a" + std::to_string(i), 1000), 0});
  EXPECT_FALSE(Domain::product(axes)) << "1001^7 cells";
}

TEST(Domain, CountsRowsByCellWhateverTheirOrder) {
  const auto domain =
      std::make_shared<const Domain>(*Domain::product({{values_column("a", 2), 0}, {values_column("b", 2), 0}}));
  const table::TupleCounts tuples =
      make_tuples({{"a0", "b1"}, {"a1", "b0"}, {"a1", "zzz"}, {"a0", "b1"}}, {3, 4, 5, 2});
  const Histogram histogram = count_rows(CodedTuples::in(domain, tuples), tuples.counts);
  EXPECT_EQ(histogram.total, 14U);
  EXPECT_EQ(histogram.outside, 0U);
  EXPECT_THAT(histogram.cells, ElementsAre(CellCount{1, 5}, CellCount{3, 4}, CellCount{5, 5}));
}

TEST(Domain, WhatOccursIsListedInTheOrderOfItsCodes) {
  const table::TupleCounts tuples = make_tuples({{"b", "y"}, {"a", "x"}, {"b", "x"}, {"a", "x"}}, {1, 2, 3, 4});
  const auto a = std::make_shared<const DomainColumn>(DomainColumn::observed("a", tuples.dictionaries[0]));
  const auto b = std::make_shared<const DomainColumn>(DomainColumn::observed("b", tuples.dictionaries[1]));
  const CodedTuples coded = CodedTuples::observed({{a, 0}, {b, 0}}, tuples);
  EXPECT_EQ(coded.domain->size(), 3U);
  const Histogram histogram = count_rows(coded, tuples.counts);
  EXPECT_THAT(histogram.cells, ElementsAre(CellCount{0, 6}, CellCount{1, 3}, CellCount{2, 1}));
  EXPECT_EQ(coded.domain->text(1, 0), "b");
  EXPECT_EQ(coded.domain->text(1, 1), "x");
  const CodedTuples coarse = CodedTuples::observed({{a, 1}, {b, 0}}, tuples);
  EXPECT_EQ(coarse.domain->size(), 2U);
}

TEST(Domain, ValuesOutsideAreCountedButInNoCell) {
  const IntervalsSpec ages{{{0, 10, 20}}};
  PolicyColumn column;
  column.name = "age";
  column.hierarchy = ages;
  const auto age = std::make_shared<const DomainColumn>(*DomainColumn::make(column));
  const table::TupleCounts tuples = make_tuples({{"5"}, {"99"}, {"x"}, {"12"}}, {1, 2, 3, 4});
  const auto domain = std::make_shared<const Domain>(*Domain::product({{age, 1}}));
  for (const CodedTuples& coded : {CodedTuples::in(domain, tuples), CodedTuples::observed({{age, 1}}, tuples)}) {
    const Histogram histogram = count_rows(coded, tuples.counts);
    EXPECT_EQ(histogram.outside, 5U);
    EXPECT_EQ(histogram.total, 10U);
    EXPECT_THAT(histogram.cells, ElementsAre(CellCount{0, 1}, CellCount{1, 4}));
  }
}

}  // namespace domain_test
}  // namespace gauze::schema
