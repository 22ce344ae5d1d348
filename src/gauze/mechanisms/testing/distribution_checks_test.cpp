// The statistical tests are only as good as what they catch: here they meet samplers that are broken on purpose.

#include "gauze/mechanisms/testing/distribution_checks.h"

#include <gtest/gtest.h>

#include "gauze/mechanisms/noise/noise_law.h"
#include "gauze/mechanisms/testing/closed_forms.h"
#include "gauze/mechanisms/testing/parameter_names.h"
#include "gauze/random/seeded_random.h"

namespace gauze {
namespace distribution_checks_test {

constexpr std::size_t kDraws = 200'000;

std::vector<std::int64_t> draw_laplace(const Rational& scale, std::uint64_t seed) {
  SeededRandom random(seed);
  std::vector<std::int64_t> samples(kDraws);
  DiscreteLaplaceLaw::make(scale)->sample(random, samples);
  return samples;
}

double gap(const std::vector<std::int64_t>& samples, double scale) {
  return testing::worst_cdf_gap(samples, [&](std::int64_t x) { return testing::discrete_laplace_cdf(scale, x); });
}

bool chi_square_alarms(const std::vector<std::int64_t>& samples, double scale) {
  std::map<std::int64_t, double> expected;
  for (std::int64_t x = -200; x <= 200; ++x) {
    expected[x] = testing::discrete_laplace_cdf(scale, x) - testing::discrete_laplace_cdf(scale, x - 1);
  }
  return testing::chi_square(expected, samples).alarms();
}

class Mutants : public ::testing::TestWithParam<double> {};

TEST_P(Mutants, TheHonestSamplerPasses) {
  const auto samples = draw_laplace(Rational(GetParam()), 1);
  EXPECT_LT(gap(samples, GetParam()), testing::kolmogorov_bound(kDraws));
  EXPECT_FALSE(chi_square_alarms(samples, GetParam()));
}

TEST_P(Mutants, AScaleTenPercentOffIsCaught) {
  for (const double wrong : {0.9, 1.1}) {
    const auto samples = draw_laplace(Rational(GetParam()) * Rational(wrong), 2);
    EXPECT_GT(gap(samples, GetParam()), testing::kolmogorov_bound(kDraws));
    EXPECT_TRUE(chi_square_alarms(samples, GetParam()));
  }
}

TEST_P(Mutants, AOneSidedSamplerIsCaught) {
  auto samples = draw_laplace(Rational(GetParam()), 3);
  for (std::int64_t& sample : samples) sample = std::abs(sample);
  EXPECT_GT(gap(samples, GetParam()), testing::kolmogorov_bound(kDraws));
  EXPECT_TRUE(chi_square_alarms(samples, GetParam()));
}

TEST_P(Mutants, ADoubledZeroIsCaught) {
  // What forgetting to reject "minus zero" does.
  auto samples = draw_laplace(Rational(GetParam()), 4);
  SeededRandom random(5);
  const double zero = testing::discrete_laplace_cdf(GetParam(), 0) - testing::discrete_laplace_cdf(GetParam(), -1);
  for (std::int64_t& sample : samples) {
    if (static_cast<double>(random.next() >> 11) * 0x1p-53 < zero / (1 + zero)) sample = 0;
  }
  EXPECT_GT(gap(samples, GetParam()), testing::kolmogorov_bound(kDraws));
  EXPECT_TRUE(chi_square_alarms(samples, GetParam()));
}

TEST_P(Mutants, ASamplerThatSkipsOneValueIsCaughtByChiSquare) {
  auto samples = draw_laplace(Rational(GetParam()), 6);
  for (std::int64_t& sample : samples) sample = sample == 1 ? 2 : sample;
  EXPECT_TRUE(chi_square_alarms(samples, GetParam()));
}

TEST_P(Mutants, AFewDrawsFarOutAreCaughtByChiSquare) {
  auto samples = draw_laplace(Rational(GetParam()), 7);
  for (std::size_t i = 0; i < samples.size(); i += 1000) samples[i] = 1'000'000;
  EXPECT_TRUE(chi_square_alarms(samples, GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Scales, Mutants, ::testing::Values(0.8, 1.0, 3.0, 10.0),
                         [](const auto& scale) { return "Scale" + testing::number_in_name(scale.param); });

TEST(ChiSquareBound, LiesAboveTheTrueQuantile) {
  // 1 - 1e-6 quantiles from tables: 23.93 (1 degree), 38.26 (6), 59.49 (16), 179.5 (94).
  EXPECT_GT(testing::chi_square_bound(1), 23.92);
  EXPECT_GT(testing::chi_square_bound(6), 38.2);
  EXPECT_LT(testing::chi_square_bound(6), 42);
}

}  // namespace distribution_checks_test
}  // namespace gauze
