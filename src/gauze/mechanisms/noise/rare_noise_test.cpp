#include "gauze/mechanisms/noise/rare_noise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gauze/base/testing/watched.h"
#include "gauze/mechanisms/testing/distribution_checks.h"
#include "gauze/random/seeded_random.h"

namespace gauze {
namespace rare_noise_test {

std::shared_ptr<const NoiseLaw> laplace(const Rational& scale) {
  return std::make_shared<DiscreteLaplaceLaw>(*DiscreteLaplaceLaw::make(scale));
}
std::shared_ptr<const NoiseLaw> gaussian(const Rational& sigma) {
  return std::make_shared<DiscreteGaussianLaw>(*DiscreteGaussianLaw::make(sigma));
}

/// Which of `zeros` places pass, and the sum of the excess over the cut, of a run with a draw for every zero.
struct Outcome {
  std::int64_t passing = 0;
  std::int64_t mask = 0;    // of the first places
  std::int64_t excess = 0;  // of the first that passes
};
Outcome one_by_one(const NoiseLaw& law, std::int64_t cut, std::uint64_t zeros, RandomWords& random) {
  std::vector<std::int64_t> noise(zeros);
  law.sample(random, noise);
  Outcome outcome;
  for (std::uint64_t i = 0; i < zeros; ++i) {
    if (noise[i] < cut) continue;
    if (outcome.passing++ == 0) outcome.excess = 1 + noise[i] - cut;
    if (i < 6) outcome.mask |= std::int64_t{1} << i;
  }
  return outcome;
}
Outcome skipping(const RareNoise& rare, std::int64_t cut, std::uint64_t zeros, RandomWords& random) {
  std::vector<RareNoise::Passing> passing;
  rare.sample(random, zeros, passing);
  Outcome outcome;
  for (const auto& one : passing) {
    EXPECT_LT(one.place, zeros);
    EXPECT_GE(one.noise, cut);
    if (outcome.passing++ == 0) outcome.excess = 1 + one.noise - cut;
    if (one.place < 6) outcome.mask |= std::int64_t{1} << one.place;
  }
  return outcome;
}

/// The largest gap between two empirical distributions of n draws each stays below twice the bound of one but for a
/// false alarm of 2e-6.
double worst_gap(std::vector<std::int64_t> a, std::vector<std::int64_t> b) {
  std::sort(b.begin(), b.end());
  return testing::worst_cdf_gap(std::move(a), [&](std::int64_t x) {
    return static_cast<double>(std::upper_bound(b.begin(), b.end(), x) - b.begin()) / static_cast<double>(b.size());
  });
}

// 200,000 runs each: alarms on a correct sampler with p <= 6e-6 a case; a pass probability 5 % off moves the number of
// places that pass by more than the bound in over 99 % of runs.
TEST(RareNoise, HasTheLawOfADrawForEveryZero) {
  struct Case {
    std::shared_ptr<const NoiseLaw> law;
    std::int64_t cut;
    std::uint64_t zeros;
  };
  const std::vector<Case> cases = {{laplace(Rational(1)), 1, 7},
                                   {laplace(Rational(3)), 5, 11},
                                   {laplace(Rational(1, 2)), 1, 20},
                                   {gaussian(Rational(2)), 2, 8},
                                   {gaussian(Rational(1, 2)), 1, 9}};
  constexpr std::size_t kRuns = 200'000;
  std::uint64_t seed = 11;
  for (const Case& test : cases) {
    SeededRandom first(seed++);
    SeededRandom second(seed++);
    const RareNoise rare(test.law, test.cut);
    std::vector<std::int64_t> passing[2], mask[2], excess[2];
    for (std::size_t run = 0; run < kRuns; ++run) {
      const Outcome a = one_by_one(*test.law, test.cut, test.zeros, first);
      const Outcome b = skipping(rare, test.cut, test.zeros, second);
      passing[0].push_back(a.passing);
      passing[1].push_back(b.passing);
      mask[0].push_back(a.mask);
      mask[1].push_back(b.mask);
      excess[0].push_back(a.excess);
      excess[1].push_back(b.excess);
    }
    const double bound = 2 * testing::kolmogorov_bound(kRuns);
    EXPECT_LT(worst_gap(passing[0], passing[1]), bound) << test.zeros;
    EXPECT_LT(worst_gap(mask[0], mask[1]), bound) << test.zeros;
    EXPECT_LT(worst_gap(excess[0], excess[1]), bound) << test.zeros;
  }
}

// Of 2^60 zeros with P = e^-c / (1 + 1/e), c = 41, about 1.1 pass: the number is Poisson but for 1e-18. 20,000 runs.
TEST(RareNoise, CountsWhatPassesInHugeDomains) {
  const RareNoise rare(laplace(Rational(1)), 41);
  const double mean = std::ldexp(std::exp(-41.0) / (1 + std::exp(-1.0)), 60);
  SeededRandom random(5);
  std::vector<std::int64_t> counts;
  double places = 0;
  double seen = 0;
  std::vector<RareNoise::Passing> passing;
  for (int run = 0; run < watched_less(20'000); ++run) {
    passing.clear();
    rare.sample(random, std::uint64_t{1} << 60, passing);
    counts.push_back(static_cast<std::int64_t>(passing.size()));
    for (const auto& one : passing) {
      places += std::ldexp(static_cast<double>(one.place), -60);
      seen += 1;
    }
  }
  const auto poisson = [&](std::int64_t x) {
    double term = std::exp(-mean);
    double sum = 0;
    for (std::int64_t i = 0; i <= x; ++i) {
      sum += term;
      term *= mean / static_cast<double>(i + 1);
    }
    return sum;
  };
  EXPECT_LT(testing::worst_cdf_gap(counts, poisson), testing::kolmogorov_bound(counts.size()));
  // Places are uniform: the mean of `seen` of them is within 5 standard deviations of one half.
  EXPECT_NEAR(places / seen, 0.5, 5 / std::sqrt(12 * seen));
}

TEST(RareNoise, NothingPassesAmongNoZeros) {
  const RareNoise rare(laplace(Rational(1)), 1);
  SeededRandom random(1);
  std::vector<RareNoise::Passing> passing;
  rare.sample(random, 0, passing);
  EXPECT_TRUE(passing.empty());
}

TEST(RareNoise, PlacesRiseAndAllCanPass) {
  const RareNoise rare(laplace(Rational(1'000'000)), 1);  // nearly one half
  EXPECT_NEAR(rare.pass_probability(), 0.5, 1e-6);
  SeededRandom random(3);
  std::vector<RareNoise::Passing> passing;
  rare.sample(random, 3000, passing);
  EXPECT_NEAR(static_cast<double>(passing.size()), 1500, 150);
  for (std::size_t i = 1; i < passing.size(); ++i) EXPECT_LT(passing[i - 1].place, passing[i].place);
}

}  // namespace rare_noise_test
}  // namespace gauze
