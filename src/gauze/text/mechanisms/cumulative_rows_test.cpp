#include "gauze/text/mechanisms/cumulative_rows.h"

#include <gtest/gtest.h>

#include <map>

#include "gauze/mechanisms/testing/distribution_checks.h"
#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text {
namespace cumulative_rows_test {

using gauze::testing::chi_square;
using testing::random_words;
using testing::words_at;

SoftmaxMechanism santext(const WordVectors& vectors, const Rational& epsilon) {
  return SoftmaxMechanism::make(WordMetric::make(vectors).value(), {.epsilon = epsilon}).value();
}

/// The law of x as the checks want it.
std::map<std::int64_t, double> expected(const SoftmaxMechanism& mechanism, std::uint32_t x) {
  std::map<std::int64_t, double> result;
  const auto law = mechanism.law(x);
  for (std::size_t y = 0; y < law.p.size(); ++y) result[mechanism.outputs()[y]] = law.p[y];
  if (law.stays) result[x] = *law.stays;
  return result;
}

std::vector<std::int64_t> draws(const CumulativeRows& rows, std::uint32_t x, std::size_t count, std::uint64_t seed) {
  SeededRandom random(seed);
  std::vector<std::int64_t> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(rows.simulate(x, random));
  return result;
}

// 200,000 draws over some 70 cells: alarms on the right law with p <= 1e-6, and on one cell of 1 % that has 15 % more or
// less in more than 99 % of runs.
TEST(CumulativeRows, DrawByTheWeights) {
  const auto mechanism = santext(random_words(70, 5, 1.0, 1), 2);
  CumulativeRows rows(mechanism, 1 << 20);
  for (const std::uint32_t x : {0U, 33U, 69U}) {
    EXPECT_FALSE(chi_square(expected(mechanism, x), draws(rows, x, 200'000, x)).alarms()) << "unprepared " << x;
    ASSERT_EQ(rows.prepare(std::vector<std::uint32_t>{x, x, 5}).value(), 2U);
    EXPECT_FALSE(chi_square(expected(mechanism, x), draws(rows, x, 200'000, 100 + x)).alarms()) << "prepared " << x;
  }
}

TEST(CumulativeRows, DrawTheSameWhetherPreparedOrNot) {
  const auto mechanism = santext(random_words(600, 8, 0.6, 2), 3);
  CumulativeRows prepared(mechanism, 1 << 24);
  const CumulativeRows plain(mechanism, 1 << 24);
  ASSERT_TRUE(prepared.prepare(testing::all_of(mechanism.metric().vectors())));
  for (std::uint32_t x = 0; x < 600; x += 37) EXPECT_EQ(draws(prepared, x, 50, x), draws(plain, x, 50, x));
}

TEST(CumulativeRows, DrawSantextPlusByItsTwoSteps) {
  std::vector<bool> sensitive(40);
  for (std::size_t i = 0; i < 40; ++i) sensitive[i] = i >= 4;
  const auto mechanism =
      SoftmaxMechanism::make(
          WordMetric::make(random_words(40, 3, 1.0, 3)).value(),
          {.kind = SoftmaxKind::santext_plus, .epsilon = Rational(1), .p = Rational(3, 10), .sensitive = sensitive})
          .value();
  CumulativeRows rows(mechanism, 1 << 20);
  ASSERT_TRUE(rows.prepare(std::vector<std::uint32_t>{1, 20}));
  for (const std::uint32_t x : {1U, 20U}) {
    const auto sample = draws(rows, x, 200'000, x);
    EXPECT_FALSE(chi_square(expected(mechanism, x), sample).alarms());
    for (const std::int64_t y : sample) EXPECT_TRUE(y == x || y >= 4);
  }
}

TEST(CumulativeRows, GiveANumberThatIsASumToTheNextStretch) {
  const std::vector<Weight> sums = {5, 6, 9};
  const std::vector<std::size_t> expected = {0, 0, 0, 0, 0, 1, 2, 2, 2};
  for (std::size_t drawn = 0; drawn < 9; ++drawn) EXPECT_EQ(stretch_of(sums, drawn), expected[drawn]);
}

TEST(CumulativeRows, KeepWithinTheirMemory) {
  const auto mechanism = santext(random_words(2000, 4, 1.0, 4), 1);
  CumulativeRows rows(mechanism, 1'500'000);
  const std::size_t capacity = rows.capacity();
  EXPECT_GE(capacity, 256U);
  EXPECT_LT(capacity, 2000U);
  std::vector<std::uint32_t> first(400);
  std::vector<std::uint32_t> second(400);
  for (std::uint32_t i = 0; i < 400; ++i) {
    first[i] = i;
    second[i] = 1000 + i;
  }
  EXPECT_EQ(rows.prepare(first).value(), 400U);
  EXPECT_EQ(rows.prepare(second).value(), 400U);
  EXPECT_EQ(rows.prepare(testing::all_of(mechanism.metric().vectors())).value(), capacity);
  EXPECT_LE(rows.memory_used(), 1'500'000U);
  EXPECT_TRUE(rows.is_prepared(0));
  EXPECT_FALSE(rows.is_prepared(1999));
  std::vector<std::uint32_t> backwards = testing::all_of(mechanism.metric().vectors());
  std::reverse(backwards.begin(), backwards.end());
  EXPECT_EQ(rows.prepare(backwards).value(), capacity);
  EXPECT_TRUE(rows.is_prepared(1999)) << "the first of the list are prepared";
  EXPECT_FALSE(rows.is_prepared(0));
}

TEST(CumulativeRows, OfTwoRunsDiffer) {
  const auto mechanism = santext(random_words(200, 4, 1.0, 4), 1);
  CumulativeRows rows(mechanism, 1 << 20);
  SecureRandom random;
  std::vector<std::uint32_t> one;
  std::vector<std::uint32_t> two;
  for (int i = 0; i < 100; ++i) one.push_back(rows.release(7, random));
  for (int i = 0; i < 100; ++i) two.push_back(rows.release(7, random));
  EXPECT_NE(one, two);  // equal with probability far below 1e-60
}

TEST(UniformBelow, IsUniformForSmallAndLargeBounds) {
  SeededRandom random(5);
  std::map<std::int64_t, double> law;
  std::vector<std::int64_t> small;
  std::vector<std::int64_t> large;
  const Weight bound = Weight{11} << 90;
  for (int i = 0; i < 11; ++i) law[i] = 1.0 / 11;
  for (int i = 0; i < 200'000; ++i) {
    small.push_back(static_cast<std::int64_t>(uniform_below(11, random)));
    const Weight drawn = uniform_below(bound, random);
    ASSERT_TRUE(drawn < bound);
    large.push_back(static_cast<std::int64_t>(drawn >> 90));
    ASSERT_TRUE(uniform_below(1, random) == 0);
  }
  EXPECT_FALSE(chi_square(law, small).alarms());
  EXPECT_FALSE(chi_square(law, large).alarms());
}

}  // namespace cumulative_rows_test
}  // namespace gauze::text
