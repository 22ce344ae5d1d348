#include "gauze/anonymize/inspect/association.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gauze::anonymize {
namespace association_test {

/// The grouped form of a contingency table.
table::TupleCounts pairs_of(const std::vector<std::vector<std::uint64_t>>& counts) {
  table::TupleCounts pairs;
  pairs.dictionaries.resize(2);
  pairs.codes.resize(2);
  for (std::uint32_t row = 0; row < counts.size(); ++row) {
    pairs.dictionaries[0].values.push_back(std::to_string(row));
    for (std::uint32_t column = 0; column < counts[row].size(); ++column) {
      if (counts[row][column] == 0) continue;
      pairs.codes[0].push_back(row);
      pairs.codes[1].push_back(column);
      pairs.counts.push_back(counts[row][column]);
    }
  }
  for (std::size_t column = 0; column < counts.front().size(); ++column)
    pairs.dictionaries[1].values.push_back(std::to_string(column));
  return pairs;
}

TEST(Association, IndependentColumnsShareNothing) {
  const auto pairs = pairs_of({{10, 20}, {20, 40}});
  EXPECT_NEAR(mutual_information(pairs), 0, 1e-15);
  EXPECT_NEAR(cramers_v(pairs), 0, 1e-7);
  EXPECT_EQ(cramers_v_without_chance(pairs), 0);
}

TEST(Association, AColumnThatFollowsFromAnotherSharesItsEntropy) {
  const auto pairs = pairs_of({{30, 0}, {0, 30}});
  EXPECT_NEAR(mutual_information(pairs), std::log(2), 1e-15);
  EXPECT_NEAR(cramers_v(pairs), 1, 1e-15);
  EXPECT_NEAR(cramers_v_without_chance(pairs), 1, 1e-12);
}

// chi-square of {{10, 20}, {30, 40}}: 100 (10 x 40 - 20 x 30)^2 / (30 x 70 x 40 x 60) = 0.79365.
TEST(Association, CramersVIsTheRootOfChiSquareOverN) {
  EXPECT_NEAR(cramers_v(pairs_of({{10, 20}, {30, 40}})), std::sqrt(0.79365079365 / 100), 1e-9);
}

TEST(Association, ValuesOfTheirOwnAreTiedToEverythingByChanceAlone) {
  std::vector<std::vector<std::uint64_t>> unique(40, {0, 0});
  for (std::size_t row = 0; row < unique.size(); ++row) unique[row][row % 2] = 1;
  EXPECT_NEAR(cramers_v(pairs_of(unique)), 1, 1e-12);
  EXPECT_EQ(cramers_v_without_chance(pairs_of(unique)), 0);
}

TEST(Association, ASingleValueIsTiedToNothing) {
  EXPECT_EQ(cramers_v(pairs_of({{3, 4}})), 0);
  EXPECT_EQ(cramers_v_without_chance(pairs_of({{3, 4}})), 0);
}

}  // namespace association_test
}  // namespace gauze::anonymize
