#include "gauze/patterns/audit/release_audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/patterns/audit/audit_json.h"
#include "gauze/patterns/hiding/hiding_json.h"
#include "gauze/patterns/testing/small_baskets.h"

namespace gauze::patterns {
namespace release_audit_test {

using ::testing::ElementsAre;

class ReleaseAudits : public ::testing::Test {
 protected:
  Database original_ = baskets("A B C D\nA B D\nA C D\nB C D\nA D\n");
  HidingThreshold threshold_ = HidingThreshold::of_count(2, 5);
  Progress progress_;

  Result<ReleaseAudit> audit(const std::string& released, const std::string& patterns = "A B D\nA C D\n") {
    return audit_release(original_, baskets(released), sensitive(patterns, original_), threshold_, progress_);
  }
};

TEST_F(ReleaseAudits, SayHowEachPatternStands) {
  const ReleaseAudit found = audit("A B C ?D\nA B D\nA C D\nB C D\nA D\n").value();
  EXPECT_EQ(found.transactions, 5U);
  ASSERT_EQ(found.patterns.size(), 2U);
  for (const HiddenPattern& one : found.patterns) {
    EXPECT_EQ(one.before.definite, 2U);
    EXPECT_EQ(one.after.definite, 1U);
    EXPECT_EQ(one.after.undetermined, 1U);
    EXPECT_EQ(one.level, HidingLevel::h2);
  }
  EXPECT_EQ(found.level, HidingLevel::h2);
  EXPECT_EQ(found.metrics.bands.front().ideal.part, 1U) << "B C D";
  EXPECT_THAT(found.attacks.fill.found, ElementsAre(true, true));
}

TEST_F(ReleaseAudits, TheLevelIsThatOfTheWorstPattern) {
  const ReleaseAudit found = audit("A B C D\nB D\nA C D\nB C D\nA D\n").value();
  EXPECT_EQ(found.patterns[0].level, HidingLevel::h3);
  EXPECT_EQ(found.patterns[1].level, HidingLevel::none);
  EXPECT_EQ(found.level, HidingLevel::none);
  EXPECT_EQ(hiding_failure(found.patterns), 0.5);
}

TEST_F(ReleaseAudits, APatternMayHaveAThresholdOfItsOwn) {
  const ReleaseAudit found = audit("A B C D\nA B D\nA C D\nB C D\nA D\n", "A B D @ 0.6\nA C D\n").value();
  EXPECT_EQ(found.patterns[0].threshold.count, 3U);
  EXPECT_EQ(found.patterns[0].level, HidingLevel::h3) << "2 of 5 was never frequent";
  EXPECT_EQ(found.patterns[1].level, HidingLevel::none);
}

TEST_F(ReleaseAudits, AConfidenceIsAboutRulesAlone) {
  threshold_.confidence = Rational(9, 10);
  const ReleaseAudit found = audit("A B C D\nA B D\nA C D\nB C D\nA\n", "A => D\nA D\n").value();
  EXPECT_NE(found.patterns[0].level, HidingLevel::none) << "3 of 4 is below 0.9";
  EXPECT_EQ(found.patterns[1].level, HidingLevel::none);
  EXPECT_FALSE(found.patterns[1].threshold.confidence);
}

TEST_F(ReleaseAudits, WhatMovesIsBothRemovedAndAdded) {
  const Database original = baskets("a b\nc\n");
  const HidingThreshold threshold = HidingThreshold::of_count(1, 2);
  const SensitiveList patterns = sensitive("a b\n", original);
  const ReleaseAudit found = audit_release(original, baskets("a\nc b\n"), patterns, threshold, progress_).value();
  EXPECT_DOUBLE_EQ(found.metrics.removed, 1.0 / 3);
  EXPECT_DOUBLE_EQ(found.metrics.added, 1.0 / 3);
  EXPECT_EQ(found.metrics.dissimilarity, 0) << "as published";
}

TEST_F(ReleaseAudits, RefuseAnotherFile) { EXPECT_EQ(audit("A B\n").error().code, ErrorCode::bad_data); }

TEST_F(ReleaseAudits, AsJson) {
  const ReleaseAudit found = audit("A B C ?D\nA B D\nA C D\nB C D\nA D\n", "A B D\nA => C\nZ\n").value();
  const Json json = to_json(original_, found);
  EXPECT_EQ(json.find("transactions")->dump(), "5");
  EXPECT_EQ(json.find("min_count")->dump(), "2");
  EXPECT_EQ(json.find("hiding_failure")->dump(), "0.5");
  EXPECT_EQ(json.find("level")->text(), "none");
  EXPECT_EQ(json.find("patterns")->dump(), R"([{"items":["A","B","D"],"before":2,"after":[1,2],"min_count":2,)"
                                           R"("level":"H2"},{"items":["A","C"],"before":2,"after":[2,2],)"
                                           R"("min_count":2,"level":"none","if":["A"]}])");
  EXPECT_EQ(json.find("attacks")->find("fill_with_ones")->find("true_marks")->dump(), "1");
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_EQ(found.warnings[0].code, "unknown_item") << "Z does not occur";
  for (const char* key :
       {"misses_cost", "artifactual", "artifactual_ignoring_unknown", "removed", "added", "dissimilarity", "bands"})
    EXPECT_NE(json.find(key), nullptr) << key;
}

TEST(HidingMetricsJson, SharesOfNothingAreZeroAndUnknownOnesNull) {
  HidingMetrics metrics;
  metrics.bands = {{.factor = 1,
                    .min_count = 2,
                    .literal = {.total = 4, .part = 1, .sampled = {}},
                    .ideal = {.total = 0, .part = 0, .sampled = {}}}};
  metrics.artifactual = {.total = 3, .part = 0, .sampled = {}};
  metrics.ignoring_complete = false;
  Json object = Json::object();
  add_metrics(object, metrics);
  EXPECT_EQ(object.find("misses_cost")->dump(), R"({"literal":0.25,"ideal":0})");
  EXPECT_EQ(object.find("artifactual")->dump(), "0");
  EXPECT_TRUE(object.find("artifactual_ignoring_unknown")->is_null());
  EXPECT_EQ(object.find("bands")->elements()->at(0).find("lost")->dump(), R"({"literal":1,"ideal":0})");
  EXPECT_EQ(object.find("metrics_complete")->dump(), "true");
}

TEST(AttackJson, HasEveryAttack) {
  AttackReport report;
  report.fill.found = {true, false};
  report.guess.median = 7;
  report.pile.below = 12;
  report.added = 3;
  const Json json = to_json(report);
  EXPECT_EQ(json.find("fill_with_ones")->find("found")->dump(), "[true,false]");
  EXPECT_EQ(json.find("ignore_unknown")->find("found_touched")->dump(), "[]");
  EXPECT_EQ(json.find("candidates_per_mark")->find("median")->dump(), "7");
  EXPECT_EQ(json.find("just_below")->find("below")->dump(), "12");
  EXPECT_EQ(json.find("added_items")->dump(), "3");
}

TEST(TraceJson, TellsWhatEachAlgorithmKnows) {
  const Database database = baskets("A B\nA B\n");
  HidingResult result;
  result.patterns.push_back(
      {.pattern = {.items = {0, 1}, .left = {}, .text = "A B"}, .threshold = {}, .before = {}, .after = {}});
  result.trace.push_back(
      {.victim = 1, .pattern = 0, .support = 2, .shared = {{0, 1}}, .order = {{1, 3}}, .changed = {1}});
  result.trace.push_back({.victim = 0, .support = 4, .changed = {0}, .price = 0.5});
  EXPECT_EQ(trace_json(database, result).dump(),
            R"([{"victim":"B","pattern":["A","B"],"support":2,"shared":{"A":1},"order":[[2,3]],"rows":[2]},)"
            R"({"victim":"A","hides":4,"rows":[1],"price":0.5}])");
}

}  // namespace release_audit_test
}  // namespace gauze::patterns
