#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gauze/base/testing/watched.h"
#include "gauze/cli/core/table_testing.h"

namespace gauze::cli {
namespace text_statistics_commands_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class TextStatistics : public ::testing::Test {
 protected:
  Folder folder_;
  std::string vectors_ = folder_.write("v.txt", "film 0 0\nmovie 1 0\ngood 0 3\nbad 0 4\n电影 0.5 0\n");
  std::string two_ = folder_.write("two.txt", "yes 0 0 0\nno 2 0 0\n");
  std::string many_ = folder_.write("many.txt", [] {
    std::string lines;
    for (int i = 0; i < 2001; ++i) lines += fmt::format("w{} {} {}\n", i, i, i % 7);
    return lines;
  }());
  std::string counts_ = folder_.write("counts.txt", "film 50\ngood 30\nbad 20\n");

  Ran text(std::vector<std::string> args) {
    args.insert(args.begin(), "text");
    return run(args);
  }
  double figure(const Ran& ran, const std::vector<std::string>& path) { return number_at(json_of(ran), path); }
};

TEST_F(TextStatistics, StatsHaveTheDocumentedKeys) {
  const Ran ran = text(
      {"stats", "--vectors", vectors_, "--epsilon", "4,1", "--words", "film,电影", "--prior", counts_, "--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(at(json_of(ran), {"results", "0", "epsilon"}), "1") << "in ascending order";
  for (const char* key : {"N", "S", "S_star", "distinct", "entropy"})
    for (const char* part : {"mean", "q05", "q50", "q95"}) {
      EXPECT_GE(figure(ran, {"results", "1", key, part}), 0) << key << part;
    }
  EXPECT_GT(figure(ran, {"results", "1", "bayes", "uniform"}), figure(ran, {"results", "0", "bayes", "uniform"}));
  EXPECT_GT(figure(ran, {"results", "1", "bayes", "prior"}), 0.5);
  for (const char* key : {"N", "S", "S_star", "distinct", "entropy"})
    EXPECT_GE(figure(ran, {"results", "1", "words", "电影", key}), 0);
}

// Two words at distance 2: N = 1 / (1 + e^-epsilon).
TEST_F(TextStatistics, StatsOfTwoWordsAreTheClosedForm) {
  const Ran santext = text({"stats", "--vectors", two_, "--epsilon", "3", "--json"});
  EXPECT_NEAR(figure(santext, {"results", "0", "N", "mean"}), 1 / (1 + std::exp(-3.0)), 1e-6);
  // a = epsilon D / 2 = 3: 1 - (2 + a) e^-a / 4
  const Ran dchi = text({"stats", "--vectors", two_, "--mechanism", "dchi", "--epsilon", "3", "--json"});
  EXPECT_NEAR(figure(dchi, {"results", "0", "N", "mean"}), 1 - 5 * std::exp(-3.0) / 4, 1e-5);
  EXPECT_EQ(at(json_of(dchi), {"exact"}), "true");
  const Ran published = text({"stats", "--vectors", two_, "--epsilon", "3", "--as-published", "--json"});
  EXPECT_NEAR(figure(published, {"results", "0", "N", "mean"}), 1 / (1 + std::exp(-3.0)), 1e-6);
}

TEST_F(TextStatistics, DchiIsSampledWhereThereIsNoClosedFormAndSaysSo) {
  const std::vector<std::string> args = {"stats", "--vectors", vectors_, "--mechanism", "dchi",  "--epsilon",
                                         "8",     "--words",   "film",   "--prior",     counts_, "--draws",
                                         "2000",  "--seed",    "3",      "--json"};
  const Ran ran = text(args);
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(at(json_of(ran), {"exact"}), "false");
  EXPECT_EQ(at(json_of(ran), {"sampled_words"}), "5");
  EXPECT_EQ(at(json_of(ran), {"draws"}), "2000");
  for (const char* key : {"N", "S", "S_star", "distinct", "entropy"}) {
    EXPECT_LE(figure(ran, {"results", "0", key, "low"}), figure(ran, {"results", "0", key, "mean"})) << key;
    EXPECT_GE(figure(ran, {"results", "0", key, "high"}), figure(ran, {"results", "0", key, "mean"})) << key;
    for (const char* part : {"q05", "q50", "q95", "sd"}) EXPECT_GE(figure(ran, {"results", "0", key, part}), 0);
    EXPECT_GE(figure(ran, {"results", "0", "words", "film", key}), 0) << key;
  }
  EXPECT_EQ(at(json_of(ran), {"results", "0", "S", "mean"}), at(json_of(ran), {"results", "0", "S_star", "mean"}));
  EXPECT_GT(figure(ran, {"results", "0", "words", "film", "N"}), 0.5);
  for (const char* key : {"uniform", "prior"}) {
    const double success = figure(ran, {"results", "0", "bayes", key});
    EXPECT_LE(figure(ran, {"results", "0", "bayes", "intervals", key, "low"}), success);
    EXPECT_GE(figure(ran, {"results", "0", "bayes", "intervals", key, "high"}), success);
  }
  EXPECT_THAT(ran.err, AllOf(HasSubstr("sampled: 5 words, 2000 draws"), Not(HasSubstr("too large"))));
  std::vector<std::string> one_thread = args;
  one_thread.insert(one_thread.end(), {"--threads", "1"});
  EXPECT_EQ(text(one_thread).out, ran.out);
}

TEST_F(TextStatistics, ASampleOfSomeWordsSaysWhatItCannotTell) {
  const std::vector<std::string> args = {"stats",     "--vectors", vectors_,   "--mechanism", "dchi",
                                         "--epsilon", "8",         "--sample", "3",           "--words",
                                         "film",      "--draws",   "200",      "--seed",      "3"};
  std::vector<std::string> for_json = args;
  for_json.push_back("--json");
  const Ran ran = text(for_json);
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = json_of(ran);
  EXPECT_EQ(at(json, {"results", "0", "S_star", "mean"}), at(json, {"results", "0", "S", "mean"}));
  EXPECT_EQ(at(json, {"results", "0", "S_star", "q50"}), "null");
  EXPECT_EQ(at(json, {"results", "0", "S_star", "sd"}), "null");
  EXPECT_EQ(at(json, {"results", "0", "bayes", "uniform"}), "null");
  EXPECT_EQ(at(json, {"results", "0", "bayes", "intervals", "uniform"}), "null");
  EXPECT_EQ(at(json, {"results", "0", "words", "film", "S_star"}), "null");
  EXPECT_GT(figure(ran, {"results", "0", "words", "film", "N"}), 0.5);
  const Ran shown = text(args);
  EXPECT_THAT(shown.err, AllOf(HasSubstr("--sample 5"), HasSubstr("too large"), HasSubstr("--draws 1000")));
  EXPECT_THAT(shown.out, HasSubstr(" -\n"));
}

TEST_F(TextStatistics, DrawsAreAtLeastTheRunsAndNotTooMany) {
  if (is_watched()) GTEST_SKIP() << "of figures, not of memory";
  const auto stats = [&](std::vector<std::string> more) {
    std::vector<std::string> args = {"stats", "--vectors", vectors_, "--mechanism", "dchi", "--epsilon", "8"};
    args.insert(args.end(), more.begin(), more.end());
    return text(args);
  };
  EXPECT_EQ(at(json_of(stats({"--runs", "1500", "--json"})), {"draws"}), "1500") << "1,000 unless runs are more";
  EXPECT_EQ(stats({"--draws", "99"}).status, 2);
  EXPECT_EQ(stats({"--runs", "1", "--draws", "1"}).status, 2);
  EXPECT_EQ(stats({"--sample", "0"}).status, 2);
  const auto sampled = [&](const std::string& limit, const std::string& draws) {
    return text({"stats", "--vectors", many_, "--limit", limit, "--mechanism", "dchi", "--epsilon", "1", "--draws",
                 draws, "--json"});
  };
  EXPECT_EQ(at(json_of(sampled("2000", "100")), {"sampled_words"}), "2000");
  EXPECT_EQ(at(json_of(sampled("2001", "100")), {"sampled_words"}), "200");
  const Ran large = sampled("60", "1000000");
  EXPECT_EQ(large.status, 2);
  EXPECT_THAT(large.out, AllOf(HasSubstr("60 words"), HasSubstr("lower the number of words, or of draws")));
}

TEST_F(TextStatistics, NamesTheDrawsWhereTheyAreTooFewForATarget) {
  if (is_watched()) GTEST_SKIP() << "of figures, not of memory";
  const auto choose = [&](const std::string& draws) {
    return text({"choose", "--vectors", vectors_, "--mechanism", "dchi", "--target", "bayes", "--value", "0.25",
                 "--runs", "1", "--draws", draws, "--seed", "1"});
  };
  const Ran few = choose("20");
  EXPECT_EQ(few.status, 3);
  EXPECT_THAT(few.err, AllOf(HasSubstr("upper end of what 20 draws"), HasSubstr("--draws")));
  EXPECT_EQ(choose("20000").status, 0);
}

TEST_F(TextStatistics, RefusesFlagsThatHaveNoEffect) {
  for (const char* flag : {"--draws", "--sample"}) {
    const Ran ran = text({"stats", "--vectors", vectors_, "--epsilon", "1", flag, "500"});
    EXPECT_EQ(ran.status, 2);
    EXPECT_THAT(ran.err, HasSubstr("goes with --mechanism dchi"));
  }
}

TEST_F(TextStatistics, ThePlotIsAPageWithTheFigures) {
  const std::string page = folder_ / "curves.html";
  ASSERT_EQ(text({"stats", "--vectors", vectors_, "--epsilon", "1,2,4", "--plot", page}).status, 0);
  EXPECT_THAT(folder_.read("curves.html"), AllOf(HasSubstr("<html"), HasSubstr("text-statistics")));
  EXPECT_EQ(text({"stats", "--vectors", vectors_, "--epsilon", "1", "--plot", "/nonexistent/x.html"}).status, 1);
}

TEST_F(TextStatistics, ChooseInvertsTheFigure) {
  // 1 / (1 + e^-epsilon) = 0.9 at epsilon = ln 9 = 2.1972...
  const Ran ran = text({"choose", "--vectors", two_, "--value", "0.9"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, "2.197\n");
  for (const char* target : {"mean-n", "q05-n", "q50-n", "q95-n", "bayes"}) {
    const Ran json = text({"choose", "--vectors", two_, "--target", target, "--value", "0.9", "--json"});
    EXPECT_EQ(at(json_of(json), {"epsilon"}), "2.197") << target;
    EXPECT_THAT(json.out, HasSubstr("\"epsilon\":2.197,")) << "a number";
    EXPECT_LE(figure(json, {"achieved"}), 0.9);
    EXPECT_GT(figure(json, {"next"}), 0.9);
  }
  const Ran prior = text(
      {"choose", "--vectors", vectors_, "--target", "bayes-prior", "--prior", counts_, "--value", "0.7", "--json"});
  ASSERT_EQ(prior.status, 0) << prior.err;
  EXPECT_NEAR(figure(prior, {"achieved"}), 0.7, 0.001);
  EXPECT_EQ(text({"choose", "--vectors", two_, "--target", "bayes-prior", "--value", "0.9"}).status, 2);
  EXPECT_EQ(text({"choose", "--vectors", two_, "--value", "0.3"}).status, 3) << "a coin flip is 0.5";
  EXPECT_EQ(text({"choose", "--vectors", two_, "--value", "1.5"}).status, 2);
  const Ran dchi =
      text({"choose", "--vectors", vectors_, "--mechanism", "dchi", "--value", "0.6", "--seed", "1", "--json"});
  ASSERT_EQ(dchi.status, 0) << dchi.err;
  EXPECT_EQ(at(json_of(dchi), {"exact"}), "false");
}

TEST_F(TextStatistics, ChooseKeepsTheUpperEndOfASampledGuessBelowTheValue) {
  for (const char* target : {"bayes", "bayes-prior"}) {
    std::vector<std::string> args = {"choose", "--vectors", vectors_,   "--mechanism", "dchi",     "--value", "0.7",
                                     "--seed", "1",         "--sample", "2",           "--target", target};
    const std::string key = std::string(target) == "bayes" ? "uniform" : "prior";
    if (key == "prior") args.insert(args.end(), {"--prior", counts_});
    std::vector<std::string> for_json = args;
    for_json.push_back("--json");
    const Ran ran = text(for_json);
    ASSERT_EQ(ran.status, 0) << ran.out << ran.err;
    EXPECT_LE(figure(ran, {"achieved"}), 0.7);
    EXPECT_GT(figure(ran, {"achieved"}), 0.69);
    EXPECT_GT(figure(ran, {"next"}), 0.7);
    EXPECT_EQ(figure(ran, {"achieved"}), figure(ran, {"figures", "bayes", "intervals", key, "high"}))
        << "the same seed";
    EXPECT_LT(figure(ran, {"figures", "bayes", "intervals", key, "low"}), figure(ran, {"achieved"}));
    EXPECT_THAT(text(args).err, HasSubstr("the upper end is kept below\nthe value"));
  }
}

TEST_F(TextStatistics, ChooseSteersTheWordsThatMatter) {
  const std::string matter = folder_.write("matter.txt", "Film\nzorro\nmovie\n");
  const std::vector<std::string> args = {"choose", "--vectors", vectors_, "--words", matter, "--value", "0.4"};
  std::vector<std::string> for_json = args;
  for_json.push_back("--json");
  const Ran ran = text(for_json);
  ASSERT_EQ(ran.status, 0) << ran.out;
  const Json json = json_of(ran);
  EXPECT_EQ(at(json, {"target"}), "max-n");
  EXPECT_LE(figure(ran, {"achieved"}), 0.4);
  EXPECT_DOUBLE_EQ(figure(ran, {"achieved"}), std::max(figure(ran, {"figures", "words", "film", "N"}),
                                                       figure(ran, {"figures", "words", "movie", "N"})));
  EXPECT_THAT(warning_codes(json), ::testing::ElementsAre("words_unknown"));
  std::vector<std::string> named = for_json;
  named.insert(named.end(), {"--target", "max-n"});
  EXPECT_EQ(at(json_of(text(named)), {"epsilon"}), at(json, {"epsilon"}));
  named.back() = "mean-n";
  EXPECT_EQ(text(named).status, 2) << "a mean is about all words";
  const Ran all = text({"choose", "--vectors", vectors_, "--target", "max-n", "--value", "0.4", "--json"});
  EXPECT_LT(figure(all, {"epsilon"}), figure(ran, {"epsilon"})) << "bad and good are more alone";
  EXPECT_EQ(text({"choose", "--vectors", vectors_, "--words", folder_.write("none.txt", "zorro\n"), "--value", "0.4"})
                .status,
            1);
}

TEST_F(TextStatistics, WordsOfOnesOwnTextThatAreLikeliestToStayAreListed) {
  const std::string own = folder_.write("own.txt", "Bad movie, bad movie!\nA film for Zorro\n");
  const Ran stats = text({"stats", "--vectors", vectors_, "--epsilon", "1,3", "--text", own, "--json"});
  ASSERT_EQ(stats.status, 0) << stats.out;
  for (const char* place : {"0", "1"}) {
    EXPECT_EQ(at(json_of(stats), {"results", place, "own_words", "0", "word"}), "bad") << "far from the others";
    EXPECT_EQ(at(json_of(stats), {"results", place, "own_words", "0", "count"}), "2");
    EXPECT_EQ(at(json_of(stats), {"results", place, "own_words", "3", "word"}), "(absent)") << "good is not in it";
  }
  EXPECT_THAT(at(json_of(stats), {"notice"}), HasSubstr("INTERNAL"));
  const Ran choose = text({"choose", "--vectors", vectors_, "--value", "0.5", "--text", own, "--json"});
  EXPECT_EQ(at(json_of(choose), {"own_words", "0", "word"}), "bad");
  EXPECT_THAT(at(json_of(choose), {"notice"}), HasSubstr("INTERNAL"));
  const Ran shown = text({"stats", "--vectors", vectors_, "--epsilon", "3", "--text", own});
  EXPECT_THAT(shown.out, AllOf(HasSubstr("INTERNAL"), HasSubstr("likeliest to stay at 3"), HasSubstr("movie")));
  EXPECT_THAT(text({"choose", "--vectors", vectors_, "--value", "0.5", "--text", own}).out,
              AllOf(HasSubstr("INTERNAL"), HasSubstr("movie")));
  EXPECT_EQ(at(json_of(text({"stats", "--vectors", vectors_, "--epsilon", "3", "--json"})), {"notice"}), "(absent)");
}

TEST_F(TextStatistics, FlagsOfATextNeedOne) {
  for (const auto& [flag, value] : {std::pair("--column", "c"), {"--language", "zh"}, {"--delimiter", ";"}}) {
    const Ran ran = text({"stats", "--vectors", vectors_, "--epsilon", "1", flag, value});
    EXPECT_EQ(ran.status, 2);
    EXPECT_THAT(ran.err, HasSubstr("goes with --text"));
  }
  const std::string table = folder_.write("own.csv", "id;note\n1;bad film\n");
  const Ran ran = text({"stats", "--vectors", vectors_, "--epsilon", "1", "--text", table, "--column", "note",
                        "--delimiter", ";", "--json"});
  EXPECT_EQ(at(json_of(ran), {"results", "0", "own_words", "0", "word"}), "bad") << ran.err;
  EXPECT_EQ(
      text({"stats", "--vectors", vectors_, "--epsilon", "1", "--text", folder_.write("no.txt", "Zorro\n")}).status,
      1);
}

TEST_F(TextStatistics, VerifyProvesThePromiseAndSeesItBroken) {
  for (const char* mechanism : {"santext", "tem", "santext+"}) {
    std::vector<std::string> args = {"verify", "--vectors",   vectors_,  "--epsilon",
                                     "2",      "--mechanism", mechanism, "--json"};
    if (std::string(mechanism) == "tem") args.insert(args.end(), {"--gamma", "1"});
    if (std::string(mechanism) == "santext+") args.insert(args.end(), {"--frequencies", counts_, "--w", "0.6"});
    const Ran ran = text(args);
    ASSERT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(at(json_of(ran), {"holds"}), "true");
    EXPECT_EQ(at(json_of(ran), {"complete"}), "true");
    EXPECT_LE(figure(ran, {"excess"}), 0x1p-39);
  }
  EXPECT_EQ(text({"verify", "--vectors", two_, "--mechanism", "dchi", "--epsilon", "2"}).status, 0);
  EXPECT_EQ(text({"verify", "--vectors", vectors_, "--mechanism", "dchi", "--epsilon", "2"}).status, 2);
  // Two words at distance 2: e^-1000 is no double.
  const Ran tiny = text({"verify", "--vectors", two_, "--mechanism", "dchi", "--epsilon", "1000", "--json"});
  EXPECT_EQ(tiny.status, 2);
  EXPECT_THAT(tiny.out, HasSubstr("take a smaller one"));
  const Ran broken = text({"verify", "--vectors", vectors_, "--epsilon", "1000", "--as-published", "--json"});
  EXPECT_EQ(broken.status, 3);
  EXPECT_EQ(at(json_of(broken), {"excess"}), "null") << "a probability of 0";
  EXPECT_THAT(text({"verify", "--vectors", vectors_, "--epsilon", "1000", "--as-published"}).out,
              HasSubstr("BROKEN"));
}

TEST_F(TextStatistics, AbsurdParametersAreRefused) {
  const auto status = [&](std::vector<std::string> more) {
    std::vector<std::string> args = {"stats", "--vectors", vectors_};
    args.insert(args.end(), more.begin(), more.end());
    return text(args).status;
  };
  EXPECT_EQ(status({"--epsilon", "0"}), 2);
  EXPECT_EQ(status({"--epsilon", "1,-2"}), 2);
  EXPECT_EQ(status({"--epsilon", "1,,2"}), 2);
  EXPECT_EQ(status({"--epsilon", "1", "--eta", "0"}), 2);
  EXPECT_EQ(status({"--epsilon", "1", "--eta", "2"}), 2);
  EXPECT_EQ(status({"--epsilon", "1", "--runs", "0"}), 2);
  EXPECT_EQ(status({"--epsilon", "1", "--words", "zorro"}), 2);
  EXPECT_EQ(status({"--epsilon", "1", "--prior", folder_.write("none.txt", "zorro 3\n")}), 1);
  EXPECT_EQ(status({"--epsilon", "1", "--gamma", "3"}), 2);
  const std::string one = folder_.write("one.txt", "film 1 2\n");
  EXPECT_EQ(text({"stats", "--vectors", one, "--epsilon", "1"}).status, 0);
  EXPECT_EQ(text({"verify", "--vectors", one, "--epsilon", "1"}).status, 0);
}

}  // namespace text_statistics_commands_test
}  // namespace gauze::cli
