#include "gauze/cli/core/command_line_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/cli/core/cli_testing.h"

namespace gauze::cli {
namespace command_line_parser_test {

using ::testing::HasSubstr;
using ::testing::Not;

/// The command line as "command name=value ...", or its error as "! message".
std::string parsed(const std::vector<std::string>& args) {
  Registry registry = probe_registry([](Invocation&) -> Result<int> { return 0; });
  registry.add(
      {.name = "start",
       .group = "Probes",
       .summary = "Take the command line of another program",
       .examples = {{"gauze start -- program", "an example"}},
       .positionals =
           {{.name = "program", .help = "which", .after_dashes = true},
            {.name = "args", .help = "its arguments", .optional = true, .repeatable = true, .after_dashes = true}},
       .flags = {{.name = "amount", .placeholder = "A", .help = "how much"}},
       .run = [](Invocation&) -> Result<int> { return 0; }});
  const auto line = parse_command_line(registry, args);
  if (!line) {
    EXPECT_EQ(line.error().code, ErrorCode::usage);
    return "! " + line.error().message;
  }
  std::string text = line->command->name;
  for (const auto& [name, value] : line->arguments.values) text += " " + name + "=" + value;
  return text;
}

TEST(CommandLineParser, ReadsFlagsBeforeAndAfterPositionals) {
  EXPECT_EQ(parsed({"probe", "alpha"}), "probe kind=alpha");
  EXPECT_EQ(parsed({"probe", "--amount", "1", "alpha"}), "probe amount=1 kind=alpha");
  EXPECT_EQ(parsed({"probe", "alpha", "--amount=1"}), "probe amount=1 kind=alpha");
  EXPECT_EQ(parsed({"probe", "alpha", "x", "--monotone", "y"}), "probe monotone= kind=alpha extra=x extra=y");
}

TEST(CommandLineParser, TakesGlobalFlagsAnywhere) {
  EXPECT_EQ(parsed({"--json", "probe", "alpha"}), "probe json= kind=alpha");
  EXPECT_EQ(parsed({"--threads", "2", "probe", "alpha", "--quiet"}), "probe threads=2 quiet= kind=alpha");
  EXPECT_EQ(parsed({"--color=never", "twin", "--json", "two"}), "twin two color=never json=");
  EXPECT_EQ(parsed({"probe", "--json", "alpha"}), "probe json= kind=alpha");
}

TEST(CommandLineParser, ReadsTheShortFormsOfAFlag) {
  EXPECT_EQ(parsed({"probe", "alpha", "-o", "out.csv"}), "probe output=out.csv kind=alpha");
  EXPECT_EQ(parsed({"probe", "alpha", "-oout.csv"}), "probe output=out.csv kind=alpha");
  EXPECT_EQ(parsed({"probe", "alpha", "-o=out.csv"}), "probe output=out.csv kind=alpha");
  EXPECT_EQ(parsed({"probe", "alpha", "--output=a=b"}), "probe output=a=b kind=alpha");
  EXPECT_EQ(parsed({"probe", "alpha", "-o", "-"}), "probe output=- kind=alpha");
}

TEST(CommandLineParser, TakesNegativeNumbersAsValues) {
  EXPECT_EQ(parsed({"probe", "alpha", "--value", "-3"}), "probe value=-3 kind=alpha");
  EXPECT_EQ(parsed({"probe", "alpha", "--value=-3"}), "probe value=-3 kind=alpha");
  EXPECT_EQ(parsed({"probe", "alpha", "--value", "-.5e-3"}), "probe value=-.5e-3 kind=alpha");
  EXPECT_EQ(parsed({"probe", "alpha", "--scores", "-1,2"}), "probe scores=-1,2 kind=alpha");
  EXPECT_EQ(parsed({"probe", "alpha", "--value", "-inf"}), "probe value=-inf kind=alpha");
  EXPECT_EQ(parsed({"probe", "alpha", "-3"}), "probe kind=alpha extra=-3");
}

TEST(CommandLineParser, EndsFlagsAtTwoDashes) {
  EXPECT_EQ(parsed({"probe", "--", "alpha", "--json"}), "probe kind=alpha extra=--json");
  EXPECT_EQ(parsed({"probe", "alpha", "--", "--", "-h"}), "probe kind=alpha extra=-- extra=-h");
}

TEST(CommandLineParser, TakesTheCommandLineOfAnotherProgramBehindTwoDashes) {
  EXPECT_EQ(parsed({"start", "--amount", "1", "--", "sh", "-c", "x", "", "--json", "--"}),
            "start amount=1 program=sh args=-c args=x args= args=--json args=--");
  EXPECT_EQ(parsed({"start", "--", "sh"}), "start program=sh");
  EXPECT_EQ(parsed({"start", "sh", "x"}), "! put '--' before PROGRAM of 'gauze start'");
  EXPECT_EQ(parsed({"start", "sh", "--", "x"}), "! put '--' before PROGRAM of 'gauze start'");
  EXPECT_EQ(parsed({"start", "sh", "-c", "x"}),
            "! 'gauze start' has no flag '-c'; put '--' before the program, its flags come behind it");
  EXPECT_EQ(parsed({"start", "--amuont", "1", "--", "sh"}),
            "! 'gauze start' has no flag '--amuont'; did you mean '--amount'?");
  EXPECT_EQ(parsed({"start"}), "! 'gauze start' needs -- PROGRAM");
}

TEST(CommandLineParser, DoesNotLetAForgottenValueSwallowTheNextFlag) {
  EXPECT_EQ(parsed({"probe", "alpha", "--amount"}), "! --amount needs a value: --amount A");
  EXPECT_EQ(parsed({"probe", "alpha", "--amount", "--json"}), "! --amount needs a value: --amount A");
  EXPECT_EQ(parsed({"probe", "alpha", "--amount", "-o", "x"}), "! --amount needs a value: --amount A");
  EXPECT_EQ(parsed({"--threads", "--json", "probe"}), "! --threads needs a value: --threads N");
}

TEST(CommandLineParser, RefusesRepetitionExceptWhereItMeansSomething) {
  EXPECT_EQ(parsed({"probe", "alpha", "--amount", "1", "--amount=1"}), "! --amount is given twice");
  EXPECT_EQ(parsed({"--json", "probe", "alpha", "--json"}), "! --json is given twice");
  EXPECT_EQ(parsed({"probe", "alpha", "--null", "a", "--null", "b"}), "probe null=a null=b kind=alpha");
}

TEST(CommandLineParser, RefusesEmptyValues) {
  EXPECT_EQ(parsed({"probe", "alpha", "--amount", ""}), "! --amount must not be empty");
  EXPECT_EQ(parsed({"probe", "alpha", "--amount="}), "! --amount must not be empty");
  EXPECT_EQ(parsed({"probe", ""}), "! an argument of 'gauze probe' is empty");
}

TEST(CommandLineParser, RefusesAValueForASwitch) {
  EXPECT_EQ(parsed({"probe", "alpha", "--monotone=yes"}), "! --monotone takes no value");
}

TEST(CommandLineParser, ChecksChoices) {
  EXPECT_EQ(parsed({"probe", "alpha", "--mode", "fats"}),
            "! --mode must be one of slow, fast, but is 'fats'; did you mean 'fast'?");
  EXPECT_EQ(parsed({"probe", "alhpa"}),
            "! KIND must be one of alpha, beta, gamma, but is 'alhpa'; did you mean 'alpha'?");
  EXPECT_EQ(parsed({"--color", "blue", "probe"}), "! --color must be one of auto, always, never, but is 'blue'");
}

TEST(CommandLineParser, AsksForWhatIsRequired) {
  EXPECT_EQ(parsed({"probe"}), "! 'gauze probe' needs KIND: one of alpha, beta, gamma");
  EXPECT_EQ(parsed({"twin", "one"}), "! 'gauze twin one' needs --must M");
  EXPECT_EQ(parsed({"twin", "one", "--must", "1"}), "twin one must=1");
  EXPECT_EQ(parsed({"twin"}), "! 'gauze twin' needs one of: one, two");
  EXPECT_EQ(parsed({"twin", "--quiet"}), "! 'gauze twin' needs one of: one, two");
}

TEST(CommandLineParser, SuggestsWhatWasMeant) {
  EXPECT_EQ(parsed({"porbe"}), "! unknown command 'porbe'; did you mean 'probe'?");
  EXPECT_EQ(parsed({"xyzzy"}), "! unknown command 'xyzzy'; 'gauze help' lists the commands");
  EXPECT_EQ(parsed({"twin", "tow"}), "! 'gauze twin' has no 'tow'; did you mean 'twin two'?");
  EXPECT_EQ(parsed({"twin", "xyzzy"}), "! 'gauze twin' has no 'xyzzy'; it has: one, two");
  EXPECT_EQ(parsed({"probe", "--amuont", "1"}), "! 'gauze probe' has no flag '--amuont'; did you mean '--amount'?");
  EXPECT_EQ(parsed({"probe", "--xyzzy"}), "! 'gauze probe' has no flag '--xyzzy'; see 'gauze help probe'");
  EXPECT_EQ(parsed({"probe", "-x"}), "! 'gauze probe' has no flag '-x'; see 'gauze help probe'");
  EXPECT_EQ(parsed({"--verison"}), "! unknown flag '--verison' before the command; did you mean '--version'?");
  EXPECT_THAT(parsed({"--amount", "1", "probe"}), HasSubstr("'--amount' before the command"));
}

TEST(CommandLineParser, NeverQuotesWhatMayBeData) {
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"4711"},
                                             {"probe", "alpha", "--4711"},
                                             {"probe", "4711,3"},
                                             {"twin", "two", "4711"},
                                             {"twin", "two", "-4711,3"},
                                             {"twin", "4711"},
                                             {"probe", "alpha", "--valeu=4711"},
                                             {"probe", "alpha", "--value=4711", "--value=4711"},
                                             {"probe", "alpha", "--mode=4711"},
                                             {"--4711", "probe"}}) {
    EXPECT_THAT(parsed(args), HasSubstr("! "));
    EXPECT_THAT(parsed(args), Not(HasSubstr("4711")));
  }
  EXPECT_EQ(parsed({"twin", "two", "4711", "8"}),
            "! 'gauze twin two' takes 0 arguments beside its flags, but 2 are given; see 'gauze help twin two'");
}

