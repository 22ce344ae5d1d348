#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/cli/core/table_testing.h"
#include "gauze/cli/flags/table_flags.h"
#include "gauze/engines/open_source.h"

namespace gauze::cli {
namespace patterns_mine_commands_test {

using ::testing::AllOf;
using ::testing::HasSubstr;

class PatternsMine : public ::testing::Test {
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

TEST_F(PatternsMine, OneOfAThingIsCalledOne) {
  const std::string one = folder_.write("one.dat", "A\n");
  EXPECT_THAT(run({"patterns", "mine", one, "--min-count", "1"}).err,
              HasSubstr("1 itemset in at least 1 of 1 transaction\n"));
  EXPECT_THAT(run({"patterns", "mine", dat_, "--min-count", "3"}).err,
              HasSubstr("7 itemsets in at least 3 of 5 transactions\n"));
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
  EXPECT_EQ(warning_codes(json_of(ran)), std::vector<std::string>{"stopped_by_limit"});
  EXPECT_THAT(ran.err, HasSubstr("there are more"));
}

TEST_F(PatternsMine, TheMostFrequentSetsNeedNoThreshold) {
  const Ran ran = run({"patterns", "mine", dat_, "--top", "2", "--min-size", "2"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(lines_of(ran.out)[0], "A D (4)") << "the most frequent first";
  EXPECT_EQ(lines_of(ran.out).size(), 3U) << "B D and C D tie";
  EXPECT_THAT(ran.err, HasSubstr("3 sets, not 2: those with support 3"));
  const Ran json = run({"patterns", "mine", dat_, "--top", "1", "--json"});
  EXPECT_EQ(at(json_of(json), {"min_count"}), "5");
  EXPECT_THAT(json.out, HasSubstr(R"("sets":[{"items":["D"],"support":5}])"));
  EXPECT_THAT(run({"patterns", "mine", dat_, "--top", "1000"}).err, HasSubstr("there are only 15 such sets"));
  EXPECT_EQ(run({"patterns", "mine", dat_, "--top", "1", "--maximal"}).status, 2);
  EXPECT_EQ(run({"patterns", "mine", dat_, "--top", "0"}).status, 2);
}

TEST_F(PatternsMine, TheBestRules) {
  const Ran ran = run({"patterns", "rules", dat_, "--min-count", "2", "--top", "1", "--by", "support"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(sorted(lines_of(ran.out)), (std::vector<std::string>{"A => D (support 4, confidence 1, lift 1)",
                                                                 "D => A (support 4, confidence 0.8, lift 1)"}));
  EXPECT_THAT(ran.err, HasSubstr("2 rules, not 1"));
  EXPECT_EQ(run({"patterns", "rules", dat_, "--min-count", "2", "--by", "support"}).status, 2);
  EXPECT_EQ(run({"patterns", "rules", dat_, "--top", "3"}).status, 2) << "rules need a threshold";
}

TEST_F(PatternsMine, MarksLeaveIntervals) {
  const std::string marked = folder_.write("m.dat", "A B\nA ?B\nA B\nB ?A ?\n");
  const Ran plain = run({"patterns", "mine", marked, "--min-count", "2"});
  EXPECT_EQ(sorted(lines_of(plain.out)), (std::vector<std::string>{"A (3)", "A B (2)", "B (3)"}));
  EXPECT_THAT(plain.err, HasSubstr("--intervals"));
  const Ran ran = run({"patterns", "mine", marked, "--min-count", "2", "--intervals"});
  EXPECT_EQ(sorted(lines_of(ran.out)), (std::vector<std::string>{"A (3..4)", "A B (2..4)", "B (3..4)"}));
  const Ran json = run({"patterns", "mine", marked, "--min-count", "3", "--intervals", "--json"});
  EXPECT_THAT(json.out, HasSubstr(R"({"items":["A"],"support":3,"support_interval":[3,4]})"));
  const Ran rules = run({"patterns", "rules", marked, "--min-count", "2", "--intervals"});
  EXPECT_THAT(rules.out, HasSubstr("A => B (support 2..4, confidence 0.6667..1, lift 0.8889)")) << rules.err;
  const Ran rules_json = run({"patterns", "rules", marked, "--min-count", "2", "--intervals", "--json"});
  EXPECT_THAT(rules_json.out, HasSubstr(R"("support_interval":[2,4],"confidence_interval":[0.66666)"));
}

TEST_F(PatternsMine, LongTablesOfTextAndOfOtherKinds) {
  const std::string text = "order_id,amount,product\n1,2,milk\n2,1,milk\n1,1,bread\n3,1,\n";
  const std::vector<std::string> expected = {"bread (1)", "milk (2)", "milk, bread (1)"};
  const std::string csv = folder_.write("orders.csv", text);
  const Ran ran = run({"patterns", "mine", csv, "--min-count", "1"});
  EXPECT_EQ(sorted(lines_of(ran.out)), expected) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("of 3 transactions"));
  const Ran other =
      run({"patterns", "mine", csv, "--min-count", "2", "--transaction", "product", "--item", "amount"});
  EXPECT_EQ(other.status, 1) << "the last line has no product";
  EXPECT_EQ(run({"patterns", "mine", csv, "--min-count", "2", "--item", "products"}).status, 2);
  const std::string lines = folder_.write(
      "orders.jsonl",
      "{\"order\":1,\"item\":\"milk\"}\n{\"order\":2,\"item\":\"milk\"}\n{\"order\":1,\"item\":\"?bread\"}\n");
  const Ran json = run({"patterns", "mine", lines, "--min-count", "1", "--intervals"});
  EXPECT_EQ(lines_of(json.out), (std::vector<std::string>{"milk (2)"})) << json.err;
  EXPECT_EQ(run({"patterns", "mine", lines, "--min-count", "1", "--format", "dat"}).status, 2);
}

TEST_F(PatternsMine, ParquetIsReadAndWritten) {
  const std::string csv = folder_.write("orders.csv", "order,item\n1,a\n2,a\n1,b\n2,b\n3,\n");
  const auto opened = engines::open_source(csv, {});
  ASSERT_TRUE(opened) << opened.error().message;
  Progress progress;
  const std::string parquet = folder_ / "orders.parquet";
  ASSERT_TRUE(engines::make_table_writer()->write(*opened->source, {}, {.path = parquet}, progress));
  const Ran ran = run({"patterns", "mine", parquet, "--min-count", "2"});
  EXPECT_EQ(sorted(lines_of(ran.out)), (std::vector<std::string>{"a (2)", "a, b (2)", "b (2)"})) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("of 3 transactions"));
  const std::string secret = folder_.write("secret.txt", "a b\n");
  const std::string released = folder_ / "public.parquet";
  const Ran hidden = run({"patterns", "hide", parquet, "--sensitive", secret, "--min-count", "2", "-o", released});
  EXPECT_EQ(hidden.status, 0) << hidden.err;
  EXPECT_EQ(run({"label", "check", released}).status, 0);
  const Ran again = run({"patterns", "mine", released, "--min-count", "1", "--intervals"});
  EXPECT_THAT(again.out, HasSubstr("a, b (1..2)")) << again.err;
  EXPECT_THAT(again.err, HasSubstr("of 3 transactions"));
  const std::string text = folder_ / "public.csv";
  EXPECT_EQ(run({"patterns", "hide", parquet, "--sensitive", secret, "--min-count", "2", "-o", text}).status, 0);
  EXPECT_THAT(folder_.read("public.csv"), AllOf(HasSubstr("order,item\n"), HasSubstr("?")));
  EXPECT_EQ(run({"patterns", "hide", parquet, "--sensitive", secret, "--min-count", "2", "-o", released, "--marks",
                 folder_ / "key.csv"})
                .status,
            2);
}

TEST_F(PatternsMine, MoreThanCanBeCounted) {
  std::string row;
  for (int i = 0; i < 70; ++i) row += std::to_string(i) + " ";
  const std::string wide = folder_.write("wide.dat", row + "\n" + row + "\n");
  const Ran counted = run({"patterns", "mine", wide, "--min-count", "1", "--count-only"});
  EXPECT_EQ(counted.out, "more than 9223372036854775807\n");
  const Ran json = run({"patterns", "mine", wide, "--min-count", "1", "--count-only", "--json"});
  EXPECT_EQ(at(json_of(json), {"more_than_counted"}), "true");
  EXPECT_EQ(at(json_of(json), {"complete"}), "false");
  const Ran listed = run({"patterns", "mine", wide, "--min-count", "1", "--max-itemsets", "5"});
  EXPECT_EQ(lines_of(listed.out).size(), 5U);
  EXPECT_THAT(listed.err, HasSubstr("there are more"));
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
  EXPECT_EQ(status({"--min-count", "1", "--count-only", "--intervals"}), 2);
  EXPECT_EQ(status({"--min-count", "1", "--min-size", "3", "--max-size", "2"}), 2);
  EXPECT_EQ(run({"patterns", "mine", folder_ / "nowhere", "--min-count", "1"}).status, 1);
  EXPECT_EQ(run({"patterns", "mine", folder_.write("bad.csv", "a,\"b\n"), "--min-count", "1"}).status, 1);
  EXPECT_EQ(run({"patterns", "mine", folder_.write("empty.dat", ""), "--min-support", "0.5", "--count-only"}).out,
            "0\n");
}

TEST_F(PatternsMine, DoesNotReplaceWhatItReads) {
  const std::string before = folder_.read("t.dat");
  for (const char* command : {"mine", "rules"}) {
    const Ran ran = run({"patterns", command, dat_, "--min-count", "1", "-o", folder_ / "./t.dat"});
    EXPECT_EQ(ran.status, 2) << command;
    EXPECT_THAT(ran.err, HasSubstr("-o would replace the input"));
    EXPECT_EQ(folder_.read("t.dat"), before);
  }
}

TEST_F(PatternsMine, ACountThatWasCutSaysMoreThan) {
  EXPECT_EQ(run({"patterns", "mine", dat_, "--min-count", "1", "--count-only", "--max-itemsets", "3"}).out,
            "more than 3\n");
  const Ran json = run({"patterns", "mine", dat_, "--min-count", "1", "--json", "--max-itemsets", "3"});
  EXPECT_EQ(at(json_of(json), {"itemsets"}), "3");
  EXPECT_EQ(at(json_of(json), {"complete"}), "false");
}

}  // namespace patterns_mine_commands_test
}  // namespace gauze::cli
