#include "gauze/assess/measures/published_loss.h"

#include <gtest/gtest.h>

#include "gauze/schema/domain/domain_column.h"

namespace gauze::assess {
namespace published_loss_test {

table::Dictionary dictionary_of(std::vector<std::string> texts) {
  table::Dictionary values;
  values.values = std::move(texts);
  return values;
}

double loss(const schema::PolicyColumn& column, const table::Dictionary& values,
            const std::vector<std::uint64_t>& rows, int level) {
  const auto domain = schema::DomainColumn::make(column);
  EXPECT_TRUE(domain) << domain.error().message;
  return published_loss(column, values, domain->encode(values, level), rows, level);
}

TEST(PublishedLoss, NumbersLoseTheirDistanceToTheMiddleOfTheirInterval) {
  schema::PolicyColumn column{.name = "age"};
  column.hierarchy = schema::IntervalsSpec{{{0, 30, 60, 120}, {0, 120}}};
  // The data's range is 20 to 70: intervals 20 to 30, 30 to 60, 60 to 70 with the middles 25, 45, 65.
  const table::Dictionary values = dictionary_of({"20", "29", "30", "50", "70"});
  const std::vector<std::uint64_t> rows = {1, 2, 3, 4, 5};
  const double by_hand = (1 * 5.0 + 2 * 4.0 + 3 * 15.0 + 4 * 5.0 + 5 * 5.0) / 15 / 50;
  EXPECT_NEAR(loss(column, values, rows, 1), by_hand, 1e-15);
  // One interval from 20 to 70.
  EXPECT_NEAR(loss(column, values, rows, 2), (1 * 25.0 + 2 * 16.0 + 3 * 15.0 + 4 * 5.0 + 5 * 25.0) / 15 / 50, 1e-15);
}

TEST(PublishedLoss, CategoriesLoseTheShareOfValuesThatAreGone) {
  schema::PolicyColumn column{.name = "degree"};
  column.hierarchy = schema::GroupsSpec{{{{"low", {"a", "b", "c"}}, {"high", {"d", "e"}}}}};
  const table::Dictionary values = dictionary_of({"a", "b", "c", "d", "e"});
  const std::vector<std::uint64_t> rows = {10, 1, 1, 1, 1};
  EXPECT_EQ(loss(column, values, rows, 0), 0);
  EXPECT_NEAR(loss(column, values, rows, 1), 3.0 / 4, 1e-15) << "rows do not matter";
  EXPECT_EQ(loss(column, values, rows, 2), 1);
}

TEST(PublishedLoss, WhatIsMissingOrOutsideHasNoPart) {
  schema::PolicyColumn column{.name = "age"};
  column.hierarchy = schema::IntervalsSpec{{{0, 30, 60}}};
  table::Dictionary values = dictionary_of({"10", "20", "999", "?"});
  values.missing = 3;
  EXPECT_NEAR(loss(column, values, {1, 1, 7, 9}, 1), (5.0 + 5.0) / 2 / 10, 1e-15);
  EXPECT_EQ(loss(column, dictionary_of({"10"}), {4}, 1), 0) << "one value has no range";
}

}  // namespace published_loss_test
}  // namespace gauze::assess
