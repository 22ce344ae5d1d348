#include "gauze/text/mechanisms/published_dchi.h"

#include <gtest/gtest.h>

#include <map>

#include "gauze/mechanisms/testing/distribution_checks.h"
#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text {
namespace published_dchi_test {

using testing::words_at;

/// 100,000 draws for word x beside the closed form: alarms with p <= 1e-6, and on a cell that is 10 % off in more than 99 %
/// of runs.
void expect_law(const DchiMechanism& mechanism, std::uint32_t x) {
  const PublishedDchi published(mechanism);
  const auto law = mechanism.law(x);
  ASSERT_TRUE(law);
  std::map<std::int64_t, double> expected;
  for (std::size_t y = 0; y < law->size(); ++y) expected[static_cast<std::int64_t>(y)] = (*law)[y];
  const std::vector<std::uint32_t> words(100'000, x);
  std::vector<std::uint32_t> drawn(words.size());
  SeededRandom random(7, x);
  published.simulate(words, random, drawn);
  const std::vector<std::int64_t> sample(drawn.begin(), drawn.end());
  EXPECT_FALSE(gauze::testing::chi_square(expected, sample).alarms());
}

TEST(PublishedDchi, HasTheLawOfWordsOnALine) {
  expect_law(DchiMechanism::make(words_at({{0}, {1}, {2.5}, {3}}), Rational(1)).value(), 1);
}

TEST(PublishedDchi, HasTheLawOfTwoWordsInThreeDimensions) {
  expect_law(DchiMechanism::make(words_at({{0, 0, 0}, {1, 1, 0}}), Rational(2)).value(), 0);
}

TEST(PublishedDchi, StaysFiniteAtAbsurdEpsilons) {
  for (const Rational& epsilon : {Rational(1, 1'000'000), Rational(1'000'000)}) {
    const auto mechanism = DchiMechanism::make(words_at({{0, 0}, {3, 4}}), epsilon).value();
    const std::vector<std::uint32_t> words(300, 1);
    std::vector<std::uint32_t> drawn(words.size(), 9);
    SeededRandom random(1);
    PublishedDchi(mechanism).simulate(words, random, drawn);
    for (const std::uint32_t word : drawn) EXPECT_LT(word, 2U);
  }
}

}  // namespace published_dchi_test
}  // namespace gauze::text
