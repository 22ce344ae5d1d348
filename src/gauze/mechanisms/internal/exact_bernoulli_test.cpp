#include "gauze/mechanisms/internal/exact_bernoulli.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gauze/mechanisms/testing/scripted_words.h"
#include "gauze/random/seeded_random.h"

namespace gauze::internal {
namespace exact_bernoulli_test {

using testing::ScriptedWords;

constexpr std::uint64_t kThird = 0x5555555555555555U;  // the digits of 1/3, again and again
constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;

Interval third(mpfr_prec_t precision) { return Interval(Rational(1, 3), precision); }
Interval half(mpfr_prec_t precision) { return Interval(Rational(1, 2), precision); }

TEST(LazyUniform, IsTheBinaryFractionOfItsWords) {
  LazyUniform uniform(kHalf);
  EXPECT_EQ(uniform.low(), Rational(1, 2));
  EXPECT_EQ(uniform.high(), Rational(1, 2) + Rational::power_of_two(-64));
  ScriptedWords words({kHalf, ~std::uint64_t{0}});
  uniform.draw_more(words);
  EXPECT_EQ(uniform.low(), Rational(1, 2) + Rational::power_of_two(-65));
  EXPECT_EQ(uniform.high() - uniform.low(), Rational::power_of_two(-128));
  uniform.draw_more(words);
  EXPECT_EQ(uniform.high(), Rational(1, 2) + Rational::power_of_two(-65) + Rational::power_of_two(-128));
}

TEST(LeadingWord, IsTheFloorAndStaysWithin64Bits) {
  const auto word = [](const Rational& value) { return leading_word(Interval(value, 200).low_end()); };
  EXPECT_EQ(word(Rational(0)), 0U);
  EXPECT_EQ(word(Rational::power_of_two(-65)), 0U);
  EXPECT_EQ(word(Rational::power_of_two(-64)), 1U);
  EXPECT_EQ(word(Rational(1, 2)), kHalf);
  EXPECT_EQ(word(Rational(1, 3)), kThird);
  EXPECT_EQ(word(Rational(1)), ~std::uint64_t{0});
}

TEST(ExactBernoulli, DecidesByTheFirstWordThatDiffers) {
  for (std::size_t same = 0; same < 6; ++same) {
    for (const bool below : {true, false}) {
      std::vector<std::uint64_t> script(same, kThird);
      script.push_back(below ? kThird - 1 : kThird + 1);
      ScriptedWords words(script);
      EXPECT_EQ(exact_bernoulli(words, third), below) << same;
      EXPECT_EQ(words.left(), 0U) << "no word more and none fewer than needed";
    }
  }
}

TEST(ExactBernoulli, AProbabilityWithFewDigitsNeedsOneWord) {
  // A uniform number in [0, 1) is below 1/2 iff its first digit is 0; 1/2 itself is not below.
  ScriptedWords words({kHalf - 1, kHalf});
  EXPECT_TRUE(exact_bernoulli(words, half));
  EXPECT_FALSE(exact_bernoulli(words, half));
}

TEST(FixedProbability, DrawsAsTheExactComparisonDoes) {
  const FixedProbability kept(third);
  for (const std::uint64_t word :
       {std::uint64_t{0}, kThird - 2, kThird - 1, kThird + 1, kThird + 2, ~std::uint64_t{0}}) {
    ScriptedWords quick({word}), exact({word});
    EXPECT_EQ(kept.draw(quick), exact_bernoulli(exact, third)) << word;
  }
  ScriptedWords below({kThird, kThird, 7}), above({kThird, ~std::uint64_t{0}});
  EXPECT_TRUE(kept.draw(below));
  EXPECT_FALSE(kept.draw(above));
}

TEST(FixedProbability, DrawsWithItsProbability) {
  // 400,000 draws: 4.9 sigma = 0.0038 at 0.632; catches 1 % off in > 99 % of runs.
  SeededRandom random(6);
  const FixedProbability p([](mpfr_prec_t precision) { return -(-Interval(Rational(1), precision)).expm1(); });
  double heads = 0;
  for (int i = 0; i < 400'000; ++i) heads += p.draw(random) ? 1 : 0;
  EXPECT_NEAR(heads / 400'000, 1 - std::exp(-1), 0.0038);
}

TEST(FixedProbability, ZeroAndOneAreCertain) {
  const FixedProbability never([](mpfr_prec_t precision) { return Interval(Rational(0), precision); });
  const FixedProbability always([](mpfr_prec_t precision) { return Interval(Rational(1), precision); });
  ScriptedWords words({0, 0, ~std::uint64_t{0}, ~std::uint64_t{0}});
  EXPECT_FALSE(never.draw(words));
  EXPECT_TRUE(always.draw(words));
  EXPECT_FALSE(never.draw(words));
  EXPECT_TRUE(always.draw(words));
}

}  // namespace exact_bernoulli_test
}  // namespace gauze::internal
