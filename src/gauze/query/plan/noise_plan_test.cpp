#include "gauze/query/plan/noise_plan.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gauze/accounting/conversions.h"
#include "gauze/query/testing/query_testing.h"

namespace gauze::query {
namespace noise_plan_test {

const Rational kDelta = Rational::parse("1e-6").value();

/// So many counts of rows, each of sensitivity 1.
Measurements counts(std::size_t count, bool named = false) {
  Measurements measurements;
  for (std::size_t i = 0; i < count; ++i)
    measurements.all.push_back({.kind = Measurement::Kind::rows, .name = "rows"});
  if (named) measurements.naming = 0;
  return measurements;
}

TEST(NoisePlan, LaplaceScalesWithGroupsAndMeasurements) {
  const auto plan = plan_noise(counts(3), {.epsilon = 2}, 4, 1);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->kind, NoiseKind::laplace);
  for (const MeasurementNoise& noise : plan->measurements) EXPECT_EQ(noise.spread, Rational(4 * 3, 2));
  EXPECT_EQ(plan->cost.epsilon, Rational(2));
  EXPECT_FALSE(plan->cost.delta.has_value());
}

TEST(NoisePlan, GaussianOfRhoIsExact) {
  // sigma = S sqrt(G m / (2 rho)): sqrt(4 * 2 / 1) for rho = 1/2
  const auto plan = plan_noise(counts(2), {.rho = Rational(1, 2)}, 4, 1);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->kind, NoiseKind::gaussian);
  for (const MeasurementNoise& noise : plan->measurements) {
    EXPECT_NEAR(noise.spread.to_double(), std::sqrt(8.0), 1e-12);
    EXPECT_GE(noise.spread * noise.spread, Rational(8));  // never too little
  }
  EXPECT_EQ(plan->cost.rho, Rational(1, 2));
  EXPECT_FALSE(plan->cost.epsilon.has_value());
}

TEST(NoisePlan, GaussianOfEpsilonAndDeltaIsOneGaussianTogether) {
  QueryBudget budget{.epsilon = 1, .delta = kDelta, .noise = NoiseKind::gaussian};
  const auto plan = plan_noise(counts(3), budget, 5, 1);
  ASSERT_TRUE(plan.has_value());
  Rational squared = 0;  // mu^2 of all measurements in all groups
  for (const MeasurementNoise& noise : plan->measurements) squared += Rational(5) / (noise.spread * noise.spread);
  const Rational mu = mu_budget(1, kDelta);
  EXPECT_LE(squared, mu * mu);
  EXPECT_NEAR(squared.to_double(), (mu * mu).to_double(), 1e-9);
  EXPECT_LE(epsilon_of_gdp(*plan->cost.mu, kDelta).to_double(), 1 + 1e-6);
}

TEST(NoisePlan, TakesTheNoiseWithTheSmallerVariance) {
  // At (1, 1e-6) Laplace is better until G m = 8.9.
  const QueryBudget budget{.epsilon = 1, .delta = kDelta};
  EXPECT_EQ(plan_noise(counts(1), budget, 8, 1)->kind, NoiseKind::laplace);
  EXPECT_EQ(plan_noise(counts(1), budget, 9, 1)->kind, NoiseKind::gaussian);
  EXPECT_EQ(plan_noise(counts(4), budget, 2, 1)->kind, NoiseKind::laplace);
  EXPECT_EQ(plan_noise(counts(3), budget, 3, 1)->kind, NoiseKind::gaussian);
  EXPECT_EQ(plan_noise(counts(1), {.epsilon = 1}, 100, 1)->kind, NoiseKind::laplace);
}

TEST(NoisePlan, DeltaThatNothingUsesIsNotCharged) {
  const auto plan = plan_noise(counts(1), {.epsilon = 1, .delta = kDelta}, 1, 1);
  EXPECT_TRUE(plan->delta_is_unused);
  EXPECT_FALSE(plan->cost.delta.has_value());
}

