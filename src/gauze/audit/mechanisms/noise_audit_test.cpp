#include "gauze/audit/mechanisms/noise_audit.h"

#include <gtest/gtest.h>

namespace gauze::audit {
namespace noise_audit_test {

ClaimAudit audit(const NoiseRequest& noise, std::uint64_t runs, std::optional<Claim> claimed = {}) {
  Progress silent;
  const auto found =
      audit_noise({.noise = noise, .claimed = claimed, .runs = runs, .random = AuditRandom(3)}, silent);
  if (!found) {
    ADD_FAILURE() << found.error().message;
    return {};
  }
  return *found;
}

TEST(NoiseAudit, CorrectNoiseIsNeverCalledBrokenAndLaplaceComesNear) {
  const ClaimAudit laplace = audit({.mechanism = "laplace", .epsilon = 1, .sensitivity = 5}, 1'000'000);
  EXPECT_EQ(laplace.holds, true);
  EXPECT_GE(*laplace.epsilon_lower, 0.95);
  const ClaimAudit geometric = audit({.mechanism = "geometric", .epsilon = 1}, 1'000'000);
  EXPECT_EQ(geometric.holds, true);
  EXPECT_GE(*geometric.epsilon_lower, 0.95);
  const ClaimAudit response = audit({.mechanism = "randomized-response", .epsilon = 1, .categories = 3}, 1'000'000);
  EXPECT_EQ(response.holds, true);
  EXPECT_GE(*response.epsilon_lower, 0.95);
  EXPECT_EQ(audit({.mechanism = "staircase", .epsilon = 1}, 100'000).holds, true);
  EXPECT_EQ(audit({.mechanism = "snapping", .epsilon = 1, .bound = 50}, 100'000).holds, true);
  const ClaimAudit gaussian = audit({.mechanism = "gaussian", .epsilon = 1, .delta = Rational(1, 100)}, 400'000);
  EXPECT_EQ(gaussian.holds, true);
  EXPECT_GE(*gaussian.epsilon_lower, 0.8);
  EXPECT_EQ(gaussian.delta, 0.01);
}

TEST(NoiseAudit, HalfOfTheNoiseIsFound) {
  const Claim promised{.epsilon = 1, .delta = 0};
  EXPECT_EQ(audit({.mechanism = "laplace", .scale = Rational(1, 2)}, 100'000, promised).holds, false);
  EXPECT_EQ(audit({.mechanism = "geometric", .scale = Rational(1, 2)}, 100'000, promised).holds, false);
  // sigma for epsilon 1 and delta 0.01 is above 1.9
  const Claim both{.epsilon = 1, .delta = 0.01};
  EXPECT_EQ(audit({.mechanism = "gaussian", .sigma = Rational(9, 10)}, 100'000, both).holds, false);
  EXPECT_EQ(audit({.mechanism = "discrete-gaussian", .sigma = Rational(9, 10)}, 100'000, both).holds, false);
}

TEST(NoiseAudit, NothingIsDecidedOfNoiseThatPromisesNothing) {
  const ClaimAudit found = audit({.mechanism = "gaussian", .sigma = 1}, 10'000);
  EXPECT_FALSE(found.claimed.epsilon.has_value());
  EXPECT_FALSE(found.holds.has_value());
  EXPECT_GT(*found.epsilon_lower, 0.5);
}

TEST(NoiseAudit, ASeedRepeatsEveryFigure) {
  const NoiseRequest noise{.mechanism = "laplace", .epsilon = 1};
  EXPECT_EQ(audit(noise, 20'000).to_json().dump(), audit(noise, 20'000).to_json().dump());
}

TEST(NoiseAudit, RefusesWhatCannotBeToldApart) {
  Progress silent;
  const auto found =
      audit_noise({.noise = {.mechanism = "geometric", .epsilon = 1, .sensitivity = Rational(1, 2)}}, silent);
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().code, ErrorCode::invalid_parameter);
}

}  // namespace noise_audit_test
}  // namespace gauze::audit
