#include "gauze/collect/estimate/consistency.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numeric>

namespace gauze::collect::consistency_test {
namespace {

using ::testing::ElementsAre;

std::vector<double> consistent(const std::vector<double>& shares, Consistency method) {
  return make_consistent(shares, method).value_or(std::vector<double>());
}

TEST(Consistency, DoesWhatEachMethodSays) {
  const std::vector<double> shares = {0.6, 0.5, -0.1};
  EXPECT_THAT(consistent(shares, Consistency::norm_sub),
              ElementsAre(testing::DoubleNear(0.55, 1e-12), testing::DoubleNear(0.45, 1e-12), 0));
  EXPECT_THAT(consistent(shares, Consistency::norm), ElementsAre(0.6, 0.5, -0.1));
  EXPECT_THAT(consistent(shares, Consistency::norm_mul),
              ElementsAre(testing::DoubleNear(6.0 / 11, 1e-12), testing::DoubleNear(5.0 / 11, 1e-12), 0));
  EXPECT_THAT(consistent(shares, Consistency::norm_cut), ElementsAre(0.6, 0, 0));
  EXPECT_THAT(consistent(shares, Consistency::base_pos), ElementsAre(0.6, 0.5, 0));
  EXPECT_FALSE(make_consistent(shares, Consistency::none));
}

TEST(Consistency, AnswersWhenNothingIsPositive) {
  const std::vector<double> shares = {-0.5, -0.2};
  EXPECT_THAT(consistent(shares, Consistency::norm_sub),
              ElementsAre(testing::DoubleNear(0.35, 1e-12), testing::DoubleNear(0.65, 1e-12)));
  EXPECT_FALSE(make_consistent(shares, Consistency::norm_mul));
  EXPECT_THAT(consistent(shares, Consistency::norm_cut), ElementsAre(0, 0));
}

/// Shares between -1 and 2.
rc::Gen<std::vector<double>> any_shares() {
  return rc::gen::map(rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(-1000, 2001))),
                      [](const std::vector<int>& thousandths) {
                        return std::vector<double>(thousandths.begin(), thousandths.end());
                      });
}

// The projection is the nearest point of the simplex: no step between two coordinates that stays inside brings it nearer.
RC_GTEST_PROP(Consistency, NormSubIsTheNearestPointOfTheSimplex, ()) {
  auto shares = *any_shares();
  for (double& share : shares) share /= 1000;
  const auto point = consistent(shares, Consistency::norm_sub);
  RC_ASSERT(std::fabs(std::accumulate(point.begin(), point.end(), 0.0) - 1) < 1e-9);
  double tightest = INFINITY;
  double loosest = -INFINITY;
  for (std::size_t i = 0; i < point.size(); ++i) {
    RC_ASSERT(point[i] >= 0);
    if (point[i] > 0) tightest = std::min(tightest, shares[i] - point[i]);
    loosest = std::max(loosest, shares[i] - point[i]);
  }
  // every positive one was shifted by the same, and none by less than a zero would need
  RC_ASSERT(loosest <= tightest + 1e-9);
}

RC_GTEST_PROP(WholeParts, AddUpAndAreNear, ()) {
  auto shares = *any_shares();
  for (double& share : shares) share /= 1000;
  const auto total = static_cast<std::uint64_t>(*rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000));
  const auto point = consistent(shares, Consistency::norm_sub);
  const auto parts = whole_parts(point, total);
  RC_ASSERT(std::accumulate(parts.begin(), parts.end(), std::uint64_t{0}) == total);
  for (std::size_t i = 0; i < parts.size(); ++i)
    RC_ASSERT(std::fabs(static_cast<double>(parts[i]) - point[i] * static_cast<double>(total)) < 1.001);
}

TEST(WholeParts, GiveWhatIsLeftToTheLargestFractions) {
  EXPECT_THAT(whole_parts(std::vector<double>{0.34, 0.33, 0.33}, 10), ElementsAre(4, 3, 3));
  EXPECT_THAT(whole_parts(std::vector<double>{0.25, 0.25, 0.25, 0.25}, 10),
              ElementsAre(3, 3, 2, 2));  // ties: the first
  EXPECT_THAT(percent_texts(std::vector<double>{1.0 / 3, 1.0 / 3, 1.0 / 3}), ElementsAre("33.34", "33.33", "33.33"));
}

}  // namespace
}  // namespace gauze::collect::consistency_test
