#include "gauze/mechanisms/internal/strip_sampler.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gauze/mechanisms/internal/exact_bernoulli.h"
#include "gauze/mechanisms/testing/closed_forms.h"
#include "gauze/mechanisms/testing/distribution_checks.h"
#include "gauze/random/seeded_random.h"

namespace gauze::internal {
namespace {

using Points = StripSampler::Points;
using Shape = Energy::Shape;

// The parts that production reaches once in 2^40 draws (intervals) or in e^24 (beyond the strips) do all the work
// here. 40,000 draws: the bound is 0.0135; a scale that is 10 % off (0.017 and more) is caught in > 95 % of runs.
TEST(StripSampler, RareBranchesFollowTheSameLaw) {
  constexpr std::size_t kDraws = 40'000;
  for (const auto& [scale, last_energy] : {std::pair{5.0, 0.3}, {0x1.5p41, 24.0}}) {
    SCOPED_TRACE(scale);
    std::vector<std::int64_t> samples(kDraws);
    SeededRandom random(static_cast<std::uint64_t>(scale));
    const StripSampler::Tuning tuning{.last_energy = last_energy, .always_exact = true};
    const auto gap = [&](auto cdf) {
      return testing::worst_cdf_gap(samples, [&](std::int64_t x) { return cdf(scale, x); });
    };
    StripSampler(Shape::exponential, Points::integers, Rational(scale), tuning).sample(random, samples);
    EXPECT_LT(gap(testing::discrete_laplace_cdf), testing::kolmogorov_bound(kDraws));
    StripSampler(Shape::gaussian, Points::rounded_reals, Rational(scale), tuning).sample(random, samples);
    EXPECT_LT(gap(testing::rounded_gaussian_cdf), testing::kolmogorov_bound(kDraws));
    if (scale > 100) continue;
    StripSampler(Shape::gaussian, Points::integers, Rational(scale), tuning).sample(random, samples);
    EXPECT_FALSE(testing::chi_square(testing::discrete_gaussian_probabilities(scale), samples).alarms());
  }
}

TEST(StripSampler, TheFastPathTakesTheSameDecisionsAsTheExactOne) {
  // The double filter and the intervals must agree wherever the filter is sure: with the sure words switched off, the
  // same stream gives the same draws, because both consume the same words (integers only: reals draw extra digits).
  const StripSampler fast(Shape::gaussian, Points::integers, Rational(1000));
  const StripSampler exact(Shape::gaussian, Points::integers, Rational(1000),
                           {.last_energy = 24, .always_exact = true});
  SeededRandom a(9), b(9);
  std::vector<std::int64_t> from_fast(20'000), from_exact(20'000);
  fast.sample(a, from_fast);
  exact.sample(b, from_exact);
  EXPECT_EQ(from_fast, from_exact);
}

TEST(MajorantChoice, LeavesRoomForTheRoundingOfItsOwnSum) {
  // One good candidate among 2^22 bad ones: the double sum of the weights is off by more than a fixed reserve would hold.
  std::vector<double> weights(std::size_t{1} << 22, std::exp(-0.7));
  weights[0] = 1;
  const MajorantChoice choice(weights, weights);
  SeededRandom random(1);
  for (int i = 0; i < 1000; ++i) EXPECT_LT(choice.choose(random.next()).index, weights.size());
}

TEST(AliasTable, GivesEachIndexExactlyItsWeight) {
  // Small columns can be counted completely: with weights in units of 2^58 the four top bits of the height decide.
  const std::uint64_t unit = std::uint64_t{1} << 58;
  const std::vector<std::uint64_t> weights = {unit * 5, unit, unit * 9, unit};
  const AliasTable table(weights);
  std::vector<int> counts(weights.size(), 0);
  for (std::uint64_t top = 0; top < 64; ++top) counts[table.choose(top << 58).index] += 1;
  EXPECT_EQ(counts, (std::vector<int>{20, 4, 36, 4}));
}

TEST(ExactBernoulli, DecidesByTheDigitsAfterTheFirstWord) {
  // First words equal to the leading digits of 1/3: what is left to decide is again 1/3.
  // 20,000 trials: 4.9 sigma = 0.0163; a probability of 0.30 or 0.37 is caught in > 99.9 % of runs.
  SeededRandom random(4);
  const std::uint64_t leading = ~std::uint64_t{0} / 3;
  double heads = 0;
  for (int i = 0; i < 20'000; ++i) {
    heads += exact_bernoulli(random, leading, [](mpfr_prec_t p) { return Interval(Rational(1, 3), p); }) ? 1 : 0;
  }
  EXPECT_NEAR(heads / 20'000, 1.0 / 3, 0.0163);
}

TEST(ExactBernoulli, IsCertainAtTheEnds) {
  SeededRandom random(5);
  const auto one = [](mpfr_prec_t p) { return Interval(Rational(1), p); };
  const auto zero = [](mpfr_prec_t p) { return Interval(Rational(0), p); };
  EXPECT_TRUE(exact_bernoulli(random, ~std::uint64_t{0}, one));
  EXPECT_FALSE(exact_bernoulli(random, 0, zero));
  const FixedProbability half([](mpfr_prec_t p) { return Interval(Rational(1, 2), p); });
  EXPECT_TRUE(
      exact_bernoulli(random, (std::uint64_t{1} << 63) - 1, [&](mpfr_prec_t p) { return half.enclosure(p); }));
  EXPECT_FALSE(exact_bernoulli(random, std::uint64_t{1} << 63, [&](mpfr_prec_t p) { return half.enclosure(p); }));
}

TEST(FixedProbability, DrawsWithItsProbability) {
  // 400,000 draws: 4.9 sigma = 0.0038 at 0.632; catches 1 % off in > 99 % of runs.
  SeededRandom random(6);
  const FixedProbability p([](mpfr_prec_t precision) { return -(-Interval(Rational(1), precision)).expm1(); });
  double heads = 0;
  for (int i = 0; i < 400'000; ++i) heads += p.draw(random) ? 1 : 0;
  EXPECT_NEAR(heads / 400'000, 1 - std::exp(-1), 0.0038);
}

}  // namespace
}  // namespace gauze::internal
