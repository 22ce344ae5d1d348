#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gauze/cli/table_testing.h"

namespace gauze::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class TextStatistics : public testing::Test {
 protected:
  Folder folder_;
  std::string vectors_ = folder_.write("v.txt", "film 0 0\nmovie 1 0\ngood 0 3\nbad 0 4\n电影 0.5 0\n");
  std::string two_ = folder_.write("two.txt", "yes 0 0 0\nno 2 0 0\n");
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
  const Ran ran = text({"stats", "--vectors", vectors_, "--mechanism", "dchi", "--epsilon", "8", "--words", "film",
                        "--runs", "2000", "--seed", "3", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(at(json_of(ran), {"exact"}), "false");
  EXPECT_EQ(at(json_of(ran), {"results", "0", "S_star"}), "null");
  EXPECT_LE(figure(ran, {"results", "0", "N", "low"}), figure(ran, {"results", "0", "N", "mean"}));
  EXPECT_GT(figure(ran, {"results", "0", "words", "film", "N"}), 0.5);
  EXPECT_THAT(text({"stats", "--vectors", vectors_, "--mechanism", "dchi", "--epsilon", "8"}).err,
              HasSubstr("sampled"));
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
    EXPECT_LE(figure(json, {"achieved"}), 0.9);
    EXPECT_GT(figure(json, {"next"}), 0.9);
  }
  const Ran prior = text(
      {"choose", "--vectors", vectors_, "--target", "bayes-prior", "--prior", counts_, "--value", "0.7", "--json"});
  ASSERT_EQ(prior.status, 0) << prior.err;
  EXPECT_NEAR(figure(prior, {"achieved"}), 0.7, 0.001);
  EXPECT_EQ(text({"choose", "--vectors", two_, "--target", "bayes-prior", "--value", "0.9"}).status, 2);
  EXPECT_EQ(text({"choose", "--vectors", two_, "--value", "0.3"}).status, 2) << "a coin flip is 0.5";
  EXPECT_EQ(text({"choose", "--vectors", two_, "--value", "1.5"}).status, 2);
  const Ran dchi =
      text({"choose", "--vectors", vectors_, "--mechanism", "dchi", "--value", "0.6", "--seed", "1", "--json"});
  ASSERT_EQ(dchi.status, 0) << dchi.err;
  EXPECT_EQ(at(json_of(dchi), {"exact"}), "false");
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

}  // namespace
}  // namespace gauze::cli
