#include "gauze/accounting/loss_composition.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "gauze/accounting/accountant.h"
#include "gauze/accounting/conversions.h"
#include "gauze/base/testing/watched.h"

namespace gauze {
namespace loss_composition_test {

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
  for (int i = 0; i < watched_less(60); ++i) {
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

// A sampled (epsilon, delta) event: what only Q0 knows has the loss ln(1 - q), and counts. All outcomes added up.
TEST(LossComposition, EnclosesSampledApproximateEventsByHand) {
  struct Case {
    double e, d, q;
    int runs;
  };
  for (const Case& one : {Case{3.354, 0.01, 0.13, 3}, {3.354, 8.03e-6, 0.13, 2}, {1.0, 0.2, 0.4, 4}}) {
    const double e = one.e, d = one.d, q = one.q;
    const int runs = one.runs;
    const double a = 1 / (1 + std::exp(-e));
    const std::array<double, 4> p0 = {(1 - d) * a, (1 - d) * (1 - a), d, 0};
    const std::array<double, 4> q0 = {(1 - d) * (1 - a), (1 - d) * a, 0, d};
    std::array<double, 4> mixed{};
    for (std::size_t i = 0; i < 4; ++i) mixed[i] = (1 - q) * q0[i] + q * p0[i];
    for (const bool removing : {true, false}) {
      const std::array<double, 4>& p = removing ? mixed : q0;
      const std::array<double, 4>& r = removing ? q0 : mixed;
      const auto delta_of = [&](double epsilon) {
        double delta = 0;
        for (std::size_t outcome = 0; outcome < std::size_t{1} << (2 * runs); ++outcome) {
          double under_p = 1;
          double under_r = 1;
          for (int i = 0; i < runs; ++i) {
            under_p *= p[outcome >> (2 * i) & 3];
            under_r *= r[outcome >> (2 * i) & 3];
          }
          delta += std::max(0.0, under_p - std::exp(epsilon) * under_r);
        }
        return delta;
      };
      for (const double epsilon : {0.05, 0.3, 0.9}) {
        const double delta = delta_of(epsilon);
        if (delta <= 1 - std::pow(1 - q * d, runs) + 1e-12) continue;  // of infinite losses alone, or none
        const ComposedLoss composed{{{poisson_sampled(pure_loss(e, d), q, removing), static_cast<double>(runs)}}};
        const Bounds bounds = composed_epsilon(composed, delta, 1e-5);
        ASSERT_TRUE(bounds.lower);
        EXPECT_LE(*bounds.lower, epsilon + 1e-11) << e << " " << removing << " " << epsilon;
        EXPECT_GE(bounds.upper, epsilon - 1e-11) << e << " " << removing << " " << epsilon;
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

// Mixtures whose atoms share no grid, and of losses of very different size: what each grid costs once a run would show.
TEST(LossComposition, BoundsOfMixturesThatShareNoGridLieCloseTogether) {
  using Sampling = PrivacyEvent::Sampling;
  const auto sampled = [](PrivacyEvent event, double rate) {
    event.sampling = Sampling::poisson;
    event.rate = rate;
    return event;
  };
  struct Mixture {
    std::vector<PrivacyEvent> events;
    double delta;
  };
  const std::vector<Mixture> mixtures = {
      {{{.kind = Kind::randomized_response, .epsilon = 0.0022344779654371503, .categories = 5, .count = 2503},
        sampled({.kind = Kind::laplace, .scale = 0.5, .count = 692692}, 0.00042051000648014766)},
       1.3167646227882872e-07},
      {{sampled({.kind = Kind::approximate, .epsilon = 4.45e-07, .delta = 2.39e-23, .count = 5572}, 0.3888),
        {.kind = Kind::discrete_laplace, .scale = 8673565.466, .sensitivity = 2, .count = 1194}},
       3.6876e-14},
      {{sampled({.kind = Kind::discrete_gaussian, .sigma = 0.247122519, .count = 5}, 1.01186e-06),
        sampled({.kind = Kind::gaussian, .sigma = 27931.491, .sensitivity = 5.405769, .count = 516033}, 0.04036796),
        sampled({.kind = Kind::pure, .epsilon = 7.6858626, .count = 2}, 4.2766771e-06),
        sampled({.kind = Kind::discrete_laplace, .scale = 1.79919, .sensitivity = 7, .count = 30}, 1.2681e-05)},
       2.61363e-14},
      {{sampled({.kind = Kind::randomized_response, .epsilon = 5.539554676, .categories = 50, .count = 1124},
                5.76875384e-05),
        sampled({.kind = Kind::approximate, .epsilon = 4.6156062, .delta = 5.6305e-13, .count = 13928}, 1.899e-05),
        sampled({.kind = Kind::laplace, .scale = 8.230621, .sensitivity = 3.8075777, .count = 40}, 0.127294145)},
       7.22649e-05}};
  for (std::size_t i = 0; i < mixtures.size(); ++i) {
    const Bounds bounds =
        Accountant::make(mixtures[i].events).value().epsilon(mixtures[i].delta, Method::pld).value().front().bounds;
    ASSERT_TRUE(bounds.lower) << i;
    EXPECT_GT(*bounds.lower, 0) << i;
    EXPECT_LE(*bounds.lower, bounds.upper) << i;
    EXPECT_LE(bounds.upper - *bounds.lower, accuracy(bounds.upper)) << i;
  }
}

// Two pure mechanisms, thousands of runs, losses that have no common divisor: 3 million outcomes added up by hand.
TEST(LossComposition, EnclosesManyRunsOfAtomsThatShareNoGrid) {
  const auto log_masses = [](double epsilon, int count) {
    std::vector<double> result;
    for (int lies = 0; lies <= count; ++lies) {
      result.push_back(std::lgamma(count + 1.0) - std::lgamma(lies + 1.0) - std::lgamma(count - lies + 1.0) -
                       count * std::log1p(std::exp(-epsilon)) - lies * epsilon);
    }
    return result;
  };
  const double a = 0.01, b = 0.02 / std::sqrt(3.0);
  const int m = 2000, n = 1500;
  const std::vector<double> first = log_masses(a, m), second = log_masses(b, n);
  for (const double epsilon : {0.5, 1.5, 4.0}) {
    double delta = 0;
    for (int i = 0; i <= m; ++i) {
      for (int j = 0; j <= n; ++j) {
        const double loss = (m - 2 * i) * a + (n - 2 * j) * b;
        if (loss > epsilon) delta -= std::exp(first[i] + second[j]) * std::expm1(epsilon - loss);
      }
    }
    for (const double tolerance : {0.0, 1e-3}) {
      const Bounds bounds = composed_epsilon({{{pure_loss(a), m}, {pure_loss(b), n}}}, delta, tolerance);
      ASSERT_TRUE(bounds.lower);
      EXPECT_LE(*bounds.lower, epsilon + 1e-9) << tolerance;
      EXPECT_GE(bounds.upper, epsilon - 1e-9) << tolerance;
      EXPECT_LE(bounds.upper - *bounds.lower, tolerance > 0 ? tolerance : accuracy(epsilon)) << epsilon;
    }
  }
}

// A rare Gaussian step beside very many tiny pure ones: given the tiny ones' loss, the step's delta is known. The sum's
// transform vanishes at many frequencies: what is left of it there must not be rounding.
TEST(LossComposition, EnclosesARareLargeLossAmongManyTinyOnes) {
  const double a = 1e-4, rate = 1e-4, sigma = 0.8;
  const int count = 100000;
  const auto tail = [](long double x) { return std::erfc(x / std::sqrt(2.0L)) / 2; };
  const auto step_delta = [&](long double epsilon) {
    const long double t = std::exp(epsilon), excess = 1 + (t - 1) / rate;
    if (excess <= 0) return 1 - t;
    const long double x = sigma * sigma * std::log(excess) + 0.5L;
    return (1 - rate) * tail(x / sigma) + rate * tail((x - 1) / sigma) - t * tail(x / sigma);
  };
  for (const double epsilon : {0.1, 0.3, 1.0}) {
    long double delta = 0;
    for (int lies = count / 2 - 3000; lies <= count / 2 + 3000; ++lies) {
      const long double log_mass = std::lgamma(count + 1.0L) - std::lgamma(lies + 1.0L) -
                                   std::lgamma(count - lies + 1.0L) - count * std::log1p(std::exp(-1e-4L)) -
                                   lies * 1e-4L;
      delta += std::exp(log_mass) * step_delta(epsilon - (count - 2 * lies) * 1e-4L);
    }
    const ComposedLoss composed{{{pure_loss(a), count}, {poisson_sampled(gaussian_loss(sigma), rate, true), 1}}};
    const Bounds bounds = composed_epsilon(composed, static_cast<double>(delta));
    ASSERT_TRUE(bounds.lower);
    EXPECT_LE(*bounds.lower, epsilon + 1e-6);
    EXPECT_GE(bounds.upper, epsilon - 1e-6);
    EXPECT_LE(bounds.upper - *bounds.lower, 0.05);
  }
}

// No lower bound is printed for it, but the upper one is as close to the pair's as any other.
TEST(LossComposition, UpperBoundsOfFixedSizeSamplingAreRefinedToo) {
  const auto bounds_at = [](double tolerance) {
    const PrivacyEvent approximate{.kind = Kind::approximate,
                                   .epsilon = 2.324e-06,
                                   .delta = 2.9546e-16,
                                   .count = 292580,
                                   .neighbours = Neighbours::replace_one};
    PrivacyEvent response{.kind = Kind::randomized_response,
                          .epsilon = 0.00010883,
                          .categories = 17,
                          .count = 27599,
                          .sampling = PrivacyEvent::Sampling::fixed_size,
                          .rate = 0.845402,
                          .neighbours = Neighbours::replace_one};
    PrivacyEvent gaussian{.kind = Kind::gaussian,
                          .sigma = 0.0394,
                          .sensitivity = 0.12983,
                          .sampling = PrivacyEvent::Sampling::fixed_size,
                          .rate = 8.4677e-05,
                          .neighbours = Neighbours::replace_one};
    return Accountant::make({approximate, response, gaussian})
        .value()
        .epsilon(2.14e-4, Method::pld, tolerance)
        .value()
        .front()
        .bounds;
  };
  const Bounds usual = bounds_at(0), fine = bounds_at(1e-3);
  EXPECT_FALSE(usual.lower);
  EXPECT_LE(usual.upper - fine.upper, accuracy(usual.upper));
}

TEST(LossComposition, InfiniteMassAboveDeltaLeavesNoEpsilon) {
  EXPECT_TRUE(std::isinf(composed_epsilon({{{pure_loss(1, 0.9), 1}}}, 0.7).upper));
  EXPECT_TRUE(std::isinf(composed_epsilon({{{pure_loss(1, 0.9), 1}, {gaussian_loss(5), 3}}}, 0.7).upper));
  EXPECT_LE(composed_epsilon({{{pure_loss(1, 0.6), 1}}}, 0.7).upper, 1.0001);
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

}  // namespace loss_composition_test
}  // namespace gauze
