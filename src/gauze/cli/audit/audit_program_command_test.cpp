#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "gauze/cli/core/table_testing.h"

namespace gauze::cli {
namespace audit_program_command_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using Args = std::vector<std::string>;

Args program(Args flags, Args words) {
  Args args = {"audit", "program", "--left", "0", "--right", "1", "--claimed-epsilon", "1", "--runs", "200"};
  args.insert(args.end(), flags.begin(), flags.end());
  args.emplace_back("--");
  args.insert(args.end(), words.begin(), words.end());
  return args;
}

Args shell(std::string script) { return {"sh", "-c", std::move(script), "sh", "{input}"}; }

/// Laplace noise of scale 1, rounded; of half of it where it says so.
Args awk(const std::string& scale) {
  return {"awk",
          "-v",
          "x={input}",
          "-v",
          "n={count}",
          "-v",
          "seed={seed}",
          "BEGIN { srand(seed); for (i = 0; i < n; i++) { u = rand() - 0.5; s = u < 0 ? -1 : 1; "
          "printf \"%.3f\\n\", x - s * " +
              scale + " * log(1 - 2 * s * u) } }"};
}

std::string refused(const Args& args, int status, const std::string& code) {
  Args with_json = args;
  with_json.insert(with_json.begin(), "--json");
  const Ran ran = run(with_json);
  EXPECT_EQ(ran.status, status) << ran.out;
  EXPECT_EQ(at(json_of(ran), {"error", "code"}), code);
  return at(json_of(ran), {"error", "message"});
}

TEST(AuditProgram, HoldsACorrectProgramInJson) {
  Args args = {"audit",  "program",           "--left", "0",      "--right", "1",
               "--json", "--claimed-epsilon", "1",      "--seed", "4",       "--"};
  for (const std::string& word : awk("1")) args.push_back(word);
  const Ran ran = run(args);
  EXPECT_EQ(ran.status, 0) << ran.out;
  const Json document = json_of(ran);
  EXPECT_THAT(keys_of(document), ElementsAre("claim", "audited", "claimed", "alarm", "holds", "starts", "per_start",
                                             "failed", "counted", "cut_off", "internal", "warnings"));
  EXPECT_THAT(keys_of(*document.find("audited")),
              ElementsAre("epsilon_lower", "confidence", "delta", "event", "left", "right", "runs", "reach"));
  EXPECT_EQ(at(document, {"holds"}), "true");
  EXPECT_EQ(at(document, {"internal"}), "true");
  EXPECT_EQ(at(document, {"claim"}), "program awk");
  EXPECT_EQ(at(document, {"audited", "runs"}), "10000");
  EXPECT_EQ(at(document, {"per_start"}), "1000");  // because of {count}
  EXPECT_EQ(at(document, {"starts"}), "20");
  EXPECT_EQ(at(document, {"counted"}), "lines");
  EXPECT_GT(number_at(document, {"audited", "epsilon_lower"}), 0.7);
  EXPECT_THAT(warning_codes(document), ElementsAre("internal"));
  EXPECT_EQ(run(args).out, ran.out);
  Args alone = args;
  alone.insert(alone.begin(), {"--threads", "1"});
  EXPECT_EQ(run(alone).out, ran.out);
}

TEST(AuditProgram, AWrongScaleEndsWith3) {
  const Ran ran = run(program({"--seed", "4", "--runs=2000"}, awk("0.5")));
  EXPECT_EQ(ran.status, 2) << "runs are given twice";
  Args args = program({"--seed", "4"}, awk("0.5"));
  args[9] = "2000";
  const Ran broken = run(args);
  EXPECT_EQ(broken.status, 3) << broken.out;
  EXPECT_THAT(broken.out, StartsWith("claimed 1, audited at least 1."));
  EXPECT_THAT(broken.out, HasSubstr("the claim is broken"));
  EXPECT_THAT(broken.err, HasSubstr("INTERNAL"));
}

TEST(AuditProgram, TakesARunAStartUnlessItIsTold) {
  const Json one = json_of(run(program({"--json"}, shell("echo 7"))));
  EXPECT_EQ(at(one, {"per_start"}), "1");
  EXPECT_EQ(at(one, {"starts"}), "200");
  const Json ten = json_of(run(program({"--json", "--per-start", "10"}, shell("seq 10"))));
  EXPECT_EQ(at(ten, {"starts"}), "20");
  EXPECT_EQ(at(ten, {"audited", "runs"}), "100");
  // no more than there are runs
  EXPECT_EQ(at(json_of(run(program({"--json", "--seed", "1"}, awk("1")))), {"per_start"}), "200");
}

TEST(AuditProgram, FailuresAreToldOfAndCountedByStarts) {
  const Ran ran = run(program({}, shell("[ $1 = 0 ] || exit 3; echo 1")));
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.out, HasSubstr("event: it ends with exit status 3"));
  EXPECT_THAT(ran.out, HasSubstr("  0 starts failed on the left and 200 on the right, of 200 on each"));
  const Json some = json_of(run(program({"--json", "--per-start", "10"}, shell("[ $1 = 0 ] || exit 3; seq 10"))));
  EXPECT_EQ(at(some, {"counted"}), "starts");
  EXPECT_EQ(at(some, {"failed", "right"}), "20");
  EXPECT_EQ(at(some, {"audited", "runs"}), "10");
  EXPECT_THAT(warning_codes(some), ElementsAre("counts_starts", "cannot_alarm", "internal"));
}

