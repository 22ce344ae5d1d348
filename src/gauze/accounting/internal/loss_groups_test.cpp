#include "gauze/accounting/internal/loss_groups.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gauze::internal {
namespace loss_groups_test {

LossGroup group_of(const std::vector<ComposedLoss::Part>& parts) {
  LossGroup group;
  for (const auto& part : parts) {
    const LossRange range = loss_range(*part.loss, 1e-18);
    group.members.push_back({part, range, sketch(*part.loss, range, part.count)});
  }
  return group;
}

TEST(LossGroup, AtomsAtEqualDistancesAreFittedExactly) {
  for (const LossPair& loss : {pure_loss(0.02), randomized_response_loss(0.02, 4), discrete_laplace_loss(500, 6),
                               discrete_gaussian_loss(20, 2), pure_loss(0.02, 1e-6)}) {
    LossGroup group = group_of({{loss, 100}});
    group.choose_step(5, 0.005);
    group.fit(5);
    EXPECT_TRUE(group.exact);
    EXPECT_TRUE(group.is_finest());
    std::size_t work = 0;
    const double delta = 1e-3;
    const TiltedComposition above = compose({group}, Side::above, 5, TiltedComposition::Transform::plain, 0, work);
    const TiltedComposition below = compose({group}, Side::below, 5, TiltedComposition::Transform::plain, 0, work);
    EXPECT_LE(below.epsilon(delta, -1), above.epsilon(delta, 1));
    EXPECT_NEAR(below.epsilon(delta, -1), above.epsilon(delta, 1), 1e-6);
    EXPECT_EQ(work, above.size() + below.size());
  }
}

TEST(LossGroup, AStepLeadsFromTheBulkToAnAtomAtTheEnd) {
  // Three atoms: a tiny one at the lower end, nearly all, and one at the upper end.
  LossGroup group = group_of({{poisson_sampled(pure_loss(2.1, 1e-10), 0.0024, true), 2500}});
  group.choose_step(14, 0.005);
  group.fit(14);
  EXPECT_FALSE(group.exact);
  const double low = std::log1p(0.0024 * std::expm1(-2.1)), high = std::log1p(0.0024 * std::expm1(2.1));
  const double cells = (high - low) / group.fitted;
  EXPECT_NEAR(cells, std::round(cells), 1e-6);
}

TEST(LossGroup, FewLossesAreSeparatedAndManyShareTheLastGrid) {
  const LossGroup few = group_of({{gaussian_loss(3), 5}, {pure_loss(0.1), 7}, {laplace_loss(9), 2}});
  const std::vector<LossGroup> groups = separated(few);
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0].count(), 7);  // atoms first, by how far all runs together may go
  EXPECT_EQ(groups[1].count(), 2);
  EXPECT_EQ(groups[2].count(), 5);
  std::vector<ComposedLoss::Part> parts;
  for (int i = 1; i <= 20; ++i) parts.push_back({pure_loss(0.01 * i), 1});
  std::size_t members = 0;
  for (const LossGroup& group : separated(group_of(parts))) members += group.members.size();
  EXPECT_EQ(members, parts.size());
  EXPECT_LE(separated(group_of(parts)).size(), 8U);
}

}  // namespace loss_groups_test
}  // namespace gauze::internal
