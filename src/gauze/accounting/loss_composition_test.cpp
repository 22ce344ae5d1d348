#include "gauze/accounting/loss_composition.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "gauze/accounting/accountant.h"
#include "gauze/accounting/conversions.h"

namespace gauze {
namespace {

using Kind = PrivacyEvent::Kind;
using Method = Accountant::Method;

struct Rare {
  double sigma, rate, count, delta;
};

Accountant accountant_of(const Rare& one) {
  return Accountant::make({{.kind = Kind::gaussian,
                            .sigma = one.sigma,
                            .count = one.count,
                            .sampling = PrivacyEvent::Sampling::poisson,
                            .rate = one.rate}})
      .value();
}

Bounds bounds_of(const Rare& one, double tolerance = 0) {
  return accountant_of(one).epsilon(one.delta, Method::pld, tolerance).value().front().bounds;
}

double accuracy(double epsilon) { return std::max(0.005, 0.002 * epsilon) * 1.0001; }

// Compositions in which one rare large loss among very many tiny ones makes the figure: no tilt puts the mean there.
TEST(LossComposition, BoundsOfVeryRareStepsAtTinyDeltasLieCloseTogether) {
  for (const Rare& one :
       {Rare{0.7527, 6.8e-6, 456035, 5.5e-15}, Rare{0.7275, 2.7e-5, 830856, 1.26e-11},
        Rare{0.819, 1.59e-5, 28085, 2e-15}, Rare{0.834692, 2.56579e-06, 22576, 1.403e-15},
        Rare{0.711442, 1.00421e-06, 2526, 4.143e-14}, Rare{0.812139, 0.000269488, 370049, 1.25e-09},
        Rare{0.886781, 1.30204e-05, 6554, 3.807e-15}, Rare{0.791335, 1.98599e-05, 205849, 1.563e-13},
        Rare{0.860639, 6.72548e-05, 2302, 3.524e-14}, Rare{0.700157, 1.90982e-06, 5494, 4.957e-12}}) {
    const Bounds bounds = bounds_of(one);
    ASSERT_TRUE(bounds.lower);
    EXPECT_GT(*bounds.lower, 0);
    EXPECT_LE(*bounds.lower, bounds.upper);
    EXPECT_LE(bounds.upper - *bounds.lower, accuracy(bounds.upper))
        << one.sigma << " " << one.rate << " " << one.count;
  }
}

TEST(LossComposition, BoundsOfRandomRareStepsAreOrderedAndClose) {
  std::mt19937_64 random(20240611);  // a test's own numbers, no release
  const auto between = [&](double low, double high) {
    return low + (high - low) * std::generate_canonical<double, 53>(random);
  };
  const auto log_between = [&](double low, double high) { return std::exp(between(std::log(low), std::log(high))); };
  for (int i = 0; i < 60; ++i) {
    const Rare one{between(0.5, 3), log_between(1e-6, 1e-3), std::round(log_between(1e3, 1e6)),
                   log_between(1e-15, 1e-8)};
    const Bounds bounds = bounds_of(one);
    const double lower = bounds.lower.value_or(0);
    EXPECT_LE(lower, bounds.upper);
    EXPECT_LE(bounds.upper - lower, accuracy(bounds.upper))
        << one.sigma << " " << one.rate << " " << one.count << " " << one.delta;
    // Renyi-DP knows nothing of grids.
    const auto renyi = accountant_of(one).epsilon(one.delta, Method::rdp);
    ASSERT_TRUE(renyi);
    EXPECT_LE(lower, renyi->front().bounds.upper);
  }
}

TEST(LossComposition, RareStepsAreMonotoneInDeltaAndConsistentAcrossTolerances) {
  double above = 0;
  for (const double delta : {1e-6, 1e-8, 1e-10, 1e-12, 1e-14}) {
    const Rare one{0.75, 2e-5, 1e5, delta};
    const Bounds coarse = bounds_of(one), fine = bounds_of(one, 1e-3);
    EXPECT_LE(*coarse.lower, fine.upper);
    EXPECT_LE(*fine.lower, coarse.upper);
    EXPECT_GT(*fine.lower, above);
    above = fine.upper;
  }
}

// Removal, two steps: delta(epsilon) is the integral of (p(x) p(y) - e^epsilon q(x) q(y))_+ over the plane; over y it is
// known, so one integral is left. The integrand is smooth but for one kink: the trapezoidal rule is right within 1e-4.
TEST(LossComposition, EnclosesTwoVeryRareStepsByIntegration) {
  const long double sigma = 0.75L;
  const auto tail = [](long double x) { return std::erfc(x / std::sqrt(2.0L)) / 2; };
  for (const long double rate : {1e-5L, 3e-4L}) {
    for (const long double epsilon : {0.05L, 0.4L, 1.5L}) {
      long double expected = 0;
      const long double step = 2e-4L;
      for (long double x = -8; x < 12; x += step) {
        const long double ratio = 1 - rate + rate * std::exp((x - 0.5L) / (sigma * sigma));
        const long double q = std::exp(-x * x / (2 * sigma * sigma)) / (sigma * std::sqrt(2 * std::acos(-1.0L)));
        // delta of the second step at epsilon - ln(ratio), times what P has of x.
        const long double t = std::exp(epsilon) / ratio, excess = 1 + (t - 1) / rate;
        const long double y = excess > 0 ? sigma * sigma * std::log(excess) + 0.5L : -100;
        const long double there = (1 - rate) * tail(y / sigma) + rate * tail((y - 1) / sigma);
        expected += step * q * ratio * (there - t * tail(y / sigma));
      }
      const Bounds bounds =
          composed_epsilon({{{poisson_sampled(gaussian_loss(0.75), static_cast<double>(rate), true), 2}}},
                           static_cast<double>(expected), 1e-3);
      ASSERT_TRUE(bounds.lower);
      EXPECT_LE(*bounds.lower, static_cast<double>(epsilon) + 1e-5) << rate << " " << expected;
      EXPECT_GE(bounds.upper, static_cast<double>(epsilon) - 1e-5) << rate << " " << expected;
      if (expected > 1e-15L) {
        EXPECT_LE(bounds.upper - *bounds.lower, 1e-3) << rate << " " << expected;
      }
    }
  }
}

// Two pure mechanisms whose losses have no common grid: every outcome is added up by hand. A lower bound that rounds an
// atom to both of its neighbours exceeds the truth here.
TEST(LossComposition, EnclosesAtomsThatFitNoGrid) {
  const auto choose = [](int n, int k) {
    double result = 1;
    for (int i = 0; i < k; ++i) result = result * (n - i) / (i + 1);
    return result;
  };
  const auto delta_of = [&](double a, int m, double b, int n, double epsilon) {
    const double p = 1 / (1 + std::exp(-a)), r = 1 / (1 + std::exp(-b));
    double delta = 0;
    for (int i = 0; i <= m; ++i) {
      for (int j = 0; j <= n; ++j) {
        const double mass = choose(m, i) * std::pow(p, m - i) * std::pow(1 - p, i) * choose(n, j) *
                            std::pow(r, n - j) * std::pow(1 - r, j);
        delta += mass * std::max(0.0, -std::expm1(epsilon - (m - 2 * i) * a - (n - 2 * j) * b));
      }
    }
    return delta;
  };
  for (const auto& [a, m, b, n] : {std::tuple{0.3, 3, 0.17, 2}, {0.11, 20, 0.0371, 15}, {1.0, 2, 0.618, 2}}) {
    for (const double share : {0.2, 0.5, 0.8}) {
      const double epsilon = share * (a * m + b * n), delta = delta_of(a, m, b, n, epsilon);
      const ComposedLoss composed{{{pure_loss(a), static_cast<double>(m)}, {pure_loss(b), static_cast<double>(n)}}};
      for (const double tolerance : {0.0, 1e-3, 1e-5}) {
        const Bounds bounds = composed_epsilon(composed, delta, tolerance);
        ASSERT_TRUE(bounds.lower);
        EXPECT_LE(*bounds.lower, epsilon + 1e-11) << a << " " << b << " " << share << " " << tolerance;
        EXPECT_GE(bounds.upper, epsilon - 1e-11) << a << " " << b << " " << share << " " << tolerance;
        EXPECT_LE(bounds.upper - *bounds.lower, 0.01);
      }
    }
  }
}

TEST(LossComposition, SamplingAlmostSurelyIsTheExactGaussian) {
  for (const double count : {4.0, 1e4}) {
    const double sigma = 3 * std::sqrt(count);
    for (const double delta : {1e-14, 1e-6}) {
      const double exact = epsilon_of_gdp(Rational(1.0 / 3), Rational(delta)).to_double();
      const Bounds bounds = bounds_of({sigma, 1 - 1e-12, count, delta});
      EXPECT_LE(*bounds.lower, exact * (1 + 1e-6));
      EXPECT_GE(bounds.upper, exact * (1 - 1e-6));
    }
  }
}

}  // namespace
}  // namespace gauze
