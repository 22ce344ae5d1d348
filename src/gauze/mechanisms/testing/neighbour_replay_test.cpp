// Neighbour replay over all aggregates and mechanisms: the same call on neighbouring inputs, the values before noise
// compared with the sensitivity that was declared.

#include "gauze/mechanisms/testing/neighbour_replay.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "gauze/mechanisms/aggregates/bounded_statistics.h"
#include "gauze/mechanisms/noise/discrete_gaussian.h"
#include "gauze/mechanisms/noise/gaussian.h"
#include "gauze/mechanisms/noise/geometric.h"
#include "gauze/mechanisms/noise/laplace.h"
#include "gauze/mechanisms/noise/randomized_response.h"
#include "gauze/mechanisms/noise/snapping.h"
#include "gauze/mechanisms/noise/staircase.h"
#include "gauze/mechanisms/selection/partition_selection.h"
#include "gauze/mechanisms/selection/selection.h"
#include "gauze/mechanisms/selection/sparse_vector.h"

namespace gauze {
namespace neighbour_replay_test {

using Column = std::vector<double>;
using Query = std::function<void(const Column&, SecureRandom&)>;

std::string replay(const Query& query, const Column& a, const Column& b) {
  testing::NoiseRecorder first;
  query(a, SecureRandom::of_thread());
  testing::NoiseRecorder second;
  query(b, SecureRandom::of_thread());
  return testing::compare_replays(first, second);
}

double wild_number(std::mt19937_64& generator) {
  constexpr double kEdges[] = {0.0,       -0.0, 1e308,   -1e308,       5e-324, HUGE_VAL,
                               -HUGE_VAL, 0.1,  1.0 / 3, 49.999999999, 1e16};
  const auto choice = generator() % 20;
  if (choice < 11) return kEdges[choice];
  if (choice == 11) return std::nan("");
  return std::uniform_real_distribution<double>(-200, 200)(generator);
}

template <class Aggregate>
Query releasing(const BoundedSum::Options& options) {
  return [options](const Column& column, SecureRandom& random) {
    Aggregate aggregate = *Aggregate::make(options);
    aggregate.add(column);
    ASSERT_TRUE(aggregate.release(random, Rational(1, 2)));
  };
}

TEST(NeighbourReplay, AggregatesKeepTheirSensitivity) {
  std::mt19937_64 generator(1);
  for (const Neighbours neighbours : {Neighbours::add_remove, Neighbours::replace_one}) {
    for (const auto& [lower, upper] : {std::pair{-1.0, 99.9}, {0.1, 0.3}, {-7.7, -2.2}, {1e5, 1e5 + 3}}) {
      const BoundedSum::Options options{.lower = lower, .upper = upper, .neighbours = neighbours, .nan_as = 2.5};
      const std::vector<Query> queries = {releasing<BoundedSum>(options), releasing<BoundedMean>(options),
                                          releasing<BoundedVariance>(options)};
      for (int round = 0; round < 60; ++round) {
        Column column(1 + generator() % 40);
        for (double& value : column) value = wild_number(generator);
        Column neighbour = column;
        if (neighbours == Neighbours::add_remove) {
          neighbour.erase(neighbour.begin() + static_cast<std::ptrdiff_t>(generator() % neighbour.size()));
        } else {
          neighbour[generator() % neighbour.size()] = wild_number(generator);
        }
        for (const Query& query : queries) ASSERT_EQ(replay(query, column, neighbour), "");
      }
    }
  }
}

TEST(NeighbourReplay, MechanismsRoundWithoutExceedingTheirSensitivity) {
  std::mt19937_64 generator(2);
  std::uniform_real_distribution<double> place(-1000, 1000), shift(-1, 1);
  const auto laplace = *LaplaceMechanism::make({.epsilon = 1, .granularity_bits = 3});
  const auto gaussian = *GaussianMechanism::make({.epsilon = 1, .delta = Rational(1e-6), .granularity_bits = 3});
  const auto stairs = *StaircaseMechanism::make({.epsilon = 1, .granularity_bits = 3});
  const auto snapping = *SnappingMechanism::make({.epsilon = 1, .bound = 500});
  const auto answer = *RandomizedResponse::make({.epsilon = 1, .categories = 9});
  const Query all = [&](const Column& column, SecureRandom& random) {
    (void)laplace.release(random, column[0]);
    (void)gaussian.release(random, column[0]);
    (void)stairs.release(random, column[0]);
    (void)snapping.release(random, Rational(column[0]));
    (void)answer.release(random, static_cast<std::uint64_t>(std::abs(column[0])));
    auto vector = SparseVector::make({.epsilon = 1}, random);
    (void)vector->is_above(random, column[0]);
  };
  for (int round = 0; round < 300; ++round) {
    const double x = place(generator);
    for (const double d : {shift(generator), 1.0, -1.0}) {
      const double y = x + d;
      if (std::abs(Rational(y).to_double() - x) > 1) continue;  // the addition itself rounded up
      if (Rational(y) - Rational(x) > Rational(1) || Rational(x) - Rational(y) > Rational(1)) continue;
      ASSERT_EQ(replay(all, {x}, {y}), "");
    }
  }
}

TEST(NeighbourReplay, IntegerMechanismsAndSelectionsKeepTheirSensitivity) {
  const auto geometric = *GeometricMechanism::make({.epsilon = 1, .l1_sensitivity = 2});
  const auto gaussian = *DiscreteGaussianMechanism::make({.sigma = 3, .l2_sensitivity = 2});
  const auto groups = *PartitionSelection::make({.epsilon = 1, .delta = Rational(1e-6)});
  const auto choice =
      *SelectionMechanism::make({.kind = SelectionMechanism::Kind::noisy_max, .epsilon = 1, .sensitivity = 2});
  const Query all = [&](const Column& column, SecureRandom& random) {
    (void)geometric.release(random, column[0]);
    (void)gaussian.release(random, column[0]);
    (void)groups.release(random, static_cast<std::int64_t>(column[0]) / 2);
    const std::vector<Rational> scores = {Rational(column[0]), Rational(-column[0]), Rational(5)};
    ASSERT_TRUE(choice.release(random, scores));
  };
  for (double x = -20; x <= 20; ++x) {
    for (const double shift : {-2.0, -1.0, 1.0, 2.0}) ASSERT_EQ(replay(all, {x}, {x + shift}), "");
    EXPECT_NE(replay(all, {x}, {x + 3}), "");
  }
}

TEST(NeighbourReplay, VectorsPayForRoundingEachCoordinate) {
  std::mt19937_64 generator(3);
  std::uniform_real_distribution<double> place(-10, 10);
  constexpr int kDimension = 12;
  const auto laplace = *LaplaceMechanism::make({.epsilon = 1, .dimension = kDimension, .granularity_bits = 1});
  const auto gaussian = *GaussianMechanism::make(
      {.epsilon = 1, .delta = Rational(1e-6), .dimension = kDimension, .granularity_bits = 1});
  for (int round = 0; round < 300; ++round) {
    Column a(kDimension), b(kDimension);
    for (int i = 0; i < kDimension; ++i) {
      a[static_cast<std::size_t>(i)] = place(generator);
      b[static_cast<std::size_t>(i)] = a[static_cast<std::size_t>(i)] + 1.0 / (kDimension + 1);  // L1 and L2 below 1
    }
    const Query both = [&](const Column& column, SecureRandom& random) {
      ASSERT_TRUE(laplace.release(random, column));
      ASSERT_TRUE(gaussian.release(random, column));
    };
    ASSERT_EQ(replay(both, a, b), "");
  }
}

TEST(NeighbourReplay, FindsASumWhoseDeclaredSensitivityIsTooSmall) {
  // What an unclamped sum does: the recorder must notice.
  const auto laplace = *LaplaceMechanism::make({.epsilon = 1, .l1_sensitivity = 10});
  const Query unclamped = [&](const Column& column, SecureRandom& random) {
    double sum = 0;
    for (const double value : column) sum += value;
    (void)laplace.release(random, sum);
  };
  EXPECT_NE(replay(unclamped, {1, 2, 300}, {1, 2}), "");
}

TEST(NeighbourReplay, FindsFloatingPointSumsThatDependOnOrder) {
  // Casacuberta et al. 2022: clamped numbers, but added in doubles. Removing one changes the sum by more than the
  // bound.
  const auto laplace = *LaplaceMechanism::make({.epsilon = 1, .l1_sensitivity = 1});
  const Query rounding = [&](const Column& column, SecureRandom& random) {
    double sum = 0x1p53;
    for (const double value : column) sum += value;
    (void)laplace.release(random, sum);
  };
  EXPECT_NE(replay(rounding, {1, 1, 1, 1, 2}, {1, 1, 1, 1, 2, 0.5, 1.5}), "");
}

TEST(NeighbourReplay, FindsControlFlowThatDependsOnTheData) {
  const auto laplace = *LaplaceMechanism::make({.epsilon = 1});
  const Query skipping = [&](const Column& column, SecureRandom& random) {
    if (column.size() > 2) (void)laplace.release(random, 1.0);
  };
  EXPECT_NE(replay(skipping, {1, 2, 3}, {1, 2}), "");
}

}  // namespace neighbour_replay_test
}  // namespace gauze
