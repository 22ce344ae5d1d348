#include "gauze/learn/step/unit_sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "gauze/mechanisms/testing/distribution_checks.h"
#include "gauze/mechanisms/testing/scripted_words.h"
#include "gauze/random/secure_random.h"

namespace gauze::learn {
namespace {

using gauze::testing::chi_square;

double binomial(int n, int k, double p) {
  return std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) + k * std::log(p) +
                  (n - k) * std::log1p(-p));
}

// 20,000 samples of 2,500 units at q = 0.04: alarms on a right sampler once in 10^6; a rate 2 % too high moves the mean of the sizes
// by 2, of which one sample's deviation is 9.8: caught in more than 99.9 % of runs.
TEST(UnitSampler, SizesArePoissonsOwn) {
  const UnitSampler sampler({.kind = SamplingKind::poisson, .batch = 4, .declared = 100});
  std::vector<std::uint32_t> sampled;
  std::vector<std::int64_t> sizes;
  for (int i = 0; i < 20'000; ++i) {
    sampler.sample(2'500, SecureRandom::of_thread(), sampled);
    sizes.push_back(static_cast<std::int64_t>(sampled.size()));
  }
  std::map<std::int64_t, double> law;
  for (int k = 0; k <= 300; ++k) law[k] = binomial(2'500, k, 0.04);
  EXPECT_FALSE(chi_square(law, sizes).alarms());
}

TEST(UnitSampler, NeverDrawsAUnitAboveTheRate) {
  for (const auto& [batch, declared] :
       {std::pair<std::uint64_t, std::uint64_t>{1, 3}, {512, 35'000}, {7, 8}, {1, 1'000'000'007}}) {
    const UnitSampler sampler({.kind = SamplingKind::poisson, .batch = batch, .declared = declared});
    // floor(q 2^64): threshold / 2^64 <= batch / declared < (threshold + 1) / 2^64
    __extension__ using Wide = unsigned __int128;
    const Wide scaled = static_cast<Wide>(batch) << 64U;
    EXPECT_LE(static_cast<Wide>(sampler.threshold()) * declared, scaled);
    EXPECT_GT(static_cast<Wide>(sampler.threshold()) * declared + declared, scaled);
  }
}

TEST(UnitSampler, DecidesByAllOf64BitsWhereTheFirstOnesTie) {
  // 1/3 is 0x5555... : the first 8 bits of each unit come eight to a word, ties are decided by a word of their own
  const UnitSampler sampler({.kind = SamplingKind::poisson, .batch = 1, .declared = 3});
  gauze::testing::ScriptedWords words({0x55545556, 0x0055555555555554, 0x0055555555555556, 1, 1});
  std::vector<std::uint32_t> sampled;
  sampler.sample(4, words, sampled);  // firsts: 56 (out), 55 (tie, below: in), 54 (in), 55 (tie, above: out)
  std::sort(sampled.begin(), sampled.end());
  EXPECT_EQ(sampled, (std::vector<std::uint32_t>{1, 2}));
}

// Every pair of 8 places is drawn equally often: 28 cells, 56,000 draws; a pair that comes 12 % too often is caught in 99 % of runs.
TEST(UnitSampler, FixedSizesAreAllSetsEquallyOften) {
  const UnitSampler sampler({.kind = SamplingKind::fixed_size, .batch = 2, .declared = 8});
  std::vector<std::uint32_t> sampled;
  std::vector<std::int64_t> sets;
  for (int i = 0; i < 56'000; ++i) {
    sampler.sample(8, SecureRandom::of_thread(), sampled);
    ASSERT_EQ(sampled.size(), 2u);
    sets.push_back(
        static_cast<std::int64_t>(8 * std::min(sampled[0], sampled[1]) + std::max(sampled[0], sampled[1])));
  }
  std::map<std::int64_t, double> law;
  for (int a = 0; a < 8; ++a)
    for (int b = a + 1; b < 8; ++b) law[8 * a + b] = 1.0 / 28;
  EXPECT_FALSE(chi_square(law, sets).alarms());
}

TEST(UnitSampler, PlacesWithoutAUnitStayEmptyAndUnitsBeyondAreNeverDrawn) {
  const UnitSampler sampler({.kind = SamplingKind::fixed_size, .batch = 10, .declared = 20});
  std::vector<std::uint32_t> sampled;
  std::set<std::size_t> sizes;
  for (int i = 0; i < 500; ++i) {
    sampler.sample(5, SecureRandom::of_thread(), sampled);
    for (const std::uint32_t unit : sampled) EXPECT_LT(unit, 5u);
    sizes.insert(sampled.size());
    sampler.sample(1'000, SecureRandom::of_thread(), sampled);
    EXPECT_EQ(sampled.size(), 10u);
    for (const std::uint32_t unit : sampled) EXPECT_LT(unit, 20u);
  }
  EXPECT_GT(sizes.size(), 1u);
}

TEST(UnitSampler, FullSeesEverybodyButWhoLiesBeyondTheDeclaredPlaces) {
  std::vector<std::uint32_t> sampled;
  UnitSampler({.kind = SamplingKind::full, .batch = 5, .declared = 5}).sample(9, SecureRandom::of_thread(), sampled);
  EXPECT_EQ(std::set<std::uint32_t>(sampled.begin(), sampled.end()).size(), 9u);
  UnitSampler({.kind = SamplingKind::full, .batch = 5, .declared = 5, .bounded = true})
      .sample(9, SecureRandom::of_thread(), sampled);
  EXPECT_EQ(std::set<std::uint32_t>(sampled.begin(), sampled.end()), (std::set<std::uint32_t>{0, 1, 2, 3, 4}));
}

// 24 orders of four units, 48,000 draws: an order that comes 15 % too often is caught in 99 % of runs; so is the order of the file.
TEST(UnitSampler, TheOrderSaysNothing) {
  const UnitSampler sampler({.kind = SamplingKind::full, .batch = 4, .declared = 4});
  std::vector<std::uint32_t> sampled;
  std::vector<std::int64_t> orders;
  for (int i = 0; i < 48'000; ++i) {
    sampler.sample(4, SecureRandom::of_thread(), sampled);
    std::int64_t code = 0;
    for (const std::uint32_t unit : sampled) code = code * 4 + unit;
    orders.push_back(code);
  }
  std::map<std::int64_t, double> law;
  std::vector<std::uint32_t> order = {0, 1, 2, 3};
  do {
    std::int64_t code = 0;
    for (const std::uint32_t unit : order) code = code * 4 + unit;
    law[code] = 1.0 / 24;
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_FALSE(chi_square(law, orders).alarms());
}

}  // namespace
}  // namespace gauze::learn
