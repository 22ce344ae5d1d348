#include "gauze/cli/core/run_command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <new>
#include <stdexcept>
#include <thread>

#include "gauze/base/parallel.h"
#include "gauze/cli/core/cli_testing.h"
#include "gauze/files/json_reader.h"

namespace gauze::cli {
namespace run_command_line_test {

using ::testing::HasSubstr;
using ::testing::Not;

Ran failing(ErrorCode code, std::vector<std::string> args = {"probe", "alpha"}) {
  return run(probe_registry([code](Invocation&) -> Result<int> { return make_error(code, "because"); }), args);
}

TEST(RunCommandLine, PutsNoErrorBehindHalfOfAResult) {
  const Registry registry = probe_registry([](Invocation& in) -> Result<int> {
    in.out().write("[" + std::string(100'000, '1'));
    return make_error(ErrorCode::io, "the disk is full");
  });
  const Ran ran = run(registry, {"--json", "probe", "alpha"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.out, Not(HasSubstr("error"))) << "what was streamed cannot be taken back";
  EXPECT_EQ(ran.err, "gauze: the disk is full\n");
}

TEST(RunCommandLine, GivesEveryErrorItsDocumentedExitStatus) {
  const std::vector<std::pair<ErrorCode, int>> expected = {{ErrorCode::usage, 2},
                                                           {ErrorCode::invalid_parameter, 2},
                                                           {ErrorCode::unknown_column, 2},
                                                           {ErrorCode::io, 1},
                                                           {ErrorCode::bad_data, 1},
                                                           {ErrorCode::internal, 1},
                                                           {ErrorCode::budget_exhausted, 3},
                                                           {ErrorCode::not_private, 3},
                                                           {ErrorCode::infeasible, 3},
                                                           {ErrorCode::unsupported, 3},
                                                           {ErrorCode::request_unfinished, 3},
                                                           {ErrorCode::not_authorised, 4},
                                                           {ErrorCode::interrupted, 130}};
  for (const auto& [code, status] : expected) {
    const Ran plain = failing(code);
    EXPECT_EQ(plain.status, status) << to_string(code);
    EXPECT_EQ(plain.out, "");
    EXPECT_EQ(plain.err, "gauze: because\n");
    const Ran json = failing(code, {"--json", "probe", "alpha"});
    EXPECT_EQ(json.status, status);
    EXPECT_EQ(json.out, fmt::format("{{\"error\":{{\"code\":\"{}\",\"message\":\"because\"}}}}\n", to_string(code)));
    EXPECT_EQ(json.err, "");
    EXPECT_THAT(run({"help", "exit-codes"}).out, HasSubstr(std::string(to_string(code))));
  }
}

TEST(RunCommandLine, PassesTheStatusOfTheCommandOn) {
  EXPECT_EQ(run(probe_registry([](Invocation&) -> Result<int> { return 0; }), {"twin", "two"}).status, 5);
}

TEST(RunCommandLine, PutsExtraKeysBesideTheError) {
  const Registry registry = probe_registry([](Invocation& in) -> Result<int> {
    in.attach_to_error("left", Json::object({{"epsilon", Json::number("0.25")}}));
    return make_error(ErrorCode::budget_exhausted, "not enough left");
  });
  EXPECT_EQ(
      run(registry, {"probe", "alpha", "--json"}).out,
      "{\"error\":{\"code\":\"budget_exhausted\",\"message\":\"not enough left\"},\"left\":{\"epsilon\":0.25}}\n");
}

TEST(RunCommandLine, AddsTheFlagOfWhatALibraryAsksFor) {
  const auto told = [](std::string_view parameter) {
    const Registry registry = probe_registry([parameter](Invocation&) -> Result<int> {
      return asking_for(parameter, make_error(ErrorCode::bad_data, "say more"));
    });
    return run(registry, {"probe", "alpha"}).err;
  };
  EXPECT_EQ(told("amount"), "gauze: say more (--amount)\n");
  EXPECT_EQ(told("encoding"), "gauze: say more\n") << "a flag of other commands";
  EXPECT_EQ(told(""), "gauze: say more\n");
}

TEST(RunCommandLine, HonoursJsonWhereParsingFails) {
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
           {"nosie", "--json"}, {"--json", "nosie"}, {"label", "show", "--wrong", "--json"}, {"label", "--json"}}) {
    const Ran ran = run(args);
    EXPECT_EQ(ran.status, 2);
    EXPECT_EQ(ran.err, "");
    const auto document = read_json(ran.out);
    ASSERT_TRUE(document) << ran.out;
    EXPECT_EQ(document->find("error")->find("code")->text(), "usage");
  }
}

TEST(RunCommandLine, LeavesNoHalfResultBeforeAJsonError) {
  const Registry registry = probe_registry([](Invocation& in) -> Result<int> {
    in.out().write("{\"half\":");
    return make_error(ErrorCode::io, "gone");
  });
  EXPECT_TRUE(read_json(run(registry, {"probe", "alpha", "--json"}).out));
}

TEST(RunCommandLine, MakesMessagesSafeToPrint) {
  const Registry registry = probe_registry(
      [](Invocation&) -> Result<int> { return make_error(ErrorCode::io, "cannot read 'a\033[2J\xFF'"); });
  const Ran plain = run(registry, {"probe", "alpha"});
  EXPECT_THAT(plain.err, Not(HasSubstr("\033")));
  EXPECT_TRUE(read_json(run(registry, {"probe", "alpha", "--json"}).out));
}

TEST(RunCommandLine, TurnsForeignExceptionsIntoInternalErrorsWithoutQuotingThem) {
  const Registry registry =
      probe_registry([](Invocation&) -> Result<int> { throw std::runtime_error("row 17: Jane Roe"); });
  const Ran ran = run(registry, {"probe", "alpha"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, Not(HasSubstr("Jane")));
  EXPECT_THAT(run(registry, {"probe", "alpha", "--json"}).out, HasSubstr("\"internal\""));
  const Ran memory =
      run(probe_registry([](Invocation&) -> Result<int> { throw std::bad_alloc(); }), {"probe", "alpha"});
  EXPECT_EQ(memory.status, 1);
  EXPECT_THAT(memory.err, HasSubstr("memory"));
  EXPECT_EQ(run(probe_registry([](Invocation&) -> Result<int> { throw 7; }), {"probe", "alpha"}).status, 1);
}

TEST(RunCommandLine, ReportsResultsThatCannotBeWritten) {
  const Registry registry = probe_registry([](Invocation& in) -> Result<int> {
    in.out().write("result");
    return 0;
  });
  Ran ran;
  Streams streams = string_streams(ran);
  streams.out = failing_sink();
  const std::vector<std::string> plain = {"probe", "alpha"};
  EXPECT_EQ(run_command_line(registry, plain, streams), 1);
  EXPECT_EQ(ran.err, "gauze: cannot write the results to stdout: No space left on device\n");
  ran.err.clear();
  const std::vector<std::string> json = {"probe", "alpha", "--json"};
  EXPECT_EQ(run_command_line(registry, json, streams), 1);
  EXPECT_THAT(ran.err, HasSubstr("No space left"));
}

TEST(RunCommandLine, DoesNotComplainToAReaderThatWentAway) {
  const Registry registry = probe_registry([](Invocation& in) -> Result<int> {
    in.out().write("result");
    return 0;
  });
  Ran ran;
  Streams streams = string_streams(ran);
  streams.out = failing_sink(true);
  const std::vector<std::string> args = {"probe", "alpha"};
  EXPECT_EQ(run_command_line(registry, args, streams), 1);
  EXPECT_EQ(ran.err, "");
}

TEST(RunCommandLine, EndsWith130AfterCtrlC) {
  const Registry registry = probe_registry([](Invocation& in) -> Result<int> {
    GAUZE_TRY_VOID(in.progress().check());
    return 0;
  });
  const Registry failing_otherwise =
      probe_registry([](Invocation&) -> Result<int> { return make_error(ErrorCode::io, "interrupted system call"); });
  for (const Registry* each : {&registry, &failing_otherwise}) {
    Ran ran;
    Streams streams = string_streams(ran);
    std::vector<bool> told;
    streams.on_progress = [&](Progress* progress) {
      told.push_back(progress != nullptr);
      if (progress != nullptr) progress->request_stop();  // as the signal handler does
    };
    const std::vector<std::string> args = {"probe", "alpha"};
    EXPECT_EQ(run_command_line(*each, args, streams), 130);
    EXPECT_THAT(ran.err, HasSubstr("interrupted"));
    EXPECT_EQ(told, (std::vector<bool>{true, false}));
  }
}

TEST(RunCommandLine, ColoursErrorsOnATerminalOnly) {
  Ran ran;
  Streams streams = string_streams(ran);
  streams.err_is_terminal = true;
  const std::vector<std::string> args = {"nosie"};
  static_cast<void>(run_command_line(args, streams));
  EXPECT_THAT(ran.err, HasSubstr("\033[1;31mgauze:\033[0m"));
  EXPECT_THAT(run({"nosie"}).err, Not(HasSubstr("\033")));
}

TEST(RunCommandLine, HidesTheMemoryOnceAndFirstUnlessToldNotTo) {
  std::string order;
  const Registry registry = probe_registry([&](Invocation&) -> Result<int> {
    order += "run ";
    return 0;
  });
  Ran ran;
  Streams streams = string_streams(ran);
  streams.hide_memory = [&] { order += "hide "; };
  EXPECT_EQ(run_command_line(registry, std::vector<std::string>{"probe", "alpha"}, streams), 0);
  EXPECT_EQ(order, "hide run ");
  order.clear();
  EXPECT_EQ(run_command_line(registry, std::vector<std::string>{"probe", "alpha", "--allow-core-dumps"}, streams), 0);
  EXPECT_EQ(order, "run ");
}

TEST(RunCommandLine, SetsTheNumberOfThreads) {
  const Registry registry = probe_registry([](Invocation&) -> Result<int> { return thread_count(); });
  EXPECT_EQ(run(registry, {"--threads", "3", "probe", "alpha"}).status, 3);
  set_thread_count(0);
  for (const char* bad : {"0", "-1", "1025", "x", "1.5"}) {
    EXPECT_EQ(run(registry, {"probe", "alpha", "--threads", bad}).status, 2) << bad;
  }
}

TEST(RunCommandLine, TakesTheBarAwayBeforeTheResultsCome) {
  Registry registry;
  registry.add({.name = "slow",
                .group = "Test",
                .summary = "Work for a while",
                .examples = {{"gauze slow", "waits"}},
                .run = [](Invocation& invocation) -> Result<int> {
                  invocation.progress().begin("working", 2);
                  std::this_thread::sleep_for(std::chrono::milliseconds(600));  // longer than the bar's patience
                  invocation.progress().advance();
                  invocation.out().print("done\n");
                  return 0;
                }});
  Ran ran;
  Streams streams = string_streams(ran);
  streams.err = streams.out;  // one terminal
  streams.err_is_terminal = true;
  ran.status = run_command_line(registry, std::vector<std::string>{"slow"}, streams);
  EXPECT_THAT(ran.out, HasSubstr("working ["));
  EXPECT_THAT(ran.out, HasSubstr("\r\033[Kdone\n"));
}

}  // namespace run_command_line_test
}  // namespace gauze::cli
