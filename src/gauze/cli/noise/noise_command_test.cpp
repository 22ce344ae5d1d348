#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "gauze/cli/core/cli_testing.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/json_reader.h"

namespace gauze::cli {
namespace noise_command_test {

const std::vector<std::vector<std::string>> kEveryMechanism = {
    {"noise", "laplace", "--epsilon", "1"},
    {"noise", "laplace", "--scale", "2.5"},
    {"noise", "gaussian", "--epsilon", "1", "--delta", "1e-6"},
    {"noise", "gaussian", "--sigma", "3"},
    {"noise", "geometric", "--epsilon", "0.5"},
    {"noise", "discrete-laplace", "--scale", "4"},
    {"noise", "discrete-gaussian", "--epsilon", "1", "--delta", "1e-6"},
    {"noise", "discrete-gaussian", "--sigma", "3"},
    {"noise", "staircase", "--epsilon", "2"},
    {"noise", "snapping", "--epsilon", "1", "--bound", "1000"},
    {"noise", "randomized-response", "--epsilon", "1", "--categories", "3"},
};

std::vector<std::string> with(std::vector<std::string> args, std::initializer_list<const char*> more) {
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

Json json_of(const Ran& ran) {
  const auto document = read_json(ran.out);
  EXPECT_TRUE(document) << ran.out << ran.err;
  return document ? *document : Json::object();
}

double number(const Json& object, std::string_view key) {
  const Json* member = object.find(key);
  return member == nullptr || member->text().empty() ? std::nan("") : std::stod(std::string(member->text()));
}

std::string error_code(const std::vector<std::string>& args) {
  const Ran ran = run(with(args, {"--json"}));
  EXPECT_EQ(ran.status, 2) << ran.out;
  const Json document = json_of(ran);
  const Json* error = document.find("error");
  return error == nullptr ? "" : std::string(error->find("code")->text());
}

TEST(NoiseCommand, EveryMechanismPrintsOneNumberALineAndItsLabel) {
  for (const auto& args : kEveryMechanism) {
    const Ran ran = run(with(args, {"--count", "3"}));
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 3);
    EXPECT_NE(ran.err.find("Guarantee"), std::string::npos);
    EXPECT_TRUE(run(with(args, {"--quiet"})).err.empty());
  }
}

TEST(NoiseCommand, JsonHasTheStableKeys) {
  for (const auto& args : kEveryMechanism) {
    const Json document = json_of(run(with(args, {"--json", "--count", "20"})));
    for (const char* key : {"mechanism", "parameters", "variance", "interval95", "values", "label"}) {
      EXPECT_NE(document.find(key), nullptr) << args[1] << " " << key;
    }
    EXPECT_EQ(document.find("values")->elements()->size(), 20U);
    const Json& parameters = *document.find("parameters");
    EXPECT_NE(parameters.find("epsilon"), nullptr);
    EXPECT_NE(parameters.find("delta"), nullptr);
    EXPECT_EQ(parameters.find("value"), nullptr);
    EXPECT_GT(number(document, "variance"), 0);
    if (args[1] == "randomized-response") {
      EXPECT_TRUE(document.find("interval95")->is_null());
      continue;
    }
    EXPECT_EQ(document.find("interval95")->elements()->size(), 2U);
    const double granularity = number(parameters, "granularity");
    for (const Json& value : *document.find("values")->elements()) {
      const double steps = std::stod(std::string(value.text())) / granularity;
      EXPECT_EQ(steps, std::floor(steps));
    }
  }
}

TEST(NoiseCommand, GranularityDoesNotDependOnTheValue) {
  std::set<std::string> seen;
  for (const char* value : {"0", "0.1", "-7", "1e9", "123456789.123456789"}) {
    const Json document = json_of(run({"noise", "laplace", "--epsilon", "1", "--json", "--value", value}));
    seen.insert(std::string(document.find("parameters")->find("granularity")->text()));
  }
  EXPECT_EQ(seen.size(), 1U);
}

TEST(NoiseCommand, TheLabelChargesForAllDraws) {
  const Json document = json_of(run({"noise", "laplace", "--epsilon", "0.1", "--count", "10", "--json"}));
  EXPECT_EQ(document.find("label")->find("cost")->find("epsilon")->text(), "1");
  const Json rho = json_of(run({"noise", "gaussian", "--sigma", "2", "--count", "4", "--json"}));
  EXPECT_EQ(rho.find("label")->find("cost")->find("rho")->text(), "0.5");
}

TEST(NoiseCommand, TheValueIsNowhereInTheOutput) {
  for (const auto& args : kEveryMechanism) {
    if (args[1] == "randomized-response") continue;
    const Ran ran = run(with(args, {"--value", "987654321", "--json"}));
    const Json document = json_of(ran);
    EXPECT_EQ(document.find("parameters")->dump().find("987654321"), std::string::npos);
    EXPECT_EQ(document.find("label")->dump().find("987654321"), std::string::npos);
  }
  for (const char* bad : {"98765x", "1e9999"}) {
    const Ran ran = run({"noise", "laplace", "--epsilon", "1", "--value", bad});
    EXPECT_EQ(ran.status, 2);
    EXPECT_EQ(ran.err.find(bad), std::string::npos);
  }
}

TEST(NoiseCommand, SensitivityAndValueMoveTheOutput) {
  const Ran ran = run({"noise", "laplace", "--epsilon", "1000", "--value", "-12.5", "--quiet"});
  EXPECT_NEAR(std::stod(ran.out), -12.5, 0.1);
  const Json document = json_of(run({"noise", "laplace", "--epsilon", "0.5", "--sensitivity", "3", "--json"}));
  EXPECT_EQ(document.find("parameters")->find("scale")->text(), "6");
}

TEST(NoiseCommand, RefusesBadParameters) {
  for (const char* bad : {"0", "-1", "1e-300", "1e300"}) {
    EXPECT_EQ(error_code({"noise", "laplace", "--epsilon", bad}), "invalid_parameter") << bad;
    EXPECT_EQ(error_code({"noise", "randomized-response", "--categories", "2", "--epsilon", bad}),
              "invalid_parameter");
  }
  for (const char* bad : {"nan", "inf", "-inf", "abc", "1e", "0x1p3", " 1"}) {
    EXPECT_EQ(error_code({"noise", "laplace", "--epsilon", bad}), "invalid_parameter") << bad;
  }
  EXPECT_EQ(error_code({"noise", "laplace", "--epsilon", "1", "--sensitivity", "0"}), "invalid_parameter");
  EXPECT_EQ(error_code({"noise", "laplace", "--epsilon", "1", "--count", "0"}), "invalid_parameter");
  EXPECT_EQ(error_code({"noise", "laplace", "--epsilon", "1", "--count", "1e12"}), "invalid_parameter");
  EXPECT_EQ(error_code({"noise", "gaussian", "--epsilon", "1", "--delta", "1"}), "invalid_parameter");
  EXPECT_EQ(error_code({"noise", "geometric", "--epsilon", "1", "--sensitivity", "1.5"}), "invalid_parameter");
  EXPECT_EQ(error_code({"noise", "geometric", "--epsilon", "1", "--value", "0.5"}), "invalid_parameter");
  EXPECT_EQ(error_code({"noise", "laplace", "--scale", "0"}), "invalid_parameter");
  EXPECT_EQ(error_code({"noise", "gaussian", "--epsilon", "1", "--delta", "0.5", "--count", "3"}),
            "invalid_parameter");
}

TEST(NoiseCommand, RefusesFlagsThatMakeNoSense) {
  EXPECT_EQ(error_code({"noise", "laplace"}), "usage");
  EXPECT_EQ(error_code({"noise", "laplace", "--epsilon", "1", "--scale", "1"}), "usage");
  EXPECT_EQ(error_code({"noise", "laplace", "--epsilon", "1", "--delta", "0.1"}), "usage");
  EXPECT_EQ(error_code({"noise", "gaussian", "--epsilon", "1"}), "usage");
  EXPECT_EQ(error_code({"noise", "snapping", "--epsilon", "1"}), "usage");
  EXPECT_EQ(error_code({"noise", "randomized-response", "--epsilon", "1"}), "usage");
  EXPECT_EQ(error_code({"noise", "geometric", "--epsilon", "1", "--granularity-bits", "20"}), "usage");
}

// The limit is 2^100 grid steps; the noise is far below it, so that the first digits are those of the limit.
TEST(NoiseCommand, AValueBeyondTheGridCountsAsItsEnd) {
  const std::vector<std::string> laplace = {"noise", "laplace", "--scale", "1", "--quiet", "--value"};
  for (const char* value : {"1e40", "1e300", "1267650600228229401496703205376"}) {
    auto line = laplace;
    line.emplace_back(value);
    const Ran ran = run(line);
    ASSERT_EQ(ran.status, 0) << ran.err;
    EXPECT_NEAR(std::stod(ran.out) / 0x1p60, 1, 1e-12) << value;  // the grid is 2^-40
  }
  for (const char* mechanism : {"geometric", "discrete-laplace"}) {
    const Ran ran = run({"noise", mechanism, "--epsilon", "1", "--value", "-1e60", "--quiet"});
    ASSERT_EQ(ran.status, 0) << ran.err;
    EXPECT_NEAR(std::stod(ran.out) / 0x1p100, -1, 1e-12) << mechanism;
  }
  for (const char* mechanism : {"gaussian", "discrete-gaussian"}) {
    const Ran ran = run({"noise", mechanism, "--sigma", "3", "--value", "1e60", "--quiet"});
    EXPECT_EQ(ran.status, 0) << ran.err;
  }
  EXPECT_EQ(run({"noise", "staircase", "--epsilon", "1", "--value", "1e60", "--quiet"}).status, 0);
}

// Whether a value was cut off is not to be seen from outside: no message, no key of its own.
TEST(NoiseCommand, SaysNothingAboutAValueThatIsCutOff) {
  const Ran far = run({"noise", "laplace", "--epsilon", "1", "--value", "1e60"});
  const Ran near = run({"noise", "laplace", "--epsilon", "1", "--value", "1"});
  EXPECT_EQ(far.err, near.err);
}

TEST(NoiseCommand, ASeedNeedsConsentAndTakesTheGuaranteeAway) {
  EXPECT_EQ(error_code({"noise", "laplace", "--epsilon", "1", "--seed", "7"}), "usage");
  const std::vector<std::string> seeded = {"noise",  "laplace", "--epsilon",       "1",
                                           "--seed", "7",       "--insecure-seed", "--json"};
  const Ran a = run(seeded), b = run(seeded);
  EXPECT_EQ(a.out, b.out);
  EXPECT_EQ(json_of(a).find("label")->find("definition")->text(), "none");
  EXPECT_NE(run({"noise", "laplace", "--epsilon", "1", "--quiet"}).out,
            run({"noise", "laplace", "--epsilon", "1", "--quiet"}).out);
}

TEST(NoiseCommand, WritesTheFileAndItsLabel) {
  const auto folder = std::filesystem::temp_directory_path() / "gauze_noise_command_test";
  std::filesystem::create_directories(folder);
  const std::string file = (folder / "noise.txt").string();
  EXPECT_EQ(run({"noise", "laplace", "--epsilon", "1", "--count", "5", "-o", file}).status, 0);
  EXPECT_EQ(run({"label", "check", file}).status, 0);
  ASSERT_TRUE(write_file(file, "0\n"));
  EXPECT_EQ(run({"label", "check", file}).status, 1);
  EXPECT_EQ(run({"noise", "laplace", "--epsilon", "1", "-o", (folder / "no" / "where").string()}).status, 1);
  std::filesystem::remove_all(folder);
}

TEST(NoiseCommand, ManyNumbersAreTheSameWhereverTheyGo) {
  const auto folder = std::filesystem::temp_directory_path() / "gauze_noise_stream_test";
  std::filesystem::create_directories(folder);
  const std::string file = (folder / "noise.txt").string();
  // More than one batch, and not a multiple of one.
  const std::vector<std::string> line = {"noise",  "laplace", "--epsilon",       "1",      "--count", "10001",
                                         "--seed", "7",       "--insecure-seed", "--quiet"};
  const Ran plain = run(line), json = run(with(line, {"--json"}));
  const Ran both = run(with(line, {"--json", "-o", file.c_str()}));
  EXPECT_EQ(std::count(plain.out.begin(), plain.out.end(), '\n'), 10001);
  EXPECT_EQ(*read_file(file), plain.out);
  std::string lines;
  const Json document = json_of(json), beside_file = json_of(both);
  for (const Json& value : *document.find("values")->elements()) lines.append(value.text()) += '\n';
  EXPECT_EQ(lines, plain.out);
  EXPECT_EQ(beside_file.find("values")->dump(), document.find("values")->dump());
  const auto label = read_json(*read_file(file + ".label.json"));
  EXPECT_EQ(label->dump(), beside_file.find("label")->dump());
  EXPECT_EQ(run({"label", "check", file}).status, 0);
  std::filesystem::remove_all(folder);
}

TEST(NoiseCommand, JsonOnATerminalIsIndentedAsEverywhere) {
  Ran ran;
  Streams streams = string_streams(ran);
  streams.out_is_terminal = true;
  ran.status = run_command_line(
      std::vector<std::string>{"noise", "laplace", "--epsilon", "1", "--count", "3", "--json"}, streams);
  EXPECT_EQ(ran.out, json_of(ran).dump(2) + "\n");
}

/// A run that is asked to stop as soon as something has been written to stdout.
Ran stopped_run(const std::vector<std::string>& args) {
  Ran ran;
  Streams streams = string_streams(ran);
  Progress* running = nullptr;
  streams.on_progress = [&](Progress* progress) { running = progress; };
  streams.out.write = [&](std::string_view bytes) {
    ran.out += bytes;
    if (running != nullptr) running->request_stop();
    return Sink::Outcome{};
  };
  ran.status = run_command_line(args, streams);
  return ran;
}

TEST(NoiseCommand, NumbersLeaveAsTheyAreDrawnAndTheLabelBeforeTheyAreAll) {
  const Ran ran = stopped_run({"noise", "laplace", "--epsilon", "1", "--count", "1e7"});
  EXPECT_EQ(ran.status, 130) << ran.err;
  EXPECT_LT(ran.out.size(), std::size_t{1} << 18) << "of about 200 MB";
  EXPECT_NE(ran.err.find("epsilon 10000000"), std::string::npos) << "what left has a label: " << ran.err;
}

TEST(NoiseCommand, AFileThatIsNotFinishedIsNotThere) {
  const auto folder = std::filesystem::temp_directory_path() / "gauze_noise_stopped_test";
  std::filesystem::create_directories(folder);
  const std::string file = (folder / "noise.txt").string();
  EXPECT_EQ(stopped_run({"noise", "laplace", "--epsilon", "1", "--count", "1e7", "--json", "-o", file}).status, 130);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove_all(folder);
}

TEST(NoiseCommand, WritesNoPlainTextUnderTheNameOfAPackedFile) {
  for (const char* name : {"never-written.gz", "never-written.zst"}) {
    const Ran ran = run({"noise", "geometric", "--epsilon", "1", "-o", name});
    EXPECT_EQ(ran.status, 2) << ran.out;
    EXPECT_NE(ran.err.find("plain text"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(name));
    EXPECT_EQ(run({"select", "exponential", "--epsilon", "1", "--scores", "1,2", "-o", name}).status, 2);
  }
}

}  // namespace noise_command_test
}  // namespace gauze::cli