TEST(AuditProgram, GivesTheInputByStandardInput) {
  Args args = {"audit", "program", "--left", "", "--right=--x", "--stdin", "--runs", "200", "--json", "--", "cat"};
  const Ran ran = run(args);
  EXPECT_EQ(ran.status, 0) << ran.out;  // nothing is claimed
  const Json document = json_of(ran);
  EXPECT_EQ(at(document, {"holds"}), "null");
  EXPECT_EQ(at(document, {"audited", "epsilon_lower"}), at(document, {"audited", "reach"}));
}

TEST(AuditProgram, WritesTheJsonAndThePage) {
  const Folder folder;
  const Ran ran =
      run(program({"-o", folder / "found.json", "--report", folder / "page.html"}, shell("echo secret-$1")));
  EXPECT_EQ(ran.status, 3) << ran.err;
  EXPECT_THAT(folder.read("found.json"), HasSubstr("\"holds\": false"));
  EXPECT_THAT(folder.read("page.html"), HasSubstr("\"kind\":\"audit\""));
}

TEST(AuditProgram, WhatCannotBeAuditedEndsWith1) {
  EXPECT_EQ(refused(program({}, {"/no/such/program", "{input}"}), 1, "io"),
            "cannot start '/no/such/program': there is no such program");
  EXPECT_EQ(refused(program({}, shell("echo broken >&2; exit 1")), 1, "io"),
            "the program ends with exit status 1 on both inputs: broken");
  EXPECT_EQ(refused(program({"--time-limit", "0.1"}, shell("sleep 600")), 1, "io"),
            "the program ends with a stop at the time limit on both inputs");
  EXPECT_EQ(refused(program({}, shell("yes")), 1, "io"), "the program ends with a flood of output on both inputs");
  EXPECT_EQ(refused(program({}, shell("seq 3")), 1, "io"),
            "the program prints 3 lines instead of 1 for the left input (--per-start)");
}

TEST(AuditProgram, WhatMakesNoSenseEndsWith2) {
  EXPECT_THAT(refused(program({}, {"cat"}), 2, "invalid_parameter"), HasSubstr("(--stdin)"));
  EXPECT_THAT(refused({"audit", "program", "--left", "0", "--right", "1", "sh", "{input}"}, 2, "usage"),
              HasSubstr("put '--' before PROGRAM"));
  EXPECT_THAT(refused({"audit", "program", "--left", "0", "--right", "1"}, 2, "usage"),
              HasSubstr("needs -- PROGRAM"));
  EXPECT_THAT(refused({"audit", "program", "--left", "0", "--", "sh", "{input}"}, 2, "usage"), HasSubstr("--right"));
  EXPECT_THAT(
      refused({"audit", "program", "--left", "0", "--right", "0", "--", "sh", "{input}"}, 2, "invalid_parameter"),
      HasSubstr("equal"));
  for (const Args& flags :
       {Args{"--per-start", "0"}, Args{"--per-start", "201"}, Args{"--time-limit", "0"}, Args{"--time-limit", "1e9"},
        Args{"--seed", "1"}, Args{"--claimed-delta", "1"}, Args{"--alarm", "0.5"}, Args{"--confidence", "0.5"}})
    refused(program(flags, shell("echo $1")), 2, "invalid_parameter");
  Args few = program({}, shell("echo $1"));
  few[9] = "99";
  refused(few, 2, "invalid_parameter");
}

TEST(AuditProgram, InputsAreNotQuoted) {
  const Ran ran = run({"audit", "program", "--left", "4711", "--right", "4711", "--", "sh", "{input}"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, Not(HasSubstr("4711")));
}

// Stopped once a few hundred starts have left a mark; it would go on for hours.
TEST(AuditProgram, CtrlCAuditsWhatWasMeasured) {
  const Folder folder;
  const std::string marks = folder.write("marks", "");
  Ran ran;
  Streams streams = string_streams(ran);
  std::thread stopping;
  streams.on_progress = [&](Progress* progress) {
    if (progress == nullptr) return stopping.join();
    stopping = std::thread([&marks, progress] {
      while (std::filesystem::file_size(marks) < 600) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      progress->request_stop();
    });
  };
  const Folder out;
  Args args = program({"--json", "-o", out / "found.json"}, shell("echo >>" + marks + "; echo $1"));
  args[9] = "10000000";
  ran.status = run_command_line(make_registry(), args, streams);
  EXPECT_EQ(ran.status, 130) << ran.err;
  const Json document = json_of(ran);
  EXPECT_EQ(at(document, {"cut_off"}), "true");
  EXPECT_EQ(at(document, {"holds"}), "false");
  EXPECT_GT(number_at(document, {"audited", "runs"}), 50);
  EXPECT_THAT(warning_codes(document), ElementsAre("cut_off", "internal"));
  EXPECT_THAT(out.read("found.json"), HasSubstr("\"cut_off\": true"));
}

}  // namespace audit_program_command_test
}  // namespace gauze::cli
