#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "gauze/cli/core/cli_testing.h"
#include "gauze/files/json_reader.h"
#include "gauze/label/version.h"

namespace gauze::cli {
namespace help_commands_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(HelpCommand, GreetsWithAnOverview) {
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{}, {"help"}, {"-h"}, {"--help"}}) {
    const Ran ran = run(args);
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.err, "");
    EXPECT_THAT(ran.out, StartsWith("Gauze: see the pattern, not the person.\n"));
  }
}

TEST(HelpCommand, ExplainsCommandsFamiliesAndTopics) {
  EXPECT_THAT(run({"help", "label", "show"}).out, StartsWith("gauze label show: "));
  EXPECT_THAT(run({"help", "label"}).out, HasSubstr("gauze label check"));
  EXPECT_THAT(run({"help", "exit-codes"}).out, StartsWith("Exit codes and error codes\n"));
  EXPECT_THAT(run({"help", "guarantees"}).out, HasSubstr("neighbours"));
  EXPECT_THAT(run({"help", "output"}).out, HasSubstr("OUT.label.json"));
}

// What an epsilon means is printed as "at most": rounded up, by one in the last digit that is shown.
TEST(HelpCommand, ItsFiguresOfEpsilonAreThoseOfTheBoundsRoundedUp) {
  std::istringstream text(run({"help", "epsilon"}).out);
  int lines = 0;
  for (std::string line; std::getline(text, line);) {
    std::istringstream words(line);
    std::string epsilon, half, percent, rare, advantage;
    words >> epsilon >> half >> percent >> rare >> percent >> advantage;
    if (percent != "%" || advantage.empty()) continue;
    ++lines;
    const double odds = std::exp(std::stod(epsilon));
    const auto check = [&](const std::string& shown, double exact) {
      const std::size_t point = shown.find('.');
      const double unit = std::pow(10.0, -static_cast<double>(shown.size() - point - 1));
      EXPECT_GE(std::stod(shown), exact) << line;
      EXPECT_LT(std::stod(shown), exact + unit) << line;
    };
    check(half, 100 * odds / (1 + odds));
    check(rare, 100 * odds / (99 + odds));
    check(advantage, (odds - 1) / (odds + 1));
  }
  EXPECT_EQ(lines, 8);
}

TEST(HelpCommand, SuggestsATopic) {
  const Ran ran = run({"help", "exit-cods"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.err, "gauze: there is no help on 'exit-cods'; did you mean 'exit-codes'?\n");
  EXPECT_EQ(run({"help", "xyzzy"}).status, 2);
  EXPECT_EQ(run({"help", "1,2"}).err, "gauze: there is no help on that; 'gauze help' lists commands and topics\n");
}

TEST(HelpCommand, PutsItsTextIntoJson) {
  const Ran ran = run({"help", "output", "--json"});
  const auto document = read_json(ran.out);
  ASSERT_TRUE(document);
  EXPECT_EQ(document->find("text")->text(), run({"help", "output"}).out);
}

TEST(VersionCommand, TellsTheVersion) {
  EXPECT_EQ(run({"--version"}).out, "gauze " + std::string(version()) + "\n");
  EXPECT_EQ(run({"version"}).out, run({"--version"}).out);
}

TEST(VersionCommand, TellsProgramsWhatItIsBuiltWith) {
  const auto document = read_json(run({"--version", "--json"}).out);
  ASSERT_TRUE(document);
  EXPECT_EQ(document->find("name")->text(), "gauze");
  EXPECT_EQ(document->find("version")->text(), version());
  EXPECT_THAT(std::string(document->find("openssl")->text()), StartsWith("3."));
  EXPECT_FALSE(document->find("compiler")->text().empty());
}

TEST(CompletionsCommand, KnowsThreeShells) {
  EXPECT_THAT(run({"completions", "bash"}).out, HasSubstr("complete -F _gauze gauze"));
  EXPECT_THAT(run({"completions", "zsh"}).out, StartsWith("#compdef gauze"));
  EXPECT_THAT(run({"completions", "fish"}).out, HasSubstr("complete -c gauze"));
  EXPECT_EQ(run({"completions", "tcsh"}).status, 2);
  EXPECT_EQ(run({"completions"}).status, 2);
}

TEST(ManCommand, PrintsRoff) { EXPECT_THAT(run({"man"}).out, StartsWith(".TH GAUZE 1")); }

}  // namespace help_commands_test
}  // namespace gauze::cli
