#include "gauze/learn/engine/loss.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace gauze::learn {
namespace loss_test {

struct Losses {
  std::vector<double> gradients;
  std::vector<double> losses;
};

Losses of(LossKind kind, const std::vector<double>& outputs, std::size_t width,
          const std::vector<RowTarget>& targets) {
  Losses result{std::vector<double>(outputs.size()), std::vector<double>(targets.size())};
  loss_gradients<double>(kind, outputs, width, targets, result.gradients, result.losses);
  return result;
}

TEST(Loss, OfSoftmaxIsTheLogarithmOfTheShare) {
  const auto result = of(LossKind::softmax, {std::log(1.0), std::log(3.0)}, 2, {{.label = 0, .weight = 2}});
  EXPECT_NEAR(result.losses[0], 2 * std::log(4.0), 1e-12);
  EXPECT_NEAR(result.gradients[0], 2 * (0.25 - 1), 1e-12);
  EXPECT_NEAR(result.gradients[1], 2 * 0.75, 1e-12);
}

TEST(Loss, OfSquaresIsHalfTheSquare) {
  const auto result = of(LossKind::squared, {3, 5}, 1, {{.value = 1}, {.value = 5}});
  EXPECT_EQ(result.losses, (std::vector<double>{2, 0}));
  EXPECT_EQ(result.gradients, (std::vector<double>{2, 0}));
}

TEST(Loss, OfTheHingeIsRoundedWithinAHalfOfTheMargin) {
  const auto result = of(LossKind::hinge, {1, -2, 0}, 3, {{.label = 0}});
  EXPECT_EQ(result.losses[0], 0.125 + 0 + 1);
  EXPECT_EQ(result.gradients, (std::vector<double>{-0.5, 0, 1}));
}

TEST(Loss, HasTheSlopesOfFiniteDifferences) {
  const std::vector<double> outputs = {0.3, -0.8, 1.2, 0.1};
  for (const LossKind kind : {LossKind::softmax, LossKind::hinge}) {
    const std::vector<RowTarget> targets = {{.label = 2, .weight = 1.5}};
    const auto result = of(kind, outputs, 4, targets);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      auto up = outputs, down = outputs;
      up[i] += 1e-6;
      down[i] -= 1e-6;
      EXPECT_NEAR((of(kind, up, 4, targets).losses[0] - of(kind, down, 4, targets).losses[0]) / 2e-6,
                  result.gradients[i], 1e-8);
    }
  }
}

TEST(Loss, OfWeightZeroIsExactlyNothing) {
  const double nan = std::nan("");
  for (const LossKind kind : {LossKind::softmax, LossKind::hinge}) {
    const auto result = of(kind, {nan, 1, 2, nan}, 2, {{.weight = 0}, {.label = 9, .weight = 0}});
    EXPECT_EQ(result.gradients, std::vector<double>(4));
    EXPECT_EQ(result.losses, std::vector<double>(2));
  }
}

TEST(Softmax, IsADistributionWhateverTheNumbersAre) {
  const double inf = std::numeric_limits<double>::infinity();
  std::vector<double> rows = {0, 0, 1e300, -1e300, inf, inf, -inf, -inf, std::nan(""), 1, inf, 0};
  softmax_rows<double>(rows, 2);
  EXPECT_EQ(rows, (std::vector<double>{0.5, 0.5, 1, 0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1, 0}));
}

}  // namespace loss_test
}  // namespace gauze::learn
