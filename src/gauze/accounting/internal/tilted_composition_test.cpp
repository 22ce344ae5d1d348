#include "gauze/accounting/internal/tilted_composition.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gauze::internal {
namespace {

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
    const LossGrid grid = grid_above(*loss, range, step, best_offset(*loss, step));
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
    const LossGrid grid = grid_above(*loss, range, step, std::remainder(best_offset(*loss, step), step));
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
  const LossGrid grid = grid_above(*loss, range, step, std::remainder(best_offset(*loss, step), step));
  const TiltedComposition plain({{grid, count}}, 19, Transform::plain);
  const TiltedComposition split({{grid, count}}, 19, Transform::split);
  ASSERT_TRUE(plain.valid() && split.valid());
  const auto unclear = [](const TiltedComposition& sum) {
    return sum.epsilon(1.26e-11, 1) - sum.epsilon(1.26e-11, -1);
  };
  EXPECT_LT(unclear(split), 1e-5);
  EXPECT_LT(unclear(split), 0.1 * unclear(plain));
}

}  // namespace
}  // namespace gauze::internal
