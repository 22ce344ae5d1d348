#include "gauze/cli/core/invocation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/cli/core/cli_testing.h"

namespace gauze::cli {
namespace invocation_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// Runs `probe alpha` with these arguments and looks at the invocation from inside.
Ran probe(std::vector<std::string> args, std::function<Result<int>(Invocation&)> look) {
  args.insert(args.begin(), {"probe", "alpha"});
  return run(probe_registry(std::move(look)), args);
}

TEST(Invocation, KnowsWhatWasGivenFromWhatIsDefault) {
  const Ran ran = probe({"--amount", "2"}, [](Invocation& in) -> Result<int> {
    EXPECT_TRUE(in.has("amount"));
    EXPECT_FALSE(in.has("size"));
    EXPECT_EQ(*in.text("size"), "7");
    EXPECT_EQ(in.optional_text("mode"), std::nullopt);
    EXPECT_EQ(*in.text("kind"), "alpha");
    EXPECT_FALSE(in.json());
    return 0;
  });
  EXPECT_EQ(ran.status, 0);
}

TEST(Invocation, AsksForWhatIsMissing) {
  const Ran ran = probe({}, [](Invocation& in) -> Result<int> {
    GAUZE_TRY(const Rational amount, in.rational("amount"));
    return 0;
  });
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.err, "gauze: 'gauze probe' needs --amount A; see 'gauze help probe'\n");
}

TEST(Invocation, ReadsDecimalsExactly) {
  probe({"--amount", "0.1", "--scores=-1,2.5,1e-3"}, [](Invocation& in) -> Result<int> {
    EXPECT_EQ(*in.rational("amount"), Rational(1, 10));
    EXPECT_EQ(**in.optional_rational("amount"), Rational(1, 10));
    EXPECT_EQ(*in.optional_rational("value"), std::nullopt);
    EXPECT_THAT(*in.rationals("scores"), ElementsAre(Rational(-1), Rational(5, 2), Rational(1, 1000)));
    return 0;
  });
}

TEST(Invocation, ReadsWholeNumbersWithinBounds) {
  const auto integer = [](const std::string& text) {
    std::string message;
    probe({"--amount", text}, [&](Invocation& in) -> Result<int> {
      const auto value = in.integer("amount", 1, 1000);
      message = value ? std::to_string(*value) : value.error().message;
      return 0;
    });
    return message;
  };
  EXPECT_EQ(integer("1"), "1");
  EXPECT_EQ(integer("1e3"), "1000");
  EXPECT_EQ(integer("12.0"), "12");
  for (const char* bad : {"0", "-1", "1001", "1.5", "1e30"}) {
    EXPECT_THAT(integer(bad), HasSubstr("must be a whole number from 1 to 1000")) << bad;
  }
  EXPECT_THAT(integer("x"), HasSubstr("--amount 'x': a number must be"));
}

TEST(Invocation, QuotesParametersButNeverData) {
  const auto message = [](const char* flag, const std::string& text) {
    return probe({flag, text},
                 [&](Invocation& in) -> Result<int> {
                   GAUZE_TRY(const auto value, in.rationals(std::string_view(flag).substr(2)));
                   return 0;
                 })
        .err;
  };
  EXPECT_THAT(message("--amount", "12x"), HasSubstr("--amount '12x'"));
  EXPECT_THAT(message("--value", "4711x"), HasSubstr("--value: a number must be"));
  EXPECT_THAT(message("--value", "4711x"), Not(HasSubstr("4711")));
  EXPECT_THAT(message("--scores", "1,4711x"), Not(HasSubstr("4711")));
  EXPECT_THAT(message("--scores", "4711,,2"), HasSubstr("--scores: a list must not have empty pieces"));
  EXPECT_THAT(message("--scores", "4711,,2"), Not(HasSubstr("4711")));
}

TEST(Invocation, APercentageIsAnsweredWithTheShare) {
  const auto read = [](Invocation& in) -> Result<int> {
    GAUZE_TRY_VOID(in.rational("amount"));
    return 0;
  };
  EXPECT_THAT(probe({"--amount", "5%"}, read).err,
              HasSubstr("--amount '5%': a percentage is given as a share: 0.05"));
  EXPECT_THAT(probe({"--amount", "x%"}, read).err, HasSubstr("a number must be"));
}

