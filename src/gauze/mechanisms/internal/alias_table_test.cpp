#include "gauze/mechanisms/internal/alias_table.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "gauze/mechanisms/internal/majorant_choice.h"
#include "gauze/random/seeded_random.h"

namespace gauze::internal {
namespace alias_table_test {

constexpr std::uint64_t kTotal = std::uint64_t{1} << AliasTable::kTotalBits;

/// How many of the 2^62 words (without the spare bits) choose each index. Within a column of equal first bits the choice
/// changes once, which bisection finds: so all of them are counted.
template <class Choice>
std::map<std::uint32_t, std::uint64_t> words_by_index(const Choice& choice, std::size_t size) {
  const int bits = std::max(1, static_cast<int>(std::bit_width(size - 1)));
  const std::uint64_t capacity = std::uint64_t{1} << (62 - bits);
  std::map<std::uint32_t, std::uint64_t> count;
  for (std::uint64_t column = 0; column < std::uint64_t{1} << bits; ++column) {
    const auto at = [&](std::uint64_t height) { return choice.choose(column << (64 - bits) | height << 2).index; };
    const std::uint32_t first = at(0);
    std::uint64_t low = 0, high = capacity;  // at(low) is the first; from high on it is another, if any
    while (high - low > 1) {
      const std::uint64_t middle = low + (high - low) / 2;
      (at(middle) == first ? low : high) = middle;
    }
    count[first] += high;
    if (high < capacity) count[at(high)] += capacity - high;
  }
  return count;
}

void expect_exact(const std::vector<std::uint64_t>& weights) {
  ASSERT_EQ(std::accumulate(weights.begin(), weights.end(), std::uint64_t{0}), kTotal);
  const auto count = words_by_index(AliasTable(weights), weights.size());
  for (std::uint32_t i = 0; i < weights.size(); ++i) {
    const auto found = count.find(i);
    EXPECT_EQ(found == count.end() ? 0 : found->second, weights[i]) << i << " of " << weights.size();
  }
}

TEST(AliasTable, GivesEveryIndexExactlyItsWords) {
  expect_exact({kTotal});
  expect_exact({kTotal - 1, 1});
  expect_exact({1, kTotal - 1});
  expect_exact({0, kTotal, 0});
  expect_exact({kTotal / 2 + 1, kTotal / 4 - 3, 0, kTotal / 4 + 2});
  std::mt19937_64 generator(1);
  for (const std::size_t size : {2U, 3U, 7U, 64U, 65U, 1000U}) {
    std::vector<std::uint64_t> weights(size);
    std::uint64_t rest = kTotal;
    for (std::size_t i = 1; i < size; ++i) {
      weights[i] = generator() % (2 * kTotal / size) / 2;
      rest -= weights[i];
    }
    weights[0] = rest;
    expect_exact(weights);
  }
}

TEST(AliasTable, LeavesTwoBitsToTheCaller) {
  const AliasTable table(std::vector<std::uint64_t>{kTotal / 3, kTotal - kTotal / 3});
  for (const std::uint64_t word : {std::uint64_t{0}, 0x123456789abcdef0U, ~std::uint64_t{3}}) {
    for (const std::uint64_t spare : {0U, 1U, 2U, 3U}) {
      const AliasTable::Draw draw = table.choose((word & ~std::uint64_t{3}) | spare);
      EXPECT_EQ(draw.index, table.choose(word & ~std::uint64_t{3}).index);
      EXPECT_EQ(draw.first_spare_bit, (spare & 1) != 0);
      EXPECT_EQ(draw.second_spare_bit, (spare & 2) != 0);
    }
  }
}

TEST(MajorantChoice, AcceptsWithAProbabilityAndNeverSurelyWhatMayBeRejected) {
  std::mt19937_64 generator(2);
  std::uniform_real_distribution<double> share(0, 1);
  for (const std::size_t pieces : {1U, 2U, 40U, 500U}) {
    std::vector<double> highest(pieces), lowest(pieces);
    for (std::size_t i = 0; i < pieces; ++i) {
      highest[i] = i == 0 ? 1 : std::exp(-30 * share(generator));
      lowest[i] = highest[i] * share(generator);
    }
    const MajorantChoice choice(highest, lowest);
    ASSERT_EQ(choice.size(), pieces);
    for (std::size_t i = 0; i < pieces; ++i) {
      // The margin: the bounds may be off by 2^-42, and so may f.
      EXPECT_LE(choice.exact_factor(i) * Rational(highest[i]) * Rational(1 + 0x1p-42), Rational(1)) << i;
      const Rational sure = Rational(static_cast<double>(choice.sure(i) >> 11)) * Rational::power_of_two(-53);
      EXPECT_LE(sure, choice.exact_factor(i) * Rational(lowest[i]) * Rational(1 - 0x1p-42)) << i;
    }
  }
}

// A place x of a piece comes out with probability weight x (f(x) x factor): the same multiple of f everywhere.
TEST(MajorantChoice, WeightTimesFactorIsOneConstant) {
  const std::vector<double> highest = {1, 0.5, 0.001, 1e-9}, lowest = {0, 0, 0, 0};
  const MajorantChoice choice(highest, lowest);
  auto words = words_by_index(choice, highest.size());
  const auto constant = [&](std::uint32_t i) {
    return Rational(static_cast<std::int64_t>(words[i])) * choice.exact_factor(i);
  };
  for (std::uint32_t i = 1; i < highest.size(); ++i) EXPECT_EQ(constant(i), constant(0)) << i;
}

TEST(MajorantChoice, LeavesRoomForTheRoundingOfItsOwnSum) {
  // One good candidate among 2^22 bad ones: the double sum of the weights is off by more than a fixed reserve would hold.
  std::vector<double> weights(std::size_t{1} << 22, std::exp(-0.7));
  weights[0] = 1;
  const MajorantChoice choice(weights, weights);
  SeededRandom random(1);
  for (int i = 0; i < 1000; ++i) EXPECT_LT(choice.choose(random.next()).index, weights.size());
}

TEST(MajorantChoice, LeavesOpenWhatADoubleCannotTell) {
  using Verdict = MajorantChoice::Verdict;
  const auto word = [](double u) { return static_cast<std::uint64_t>(std::ldexp(u, 64)); };
  EXPECT_EQ(MajorantChoice::compare(word(0.2), 0.3), Verdict::accept);
  EXPECT_EQ(MajorantChoice::compare(word(0.4), 0.3), Verdict::reject);
  EXPECT_EQ(MajorantChoice::compare(word(0.3), 0.3), Verdict::unclear);
  EXPECT_EQ(MajorantChoice::compare(word(0.3 * (1 + 0x1p-42)), 0.3), Verdict::unclear);
  EXPECT_EQ(MajorantChoice::compare(word(0.3 * (1 - 0x1p-42)), 0.3), Verdict::unclear);
  EXPECT_EQ(MajorantChoice::compare(word(0.3 * (1 + 0x1p-38)), 0.3), Verdict::reject);
  EXPECT_EQ(MajorantChoice::compare(0, 0), Verdict::unclear) << "a probability below 2^-60 is not decided by doubles";
}

}  // namespace alias_table_test
}  // namespace gauze::internal
