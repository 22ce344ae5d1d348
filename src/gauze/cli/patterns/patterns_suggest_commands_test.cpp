#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/cli/core/table_testing.h"

namespace gauze::cli {
namespace patterns_suggest_commands_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class PatternsSuggest : public ::testing::Test {
 protected:
  /// Bread and butter go together, salt is everywhere by itself, wine now and then.
  PatternsSuggest() {
    std::string text;
    for (int i = 0; i < 60; ++i) {
      text += i % 3 == 0 ? "bread,\"butter, salted\"" : "milk";
      text += i % 2 == 0 ? ",salt" : "";
      text += i % 7 == 0 ? ",wine\n" : "\n";
    }
    csv_ = folder_.write("t.csv", text);
  }
  Folder folder_;
  std::string csv_;
};

TEST_F(PatternsSuggest, WritesAListToEditThatHideReads) {
  const std::string list = folder_ / "secret.txt";
  const Ran ran = run({"patterns", "suggest", csv_, "--min-support", "0.1", "--min-confidence", "0.9", "-o", list});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const std::string text = folder_.read("secret.txt");
  EXPECT_THAT(text,
              AllOf(HasSubstr("# support 20 (33.3 %), confidence 1, interest 3, p "), HasSubstr(": significant\n"),
                    HasSubstr("bread"), HasSubstr(" => "), HasSubstr("\"butter, salted\"")));
  EXPECT_THAT(ran.err, HasSubstr("significant"));
  const Ran hidden = run({"patterns", "hide", csv_, "--sensitive", list, "--min-support", "0.1", "--min-confidence",
                          "0.9", "--level", "H1", "-o", folder_ / "public.csv"});
  EXPECT_EQ(hidden.status, 0) << hidden.err;
}

TEST_F(PatternsSuggest, JsonHasTheFigures) {
  const Ran ran =
      run({"patterns", "suggest", csv_, "--min-support", "0.1", "--min-confidence", "0.9", "--top", "1", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.out;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("\"items\":[\"bread\",\"butter, salted\"]"), HasSubstr("\"support\":20"),
                             HasSubstr("\"interest\":3"), HasSubstr("\"significant\":true")));
  EXPECT_EQ(at(json_of(ran), {"transactions"}), "60");
  EXPECT_EQ(at(json_of(ran), {"complete"}), "true");
}

TEST_F(PatternsSuggest, WhatMayBeChanceSaysSo) {
  const std::vector<std::string> command = {"patterns", "suggest", csv_, "--min-count", "2", "--min-confidence", "0"};
  const Ran all = run(command);
  EXPECT_THAT(all.out, AllOf(HasSubstr(": significant"), HasSubstr(": may be chance")));
  std::vector<std::string> sure = command;
  sure.emplace_back("--significant-only");
  EXPECT_THAT(run(sure).out, AllOf(HasSubstr(": significant"), Not(HasSubstr(": may be chance"))));
}

TEST_F(PatternsSuggest, RefusesWhatMakesNoSense) {
  EXPECT_EQ(run({"patterns", "suggest", csv_}).status, 2);
  EXPECT_EQ(run({"patterns", "suggest", csv_, "--min-count", "2", "--min-confidence", "2"}).status, 2);
  EXPECT_EQ(run({"patterns", "suggest", csv_, "--min-count", "2", "--significance", "0"}).status, 2);
  EXPECT_EQ(run({"patterns", "suggest", csv_, "--min-count", "2", "--max-size", "1"}).status, 2);
  EXPECT_EQ(run({"patterns", "suggest", csv_, "--min-count", "2", "--json", "-o", "-"}).status, 2);
}

TEST_F(PatternsSuggest, DoesNotReplaceWhatItReads) {
  const std::string before = folder_.read("t.csv");
  const Ran ran = run({"patterns", "suggest", csv_, "--min-count", "5", "-o", csv_});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("-o would replace the input"));
  EXPECT_EQ(folder_.read("t.csv"), before);
}

TEST_F(PatternsSuggest, CallsAnUpperBoundOne) {
  const Ran ran = run({"patterns", "suggest", csv_, "--min-count", "5"});
  EXPECT_THAT(ran.out, HasSubstr("would be at most this"));
  EXPECT_THAT(ran.out, Not(HasSubstr("p: the chance")));
}

TEST_F(PatternsSuggest, InterestIsThatOfItemsAndLiftThatOfTwoSides) {
  // a, b and c each in half of the transactions, always together: interest 0.5 / 0.5^3, lift of a rule 0.5 / 0.5^2.
  const std::string file = folder_.write("abc.dat", "a b c\na b c\nx\ny\n");
  const Ran suggested = run({"patterns", "suggest", file, "--min-count", "2", "--json"});
  bool seen = false;
  const Json document = json_of(suggested);
  for (const Json& one : *document.find("candidates")->elements()) {
    if (one.find("items")->elements()->size() != 3) continue;
    seen = true;
    EXPECT_EQ(one.find("interest")->dump(), "4");
  }
  EXPECT_TRUE(seen);
  const Ran rules = run({"patterns", "rules", file, "--min-count", "2", "--json"});
  EXPECT_THAT(rules.out,
              ::testing::AllOf(::testing::HasSubstr("\"lift\":2"), ::testing::Not(::testing::HasSubstr("interest"))));
  EXPECT_THAT(run({"help", "patterns", "rules"}).out, ::testing::Not(::testing::HasSubstr("interest")))
      << "the word means one thing";
}

}  // namespace patterns_suggest_commands_test
}  // namespace gauze::cli
