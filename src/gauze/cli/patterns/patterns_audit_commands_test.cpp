#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/cli/core/table_testing.h"
#include "gauze/cli/patterns/pattern_text.h"

namespace gauze::cli {
namespace patterns_audit_commands_test {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class PatternsAudit : public ::testing::Test {
 protected:
  Folder folder_;
  std::string dat_ = folder_.write("t.dat", "A B C D\nA B D\nA C D\nB C D\nA D\n");
  std::string secret_ = folder_.write("secret.txt", "A B D\nA C D\n");
  std::string out_ = folder_ / "out.dat";

  Ran audit(std::vector<std::string> flags) {
    std::vector<std::string> args = {"patterns", "audit", dat_, out_, "--sensitive", secret_, "--min-count", "2"};
    args.insert(args.end(), flags.begin(), flags.end());
    return run(args);
  }
};

TEST_F(PatternsAudit, FindsWhatThePublishedAlgorithmLeavesOpen) {
  folder_.write("out.dat", "A B C ?D\nA B D\nA C D\nB C D\nA D\n");  // as published: D in T1
  const Ran ran = audit({"--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = json_of(ran);
  EXPECT_EQ(at(json, {"hiding_failure"}), "0");
  EXPECT_EQ(json.find("patterns")->elements()->at(0).find("after")->dump(), "[1,2]");
  EXPECT_EQ(at(json, {"attacks", "fill_with_ones", "true_marks"}), "1");
  EXPECT_EQ(json.find("attacks")->find("fill_with_ones")->find("found")->dump(), "[true,true]");
  // 1 of the 4 transactions that are not unknown is 25 %, below 40 %.
  EXPECT_EQ(json.find("attacks")->find("ignore_unknown")->find("found_undetermined")->dump(), "[false,false]");
  EXPECT_EQ(at(json, {"level"}), "H2");
  // A B D, A C D and B C D lost their second transaction, as did A B C D's supersets: none was frequent but B C D.
  EXPECT_EQ(json.find("bands")->elements()->at(0).find("lost")->find("ideal")->dump(), "1");
  EXPECT_THAT(audit({}).out, AllOf(HasSubstr("What attackers find"), HasSubstr("2 of 2 patterns")));
}

TEST_F(PatternsAudit, AnUnchangedFileFailsEverywhere) {
  folder_.write("out.dat", folder_.read("t.dat"));
  const Json json = json_of(audit({"--json"}));
  EXPECT_EQ(at(json, {"hiding_failure"}), "1");
  EXPECT_EQ(at(json, {"level"}), "none");
  EXPECT_EQ(json.find("attacks")->find("ignore_unknown")->find("found_touched")->dump(), "[true,true]");
}

TEST_F(PatternsAudit, GuessesAnonymousMarks) {
  folder_.write("out.dat", "A B C ?\nA B D\nA C D\nB C D\nA D\n");
  const Json json = json_of(audit({"--json"}));
  EXPECT_EQ(at(json, {"attacks", "candidates_per_mark", "fewest"}), "1") << "only D is not shown";
  EXPECT_EQ(at(json, {"attacks", "candidates_per_mark", "right"}), "1");
}

TEST_F(PatternsAudit, RefusesWhatIsNoRelease) {
  folder_.write("out.dat", "A B\n");
  EXPECT_THAT(audit({}).err, HasSubstr("not a release of that file"));
  folder_.write("out.dat", "A B C D\nA B D\nA C D\nB C D\nA Z\n");
  EXPECT_EQ(audit({}).status, 1);
  EXPECT_THAT(audit({}).err, Not(HasSubstr("Z"))) << "names are data";
}

TEST_F(PatternsAudit, TellsWhatWasRemovedAndWhatWasAdded) {
  folder_.write("out.dat", "B C D\nA B D\nA C D\nA B C D\nA D\n");
  EXPECT_THAT(audit({}).out, AllOf(ContainsRegex("removed +6.67 %"), ContainsRegex("added +6.67 %")));
}

TEST_F(PatternsAudit, CountsLossesThatAreTooManyToList) {
  // All sets of 22 items; those with the first one lose a transaction.
  std::string rest;
  for (int i = 1; i < 22; ++i) rest += fmt::format(" i{}", i);
  const std::string row = "i0" + rest + "\n";
  const std::string original = folder_.write("many.dat", row + row + row);
  const std::string released = folder_.write("fewer.dat", row + row + rest.substr(1) + "\n");
  const std::string secret = folder_.write("two.txt", "i0 i1\n");
  const Ran ran = run({"patterns", "audit", original, released, "--sensitive", secret, "--min-count", "3", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = json_of(ran);
  const Json& first = json.find("bands")->elements()->at(0);
  EXPECT_EQ(first.find("itemsets")->dump(), "4194302") << "2^22 - 1, and not the listed one";
  EXPECT_EQ(first.find("others")->dump(), "3145727") << "2^22 - 1 - 2^20";
  EXPECT_EQ(first.find("lost")->dump(), R"({"literal":2097151,"ideal":1048576})");
}

TEST(PatternText, AnEstimateIsNoFigure) {
  EXPECT_EQ(part_text({.total = 120, .part = 3, .sampled = {}}), "3 of 120");
  EXPECT_EQ(part_text({.total = 120, .part = {}, .sampled = Estimate{0.5, 0.25, 0.75, 0.5}}),
            "about 50 % (25 to 75 %) of 120");
  EXPECT_EQ(part_text({.total = {}, .part = {}, .sampled = {}}), "unknown how many");
}

TEST_F(PatternsAudit, ComparesAllAlgorithms) {
  const std::string report = folder_ / "c.html";
  const Ran ran = run({"patterns", "compare", dat_, "--sensitive", secret_, "--min-count", "2", "--level", "H1",
                       "--report", report, "--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = json_of(ran);
  ASSERT_EQ(json.find("algorithms")->elements()->size(), 10U);
  for (const Json& one : *json.find("algorithms")->elements()) {
    if (one.find("skipped") != nullptr) continue;
    const Json& first = one.find("runs")->elements()->at(0);
    EXPECT_EQ(first.find("reached")->dump(), "true") << one.find("algorithm")->dump();
    EXPECT_GT(first.find("marks_total")->dump(), "0");
  }
  EXPECT_THAT(folder_.read("c.html"), HasSubstr("patterns-comparison"));
  EXPECT_EQ(run({"label", "check", report}).status, 0);
  const Ran text =
      run({"patterns", "compare", dat_, "--sensitive", secret_, "--min-count", "2", "--algorithms", "psh,border"});
  EXPECT_THAT(text.out, AllOf(HasSubstr("psh"), HasSubstr("border"), Not(HasSubstr("gih"))));
  EXPECT_EQ(
      run({"patterns", "compare", dat_, "--sensitive", secret_, "--min-count", "2", "--algorithms", "x"}).status, 2);
}

TEST_F(PatternsAudit, ComparesOverThresholdsAndNumbersOfPatterns) {
  const std::string report = folder_ / "c.html";
  const auto compare = [&](std::vector<std::string> flags) {
    std::vector<std::string> args = {"patterns", "compare", dat_,           "--sensitive", secret_,
                                     "--level",  "H1",      "--algorithms", "psh,gih"};
    args.insert(args.end(), flags.begin(), flags.end());
    return run(args);
  };
  const Ran ran =
      compare({"--min-count", "2", "--thresholds", "1,2", "--numbers", "1,2", "--report", report, "--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json series = *json_of(ran).find("series");
  ASSERT_EQ(series.find("thresholds")->elements()->size(), 2U);
  const Json& first = series.find("thresholds")->elements()->at(0);
  EXPECT_EQ(first.find("min_count")->dump(), "1");
  EXPECT_EQ(first.find("algorithms")->elements()->at(0).find("run")->find("hiding_failure")->dump(), "0");
  EXPECT_EQ(series.find("numbers")->elements()->at(1).find("patterns")->dump(), "2");
  EXPECT_THAT(folder_.read("c.html"), HasSubstr("\"series\""));
  const Ran shares = compare({"--min-support", "0.4", "--thresholds", "0.2,0.29"});
  EXPECT_THAT(shares.out,
              AllOf(ContainsRegex("\nthreshold +algorithm"), ContainsRegex("\n1 +psh"), ContainsRegex("\n2 +gih")))
      << "0.29 of 5 transactions is 2";
  EXPECT_EQ(compare({"--min-support", "0.4", "--thresholds", "2"}).status, 2);
  EXPECT_EQ(compare({"--min-count", "2", "--thresholds", "0.4"}).status, 2);
  EXPECT_THAT(compare({"--min-count", "2", "--numbers", "3"}).err, HasSubstr("between 1 and 2"));
}

}  // namespace patterns_audit_commands_test
}  // namespace gauze::cli
