#include "gauze/mechanisms/noise/additive_mechanism.h"

#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>

#include "gauze/mechanisms/noise/discrete_gaussian.h"
#include "gauze/mechanisms/noise/gaussian.h"
#include "gauze/mechanisms/noise/gaussian_calibration.h"
#include "gauze/mechanisms/noise/geometric.h"
#include "gauze/mechanisms/noise/laplace.h"
#include "gauze/mechanisms/noise/snapping.h"
#include "gauze/mechanisms/noise/staircase.h"
#include "gauze/mechanisms/testing/neighbour_replay.h"

namespace gauze {
namespace additive_mechanism_test {

template <class Mechanism>
concept ReleasesWithSeeded = requires(const Mechanism& mechanism, SeededRandom& random) {
  mechanism.release(random, 1.0);
};
template <class Mechanism>
concept SimulatesWithSecure = requires(const Mechanism& mechanism, SecureRandom& random) {
  mechanism.simulate(random, 1.0);
};

TEST(AdditiveMechanism, ReleaseDoesNotCompileWithASeededStream) {
  static_assert(!ReleasesWithSeeded<LaplaceMechanism> && !SimulatesWithSecure<LaplaceMechanism>);
  static_assert(!ReleasesWithSeeded<GaussianMechanism> && !ReleasesWithSeeded<DiscreteGaussianMechanism>);
}

TEST(Grid, RoundsWithoutStretchingDistances) {
  // floor(x + 1/2): two values n steps apart stay n apart. Half to even would turn 0.5 and 1.5 into 0 and 2.
  const Grid grid(0);
  for (double x = -3; x <= 3; x += 0.125) {
    EXPECT_EQ(grid.round(x + 1) - grid.round(x), 1) << x;
    EXPECT_EQ(grid.round(x), grid.round(Rational(x)));
  }
  EXPECT_EQ(static_cast<int>(grid.round(0.49999999999999994)), 0);  // x + 0.5 would round up to 1 in doubles
  EXPECT_EQ(static_cast<int>(grid.round(-0.5)), 0);
}

TEST(Grid, IsTotal) {
  const Grid grid(-40);
  const Int128 limit = Int128{1} << 100;
  EXPECT_TRUE(grid.round(HUGE_VAL) == limit);
  EXPECT_TRUE(grid.round(-1e308) == -limit);
  EXPECT_TRUE(grid.round(std::nan("")) == 0);
  EXPECT_TRUE(grid.round(Rational(1e300)) == limit);
  EXPECT_TRUE(Grid(300).round(1e-300) == 0);
  EXPECT_TRUE(Grid(-900).round(1e-310) == 0);
}

TEST(GridValue, PrintsDecimalsThatReadBack) {
  const GridValue small{.units = -12345, .exponent = -10};
  EXPECT_EQ(small.to_decimal(), "-12.0556640625");
  const GridValue wide{.units = (Int128{1} << 80) + 1, .exponent = -40};
  EXPECT_EQ(*Rational::parse(wide.to_decimal()), wide.to_rational());
  EXPECT_EQ((GridValue{.units = 7, .exponent = 0}.to_decimal()), "7");
  const GridValue huge{.units = 3, .exponent = 200};
  EXPECT_EQ(std::stod(huge.to_decimal()), huge.to_double());  // the shortest decimal of a double
}

TEST(LaplaceMechanism, GridDependsOnParametersAlone) {
  const auto mechanism = LaplaceMechanism::make({.epsilon = 1, .l1_sensitivity = 3});
  EXPECT_EQ(mechanism->grid().exponent(), 1 - 40);  // largest power of two <= 3 / 2^40
  SecureRandom& random = SecureRandom::of_thread();
  for (const double value : {0.0, 1e-300, 1.0 / 3, 1e6, 1e15}) {
    EXPECT_EQ(mechanism->release(random, value).exponent, mechanism->grid().exponent());
  }
}

TEST(LaplaceMechanism, ScaleIsExactForExactDecimals) {
  const auto mechanism = LaplaceMechanism::make({.epsilon = *Rational::parse("0.1")});
  EXPECT_EQ(mechanism->scale(), Rational(10));
  EXPECT_EQ(mechanism->epsilon(), Rational(1, 10));
}

TEST(LaplaceMechanism, SensitivityIsRoundedUpToTheGrid) {
  const auto third = LaplaceMechanism::make({.epsilon = 1, .l1_sensitivity = Rational(1, 3), .granularity_bits = 4});
  EXPECT_GE(third->sensitivity_units() * third->grid().granularity(), Rational(1, 3));
  EXPECT_GT(third->scale(), Rational(1, 3));
  const auto vector = LaplaceMechanism::make({.epsilon = 1, .dimension = 5});
  EXPECT_EQ(vector->sensitivity_units(), Rational::power_of_two(40) + Rational(5));
}

TEST(LaplaceMechanism, AGivenScaleBuysTheEpsilonOfTheRoundedSensitivity) {
  const auto mechanism =
      LaplaceMechanism::make({.l1_sensitivity = Rational(1, 3), .scale = 2, .granularity_bits = 4});
  EXPECT_EQ(mechanism->scale(), Rational(2));
  EXPECT_GE(mechanism->epsilon(), Rational(1, 6));
}

TEST(LaplaceMechanism, TheInequalityHoldsForTheTailsAsDrawn) {
  // Exact output distribution on a coarse grid: for every outcome and every shift up to the sensitivity.
  const auto mechanism = LaplaceMechanism::make({.epsilon = Rational(1, 2), .granularity_bits = 2});
  const auto probability = [&](std::int64_t x) {
    return mechanism->law().tail(x, 320) - mechanism->law().tail(x + 1, 320);
  };
  const auto shift = *mechanism->sensitivity_units().to_int64();
  const Interval factor = Interval(Rational(1, 2), 320).exp() * Interval(Rational(1) + Rational(1e-30), 320);
  for (std::int64_t x = -60; x <= 60; ++x) {
    for (std::int64_t d = 1; d <= shift; ++d) {
      EXPECT_TRUE(probability(x).certainly_at_most(factor * probability(x + d)));
      EXPECT_TRUE(probability(x).certainly_at_most(factor * probability(x - d)));
    }
  }
  // ... and is used up: a sensitivity of one step more breaks it.
  EXPECT_FALSE(probability(0).certainly_at_most(factor * probability(shift + 1)));
}

TEST(StaircaseMechanism, TheInequalityHoldsForTheTailsAsDrawn) {
  for (const double epsilon : {0.3, 1.0, 4.0}) {
    const auto mechanism = StaircaseMechanism::make({.epsilon = epsilon, .granularity_bits = 2});
    const auto probability = [&](std::int64_t x) {
      return mechanism->law().tail(x, 320) - mechanism->law().tail(x + 1, 320);
    };
    const auto shift = *mechanism->sensitivity_units().to_int64();
    const Interval factor = Interval(Rational(epsilon), 320).exp() * Interval(Rational(1) + Rational(1e-30), 320);
    for (std::int64_t x = -4 * shift; x <= 4 * shift; ++x) {
      for (std::int64_t d = 1; d <= shift; ++d) {
        EXPECT_TRUE(probability(x).certainly_at_most(factor * probability(x + d)));
        EXPECT_TRUE(probability(x).certainly_at_most(factor * probability(x - d)));
      }
    }
  }
}

TEST(StaircaseMechanism, ErrsLessThanLaplaceAtLargeEpsilon) {
  const auto stairs = StaircaseMechanism::make({.epsilon = 5});
  const auto laplace = LaplaceMechanism::make({.epsilon = 5});
  EXPECT_LT(stairs->variance(), laplace->variance());
  EXPECT_EQ(stairs->scale(), laplace->scale());
}

TEST(DiscreteGaussianMechanism, SpendsNoMoreDeltaThanAllowed) {
  // delta = sum over x of max(0, P[x] - e^eps P[x - D]), summed here outcome by outcome.
  for (const auto& [epsilon, delta, sensitivity] :
       {std::tuple{1.0, 1e-5, 1}, {8.0, 1e-6, 1}, {0.5, 1e-3, 3}, {3.0, 0.2, 2}}) {
    const auto mechanism =
        DiscreteGaussianMechanism::make({.epsilon = epsilon, .delta = delta, .l2_sensitivity = sensitivity});
    ASSERT_TRUE(mechanism);
    const double sigma = mechanism->sigma().to_double();
    const auto weight = [&](double x) { return std::exp(-x * x / (2 * sigma * sigma)); };
    double total = 0, spent = 0;
    for (double x = -400; x <= 400; ++x) {
      total += weight(x);
      spent += std::max(0.0, weight(x) - std::exp(epsilon) * weight(x - sensitivity));
    }
    EXPECT_LE(spent / total, delta * (1 + 1e-9)) << epsilon;
    EXPECT_GE(spent / total, delta * 0.9) << epsilon << ": wasteful";
  }
}

TEST(GaussianMechanism, StatesSigmaAndRho) {
  const auto mechanism = GaussianMechanism::make({.epsilon = 1, .delta = Rational(1, 100'000)});
  EXPECT_NEAR(mechanism->sigma().to_double(), 3.730631634816464, 1e-9);
  EXPECT_NEAR(mechanism->rho().to_double(), 0.5 / (3.7306316348 * 3.7306316348), 1e-9);
  const auto by_sigma = GaussianMechanism::make({.sigma = 2});
  EXPECT_EQ(by_sigma->rho(), Rational(1, 8));
}

TEST(GaussianMechanism, VectorsPayForTheirRounding) {
  const auto mechanism =
      GaussianMechanism::make({.epsilon = 1, .delta = Rational(1, 1000), .dimension = 100, .granularity_bits = 10});
  const Rational steps = Rational(1) / mechanism->grid().granularity();
  EXPECT_GE(mechanism->sensitivity_units(), steps + Rational(10));
  const std::vector<double> values(100, 1.0);
  EXPECT_EQ(mechanism->release(SecureRandom::of_thread(), values)->size(), 100U);
  EXPECT_FALSE(mechanism->release(SecureRandom::of_thread(), std::span(values).first(3)));
}

TEST(DiscreteGaussianMechanism, VectorsAreChargedInRho) {
  const auto mechanism = DiscreteGaussianMechanism::make({.rho = Rational(1, 50), .dimension = 4});
  EXPECT_EQ(mechanism->sigma(), Rational(5));
  EXPECT_LE(mechanism->rho(), Rational(1, 50));
  EXPECT_FALSE(DiscreteGaussianMechanism::make({.epsilon = 1, .delta = Rational(1, 1000), .dimension = 2}));
}

TEST(DiscreteGaussianMechanism, TakesAFractionalSensitivityForVectorsOnly) {
  // One number that changes by 1/2 can change by 1 once it is rounded to an integer.
  EXPECT_FALSE(DiscreteGaussianMechanism::make({.sigma = 2, .l2_sensitivity = Rational(1, 2)}));
  EXPECT_FALSE(DiscreteGaussianMechanism::make({.rho = 1, .l2_sensitivity = Rational(3, 2)}));
  EXPECT_TRUE(DiscreteGaussianMechanism::make({.rho = 1, .l2_sensitivity = Rational(3, 2), .dimension = 2}));
}

TEST(AdditiveMechanism, SeedsRepeatAndReleasesDoNot) {
  const auto mechanism = LaplaceMechanism::make({.epsilon = 1});
  SeededRandom a(1), b(1);
  EXPECT_EQ(mechanism->simulate(a, 5.0).to_decimal(), mechanism->simulate(b, 5.0).to_decimal());
  SecureRandom c, d;
  EXPECT_NE(mechanism->release(c, 5.0).to_decimal(), mechanism->release(d, 5.0).to_decimal());
}

TEST(AdditiveMechanism, RefusesAbsurdParametersWithTheirName) {
  const auto message = [](const auto& result) { return result ? std::string() : result.error().message; };
  for (const double bad : {0.0, -1.0, 1e-300, 1e300}) {
    EXPECT_NE(message(LaplaceMechanism::make({.epsilon = bad})).find("epsilon"), std::string::npos);
  }
  EXPECT_NE(message(LaplaceMechanism::make({.epsilon = std::nan("")})).find("epsilon"), std::string::npos);
  EXPECT_NE(message(LaplaceMechanism::make({.epsilon = 1, .l1_sensitivity = 0})).find("sensitivity"),
            std::string::npos);
  EXPECT_NE(message(GaussianMechanism::make({.epsilon = 1, .delta = 1})).find("delta"), std::string::npos);
  EXPECT_NE(message(GaussianMechanism::make({.epsilon = 1})).find("delta"), std::string::npos);
  EXPECT_NE(message(GeometricMechanism::make({.epsilon = 1, .l1_sensitivity = Rational(3, 2)})).find("whole"),
            std::string::npos);
  EXPECT_NE(message(LaplaceMechanism::make({.epsilon = 1, .granularity_bits = 60})).find("granularity"),
            std::string::npos);
  EXPECT_NE(message(StaircaseMechanism::make({.epsilon = 1e6})).find("granularity bits"), std::string::npos);
}

TEST(AdditiveMechanism, WorksAtTheEndsOfTheParameterRange) {
  for (const char* epsilon : {"1e-9", "1e-4", "1", "1000", "1e9"}) {
    for (const char* sensitivity : {"1e-100", "1", "1e100"}) {
      const auto laplace = LaplaceMechanism::make(
          {.epsilon = *Rational::parse(epsilon), .l1_sensitivity = *Rational::parse(sensitivity)});
      ASSERT_TRUE(laplace) << epsilon << " " << sensitivity << " " << laplace.error().message;
      EXPECT_LE(laplace->scale().to_double(), 1.01 * std::stod(sensitivity) / std::stod(epsilon));
      EXPECT_EQ(laplace->release(SecureRandom::of_thread(), 1e308).exponent, laplace->grid().exponent());
    }
  }
}

TEST(AdditiveMechanism, ManyDrawsAreTheSameAsOneByOne) {
  const auto laplace = *LaplaceMechanism::make({.epsilon = 1});
  const auto snapping = *SnappingMechanism::make({.epsilon = 1, .bound = 100});
  SeededRandom one(5), all(5);
  std::vector<GridValue> draws(100);
  laplace.simulate(all, Rational(1, 3), draws);
  for (const GridValue& draw : draws) EXPECT_EQ(draw.units, laplace.simulate(one, Rational(1, 3)).units);
  snapping.simulate(all, Rational(1, 3), draws);
  for (const GridValue& draw : draws) EXPECT_EQ(draw.units, snapping.simulate(one, Rational(1, 3)).units);
}

TEST(AdditiveMechanism, EveryDrawIsSeenByAnObserver) {
  const auto laplace = *LaplaceMechanism::make({.epsilon = 1});
  const testing::NoiseRecorder recorder;
  std::vector<GridValue> draws(7);
  laplace.release(SecureRandom::of_thread(), Rational(2), draws);
  EXPECT_EQ(recorder.calls().size(), 7U);
}

}  // namespace additive_mechanism_test
}  // namespace gauze