/// A group that only one unit has is named with probability at most delta / G, and one step lower it would not be so.
TEST(NoisePlan, ThresholdIsTheSmallestThatHolds) {
  for (const std::uint64_t groups : {1U, 3U}) {
    for (const std::uint64_t least : {1U, 5U}) {
      const auto plan = plan_noise(counts(1, true), {.epsilon = 1, .delta = kDelta}, groups, least);
      ASSERT_TRUE(plan.has_value());
      EXPECT_EQ(plan->cost.delta, kDelta);
      // P[Z >= t] = q^t / (1 + q), q = e^(-1 / scale)
      const double q = std::exp(-1.0 / static_cast<double>(groups));
      const auto chance = [&](Int128 threshold) {
        return std::pow(q, static_cast<double>(threshold - static_cast<Int128>(least))) / (1 + q);
      };
      EXPECT_LE(chance(*plan->threshold), 1e-6 / static_cast<double>(groups));
      EXPECT_GT(chance(*plan->threshold - 1), 1e-6 / static_cast<double>(groups));
    }
  }
}

TEST(NoisePlan, PrivateKeysHalveDeltaForGaussianNoise) {
  const auto plan = plan_noise(counts(1, true), {.epsilon = 1, .delta = kDelta, .noise = NoiseKind::gaussian}, 2, 1);
  EXPECT_EQ(plan->delta_noise, kDelta * Rational(1, 2));
  EXPECT_EQ(plan->delta_threshold, kDelta * Rational(1, 2));
  EXPECT_EQ(*plan->cost.rho_delta, plan->delta_threshold);
  EXPECT_FALSE(plan->cost.mu.has_value());
  const auto rho = plan_noise(counts(1, true), {.rho = 1, .delta = kDelta}, 2, 1);
  EXPECT_EQ(rho->delta_threshold, kDelta);
}

TEST(NoisePlan, WideNoiseIsDrawnOnACoarserGrid) {
  Measurements wide = counts(1);
  wide.all[0].sensitivity = Rational::power_of_two(70) + Rational(1);
  const auto plan = plan_noise(wide, {.epsilon = 1}, 3, 1);
  ASSERT_TRUE(plan.has_value());
  const MeasurementNoise& noise = plan->measurements[0];
  EXPECT_GT(noise.shift, 20);
  EXPECT_GE(noise.sensitivity * Rational::power_of_two(noise.shift), wide.all[0].sensitivity);
  EXPECT_EQ(noise.spread, noise.sensitivity * Rational(3));
}

TEST(NoisePlan, WhatNothingCanChangeCostsNoNoise) {
  Measurements mixed = counts(2);
  mixed.all[1].sensitivity = 0;
  const auto plan = plan_noise(mixed, {.epsilon = 1}, 1, 1);
  EXPECT_EQ(plan->drawn, 1U);
  EXPECT_EQ(plan->measurements[0].spread, Rational(1));
  EXPECT_EQ(plan->measurements[1].law, nullptr);
}

TEST(NoisePlan, SelectionsShareWithGaussianNoise) {
  Measurements mixed = counts(1);
  mixed.all.push_back({.kind = Measurement::Kind::quantile, .name = "quantile", .fraction = Rational(1, 2)});
  const auto pure = plan_noise(mixed, {.epsilon = 1}, 2, 1);
  EXPECT_EQ(pure->measurements[1].epsilon_per_group, Rational(1, 4));
  const auto rho = plan_noise(mixed, {.rho = 1}, 2, 1);
  // rho / 2 = G epsilon^2 / 8
  const double epsilon = rho->measurements[1].epsilon_per_group.to_double();
  EXPECT_NEAR(2 * epsilon * epsilon / 8, 0.5, 1e-12);
  EXPECT_LE(2 * epsilon * epsilon / 8, 0.5);
}

}  // namespace noise_plan_test
}  // namespace gauze::query
