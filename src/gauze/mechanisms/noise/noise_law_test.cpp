#include "gauze/mechanisms/noise/noise_law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "gauze/mechanisms/noise/staircase.h"
#include "gauze/mechanisms/testing/closed_forms.h"
#include "gauze/mechanisms/testing/distribution_checks.h"
#include "gauze/mechanisms/testing/parameter_names.h"
#include "gauze/random/secure_random.h"

namespace gauze {
namespace noise_law_test {

// 200,000 draws a case from the production stream. The bound is 0.0060: alarms on correct noise with p <= 1e-6 a
// case, catches a scale that is 10 % off (a gap of at least 0.017), one-sided noise (0.25 and more) and, for scales
// up to 10, a doubled zero (0.02 and more) in > 99 % of runs; distribution_checks_test.cpp shows it.
constexpr std::size_t kDraws = 200'000;

std::vector<std::int64_t> draw(const NoiseLaw& law, std::size_t count = kDraws) {
  std::vector<std::int64_t> samples(count);
  law.sample(SecureRandom::of_thread(), samples);
  return samples;
}

class Scales : public ::testing::TestWithParam<double> {};

TEST_P(Scales, DiscreteLaplaceFollowsItsClosedForm) {
  const double t = GetParam();
  const auto law = DiscreteLaplaceLaw::make(Rational(t));
  const auto cdf = [&](std::int64_t x) { return testing::discrete_laplace_cdf(t, x); };
  EXPECT_LT(testing::worst_cdf_gap(draw(*law), cdf), testing::kolmogorov_bound(kDraws));
}

TEST_P(Scales, RoundedGaussianFollowsItsClosedForm) {
  const double sigma = GetParam();
  const auto law = RoundedGaussianLaw::make(Rational(sigma));
  const auto cdf = [&](std::int64_t x) { return testing::rounded_gaussian_cdf(sigma, x); };
  EXPECT_LT(testing::worst_cdf_gap(draw(*law, sigma < 0.1 ? 2000 : kDraws), cdf),
            testing::kolmogorov_bound(sigma < 0.1 ? 2000 : kDraws));
}

TEST_P(Scales, DiscreteGaussianFollowsItsOwnSum) {
  const double sigma = GetParam();
  const auto law = DiscreteGaussianLaw::make(Rational(sigma));
  if (sigma <= 1000) {
    EXPECT_FALSE(testing::chi_square(testing::discrete_gaussian_probabilities(sigma), draw(*law)).alarms());
  } else {
    // From 1,000 on the distribution function equals the rounded Gaussian's within 1e-7.
    const auto cdf = [&](std::int64_t x) { return testing::rounded_gaussian_cdf(sigma, x); };
    EXPECT_LT(testing::worst_cdf_gap(draw(*law), cdf), testing::kolmogorov_bound(kDraws));
  }
}

TEST_P(Scales, VarianceAndIntervalAreThoseOfTheDraws) {
  const Rational scale(GetParam());
  const auto laplace = DiscreteLaplaceLaw::make(scale);
  const auto gaussian = DiscreteGaussianLaw::make(scale);
  const auto rounded = RoundedGaussianLaw::make(scale);
  for (const NoiseLaw* law : std::initializer_list<const NoiseLaw*>{&*laplace, &*gaussian, &*rounded}) {
    const std::size_t n = GetParam() < 0.1 ? 2000 : kDraws;
    const auto samples = draw(*law, n);
    const double radius = static_cast<double>(law->interval_radius(Rational(19, 20)));
    double squares = 0, fourth = 0, outside = 0;
    for (const std::int64_t x : samples) {
      const double y = static_cast<double>(x);
      squares += y * y;
      fourth += y * y * y * y;
      outside += std::abs(y) > radius ? 1 : 0;
    }
    const double count = static_cast<double>(n);
    // The standard error comes from the draws; 6 of them leave 2e-9 for a false alarm (an order more for the heavy
    // tail), and a variance that is 10 % off is more than 9 away.
    const double error = std::sqrt(fourth / count) / std::sqrt(count) + 1e-12;
    EXPECT_NEAR(squares / count, law->variance(), 6 * error + 40 / count);
    EXPECT_LE(outside / count, 0.05 + 5.0 * std::sqrt(0.05 / count));
    if (GetParam() > 100) {
      EXPECT_GE(outside / count, 0.05 - 5.0 * std::sqrt(0.05 / count) - 1 / GetParam());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(FromTinyToHuge, Scales,
                         ::testing::Values(1e-3, 0.3, 1.0, 2.5, 47.0, 1e3, 1e6, 1e9, 0x1.8p40),
                         [](const auto& scale) { return "Scale" + testing::number_in_name(scale.param); });

TEST(NoiseLaw, IntervalRadiusIsTheSmallestThatHolds) {
  for (const double t : {0.2, 1.0, 7.3, 1e5}) {
    const auto law = DiscreteLaplaceLaw::make(Rational(t));
    for (const auto& level : {Rational(1, 2), Rational(19, 20), Rational(999, 1000)}) {
      const std::int64_t a = law->interval_radius(level);
      const auto inside = [&](std::int64_t m) {
        return testing::discrete_laplace_cdf(t, m) - testing::discrete_laplace_cdf(t, -m - 1);
      };
      EXPECT_GE(inside(a), level.to_double() - 1e-12);
      if (a > 0) {
        EXPECT_LT(inside(a - 1), level.to_double());
      }
    }
  }
}

TEST(NoiseLaw, TailsEncloseTheClosedForms) {
  for (const double scale : {0.4, 1.0, 6.0, 300.0}) {
    const auto laplace = DiscreteLaplaceLaw::make(Rational(scale));
    const auto gaussian = DiscreteGaussianLaw::make(Rational(scale));
    const auto probabilities = testing::discrete_gaussian_probabilities(scale);
    for (const std::int64_t m : {-7, -1, 0, 1, 2, 13}) {
      const double expected = 1 - testing::discrete_laplace_cdf(scale, m - 1);
      EXPECT_NEAR(laplace->tail(m).middle(), expected, 1e-13);
      EXPECT_LE(laplace->tail(m).low(), laplace->tail(m).high());
      double above = 0;
      for (const auto& [x, p] : probabilities) above += x >= m ? p : 0;
      EXPECT_NEAR(gaussian->tail(m).middle(), above, 1e-13);
    }
  }
}

TEST(NoiseLaw, LongDiscreteGaussianSumsAreEnclosed) {
  // Far more terms than are added one by one: the integral bounds must hold the true sum, here by plain addition.
  const double sigma = 50'000;
  const auto law = DiscreteGaussianLaw::make(Rational(sigma));
  for (const double z : {0.3, 1.7, 4.0}) {
    const auto m = static_cast<std::int64_t>(z * sigma);
    double sum = 0;
    for (auto x = static_cast<std::int64_t>(12 * sigma); x >= m; --x) {
      sum += std::exp(-static_cast<double>(x) * static_cast<double>(x) / (2 * sigma * sigma));
    }
    const double expected = sum / (sigma * std::sqrt(2 * M_PI));
    EXPECT_LE(law->tail(m).low(), expected * (1 + 1e-11));
    EXPECT_GE(law->tail(m).high(), expected * (1 - 1e-11));
    EXPECT_LT(law->tail(m).high() / law->tail(m).low(), 1 + 1e-4);
  }
}

TEST(NoiseLaw, EveryLowBitOfFineNoiseIsFair) {
  // Mironov's attack lives on holes in the low bits. 2^18 draws: each of 20 bits alarms with p <= 5e-8 (5.45 sigma);
  // a bit that is one with probability 0.51 is 10 sigma away.
  for (const bool gaussian : {false, true}) {
    const Rational scale = Rational::power_of_two(40) * Rational(5, 3);
    std::vector<std::int64_t> samples(1U << 18);
    if (gaussian) {
      RoundedGaussianLaw::make(scale)->sample(SecureRandom::of_thread(), samples);
    } else {
      DiscreteLaplaceLaw::make(scale)->sample(SecureRandom::of_thread(), samples);
    }
    const double n = static_cast<double>(samples.size());
    for (int bit = 0; bit < 20; ++bit) {
      double ones = 0;
      for (const std::int64_t x : samples) ones += static_cast<double>(x >> bit & 1);
      EXPECT_LT(std::abs(ones - n / 2), 5.45 * std::sqrt(n) / 2) << "bit " << bit;
    }
  }
}

TEST(NoiseLaw, TwoRunsDiffer) {
  const auto law = DiscreteLaplaceLaw::make(Rational::power_of_two(40));
  EXPECT_NE(draw(*law, 100), draw(*law, 100));
}

TEST(NoiseLaw, RefusesScalesItCannotDraw) {
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL, 1e300, 1e-300}) {
    EXPECT_FALSE(DiscreteLaplaceLaw::make(Rational(bad)));
    EXPECT_FALSE(DiscreteGaussianLaw::make(Rational(bad)));
    EXPECT_FALSE(RoundedGaussianLaw::make(Rational(bad)));
  }
  EXPECT_TRUE(DiscreteLaplaceLaw::make(Rational::power_of_two(52)));
}

struct Stairs {
  std::int64_t step, inner;
  double epsilon;
};
class Staircases : public ::testing::TestWithParam<Stairs> {};

TEST_P(Staircases, FollowTheirWeights) {
  const auto [step, inner, epsilon] = GetParam();
  const auto law = StaircaseLaw::make(step, inner, Rational(epsilon));
  const auto reach = static_cast<std::int64_t>(45 / epsilon + 2) * step + inner;
  std::map<std::int64_t, double> expected;
  double total = 0;
  for (std::int64_t x = -reach; x <= reach; ++x) {
    total += expected[x] = testing::staircase_weight(step, inner, epsilon, x);
  }
  double squares = 0;
  for (auto& [x, p] : expected) {
    p /= total;
    squares += p * static_cast<double>(x) * static_cast<double>(x);
  }
  EXPECT_FALSE(testing::chi_square(expected, draw(*law)).alarms());
  EXPECT_NEAR(law->variance() / squares, 1, 1e-9);
  for (const std::int64_t m : {std::int64_t{1}, inner, inner + 1, inner + step, 3 * step}) {
    double above = 0;
    for (const auto& [x, p] : expected) above += x >= m ? p : 0;
    EXPECT_NEAR(law->tail(m).middle(), above, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Staircases,
                         ::testing::Values(Stairs{1, 1, 1.0}, Stairs{4, 1, 0.5}, Stairs{10, 4, 2.0},
                                           Stairs{7, 7, 0.3}, Stairs{3, 2, 6.0}),
                         [](const auto& stairs) {
                           return fmt::format("Step{}Inner{}Epsilon{}", stairs.param.step, stairs.param.inner,
                                              testing::number_in_name(stairs.param.epsilon));
                         });

}  // namespace noise_law_test
}  // namespace gauze
