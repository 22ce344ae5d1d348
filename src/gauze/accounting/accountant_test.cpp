#include "gauze/accounting/accountant.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gauze/accounting/calibration.h"
#include "gauze/accounting/conversions.h"
#include "gauze/mechanisms/noise/gaussian_calibration.h"

namespace gauze {
namespace accountant_test {

using Kind = PrivacyEvent::Kind;
using Method = Accountant::Method;
using Sampling = PrivacyEvent::Sampling;

Bounds bounds_of(std::vector<PrivacyEvent> events, double delta, Method method = Method::pld, double tolerance = 0) {
  const auto accountant = Accountant::make(std::move(events));
  EXPECT_TRUE(accountant) << accountant.error().message;
  const auto answers = accountant->epsilon(delta, method, tolerance);
  EXPECT_TRUE(answers) << answers.error().message;
  return answers ? answers->front().bounds : Bounds{};
}

/// delta(epsilon) of k runs of randomised response, by adding up all 2^k outcomes grouped by their number of lies.
double randomised_response_delta(double epsilon_one, int k, double epsilon) {
  const double p = std::exp(epsilon_one) / (1 + std::exp(epsilon_one));
  double delta = 0, choose = 1;
  for (int lies = 0; lies <= k; ++lies) {
    const double here = choose * std::pow(p, k - lies) * std::pow(1 - p, lies);
    const double there = choose * std::pow(p, lies) * std::pow(1 - p, k - lies);
    delta += std::max(0.0, here - std::exp(epsilon) * there);
    choose = choose * (k - lies) / (lies + 1);
  }
  return delta;
}

TEST(LossComposition, EnclosesTheExactGaussian) {
  for (const double count : {1.0, 50.0, 1e4, 1e6}) {
    for (const double delta : {1e-15, 1e-9, 1e-5, 0.01}) {
      const double sigma = 2 * std::sqrt(count);
      const double exact = epsilon_of_gdp(Rational(0.5), Rational(delta)).to_double();
      const Bounds bounds = bounds_of({{.kind = Kind::gaussian, .sigma = sigma, .count = count}}, delta);
      ASSERT_TRUE(bounds.lower);
      EXPECT_LE(*bounds.lower, exact * (1 + 1e-9)) << count << " " << delta;
      EXPECT_GE(bounds.upper, exact * (1 - 1e-9)) << count << " " << delta;
      EXPECT_LE(bounds.upper - *bounds.lower, std::max(0.005, 0.002 * exact)) << count << " " << delta;
    }
  }
}

TEST(LossComposition, EnclosesRandomisedResponseByHand) {
  for (const int k : {1, 3, 20}) {
    for (const double one : {0.1, 1.0, 3.0}) {
      for (const double delta : {1e-6, 1e-2}) {
        const Bounds bounds =
            bounds_of({{.kind = Kind::pure, .epsilon = one, .count = static_cast<double>(k)}}, delta);
        ASSERT_TRUE(bounds.lower);
        EXPECT_LE(randomised_response_delta(one, k, bounds.upper), delta * (1 + 1e-6));
        if (*bounds.lower > 1e-3) {
          EXPECT_GE(randomised_response_delta(one, k, *bounds.lower * (1 - 1e-6)), delta * (1 - 1e-6));
        }
      }
    }
  }
}

TEST(LossComposition, EnclosesTheSampledGaussianByIntegration) {
  // One step, both directions, delta(epsilon) by the trapezoidal rule over the densities.
  for (const double rate : {0.01, 0.3}) {
    for (const double epsilon : {0.05, 0.5}) {
      double remove = 0, add = 0;
      const double step = 1e-3;
      for (double x = -12; x < 14; x += step) {
        const double q = std::exp(-x * x / 2) / std::sqrt(2 * M_PI);
        const double p = (1 - rate) * q + rate * std::exp(-(x - 1) * (x - 1) / 2) / std::sqrt(2 * M_PI);
        remove += step * std::max(0.0, p - std::exp(epsilon) * q);
        add += step * std::max(0.0, q - std::exp(epsilon) * p);
      }
      const double expected = std::max(remove, add);
      const auto accountant =
          Accountant::make({{.kind = Kind::gaussian, .sigma = 1, .sampling = Sampling::poisson, .rate = rate}});
      const auto answers = accountant->delta(epsilon, Method::pld);
      ASSERT_TRUE(answers);
      EXPECT_LE(*answers->front().bounds.lower, expected + 1e-7);
      EXPECT_GE(answers->front().bounds.upper, expected - 1e-7);
      EXPECT_LT(answers->front().bounds.upper, expected * 1.02 + 1e-7);
    }
  }
}

TEST(LossComposition, EnclosesTwoRareStepsByIntegration) {
  // Removal, two steps: delta(epsilon) is the integral of (p(x) p(y) - e^epsilon q(x) q(y))_+ over the plane.
  const double sigma = 0.6;
  for (const double rate : {1e-3, 1e-2}) {
    const double step = 4e-3;
    std::vector<double> q;
    std::vector<double> p;
    for (double x = -5; x < 7; x += step) {
      const double centred = std::exp(-x * x / (2 * sigma * sigma));
      const double moved = std::exp(-(x - 1) * (x - 1) / (2 * sigma * sigma));
      q.push_back(step * centred / (sigma * std::sqrt(2 * M_PI)));
      p.push_back((1 - rate) * q.back() + rate * step * moved / (sigma * std::sqrt(2 * M_PI)));
    }
    const auto accountant = Accountant::make(
        {{.kind = Kind::gaussian, .sigma = sigma, .count = 2, .sampling = Sampling::poisson, .rate = rate}});
    for (const double epsilon : {0.1, 1.0}) {
      double expected = 0;
      for (std::size_t i = 0; i < q.size(); ++i)
        for (std::size_t j = 0; j < q.size(); ++j)
          expected += std::max(0.0, p[i] * p[j] - std::exp(epsilon) * q[i] * q[j]);
      const auto answers = accountant->delta(epsilon, Method::pld);
      ASSERT_TRUE(answers);
      EXPECT_LE(*answers->front().bounds.lower, expected * (1 + 1e-3));
      EXPECT_GE(answers->front().bounds.upper, expected * (1 - 1e-3));
      EXPECT_LT(answers->front().bounds.upper, expected * 1.05);
      EXPECT_GT(*answers->front().bounds.lower, expected * 0.95);
    }
  }
}

// Nearly all mass of such a step lies at one tiny loss: both bounds must still find the rest.
TEST(LossComposition, BoundsOfRarelySampledStepsLieCloseTogether) {
  struct Case {
    double sigma, rate, count, delta;
  };
  for (const Case& one :
       {Case{0.348132, 4.73601e-06, 847404, 2.61483e-07}, Case{0.373239, 0.00058094, 80, 0.00250782},
        Case{1126.93, 0.331819, 1373, 1.1736e-15}, Case{0.413157, 0.224636, 7, 6.64965e-05},
        Case{0.712126, 0.00433962, 16591, 5.60975e-10}, Case{1, 1e-6, 1e6, 1e-5}}) {
    const Bounds bounds = bounds_of({{.kind = Kind::gaussian,
                                      .sigma = one.sigma,
                                      .count = one.count,
                                      .sampling = Sampling::poisson,
                                      .rate = one.rate}},
                                    one.delta);
    ASSERT_TRUE(bounds.lower.has_value());
    EXPECT_LE(*bounds.lower, bounds.upper);
    EXPECT_LE(bounds.upper - *bounds.lower, std::max(0.005, 0.002 * bounds.upper) * 1.0001);
  }
}

TEST(LossComposition, OrderOfEventsDoesNotMatterAndCountsAreRepetitions) {
  const PrivacyEvent gaussian{.kind = Kind::gaussian, .sigma = 6, .count = 4};
  const PrivacyEvent laplace{.kind = Kind::laplace, .scale = 5, .count = 3};
  EXPECT_NEAR(bounds_of({gaussian, laplace}, 1e-6).upper, bounds_of({laplace, gaussian}, 1e-6).upper, 1e-9);
  PrivacyEvent once = gaussian;
  once.count = 1;
  const Bounds one_by_one = bounds_of({once, once, once, once, laplace}, 1e-6);
  const Bounds together = bounds_of({gaussian, laplace}, 1e-6);
  EXPECT_LE(*one_by_one.lower, together.upper);
  EXPECT_LE(*together.lower, one_by_one.upper);
  EXPECT_NEAR(one_by_one.upper, together.upper, 0.006);
}

TEST(LossComposition, SamplingAtRateOneIsNoSamplingAndTinyRatesAmplify) {
  const PrivacyEvent plain{.kind = Kind::gaussian, .sigma = 1};
  PrivacyEvent sampled = plain;
  sampled.sampling = Sampling::poisson;
  sampled.rate = 1;
  EXPECT_EQ(bounds_of({plain}, 1e-5).upper, bounds_of({sampled}, 1e-5).upper);
  // A pure mechanism at epsilon 1 sampled at rate q is ln(1 + q (e - 1)).
  PrivacyEvent pure{.kind = Kind::pure, .epsilon = 1, .sampling = Sampling::poisson, .rate = 1e-3};
  EXPECT_NEAR(bounds_of({pure}, 1e-12, Method::pld, 1e-6).upper, std::log1p(1e-3 * std::expm1(1)), 1e-5);
}

TEST(LossComposition, IsMonotoneInStepsDeltaAndRate) {
  double previous = 0;
  for (const double steps : {1.0, 10.0, 100.0, 1000.0}) {
    const double upper =
        bounds_of({{.kind = Kind::gaussian, .sigma = 2, .count = steps, .sampling = Sampling::poisson, .rate = 0.01}},
                  1e-6)
            .upper;
    EXPECT_GT(upper, previous);
    previous = upper;
  }
  EXPECT_LT(bounds_of({{.kind = Kind::gaussian, .sigma = 2}}, 1e-3).upper,
            bounds_of({{.kind = Kind::gaussian, .sigma = 2}}, 1e-6).upper);
}

TEST(Accountant, WideDiscreteGaussiansTogetherAreLeftToTheMethodsThatNeedNoMemory) {
  const PrivacyEvent wide{.kind = Kind::discrete_gaussian, .sigma = 9e4, .sensitivity = 20};
  const Accountant two = Accountant::make({wide, wide}).value();
  EXPECT_FALSE(two.epsilon(1e-6, Method::pld));
  const auto answers = two.epsilon(1e-6);
  ASSERT_TRUE(answers);
  EXPECT_NE(answers->front().method, Method::pld);
}

TEST(Accountant, UpperBoundsOfAllMethodsLieAboveEveryLowerBound) {
  const std::vector<PrivacyEvent> events = {
      {.kind = Kind::gaussian, .sigma = 3, .count = 10},
      {.kind = Kind::laplace, .scale = 4, .count = 20},
      {.kind = Kind::discrete_laplace, .scale = 4, .sensitivity = 2, .count = 20},
      {.kind = Kind::discrete_gaussian, .sigma = 5, .count = 10},
      {.kind = Kind::randomized_response, .epsilon = 0.5, .categories = 5, .count = 10},
      {.kind = Kind::pure, .epsilon = 0.2, .count = 30},
      {.kind = Kind::approximate, .epsilon = 0.2, .delta = 1e-9, .count = 30},
      {.kind = Kind::gaussian, .sigma = 1, .count = 100, .sampling = Sampling::poisson, .rate = 0.02},
      {.kind = Kind::laplace, .scale = 1, .count = 100, .sampling = Sampling::poisson, .rate = 0.02},
  };
  for (const PrivacyEvent& event : events) {
    const auto answers = Accountant::make({event})->epsilon(1e-6);
    ASSERT_TRUE(answers);
    double lower = 0;
    for (const auto& answer : *answers) lower = std::max(lower, answer.bounds.lower.value_or(0));
    EXPECT_GT(lower, 0) << to_string(event.kind);
    for (const auto& answer : *answers) {
      EXPECT_GE(answer.bounds.upper, lower * (1 - 1e-9)) << to_string(event.kind) << " " << to_string(answer.method);
    }
    EXPECT_LE(answers->front().bounds.upper - lower, std::max(0.005, 0.002 * lower) + 1e-9) << to_string(event.kind);
  }
}

TEST(Accountant, RenyiOfTheSampledGaussianIsTheBinomialSumAtIntegerOrders) {
  for (const int order : {2, 3, 8, 32}) {
    for (const double rate : {0.001, 0.1, 0.7}) {
      const double sigma = 1.5;
      double sum = 0, choose = 1;
      for (int k = 0; k <= order; ++k) {
        sum +=
            choose * std::pow(1 - rate, order - k) * std::pow(rate, k) * std::exp(k * (k - 1) / (2 * sigma * sigma));
        choose = choose * (order - k) / (k + 1);
      }
      const auto rdp =
          renyi({.kind = Kind::gaussian, .sigma = sigma, .sampling = Sampling::poisson, .rate = rate}, order);
      EXPECT_NEAR(*rdp, std::log(sum) / (order - 1), 1e-11 * (1 + std::log(sum))) << order << " " << rate;
    }
  }
  // Fractional orders lie between their neighbours.
  const PrivacyEvent event{.kind = Kind::gaussian, .sigma = 0.8, .sampling = Sampling::poisson, .rate = 0.05};
  EXPECT_LT(*renyi(event, 1.1), *renyi(event, 1.5));
  EXPECT_LT(*renyi(event, 1.5), *renyi(event, 2));
}

TEST(Accountant, AdvancedCompositionIsRandomisedResponse) {
  const double epsilon = bounds_of({{.kind = Kind::pure, .epsilon = 0.3, .count = 15}}, 1e-4, Method::advanced).upper;
  EXPECT_NEAR(randomised_response_delta(0.3, 15, epsilon), 1e-4, 1e-9);
  EXPECT_TRUE(std::isinf(
      bounds_of({{.kind = Kind::approximate, .epsilon = 0.3, .delta = 1e-4, .count = 15}}, 1e-4, Method::advanced)
          .upper));
}

TEST(Accountant, RefusesWhatHasNoProof) {
  EXPECT_FALSE(Accountant::make({}));
  EXPECT_FALSE(Accountant::make({{.kind = Kind::gaussian,
                                  .sigma = 1,
                                  .sampling = Sampling::poisson,
                                  .rate = 0.1,
                                  .neighbours = Neighbours::replace_one}}));
  EXPECT_FALSE(
      Accountant::make({{.kind = Kind::gaussian, .sigma = 1, .sampling = Sampling::fixed_size, .rate = 0.1}}));
  EXPECT_FALSE(Accountant::make({{.kind = Kind::zcdp, .rho = 1, .sampling = Sampling::poisson, .rate = 0.1}}));
  EXPECT_FALSE(Accountant::make({{.kind = Kind::gaussian, .sigma = 1},
                                 {.kind = Kind::gaussian, .sigma = 1, .neighbours = Neighbours::replace_one}}));
  EXPECT_FALSE(Accountant::make({{.kind = Kind::gaussian, .sigma = std::nan("")}}));
  EXPECT_FALSE(Accountant::make({{.kind = Kind::discrete_gaussian, .sigma = 1, .sensitivity = 1.5}}));
  const auto zcdp = Accountant::make({{.kind = Kind::zcdp, .rho = 1}});
  EXPECT_FALSE(zcdp->epsilon(1e-5, Method::pld));
  EXPECT_TRUE(zcdp->epsilon(1e-5, Method::zcdp));
}

TEST(Calibration, NeverMissesTheTarget) {
  const PrivacyEvent sampled{.kind = Kind::gaussian, .count = 500, .sampling = Sampling::poisson, .rate = 0.02};
  const auto sigma = calibrate_noise(sampled, 2, 1e-5);
  ASSERT_TRUE(sigma);
  PrivacyEvent checked = sampled;
  checked.sigma = *sigma;
  EXPECT_LE(bounds_of({checked}, 1e-5, Method::automatic, 1e-4).upper, 2);
  checked.sigma = *sigma * 0.995;
  EXPECT_GT(bounds_of({checked}, 1e-5, Method::automatic, 1e-4).upper, 2);
  PrivacyEvent noise{.kind = Kind::gaussian, .sigma = 1, .count = 500};
  const auto rate = calibrate_rate(noise, 2, 1e-5);
  ASSERT_TRUE(rate);
  noise.sampling = Sampling::poisson;
  noise.rate = *rate;
  EXPECT_LE(bounds_of({noise}, 1e-5, Method::automatic, 1e-4).upper, 2);
  EXPECT_FALSE(calibrate_noise({.kind = Kind::pure, .epsilon = 1}, 1, 1e-5));
  EXPECT_FALSE(calibrate_noise({.kind = Kind::gaussian}, 1, 0));
  EXPECT_FALSE(calibrate_steps({.kind = Kind::gaussian, .sigma = 0.1}, 1, 1e-5));
}

}  // namespace accountant_test
}  // namespace gauze
