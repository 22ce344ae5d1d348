#include "gauze/audit/programs/program_audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/base/parallel.h"
#include "gauze/files/testing/folder.h"

namespace gauze::audit {
namespace program_audit_test {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::chrono::milliseconds kNever{600'000};

/// An awk program that prints `n` lines for the input `x`, drawing from `seed`: every audit of it is the same.
ProgramAuditRequest awk(std::string script, std::uint64_t runs = 20'000) {
  ProgramAuditRequest request;
  request.words = {
      "awk",       "-v", "x={input}",   "-v",
      "n={count}", "-v", "seed={seed}", "BEGIN { srand(seed); for (i = 0; i < n; i++) { " + script + " } }"};
  request.left = "0";
  request.right = "1";
  request.runs = runs;
  request.per_start = std::min<std::uint64_t>(1'000, runs);
  request.time_limit = kNever;
  request.random = AuditRandom(7);
  request.claimed.epsilon = 1;
  return request;
}

/// A script whose $1 is the input. It draws nothing.
ProgramAuditRequest shell(std::string script, std::uint64_t runs = 200) {
  ProgramAuditRequest request;
  request.words = {"sh", "-c", std::move(script), "sh", "{input}"};
  request.left = "0";
  request.right = "1";
  request.runs = runs;
  request.time_limit = kNever;
  request.claimed.epsilon = 1;
  return request;
}

ProgramAudit audited(const ProgramAuditRequest& request) {
  Progress progress;
  auto found = audit_program(request, progress);
  EXPECT_TRUE(found) << found.error().message;
  return found ? *std::move(found) : ProgramAudit{};
}

Error refused(const ProgramAuditRequest& request) {
  Progress progress;
  const auto found = audit_program(request, progress);
  EXPECT_FALSE(found);
  return found ? Error{} : found.error();
}

std::vector<std::string> codes(const ProgramAudit& found) {
  std::vector<std::string> codes;
  for (const Warning& warning : found.warnings) codes.push_back(warning.code);
  return codes;
}

/// Laplace noise, rounded to thousandths: `scale` 1 keeps epsilon 1.
std::string laplace(const std::string& scale, const std::string& format = "%.3f") {
  return "u = rand() - 0.5; s = u < 0 ? -1 : 1; printf \"" + format + "\\n\", x - s * " + scale +
         " * log(1 - 2 * s * u)";
}

TEST(ProgramAudit, ACorrectMechanismHoldsAndComesNearItsClaim) {
  const ProgramAudit found = audited(awk(laplace("1"), 100'000));
  EXPECT_EQ(found.audit.holds, true);
  EXPECT_GT(*found.audit.epsilon_lower, 0.85);
  EXPECT_LT(*found.audit.epsilon_lower, 1);
  EXPECT_EQ(*found.audit.runs, 50'000U);
  EXPECT_EQ(found.starts, 100U);
  EXPECT_EQ(found.failed_left + found.failed_right, 0U);
  EXPECT_FALSE(found.counts_starts);
  EXPECT_TRUE(found.warnings.empty()) << codes(found)[0];
  EXPECT_EQ(found.audit.claim, "program awk");
}

TEST(ProgramAudit, AWrongScaleIsCaught) {
  const ProgramAudit found = audited(awk(laplace("0.5")));
  EXPECT_EQ(found.audit.holds, false);
  EXPECT_THAT(*found.audit.event, ContainsRegex("^value [<>]= "));
  EXPECT_GT(*found.audit.epsilon_lower, 1.7);
}

TEST(ProgramAudit, FloatingPointNoiseIsCaughtByItsLowBits) {
  // Rounded to thousandths the same noise holds: what tells is which doubles a sum can be.
  const ProgramAudit found = audited(awk(laplace("1", "%.17g")));
  EXPECT_EQ(found.audit.holds, false) << found.audit.in_words();
  EXPECT_THAT(*found.audit.event, HasSubstr("2^"));
}

TEST(ProgramAudit, WhatIsAlwaysTheSameIsTold) {
  const ProgramAudit told = audited(shell("echo $1"));
  EXPECT_EQ(told.audit.holds, false);
  EXPECT_EQ(*told.audit.epsilon_lower, *told.audit.reach);
  const ProgramAudit alike = audited(shell("echo 5"));
  EXPECT_EQ(alike.audit.holds, true);
  EXPECT_EQ(*alike.audit.epsilon_lower, 0);
}

TEST(ProgramAudit, TextsAndVectorsAreOutcomesToo) {
  EXPECT_THAT(*audited(shell("if [ $1 = 1 ]; then echo yes; else echo no; fi")).audit.event,
              ContainsRegex("'yes'|'no'|length"));
  EXPECT_THAT(*audited(shell("if [ $1 = 1 ]; then echo; else echo no; fi")).audit.event,
              ContainsRegex("empty|'no'|''|length"));
  EXPECT_THAT(*audited(shell("echo 4, $1 7")).audit.event, HasSubstr("value 2"));
  EXPECT_THAT(*audited(shell("[ $1 = 1 ] && echo 2.50 || echo 2.5")).audit.event, HasSubstr("length in bytes"));
  const ProgramAudit steered = audited(shell("printf '\\033[31m%s\\n' $1"));
  EXPECT_THAT(*steered.audit.event, Not(HasSubstr("\033")));
}

// The parity of a process number, or of a counter as here, would be that of the side if left and right took turns.
TEST(ProgramAudit, WhatChangesFromStartToStartTellsNothing) {
  const Folder folder;
  const std::string file = folder / "count";
  set_thread_count(1);
  const ProgramAudit found = audited(shell("echo x >>" + file + "; echo $(($(wc -l <" + file + ") % 2))"));
  set_thread_count(0);
  EXPECT_EQ(found.audit.holds, true) << found.audit.in_words();
}

// One start in five fails, on the right alone: 200 starts of 1,000 lines each are 100 measured runs, not 100,000.
TEST(ProgramAudit, AFailureIsOneOutcomeAStart) {
  ProgramAuditRequest request = awk("if (i == 0 && x == 1 && rand() < 0.2) exit 3; print int(10 * rand())", 200'000);
  const ProgramAudit found = audited(request);
  EXPECT_TRUE(found.counts_starts);
  EXPECT_EQ(found.starts, 200U);
  EXPECT_EQ(*found.audit.runs, 100U);
  EXPECT_EQ(found.failed_left, 0U);
  EXPECT_GT(found.failed_right, 10U);
  EXPECT_LT(found.failed_right, 80U);
  EXPECT_LE(*found.audit.left + *found.audit.right, 200U);
  EXPECT_EQ(found.audit.holds, true);  // so few starts cannot show it at one in a million
  EXPECT_THAT(codes(found), Contains("counts_starts"));

  ProgramAuditRequest single = awk("if (x == 1 && rand() < 0.3) exit 3; print int(10 * rand())", 600);
  single.per_start = 1;
  single.claimed.epsilon = 0.5;
  const ProgramAudit broken = audited(single);
  EXPECT_EQ(broken.audit.holds, false) << broken.audit.in_words();
  EXPECT_THAT(*broken.audit.event,
              AnyOf(HasSubstr("exit status 3"), HasSubstr("it fails"), HasSubstr("answers with numbers")));
  EXPECT_EQ(broken.failed_left, 0U);
}

TEST(ProgramAudit, FailingOnOneInputAloneIsFoundHoweverItFails) {
  const std::vector<std::pair<std::string, std::string>> failures = {{"kill -ABRT $$", "signal 6 (SIGABRT)"},
                                                                     {"exit 4", "exit status 4"},
                                                                     {"exit 0", "no output"},
                                                                     {"yes", "a flood of output"}};
  for (const auto& [how, words] : failures) {
    const ProgramAudit found = audited(shell("[ $1 = 0 ] || " + how + "; echo 1"));
    EXPECT_EQ(found.audit.holds, false) << how;
    EXPECT_EQ(found.failed_left, 0U) << how;
    EXPECT_EQ(found.failed_right, 200U) << how;
    EXPECT_EQ(*found.audit.epsilon_lower, *found.audit.reach);
  }
  // On both sides, but otherwise: the event says how.
  const ProgramAudit both = audited(shell("[ $1 = 0 ] || exit 4; :"));
  EXPECT_THAT(*both.audit.event, AnyOf(HasSubstr("exit status 4"), HasSubstr("no output")));
}

TEST(ProgramAudit, AHangIsAnOutcome) {
  ProgramAuditRequest request = shell("[ $1 = 0 ] || sleep 600; echo 1", 2);
  request.time_limit = std::chrono::milliseconds(2'000);  // far more than an echo takes
  const ProgramAudit found = audited(request);
  EXPECT_EQ(found.failed_left, 0U);
  EXPECT_EQ(found.failed_right, 2U);
}

TEST(ProgramAudit, AnotherNumberOfLinesIsAnOutcomeAfterTheTrial) {
  ProgramAuditRequest request = shell("[ $1 = 1 ] && [ $(($2 % 3)) = 0 ] && echo 9; echo 5", 600);
  request.words.emplace_back("{seed}");
  request.random = AuditRandom(3);
  request.claimed.epsilon = 0.2;
  const ProgramAudit found = audited(request);
  EXPECT_EQ(found.failed_left, 0U);
  EXPECT_GT(found.failed_right, 100U);
  EXPECT_EQ(found.audit.holds, false);
}

TEST(ProgramAudit, SilenceIsAuditedAndSaidToTellNothing) {
  const ProgramAudit found = audited(shell(":"));
  EXPECT_EQ(found.audit.holds, true);
  EXPECT_EQ(found.failed_left, 200U);
  EXPECT_THAT(codes(found), Contains("no_output"));
}

TEST(ProgramAudit, TheTrialRefusesWhatCannotBeAudited) {
  const auto message = [](const ProgramAuditRequest& request) {
    const Error error = refused(request);
    EXPECT_EQ(error.code, ErrorCode::io);
    return error.message;
  };
  EXPECT_EQ(message(shell("echo wrong >&2; exit 3")), "the program ends with exit status 3 on both inputs: wrong");
  EXPECT_EQ(message(shell("exit $(($1 + 3))")),
            "the program ends with exit status 3 on the left input and with exit status 4 on the right one");
  EXPECT_EQ(message(shell("yes")), "the program ends with a flood of output on both inputs");
  EXPECT_EQ(message(shell("printf '1\\n2\\n'")), "the program prints 2 lines instead of 1 for the left input");
  EXPECT_EQ(message(shell("[ $1 = 0 ] || echo 1; echo 2")),
            "the program prints 2 lines instead of 1 for the right input");
  EXPECT_THAT(message(shell("seq -s ' ' 2000")), HasSubstr("more than 1000 numbers in a line"));
  EXPECT_THAT(message(shell("printf '\\033[31mred\\n' >&2; exit 1")), Not(HasSubstr("\033")));
  ProgramAuditRequest hanging = shell("sleep 600");
  hanging.time_limit = std::chrono::milliseconds(100);
  EXPECT_EQ(message(hanging), "the program ends with a stop at the time limit on both inputs");
  ProgramAuditRequest missing = shell("");
  missing.words[0] = "/no/such/program";
  EXPECT_EQ(message(missing), "cannot start '/no/such/program': there is no such program");
  ProgramAuditRequest few = awk("print x", 1'000);
  few.words.back() = "BEGIN { print x; print x }";
  EXPECT_EQ(message(few), "the program prints 2 lines instead of 1000 for the left input, which {count} asked for");
}

TEST(ProgramAudit, FillsWordsOnceAndGivesTheInputByStdin) {
  // The input has braces itself, and is not filled again; the name of the program is not filled at all.
  ProgramAuditRequest request = shell("[ \"$1\" = '{''count}' ] && [ \"$2\" = 'a{b}1' ] && echo 1 || echo 2");
  request.left = "{count}";
  request.words.emplace_back("a{b}{count}");
  EXPECT_EQ(*audited(request).audit.epsilon_lower, *audited(request).audit.reach);

  ProgramAuditRequest cat;
  cat.words = {"cat"};
  cat.on_stdin = true;
  cat.left = "3";
  cat.right = "";
  cat.runs = 200;
  cat.claimed.epsilon = 1;
  const ProgramAudit found = audited(cat);
  EXPECT_EQ(found.audit.holds, false);
  EXPECT_EQ(found.failed_left + found.failed_right, 0U);
}

TEST(ProgramAudit, RunsAreThoseThatWereAskedForWhateverAStartPrints) {
  ProgramAuditRequest request = awk("print int(10 * rand())", 2'500);
  const ProgramAudit told = audited(request);  // the last start is asked for 500
  EXPECT_EQ(told.starts, 3U);
  EXPECT_EQ(*told.audit.runs, 1'250U);
  request.words.back() = "BEGIN { srand(seed); for (i = 0; i < 1000; i++) print int(10 * rand()) }";
  request.words[4] = "n=1";
  const ProgramAudit untold = audited(request);  // it prints 1,000, of which 500 are taken
  EXPECT_EQ(untold.failed_left, 0U);
  EXPECT_EQ(*untold.audit.runs, 1'250U);
}

TEST(ProgramAudit, ASeedRepeatsAllFigures) {
  const ProgramAuditRequest request = awk(laplace("1"));
  const std::string once = audited(request).audit.to_json().dump();
  EXPECT_EQ(audited(request).audit.to_json().dump(), once);
  ProgramAuditRequest other = request;
  other.random = AuditRandom(8);
  EXPECT_NE(audited(other).audit.to_json().dump(), once);
}

TEST(ProgramAudit, SaysWhatWasNotTested) {
  ProgramAuditRequest high = shell("echo $1");
  high.claimed.epsilon = 2;
  EXPECT_THAT(codes(audited(high)), Contains("cannot_alarm"));
  high.claimed.epsilon = 1.8;
  EXPECT_TRUE(codes(audited(high)).empty());
  EXPECT_THAT(codes(audited(awk("print \"draw \" rand()", 2'000))), Contains("unlike_texts"));
}

TEST(ProgramAudit, RunsThatShareTheirRandomnessAreWarnedOf) {
  const ProgramAudit repeated = audited(awk("if (i % 5 == 0) u = rand(); print u", 2'000));
  EXPECT_THAT(codes(repeated), Contains("repeating_runs"));
  EXPECT_FALSE(repeated.audit.holds);
  EXPECT_TRUE(codes(audited(awk("print int(2 * rand())", 2'000))).empty());
  EXPECT_TRUE(codes(audited(shell("echo 1"))).empty());
}

TEST(ProgramAudit, AStopAuditsWhatWasMeasured) {
  Progress* stopped = nullptr;
  Progress progress([&](const Progress::Report& report) {
    if (report.stage == "running the program" && report.done >= 300) stopped->request_stop();
  });
  stopped = &progress;
  const auto found = audit_program(shell("echo $1", 100'000), progress);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_TRUE(found->is_cut_off);
  EXPECT_GT(*found->audit.runs, 20U);
  EXPECT_LT(*found->audit.runs, 10'000U);
  EXPECT_THAT(codes(*found), Contains("cut_off"));
  EXPECT_FALSE(audited(shell("echo $1")).is_cut_off);

  Progress before;
  before.request_stop();
  const auto nothing = audit_program(shell("echo $1"), before);
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code, ErrorCode::interrupted);
}

TEST(ProgramAudit, RefusesWhatMakesNoSense) {
  const auto message = [](const std::function<void(ProgramAuditRequest&)>& change) {
    ProgramAuditRequest request = shell("echo $1");
    change(request);
    const Error error = refused(request);
    EXPECT_EQ(error.code, ErrorCode::invalid_parameter);
    return error.message;
  };
  EXPECT_THAT(message([](auto& request) { request.words.pop_back(); }), HasSubstr("{input}"));
  EXPECT_THAT(message([](auto& request) { request.right = request.left; }), HasSubstr("equal"));
  EXPECT_THAT(message([](auto& request) { request.words.clear(); }), HasSubstr("no program"));
  EXPECT_THAT(message([](auto& request) { request.per_start = 201; }), HasSubstr("201"));
  EXPECT_THAT(message([](auto& request) { request.per_start = 0; }), HasSubstr("at least 1"));
  EXPECT_THAT(message([](auto& request) { request.time_limit = {}; }), HasSubstr("above 0"));
  EXPECT_THAT(message([](auto& request) { request.random = AuditRandom(1); }), HasSubstr("{seed}"));
  EXPECT_THAT(message([](auto& request) {
                request.runs = 50'000'000;
                request.words[2] = "echo 1 2 3 $1";
              }),
              HasSubstr("25000000 runs at most"));
}

}  // namespace program_audit_test
}  // namespace gauze::audit
