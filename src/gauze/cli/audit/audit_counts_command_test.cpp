#include <gtest/gtest.h>

#include "gauze/cli/core/table_testing.h"

namespace gauze::cli {
namespace audit_counts_command_test {

std::vector<std::string> counts(std::vector<std::string> more = {}) {
  std::vector<std::string> args = {"audit",       "counts", "--true-positives",  "480",
                                   "--positives", "1000",   "--false-positives", "12",
                                   "--negatives", "1000"};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

TEST(AuditCounts, PrintsTheBoundAndEndsWith3WhenTheClaimIsCrossed) {
  const Ran ran = run(counts({"--claimed-epsilon", "2", "--json"}));
  EXPECT_EQ(ran.status, 3) << ran.err;
  const Json document = json_of(ran);
  EXPECT_EQ(document.find("error"), nullptr);
  EXPECT_EQ(document.find("holds")->dump(), "false");
  EXPECT_EQ(document.find("internal")->dump(), "true");
  ASSERT_NE(document.find("warnings"), nullptr);
  // By tables of Clopper and Pearson: 480 of 1,000 is at least 0.4486, 12 of 1,000 at most 0.0209, each at 2.5 %.
  EXPECT_NEAR(std::stod(std::string(document.find("tpr_lower")->text())), 0.4486, 1e-4);
  EXPECT_NEAR(std::stod(std::string(document.find("fpr_upper")->text())), 0.0209, 1e-4);
  EXPECT_NEAR(std::stod(std::string(document.find("epsilon_lower")->text())), 3.07, 0.01);
}

TEST(AuditCounts, ACrossingIsReadInPlainWords) {
  const Ran ran = run(counts({"--claimed-epsilon", "2"}));
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(ran.out.find("claimed 2, audited at least 3.06"), 0U) << ran.out;
  EXPECT_NE(ran.out.find("the claim is broken"), std::string::npos) << ran.out;
  EXPECT_NE(ran.err.find("INTERNAL"), std::string::npos);
}

TEST(AuditCounts, HoldsWhatIsNotCrossedAndDecidesNothingWithoutAClaim) {
  const Ran holds = run(counts({"--claimed-epsilon", "4", "--json"}));
  EXPECT_EQ(holds.status, 0);
  EXPECT_EQ(json_of(holds).find("holds")->dump(), "true");
  const Ran none = run(counts({"--json"}));
  EXPECT_EQ(none.status, 0);
  EXPECT_EQ(json_of(none).find("holds")->dump(), "null");
  // A delta alone is the delta of the bound.
  const Ran delta = run(counts({"--claimed-delta", "0.3", "--json"}));
  EXPECT_EQ(delta.status, 0);
  EXPECT_LT(std::stod(std::string(json_of(delta).find("epsilon_lower")->text())), 2.1);
}

// The printed bound lies above the claim, the alarm's does not: no alarm.
TEST(AuditCounts, TheAlarmIsMuchSurerThanThePrintedBound) {
  const Ran ran = run(counts({"--claimed-epsilon", "3", "--json"}));
  EXPECT_EQ(ran.status, 0) << ran.out;
  EXPECT_EQ(run(counts({"--claimed-epsilon", "3", "--alarm", "0.05", "--json"})).status, 3);
}

TEST(AuditCounts, WritesTheJson) {
  const Folder folder;
  const std::string path = folder / "found.json";
  const Ran ran = run(counts({"-o", path}));
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out.find("nothing claimed"), 0U) << ran.out;
  EXPECT_EQ(folder.list(), std::vector<std::string>{"found.json"});
  EXPECT_EQ(run(counts({"-o", "-"})).out.find('{'), 0U);
}

TEST(AuditCounts, RefusesWhatCannotBe) {
  const auto with = [](std::vector<std::string> more) { return refusal(counts(std::move(more))); };
  const auto of = [](const char* t, const char* p, const char* f, const char* n) {
    return refusal(
        {"audit", "counts", "--true-positives", t, "--positives", p, "--false-positives", f, "--negatives", n});
  };
  EXPECT_EQ(of("11", "10", "0", "10"), "invalid_parameter");
  EXPECT_EQ(of("1", "10", "11", "10"), "invalid_parameter");
  EXPECT_EQ(of("0", "0", "0", "10"), "invalid_parameter");
  EXPECT_EQ(of("0", "10", "0", "0"), "invalid_parameter");
  EXPECT_EQ(of("-1", "10", "0", "10"), "invalid_parameter");
  EXPECT_EQ(of("1.5", "10", "0", "10"), "invalid_parameter");
  EXPECT_EQ(with({"--confidence", "0.5"}), "invalid_parameter");
  EXPECT_EQ(with({"--confidence", "1"}), "invalid_parameter");
  EXPECT_EQ(with({"--alarm", "0"}), "invalid_parameter");
  EXPECT_EQ(with({"--alarm", "0.5"}), "invalid_parameter");
  EXPECT_EQ(with({"--claimed-delta", "1"}), "invalid_parameter");
  EXPECT_EQ(with({"--claimed-delta", "-0.1"}), "invalid_parameter");
  EXPECT_EQ(with({"--claimed-epsilon", "-1"}), "invalid_parameter");
  EXPECT_EQ(refusal({"audit", "counts", "--positives", "1"}), "usage");
}

}  // namespace audit_counts_command_test
}  // namespace gauze::cli
