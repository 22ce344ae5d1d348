#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "gauze/cli/core/table_testing.h"

namespace gauze::cli {
namespace patterns_hide_commands_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class PatternsHide : public ::testing::Test {
 protected:
  Folder folder_;
  std::string dat_ = folder_.write("t.dat", "A B C D\nA B D\nA C D\nB C D\nA D\n");
  std::string secret_ = folder_.write("secret.txt", "A B D\nA C D\n");
  std::string out_ = folder_ / "out.dat";

  Ran hide(std::vector<std::string> flags) {
    std::vector<std::string> args = {"patterns", "hide", dat_, "--sensitive", secret_, "-o", out_};
    args.insert(args.end(), flags.begin(), flags.end());
    return run(args);
  }
};

TEST_F(PatternsHide, TheSeedsExampleAsPublished) {
  const Ran ran = hide({"--min-count", "2", "--algorithm", "psh", "--as-published", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.out;
  EXPECT_EQ(json_of(ran).find("marks")->dump(), "[[1,\"D\"]]");
  EXPECT_EQ(at(json_of(ran), {"hiding_failure"}), "0");
  EXPECT_EQ(folder_.read("out.dat"), "A B C ?D\nA B D\nA C D\nB C D\nA D\n");
  EXPECT_EQ(run({"label", "check", out_}).status, 0);
  EXPECT_THAT(folder_.read("out.dat.label.json"), AllOf(HasSubstr("pattern-hiding"), Not(HasSubstr("\"D\""))));
}

TEST_F(PatternsHide, TheBorderLosesNothingThere) {
  const Ran ran = hide({"--min-count", "2", "--level", "H1", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.out;
  EXPECT_EQ(at(json_of(ran), {"misses_cost", "ideal"}), "0") << "marking D in T1 would lose B C D";
}

TEST_F(PatternsHide, AReleaseThatCannotBeWrittenLeavesTheKeyOfTheEarlierOne) {
  ASSERT_EQ(hide({"--min-count", "2", "--marks", folder_ / "key.csv"}).status, 0);
  const std::string key = folder_.read("key.csv");
  std::string many = "A B D\nA B D\nA C D\nA C D\n";
  for (int i = 0; i < 20'000; ++i) many += "E F\n";
  folder_.write("t.dat", many);
  struct rlimit usual {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &usual), 0);
  const struct rlimit small { .rlim_cur = 1U << 14U, .rlim_max = usual.rlim_max };
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Ran ran = hide({"--min-count", "2", "--marks", folder_ / "key.csv"});
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &usual), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("out.dat"));
  EXPECT_EQ(folder_.read("key.csv"), key);
}

TEST_F(PatternsHide, APlaceThatTakesNothingIsFoundBeforeTransactionsAreRead) {
  const Ran ran = run(
      {"patterns", "hide", folder_ / "none.dat", "--sensitive", secret_, "--min-count", "2", "-o", "/proc/out.dat"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, HasSubstr("/proc/out.dat")) << "not the input, which is not there either";
}

TEST_F(PatternsHide, RestoreGivesTheOriginalBack) {
  ASSERT_EQ(hide({"--min-count", "2", "--marks", folder_ / "key.csv"}).status, 0);
  EXPECT_NE(folder_.read("out.dat"), folder_.read("t.dat"));
  const Ran ran = run({"patterns", "restore", out_, "--marks", folder_ / "key.csv", "-o", folder_ / "back.dat"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(folder_.read("back.dat"), folder_.read("t.dat"));
  const Ran json =
      run({"patterns", "restore", out_, "--marks", folder_ / "key.csv", "-o", folder_ / "back.dat", "--json"});
  EXPECT_EQ(at(json_of(json), {"bytes"}), std::to_string(folder_.read("t.dat").size()));
  EXPECT_EQ(run({"patterns", "restore", out_, "--marks", folder_ / "key.csv", "-o", "-", "--json"}).status, 2);
  EXPECT_EQ(run({"patterns", "restore", dat_, "--marks", folder_ / "key.csv", "-o", folder_ / "x"}).status, 1);
}

TEST_F(PatternsHide, LevelsAndOperations) {
  const Ran marks = hide({"--min-count", "2", "--level", "H3"});
  EXPECT_EQ(marks.status, 2) << "marks can be filled in";
  const Ran deleted = hide({"--min-count", "2", "--level", "H3", "--operation", "delete", "--json"});
  ASSERT_EQ(deleted.status, 0) << deleted.out;
  EXPECT_EQ(at(json_of(deleted), {"level"}), "H3");
  EXPECT_THAT(folder_.read("out.dat"), Not(HasSubstr("?")));
  EXPECT_EQ(hide({"--min-count", "2", "--mark-style", "anonymous", "--level", "H1"}).status, 0);
  EXPECT_THAT(folder_.read("out.dat"), HasSubstr(" ?"));
  const Ran both = hide({"--min-count", "2", "--operation", "both", "--level", "H3", "--json"});
  EXPECT_EQ(both.status, 0) << both.err;
}

TEST_F(PatternsHide, WhatCannotBeReachedIsNotWritten) {
  folder_.write("t.dat", "A\nA\nA\n");
  folder_.write("secret.txt", "A\n");
  const Ran ran = hide({"--min-count", "2"});
  EXPECT_EQ(ran.status, 3) << "marks in all transactions leave none to judge by";
  EXPECT_THAT(ran.err, HasSubstr("nothing was written"));
  EXPECT_THAT(ran.err, AllOf(HasSubstr("Try --operation"), Not(HasSubstr("--algorithm")))) << "border has run";
  EXPECT_THAT(hide({"--min-count", "2", "--algorithm", "psh"}).err, HasSubstr("Try --algorithm border"));
  EXPECT_FALSE(folder_.has("out.dat"));
  const Ran forced = hide({"--min-count", "2", "--force", "--quiet", "--json"});
  EXPECT_EQ(forced.status, 3);
  EXPECT_THAT(warning_codes(json_of(forced)), ::testing::ElementsAre("level_not_reached"));
  EXPECT_THAT(forced.err, HasSubstr("was not reached")) << "also with --quiet: it concerns privacy";
  EXPECT_TRUE(folder_.has("out.dat"));
  EXPECT_EQ(run({"label", "check", out_}).status, 0);
}

TEST_F(PatternsHide, TellsWhy) {
  const Ran ran = hide({"--min-count", "2", "--algorithm", "psh", "--as-published", "--trace", "--json"});
  const Json step = json_of(ran).find("trace")->elements()->at(0);
  EXPECT_EQ(step.find("victim")->dump(), "\"D\"");
  EXPECT_EQ(step.find("shared")->dump(), R"({"A":2,"B":1,"C":1,"D":2})");
  EXPECT_EQ(step.find("order")->dump(), "[[1,2],[2,1]]");
  EXPECT_EQ(step.find("rows")->dump(), "[1]");
}

TEST_F(PatternsHide, ObjectivesRulesAndDraws) {
  EXPECT_EQ(hide({"--min-count", "2", "--objective", "losses=1,marks=0.1"}).status, 0);
  EXPECT_EQ(hide({"--min-count", "2", "--objective", "beauty"}).status, 2);
  EXPECT_EQ(hide({"--min-count", "2", "--objective", "marks=-1"}).status, 2);
  EXPECT_EQ(hide({"--min-count", "2", "--random-margin", "1"}).status, 0);
  EXPECT_EQ(hide({"--min-count", "2", "--seed", "1"}).status, 2) << "needs --insecure-seed";
  EXPECT_EQ(hide({"--min-count", "2", "--decoys", "1", "--operation", "delete"}).status, 2);
  folder_.write("secret.txt", "A => D\n");
  const Ran rule = hide({"--min-count", "2", "--min-confidence", "0.9", "--level", "H1", "--json"});
  ASSERT_EQ(rule.status, 0) << rule.err;
  EXPECT_EQ(at(json_of(rule), {"marks_total"}), "1") << "3 of 4 is below 0.9";
  EXPECT_EQ(hide({"--min-count", "2", "--min-confidence", "2"}).status, 2);
}

TEST_F(PatternsHide, WarningsAreNoFailures) {
  folder_.write("secret.txt", "# nothing to do\nB C\nZ\nB C\n");
  const Ran ran = hide({"--min-count", "4", "--allow-unknown"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, AllOf(HasSubstr("below the threshold from the start"), HasSubstr("does not occur"),
                             HasSubstr("the same as line")));
  EXPECT_EQ(folder_.read("out.dat"), folder_.read("t.dat"));
  EXPECT_THAT(warning_codes(json_of(hide({"--min-count", "4", "--allow-unknown", "--json"}))),
              ::testing::ElementsAre("unknown_item", "repeated_pattern", "below_from_start"));
  EXPECT_THAT(hide({"--min-count", "4", "--allow-unknown", "--quiet"}).err,
              AllOf(HasSubstr("does not occur"), Not(HasSubstr("from the start"))));
  folder_.write("secret.txt", "Z\n");
  EXPECT_EQ(at(json_of(hide({"--min-count", "2", "--allow-unknown", "--json"})), {"nothing_to_hide"}), "true");
  EXPECT_THAT(hide({"--min-count", "2", "--allow-unknown"}).out, HasSubstr("nothing to hide"));
  folder_.write("secret.txt", "# only remarks\n");
  EXPECT_EQ(hide({"--min-count", "2"}).status, 2);
}

TEST_F(PatternsHide, TheLabelSaysWhoFindsThemAgain) {
  ASSERT_EQ(hide({"--min-count", "2", "--level", "H1"}).status, 0);
  EXPECT_THAT(folder_.read("out.dat.label.json"),
              AllOf(HasSubstr("leave out transactions"), HasSubstr("fill the marks in")));
  ASSERT_EQ(hide({"--min-count", "2", "--level", "H3", "--operation", "delete"}).status, 0);
  EXPECT_THAT(folder_.read("out.dat.label.json"), Not(HasSubstr("fill the marks in")));
}

TEST_F(PatternsHide, ARunThatChangesNothingNeverSaysHidden) {
  folder_.write("secret.txt", "B C\n");
  const Ran ran = hide({"--min-count", "4"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(folder_.read("out.dat"), folder_.read("t.dat"));
  EXPECT_THAT(ran.out,
              AllOf(HasSubstr("nothing to hide: below the threshold from the start"), Not(HasSubstr("hidden"))));
  EXPECT_THAT(ran.err, AllOf(HasSubstr("line 1: nothing to hide"), Not(HasSubstr("hidden"))));
  EXPECT_EQ(at(json_of(hide({"--min-count", "4", "--json"})), {"nothing_to_hide"}), "true");
  folder_.write("secret.txt", "B C\nA D\n");
  const Ran one = hide({"--min-count", "4", "--level", "H1"});
  EXPECT_THAT(one.out, AllOf(HasSubstr("below      B C"), HasSubstr("hidden     A D"))) << "only one of them was";
  EXPECT_EQ(at(json_of(hide({"--min-count", "4", "--level", "H1", "--json"})), {"nothing_to_hide"}), "(absent)");
}

TEST_F(PatternsHide, MarksTellTheirItemsOnlyWhereTheyMust) {
  const auto style = [&](const Ran& ran) { return at(json_of(ran), {"label", "parameters", "mark_style"}); };
  const Ran plain = hide({"--min-count", "2", "--level", "H1", "--json"});
  EXPECT_EQ(style(plain), "anonymous");
  EXPECT_THAT(warning_codes(json_of(plain)), Not(::testing::Contains("anchored_marks")));
  // The attack of the impatient: without the question marks the original must not be back.
  std::string without = folder_.read("out.dat");
  std::erase(without, '?');
  EXPECT_NE(without, folder_.read("t.dat"));
  const Ran anchored = hide({"--min-count", "2", "--level", "H1", "--mark-style", "anchored", "--quiet", "--json"});
  EXPECT_EQ(style(anchored), "anchored");
  EXPECT_THAT(warning_codes(json_of(anchored)), ::testing::Contains("anchored_marks"));
  EXPECT_THAT(anchored.err, HasSubstr("the marks name their items")) << "also with --quiet: it concerns privacy";
  const Ran published = hide({"--min-count", "2", "--algorithm", "psh", "--as-published", "--json"});
  EXPECT_EQ(style(published), "anchored");
  EXPECT_THAT(warning_codes(json_of(published)), ::testing::Contains("anchored_marks"));
  EXPECT_EQ(hide({"--min-count", "2", "--algorithm", "psh", "--as-published", "--mark-style", "anonymous"}).status,
            2);
  folder_.write("t.dat", "A B\n1 1\n1 1\n1 0\n0 1\n");
  folder_.write("secret.txt", "A B\n");
  EXPECT_EQ(style(hide({"--min-count", "2", "--level", "H1", "--json"})), "anchored") << "a matrix names its items";
  EXPECT_EQ(hide({"--min-count", "2", "--level", "H1", "--mark-style", "anonymous"}).status, 2);
}

TEST_F(PatternsHide, SaysOfEachLevelWhatAReaderCanDo) {
  const Ran h1 = hide({"--min-count", "2", "--level", "H1"});
  EXPECT_THAT(h1.out, AllOf(HasSubstr("hidden from one who takes marks as absent"),
                            HasSubstr("one who guesses what they stand for may find it")));
  const Ran named = hide({"--min-count", "2", "--level", "H1", "--mark-style", "anchored"});
  EXPECT_THAT(named.out, HasSubstr("one who fills them in finds it"));
  const Ran deleted = hide({"--min-count", "2", "--level", "H3", "--operation", "delete"});
  EXPECT_THAT(deleted.out, AllOf(HasSubstr("H3         hidden from everybody"), Not(HasSubstr("fills them in"))));
}

TEST_F(PatternsHide, OnlyALongTableBecomesParquet) {
  const Ran ran =
      run({"patterns", "hide", dat_, "--sensitive", secret_, "--min-count", "2", "-o", folder_ / "o.parquet"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("only a long table"));
  EXPECT_FALSE(folder_.has("o.parquet"));
}

TEST_F(PatternsHide, ASeedIsToldByTheLabel) {
  ASSERT_EQ(hide({"--min-count", "2", "--seed", "1", "--insecure-seed"}).status, 0);
  EXPECT_THAT(folder_.read("out.dat.label.json"), HasSubstr("drawn from a seed: no guarantee"));
  ASSERT_EQ(hide({"--min-count", "2"}).status, 0);
  EXPECT_THAT(folder_.read("out.dat.label.json"), Not(HasSubstr("seed")));
}

TEST_F(PatternsHide, RefusesBadInput) {
  EXPECT_EQ(hide({}).status, 2);
  EXPECT_EQ(hide({"--min-count", "2", "--as-published"}).status, 2) << "border has no published form";
  EXPECT_EQ(hide({"--min-count", "2", "--algorithm", "psh", "--as-published", "--level", "H2"}).status, 2);
  EXPECT_EQ(hide({"--min-count", "2", "--marks", out_}).status, 2);
  EXPECT_EQ(run({"patterns", "hide", dat_, "--sensitive", secret_, "--min-count", "2", "-o", dat_}).status, 2);
  folder_.write("secret.txt", "A @ 7\n");
  const Ran ran = hide({"--min-count", "2"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("line 1"));
}

TEST_F(PatternsHide, RestoreTakesOnlyTheReleaseAndReplacesNothingItReads) {
  const std::string key = folder_ / "key.csv";
  ASSERT_EQ(hide({"--min-count", "2", "--operation", "delete", "--marks", key}).status, 0);
  const std::string released = folder_.read("out.dat");
  const std::string marks = folder_.read("key.csv");
  const std::string other = folder_.write("other.dat", "x y zz\nq r s\nt u v\nw w w\nx\ny\nz\nu\nv\n");
  const Ran wrong = run({"patterns", "restore", other, "--marks", key, "-o", folder_ / "back.dat"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.err, HasSubstr("the marks are not those of this file"));
  for (const std::string& output : {out_, key}) {
    const Ran ran = run({"patterns", "restore", out_, "--marks", key, "-o", output});
    EXPECT_EQ(ran.status, 2);
    EXPECT_THAT(ran.err, HasSubstr("-o would replace"));
  }
  EXPECT_EQ(folder_.read("out.dat"), released);
  EXPECT_EQ(folder_.read("key.csv"), marks);
}

}  // namespace patterns_hide_commands_test
}  // namespace gauze::cli