TEST(Invocation, SplitsListsAtCommasAndCollectsRepetitions) {
  probe({"--scores", "a,b", "--null", "x", "--null", "y,z"}, [](Invocation& in) -> Result<int> {
    EXPECT_THAT(*in.list("scores"), ElementsAre("a", "b"));
    EXPECT_THAT(in.texts("null"), ElementsAre("x", "y,z"));
    EXPECT_TRUE(in.texts("extra").empty());
    return 0;
  });
}

TEST(Invocation, ReadsFilesAndStdin) {
  const Registry registry = probe_registry([](Invocation& in) -> Result<int> {
    GAUZE_TRY(const std::string text, in.read_input("-", 100));
    in.out().write(text);
    EXPECT_EQ(in.read_input("/does/not/exist", 100).error().code, ErrorCode::io);
    return 0;
  });
  EXPECT_EQ(run(registry, {"probe", "alpha"}, "from stdin").out, "from stdin");
}

TEST(Invocation, NotesAreForPeopleWhoWantThem) {
  const auto note = [](Invocation& in) -> Result<int> {
    in.note("by the way");
    return 0;
  };
  EXPECT_EQ(probe({}, note).err, "by the way\n");
  EXPECT_EQ(probe({"--quiet"}, note).err, "");
}

TEST(Invocation, WarningsOfPrivacyAreHeardInQuietToo) {
  const auto warn = [](Invocation& in) -> Result<int> {
    in.warn({"slow", "this is slow"});
    in.warn(Warning::of_privacy("exposed", "this exposes people"));
    if (in.json()) in.print_json(Json::object({{"done", true}}));
    return 0;
  };
  EXPECT_EQ(probe({}, warn).err, "this is slow\nthis exposes people\n");
  EXPECT_EQ(probe({"--quiet"}, warn).err, "this exposes people\n");
  EXPECT_EQ(probe({"--json"}, warn).out, R"({"done":true,"warnings":[{"code":"slow","message":"this is slow"},)"
                                         R"({"code":"exposed","message":"this exposes people"}]})"
                                         "\n");
}

TEST(Invocation, ErrorsCarryWhatWasWarnedOf) {
  const auto fail = [](Invocation& in) -> Result<int> {
    if (in.has("amount")) in.warn({"odd", "an odd amount"});
    return make_error(ErrorCode::infeasible, "no");
  };
  EXPECT_EQ(probe({"--json"}, fail).out, "{\"error\":{\"code\":\"infeasible\",\"message\":\"no\"}}\n");
  EXPECT_THAT(probe({"--json", "--amount", "3"}, fail).out,
              HasSubstr(R"(},"warnings":[{"code":"odd","message":"an odd amount"}]})"));
}

TEST(Invocation, UsesColourOnlyWhereItIsWanted) {
  const auto styled = [](bool terminal, bool no_color, std::vector<std::string> args) {
    const Registry registry = probe_registry([](Invocation& in) -> Result<int> {
      in.out().write(in.out_style().bold("x"));
      return 0;
    });
    Ran ran;
    Streams streams = string_streams(ran);
    streams.out_is_terminal = terminal;
    streams.no_color = no_color;
    args.insert(args.begin(), {"probe", "alpha"});
    ran.status = run_command_line(registry, args, streams);
    return ran.out != "x";
  };
  EXPECT_TRUE(styled(true, false, {}));
  EXPECT_FALSE(styled(false, false, {}));
  EXPECT_FALSE(styled(true, true, {}));
  EXPECT_TRUE(styled(false, true, {"--color", "always"}));
  EXPECT_FALSE(styled(true, false, {"--color=never"}));
}

TEST(Invocation, DoesNotKnowNamesTheCommandLacks) {
  EXPECT_DEATH(probe({}, [](Invocation& in) -> Result<int> { return in.has("nonsense") ? 1 : 0; }), "does not hold");
}

}  // namespace invocation_test
}  // namespace gauze::cli
