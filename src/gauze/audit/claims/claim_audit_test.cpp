#include "gauze/audit/claims/claim_audit.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gauze::audit {
namespace claim_audit_test {

ClaimAudit example() {
  ClaimAudit audit;
  audit.claim = "noise laplace";
  audit.epsilon_lower = 0.98765;
  audit.event = "value >= 3.25";
  audit.left = 70;
  audit.right = 20;
  audit.runs = 100;
  audit.reach = 4.5;
  audit.claimed = {1.0, 0};
  audit.alarm_lower = 0.5;
  audit.decide();
  return audit;
}

TEST(ClaimAudit, HoldsUntilTheAlarmsBoundExceedsTheClaim) {
  ClaimAudit audit = example();
  EXPECT_EQ(audit.holds, true);
  audit.alarm_lower = 1;
  audit.decide();
  EXPECT_EQ(audit.holds, true);
  audit.alarm_lower = std::nextafter(1.0, 2.0);
  audit.decide();
  EXPECT_EQ(audit.holds, false);
  audit.decide(1.5);  // the claim at the delta of the bound
  EXPECT_EQ(audit.holds, true);
}

TEST(ClaimAudit, DecidesNothingWithoutAClaimOrABound) {
  ClaimAudit audit = example();
  audit.claimed.epsilon = std::nullopt;
  audit.decide();
  EXPECT_FALSE(audit.holds);
  audit = example();
  audit.alarm_lower = std::nullopt;
  audit.decide();
  EXPECT_FALSE(audit.holds);
}

TEST(ClaimAudit, IsWrittenWithItsKeys) {
  EXPECT_EQ(example().to_json().dump(),
            R"({"claim":"noise laplace","audited":{"epsilon_lower":0.98765,"confidence":0.95,"delta":0,)"
            R"("event":"value >= 3.25","left":70,"right":20,"runs":100,"reach":4.5},)"
            R"("claimed":{"epsilon":1,"delta":0},"alarm":{"epsilon_lower":0.5,"rate":1e-06},"holds":true})");
  EXPECT_EQ(ClaimAudit{}.to_json().dump(),
            R"({"audited":{"epsilon_lower":null,"confidence":0.95,"delta":0,"event":null,"left":null,"right":null,)"
            R"("runs":null,"reach":null},"claimed":{"epsilon":null,"delta":0},)"
            R"("alarm":{"epsilon_lower":null,"rate":1e-06},"holds":null})");
}

TEST(ClaimAudit, IsReadInOneLineWithBoundsRoundedDown) {
  EXPECT_EQ(example().in_words(), "claimed 1, audited at least 0.987 (95 %), event: value >= 3.25");
  ClaimAudit audit = example();
  audit.claimed = {2.5, 1e-6};
  audit.event = std::nullopt;
  EXPECT_EQ(audit.in_words(), "claimed 2.5 at delta 1e-06, audited at least 0.987 (95 %)");
  audit.claimed.epsilon = std::nullopt;
  audit.epsilon_lower = std::nullopt;
  EXPECT_EQ(audit.in_words(), "nothing claimed, not audited");
  EXPECT_EQ(bound_text(1.9999), "1.999");
  EXPECT_EQ(bound_text(2), "2");
  EXPECT_EQ(bound_text(0.0006), "0");
  EXPECT_EQ(bound_text(0), "0");
  EXPECT_EQ(bound_text(std::nullopt), "-");
}

TEST(Claim, RefusesWhatPromisesNothing) {
  EXPECT_TRUE(Claim::make(0.5, 1e-6));
  EXPECT_TRUE(Claim::make(std::nullopt, 0));
  for (const double epsilon : {-1.0, std::nan(""), HUGE_VAL}) EXPECT_FALSE(Claim::make(epsilon, 0));
  for (const double delta : {-0.1, 1.0, std::nan("")}) EXPECT_FALSE(Claim::make(1, delta));
}

TEST(Levels, RefusesWhatIsNoLevelAndDividesTheRisk) {
  EXPECT_TRUE(Levels::make(0.95, 1e-6));
  for (const double confidence : {0.5, 1.0, -1.0, std::nan("")}) EXPECT_FALSE(Levels::make(confidence, 1e-6));
  for (const double alarm : {0.0, 0.5, std::nan("")}) EXPECT_FALSE(Levels::make(0.95, alarm));
  const Levels levels;
  EXPECT_EQ(levels.alarm_risk(), 1e-6);
  EXPECT_NEAR(levels.printed_risk(), 0.05, 1e-15);
  EXPECT_NEAR(levels.printed_risk(7) * 7, 0.05, 1e-12);
  EXPECT_LT(levels.alarm_risk(3) * 3, 1e-6 * (1 + 1e-15));
}

}  // namespace claim_audit_test
}  // namespace gauze::audit
