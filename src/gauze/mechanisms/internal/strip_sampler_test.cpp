#include "gauze/mechanisms/internal/strip_sampler.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gauze/base/testing/watched.h"
#include "gauze/mechanisms/testing/closed_forms.h"
#include "gauze/mechanisms/testing/distribution_checks.h"
#include "gauze/random/seeded_random.h"

namespace gauze::internal {
namespace strip_sampler_test {

using Points = StripSampler::Points;
using Shape = Energy::Shape;

// The parts that production reaches once in 2^40 draws (intervals) or in e^24 (beyond the strips) do all the work
// here. 40,000 draws: the bound is 0.0135; a scale that is 10 % off (0.017 and more) is caught in > 95 % of runs.
TEST(StripSampler, RareBranchesFollowTheSameLaw) {
  const auto draws = watched_less<std::size_t>(40'000);
  for (const auto& [scale, last_energy] : {std::pair{5.0, 0.3}, {0x1.5p41, 24.0}}) {
    SCOPED_TRACE(scale);
    std::vector<std::int64_t> samples(draws);
    SeededRandom random(static_cast<std::uint64_t>(scale));
    const StripSampler::Tuning tuning{.last_energy = last_energy, .always_exact = true};
    const auto gap = [&](auto cdf) {
      return testing::worst_cdf_gap(samples, [&](std::int64_t x) { return cdf(scale, x); });
    };
    StripSampler(Shape::exponential, Points::integers, Rational(scale), tuning).sample(random, samples);
    EXPECT_LT(gap(testing::discrete_laplace_cdf), testing::kolmogorov_bound(draws));
    StripSampler(Shape::gaussian, Points::rounded_reals, Rational(scale), tuning).sample(random, samples);
    EXPECT_LT(gap(testing::rounded_gaussian_cdf), testing::kolmogorov_bound(draws));
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

}  // namespace strip_sampler_test
}  // namespace gauze::internal
