#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/cli/table_testing.h"

namespace gauze::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class PatternsMine : public testing::Test {
 protected:
  Folder folder_;
  std::string dat_ = folder_.write("t.dat", "A B C D\nA B D\nA C D\nB C D\nA D\n");
};

TEST_F(PatternsMine, ListsSetsWithTheirSupport) {
  const Ran ran = run({"patterns", "mine", dat_, "--min-count", "3"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const auto lines = sorted(lines_of(ran.out));
  EXPECT_EQ(lines, (std::vector<std::string>{"A (4)", "A D (4)", "B (3)", "B D (3)", "C (3)", "C D (3)", "D (5)"}));
  const Ran file = run({"patterns", "mine", dat_, "--min-support", "0.6", "-o", folder_ / "sets.txt", "--json"});
  ASSERT_EQ(file.status, 0) << file.out;
  EXPECT_EQ(at(json_of(file), {"itemsets"}), "7");
  EXPECT_EQ(at(json_of(file), {"min_count"}), "3") << "0.6 of 5 is 3, exactly";
  EXPECT_EQ(at(json_of(file), {"by_size", "2"}), "3");
  EXPECT_EQ(sorted(lines_of(folder_.read("sets.txt"))), lines);
}

TEST_F(PatternsMine, ClosedMaximalAndCounting) {
  const Ran closed = run({"patterns", "mine", dat_, "--min-count", "3", "--closed"});
  EXPECT_EQ(sorted(lines_of(closed.out)), (std::vector<std::string>{"A D (4)", "B D (3)", "C D (3)", "D (5)"}));
  const Ran maximal = run({"patterns", "mine", dat_, "--min-count", "3", "--maximal"});
  EXPECT_EQ(sorted(lines_of(maximal.out)), (std::vector<std::string>{"A D (4)", "B D (3)", "C D (3)"}));
  EXPECT_EQ(run({"patterns", "mine", dat_, "--min-count", "3", "--count-only"}).out, "7\n");
}

TEST_F(PatternsMine, NamesWithCommasAndUnknownMarks) {
  const std::string csv = folder_.write("t.csv", "\"bread, white\",牛奶\n牛奶,?\"x\"\n牛奶,\"bread, white\"\n");
  const Ran ran = run({"patterns", "mine", csv, "--min-count", "2"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\"bread, white\", 牛奶 (2)"));
}

TEST_F(PatternsMine, RulesWithTheirFigures) {
  const Ran ran = run({"patterns", "rules", dat_, "--min-count", "2", "--min-confidence", "1", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.out;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("\"if\":[\"A\"],\"then\":[\"D\"]"), HasSubstr("\"conviction\":null")));
  const Ran text = run({"patterns", "rules", dat_, "--min-count", "2", "--min-confidence", "0.6", "--single"});
  EXPECT_THAT(text.out, HasSubstr("B => D (support 3, confidence 1, lift 1)"));
}

TEST_F(PatternsMine, ACutResultIsNeverPresentedAsComplete) {
  const Ran ran =
      run({"patterns", "mine", dat_, "--min-count", "1", "--max-itemsets", "3", "--count-only", "--json"});
  ASSERT_EQ(ran.status, 0);
  EXPECT_EQ(at(json_of(ran), {"complete"}), "false");
  EXPECT_EQ(at(json_of(ran), {"stopped_by"}), "max-itemsets");
  EXPECT_THAT(ran.err, HasSubstr("there are more"));
}

TEST_F(PatternsMine, RefusesWhatMakesNoSense) {
  const auto status = [&](std::vector<std::string> flags) {
    std::vector<std::string> args = {"patterns", "mine", dat_};
    args.insert(args.end(), flags.begin(), flags.end());
    return run(args).status;
  };
  EXPECT_EQ(status({}), 2);
  EXPECT_EQ(status({"--min-count", "0"}), 2);
  EXPECT_EQ(status({"--min-support", "0"}), 2);
  EXPECT_EQ(status({"--min-support", "1.5"}), 2);
  EXPECT_EQ(status({"--min-support", "nan"}), 2);
  EXPECT_EQ(status({"--min-count", "1", "--min-support", "0.5"}), 2);
  EXPECT_EQ(status({"--min-count", "1", "--closed", "--maximal"}), 2);
  EXPECT_EQ(status({"--min-count", "1", "--count-only", "-o", folder_ / "x"}), 2);
  EXPECT_EQ(run({"patterns", "mine", folder_ / "nowhere", "--min-count", "1"}).status, 1);
  EXPECT_EQ(run({"patterns", "mine", folder_.write("bad.csv", "a,\"b\n"), "--min-count", "1"}).status, 1);
  EXPECT_EQ(run({"patterns", "mine", folder_.write("empty.dat", ""), "--min-support", "0.5", "--count-only"}).out,
            "0\n");
}

}  // namespace
}  // namespace gauze::cli
