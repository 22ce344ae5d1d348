#include "gauze/accounting/internal/tilted_composition.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gauze/base/testing/watched.h"

namespace gauze::internal {
namespace tilted_composition_test {

using Transform = TiltedComposition::Transform;

/// k-fold convolution by hand, in long double.
std::vector<long double> convolved(const LossGrid& grid, int count) {
  std::vector<long double> result = {1};
  for (int round = 0; round < count; ++round) {
    std::vector<long double> next(result.size() + grid.mass.size() - 1, 0);
    for (std::size_t i = 0; i < result.size(); ++i)
      for (std::size_t j = 0; j < grid.mass.size(); ++j) next[i + j] += result[i] * grid.mass[j];
    result = std::move(next);
  }
  return result;
}

long double delta_by_hand(const LossGrid& grid, int count, long double epsilon) {
  const std::vector<long double> sum = convolved(grid, count);
  long double delta = -std::expm1(count * std::log1p(-static_cast<long double>(grid.infinite)));
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const long double place = static_cast<long double>(grid.first) * count + static_cast<long double>(i);
    const long double loss = static_cast<long double>(grid.offset) * count + place * grid.step;
    delta += sum[i] * std::max(0.0L, 1 - std::exp(epsilon - loss));
  }
  return delta;
}

// Both transforms, tilts on both sides of the best one, deltas down to 1e-17: errors must be accounted for, and must be
// small where the tilt is a good one.
TEST(TiltedComposition, EnclosesTheConvolutionByHand) {
  for (const auto& [sigma, rate] : {std::pair{0.75, 7e-6}, {0.9, 1e-3}, {1.5, 0.2}}) {
    const LossPair loss = poisson_sampled(gaussian_loss(sigma), rate, true);
    const LossRange range = loss_range(*loss, 1e-19);
    const double step = (range.high - range.low) / 150;
    const LossGrid grid = grid_above(*loss, range, step, best_offset(*loss, range, step));
    for (const int count : {1, 3, 12}) {
      for (const double order : {2.0, 10.0, 30.0}) {
        for (const Transform kind : {Transform::plain, Transform::split}) {
          const TiltedComposition sum({{grid, count}}, order, kind);
          ASSERT_TRUE(sum.valid());
          for (const double share : {0.2, 0.5, 0.9}) {
            const double epsilon = share * range.high;
            const auto by_hand = static_cast<double>(delta_by_hand(grid, count, epsilon));
            EXPECT_LE(sum.delta(epsilon, -1), by_hand * (1 + 1e-13)) << sigma << " " << count << " " << order;
            EXPECT_GE(sum.delta(epsilon, 1), by_hand * (1 - 1e-13)) << sigma << " " << count << " " << order;
          }
        }
      }
      const double epsilon = range.high / 2;
      const auto by_hand = static_cast<double>(delta_by_hand(grid, count, epsilon));
      double best = 1;
      for (double order = 1; order < 500; order *= 1.5) {
        const TiltedComposition sum({{grid, count}}, order, Transform::split);
        if (sum.valid()) best = std::min(best, (sum.delta(epsilon, 1) - sum.delta(epsilon, -1)) / by_hand);
      }
      EXPECT_LT(best, 1e-2) << sigma << " " << rate << " " << count;
    }
  }
}

TEST(TiltedComposition, SplitAndPlainAgreeForManySteps) {
  for (const auto& [sigma, rate, count] :
       {std::tuple{0.7275, 2.7e-5, 830856.0}, {1.0, 0.01, 1000.0}, {3.0, 0.5, 1e5}}) {
    const LossPair loss = poisson_sampled(gaussian_loss(sigma), rate, true);
    const LossRange range = loss_range(*loss, 1e-16 / count);
    const double step = (range.high - range.low) / 20000;
    const LossGrid grid = grid_above(*loss, range, step, std::remainder(best_offset(*loss, range, step), step));
    for (const double order : {1.0, 8.0}) {
      const TiltedComposition plain({{grid, count}}, order, Transform::plain);
      const TiltedComposition split({{grid, count}}, order, Transform::split);
      ASSERT_EQ(plain.valid(), split.valid());
      if (!plain.valid()) continue;
      for (const double delta : {1e-12, 1e-6}) {
        EXPECT_LE(plain.epsilon(delta, -1), split.epsilon(delta, 1));
        EXPECT_LE(split.epsilon(delta, -1), plain.epsilon(delta, 1));
      }
    }
  }
}

// Of rare moves the errors of the split transform do not grow with the number of steps.
TEST(TiltedComposition, SplitHasSmallErrorsForManyRareSteps) {
  const double count = 830856;
  const LossPair loss = poisson_sampled(gaussian_loss(0.7275), 2.7e-5, true);
  const LossRange range = loss_range(*loss, 1e-14 / count);
  const double step = 3e-5;
  const LossGrid grid = grid_above(*loss, range, step, std::remainder(best_offset(*loss, range, step), step));
  const TiltedComposition plain({{grid, count}}, 19, Transform::plain);
  const TiltedComposition split({{grid, count}}, 19, Transform::split);
  ASSERT_TRUE(plain.valid() && split.valid());
  const auto unclear = [](const TiltedComposition& sum) {
    return sum.epsilon(1.26e-11, 1) - sum.epsilon(1.26e-11, -1);
  };
  EXPECT_LT(unclear(split), 1e-5);
  EXPECT_LT(unclear(split), 0.1 * unclear(plain));
}

// Sums on grids without a common divisor, every pair of outcomes added up by hand: coarse common grids must stay on their
// side, fine ones must come close.
TEST(TiltedComposition, SumsOfSumsEncloseEveryPairOfOutcomes) {
  const LossGrid pure{.step = 0.3, .offset = -0.15, .first = 0, .mass = {0.42, 0.58}, .infinite = 0};
  const LossPair gaussian = poisson_sampled(gaussian_loss(0.9), 0.02, true);
  const LossRange range = loss_range(*gaussian, 1e-19);
  const double step = (range.high - range.low) / (100 * std::sqrt(2.0));
  const LossGrid other = grid_above(*gaussian, range, step, best_offset(*gaussian, range, step));
  for (const auto& [first_count, second_count] : {std::pair{1, 1}, {7, 2}, {40, 5}}) {
    if (is_watched() && first_count == 40) continue;
    const std::vector<long double> first = convolved(pure, first_count), second = convolved(other, second_count);
    const auto loss = [](const LossGrid& grid, int count, std::size_t i) {
      return (grid.offset * count) +
             (static_cast<long double>(grid.first) * count + static_cast<long double>(i)) * grid.step;
    };
    for (const double epsilon : {0.3, 1.0, 2.5}) {
      long double by_hand = -std::expm1(second_count * std::log1p(-static_cast<long double>(other.infinite)));
      for (std::size_t i = 0; i < first.size(); ++i) {
        for (std::size_t j = 0; j < second.size(); ++j) {
          const long double both = loss(pure, first_count, i) + loss(other, second_count, j);
          if (both > epsilon) by_hand -= first[i] * second[j] * std::expm1(epsilon - both);
        }
      }
      const auto expected = static_cast<double>(by_hand);
      for (const double order : {1.5, 6.0}) {
        for (const Transform kind : {Transform::plain, Transform::split}) {
          const std::vector<TiltedComposition> sums = {{{{pure, first_count}}, order, kind},
                                                       {{{other, second_count}}, order, kind}};
          for (const double common : {1.4e-3, 1e-4}) {
            if (is_watched() && common < 1e-3) continue;
            const TiltedComposition above = TiltedComposition::sum_of(sums, common, 1, kind);
            const TiltedComposition below = TiltedComposition::sum_of(sums, common, -1, kind);
            ASSERT_TRUE(above.valid() && below.valid()) << order << " " << common;
            EXPECT_GE(above.delta(epsilon, 1), expected * (1 - 1e-13)) << order << " " << epsilon << " " << common;
            EXPECT_LE(below.delta(epsilon, -1), expected * (1 + 1e-13)) << order << " " << epsilon << " " << common;
            if (expected < 1e-12) continue;
            EXPECT_GE(below.epsilon(expected, -1), epsilon - 3 * common - 1e-3);
            EXPECT_LE(above.epsilon(expected, 1), epsilon + 3 * common + 1e-3);
          }
        }
      }
    }
  }
}

TEST(TiltedComposition, WhatNoWindowHoldsIsAnsweredByWhatHoldsAlways) {
  const LossGrid grid{.step = 0.3, .offset = -0.15, .first = 0, .mass = {0.42, 0.58}, .infinite = 0};
  const std::vector<TiltedComposition> sums = {{{{grid, 4}}, 2, Transform::plain},
                                               {{{grid, 9}}, 2, Transform::plain}};
  const TiltedComposition too_coarse = TiltedComposition::sum_of(sums, 0.5, 1, Transform::plain);
  EXPECT_FALSE(too_coarse.valid());
  EXPECT_TRUE(std::isinf(too_coarse.epsilon(1e-3, 1)));
  EXPECT_EQ(too_coarse.epsilon(1e-3, -1), 0);
  EXPECT_EQ(too_coarse.delta(1, 1), 1);
  EXPECT_EQ(too_coarse.delta(1, -1), 0);
}

}  // namespace tilted_composition_test
}  // namespace gauze::internal