TEST(CommandLineParser, FindsHelpWhateverElseIsSaid) {
  EXPECT_EQ(parsed({}), "help");
  EXPECT_EQ(parsed({"--json"}), "help json=");
  EXPECT_EQ(parsed({"-h"}), "help");
  EXPECT_EQ(parsed({"--help", "probe"}), "help name=probe");
  EXPECT_EQ(parsed({"probe", "-h"}), "help name=probe");
  EXPECT_EQ(parsed({"probe", "wrong", "--unknown", "--help"}), "help name=probe");
  EXPECT_EQ(parsed({"probe", "--help", "--color", "never"}), "help color=never name=probe");
  EXPECT_EQ(parsed({"twin", "-h"}), "help name=twin");
  EXPECT_EQ(parsed({"twin", "one", "--help"}), "help name=twin one");
  EXPECT_EQ(parsed({"help", "twin", "one"}), "help name=twin name=one");
}

TEST(CommandLineParser, ReadsVersionAsAFlag) {
  EXPECT_EQ(parsed({"--version"}), "version");
  EXPECT_EQ(parsed({"--json", "--version"}), "version json=");
  EXPECT_EQ(parsed({"--version", "--json"}), "version json=");
}

TEST(CommandLineParser, AFlagMayTakeAllWordsToTheEndOfTheLine) {
  Registry registry;
  registry.add(
      {.name = "judge",
       .group = "Test",
       .summary = "Judge",
       .examples = {{"gauze judge", "nothing"}},
       .positionals = {{.name = "case", .help = "one", .optional = true}},
       .flags =
           {{.name = "labels", .placeholder = "FILE...", .help = "many", .repeatable = true, .takes_rest = true}},
       .run = [](Invocation&) -> Result<int> { return 0; }});
  const auto values = [&](const std::vector<std::string>& args) {
    const auto line = parse_command_line(registry, args);
    std::string text;
    if (!line) return line.error().message;
    for (const auto& [name, value] : line->arguments.values) text += name + "=" + value + " ";
    return text;
  };
  EXPECT_EQ(values({"judge", "--labels", "a", "b", "c"}), "labels=a labels=b labels=c ");
  EXPECT_EQ(values({"judge", "x", "--labels", "a", "b", "--json"}), "labels=a labels=b json= case=x ");
  EXPECT_EQ(values({"judge", "--labels=a", "b", "--", "--c"}), "labels=a labels=b labels=--c ");
  EXPECT_THAT(values({"judge", "--labels"}), HasSubstr("needs a value"));
}

TEST(WantsJson, LooksAtEveryArgumentThatIsAFlag) {
  const auto wants = [](const std::vector<std::string>& args) { return wants_json(args); };
  EXPECT_TRUE(wants({"--json"}));
  EXPECT_TRUE(wants({"nonsense", "--wrong", "--json"}));
  EXPECT_FALSE(wants({"probe", "--", "--json"}));
  EXPECT_FALSE(wants({"probe", "json"}));
}

}  // namespace command_line_parser_test
}  // namespace gauze::cli
