#include "gauze/engines/internal/row_shuffle.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace gauze::engines {
namespace row_shuffle_test {

std::vector<std::string> shuffled(const std::vector<std::string>& rows, std::mt19937_64& random, std::size_t memory) {
  RowShuffle shuffle([&](std::uint64_t n) { return random() % n; }, memory, std::filesystem::temp_directory_path());
  for (const auto& row : rows) EXPECT_TRUE(shuffle.add(row));
  std::vector<std::string> result;
  const auto done = shuffle.finish([&](std::string_view row) -> Result<void> {
    result.emplace_back(row);
    return {};
  });
  EXPECT_TRUE(done);
  return result;
}

TEST(RowShuffle, KeepsEveryRowInMemoryAndOnTheDisk) {
  std::mt19937_64 random(1);
  std::vector<std::string> rows = {"", std::string(300'000, 'x')};
  for (int i = 0; i < 20'000; ++i) rows.push_back("row " + std::to_string(i) + std::string(random() % 50, '.'));
  auto sorted = rows;
  std::sort(sorted.begin(), sorted.end());
  for (const std::size_t memory : {std::size_t{1} << 30, std::size_t{100'000}, std::size_t{5'000}}) {
    auto result = shuffled(rows, random, memory);
    EXPECT_NE(result, rows);
    std::sort(result.begin(), result.end());
    EXPECT_EQ(result, sorted) << memory;
  }
  EXPECT_TRUE(shuffled({}, random, 10).empty());
}

// 24 orders of four rows in 48,000 runs: chi-square above 67.6 (23 degrees of freedom) in 3e-6 of correct runs; an order
// that is 15 % too frequent is found in more than 99 % of runs. Without memory every row goes through piles, 4,800 times: there
// an order that is 75 % too frequent is found as surely.
TEST(RowShuffle, EveryOrderIsAsLikelyAsAnyOther) {
  std::mt19937_64 random(2);
  const std::vector<std::string> rows = {"a", "b", "c", "d"};
  for (const std::size_t memory : {std::size_t{1000}, std::size_t{0}}) {
    const int runs = memory == 0 ? 4'800 : 48'000;
    std::map<std::vector<std::string>, int> counts;
    for (int run = 0; run < runs; ++run) ++counts[shuffled(rows, random, memory == 0 ? 20 : memory)];
    const double expected = runs / 24.0;
    double chi_square = 0;
    for (const auto& [order, count] : counts) chi_square += (count - expected) * (count - expected) / expected;
    EXPECT_EQ(counts.size(), 24U);
    EXPECT_LT(chi_square, 67.6) << memory;
  }
}

// As above: 6 orders of three rows in 12,000 runs (chi-square above 36.1 with 5 degrees of freedom: 1e-6), 120 of five in 120,000 (above
// 203 with 119: 2e-6), as two steps share a draw.
TEST(RowShuffle, OddNumbersOfRowsTakeEveryOrderToo) {
  std::mt19937_64 random(4);
  std::vector<std::string> rows = {"a", "b", "c"};
  for (const auto& [orders, runs, most] : {std::tuple{6, 12'000, 36.1}, std::tuple{120, 120'000, 203.0}}) {
    std::map<std::vector<std::string>, int> counts;
    for (int run = 0; run < runs; ++run) ++counts[shuffled(rows, random, 1000)];
    const double expected = static_cast<double>(runs) / orders;
    double chi_square = 0;
    for (const auto& [order, count] : counts) chi_square += (count - expected) * (count - expected) / expected;
    EXPECT_EQ(counts.size(), static_cast<std::size_t>(orders));
    EXPECT_LT(chi_square, most);
    rows.insert(rows.end(), {"d", "e"});
  }
}

// "a" three times and "b" twice: 10 arrangements in 20,000 runs; chi-square above 44.8 (9 degrees of freedom) in 1e-6 of correct runs.
TEST(RowShuffle, RepeatedRowsAreRowsLikeOthers) {
  std::mt19937_64 random(5);
  for (const std::size_t memory : {std::size_t{1000}, std::size_t{40}}) {
    const int runs = memory == 1000 ? 20'000 : 3'000;
    std::map<std::string, int> counts;
    for (int run = 0; run < runs; ++run) {
      RowShuffle shuffle([&](std::uint64_t n) { return random() % n; }, memory,
                         std::filesystem::temp_directory_path());
      ASSERT_TRUE(shuffle.add("a", 3));
      ASSERT_TRUE(shuffle.add("c", 0));
      ASSERT_TRUE(shuffle.add("b", 2));
      std::string order;
      ASSERT_TRUE(shuffle.finish([&](std::string_view row) -> Result<void> {
        order += row;
        return {};
      }));
      ++counts[order];
    }
    const double expected = runs / 10.0;
    double chi_square = 0;
    for (const auto& [order, count] : counts) chi_square += (count - expected) * (count - expected) / expected;
    EXPECT_EQ(counts.size(), 10U) << memory;
    EXPECT_LT(chi_square, 44.8) << memory;
  }
}

}  // namespace row_shuffle_test
}  // namespace gauze::engines
