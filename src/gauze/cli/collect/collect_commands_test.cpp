#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "gauze/cli/core/cli_testing.h"
#include "gauze/collect/reports/crc32c.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/base64.h"
#include "gauze/files/json_reader.h"
#include "gauze/files/sha256.h"
#include "gauze/files/testing/folder.h"

namespace gauze::cli {
namespace collect_commands_test {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kSpec =
    "version: 1\nname: home-page\nmode: local\nquestion: frequency\nfield: {type: category, values: [a, b, 中文], other: true}\n"
    "mechanism: auto\nepsilon: 1\nlimits: {reports_per_period: 1, window: 30d, epsilon_window: 4, epsilon_lifetime: 8}\nusers: 100000\n"
    "purpose: which page people start with\nlegal_basis: consent\n"
    "collection: {period: 1d, validity: 2027-12-31, detection: intake, entry: 'https://example.org', depth: value}\nretention: 90d\n"
    "classification: {source: device, type: usage, importance: low}\nprofile: other\njustification: small\ncontact: someone@example.org\n";

class CollectCommand : public ::testing::Test {
 protected:
  static Json json_of(const Ran& ran) {
    auto read = read_json(ran.out);
    EXPECT_TRUE(read.has_value()) << ran.out << ran.err;
    return read ? *read : Json();
  }
  Ran collect(std::vector<std::string> args, const std::string& in = "") {
    args.insert(args.begin(), "collect");
    return run(args, in);
  }
  /// The code of a refusal.
  std::string refusal(std::vector<std::string> args, int status) {
    args.emplace_back("--json");
    const Ran ran = collect(std::move(args));
    EXPECT_EQ(ran.status, status) << ran.out << ran.err;
    const Json json = json_of(ran);
    return json.find("error") == nullptr ? "" : std::string(json.find("error")->find("code")->text());
  }
  std::string path(const std::string& name) { return (folder_.path() / name).string(); }
  /// A task with the flags given.
  std::string task(const std::string& name, std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"task", "--name", name});
    flags.insert(flags.end(), {"-o", path(name + ".json"), "--quiet"});
    const Ran ran = collect(std::move(flags));
    EXPECT_EQ(ran.status, 0) << ran.err;
    return path(name + ".json");
  }

  Folder folder_;
};

TEST_F(CollectCommand, PlansAndSaysWhyAMechanismIsNotAllowed) {
  const Json plan = json_of(collect({"plan", "--epsilon", "1", "--users", "100000", "--size", "3", "--json"}));
  EXPECT_EQ(plan.find("choice")->find("mechanism")->text(), "de");
  ASSERT_EQ(plan.find("alternatives")->elements()->size(), 9U);
  for (const Json& one : *plan.find("alternatives")->elements()) {
    for (const char* key : {"mechanism", "allowed", "reason", "p", "q", "parameters", "cost", "variance",
                            "variance_at", "standard_error", "bytes"})
      EXPECT_NE(one.find(key), nullptr) << key;
    if (one.find("mechanism")->text() != "olh") continue;
    EXPECT_EQ(one.find("allowed")->dump(), "false");
    EXPECT_THAT(std::string(one.find("reason")->text()), HasSubstr("hash values"));
    EXPECT_EQ(one.find("parameters")->find("g")->text(), "4");
  }
}

TEST_F(CollectCommand, PlansMeans) {
  const Json plan = json_of(collect({"plan", "--epsilon", "2", "--users", "1000", "--question", "mean", "--json"}));
  EXPECT_EQ(plan.find("choice")->find("mechanism")->text(), "hybrid");
  const Json& first = plan.find("alternatives")->elements()->front();
  for (const char* key : {"worst", "at_0", "at_half", "at_1"}) EXPECT_NE(first.find("variance")->find(key), nullptr);
}

TEST_F(CollectCommand, RefusesAbsurdPlans) {
  EXPECT_EQ(refusal({"plan", "--epsilon", "0", "--users", "10", "--size", "4"}, 2), "invalid_parameter");
  EXPECT_EQ(refusal({"plan", "--epsilon", "0.0009", "--users", "10", "--size", "4"}, 2), "invalid_parameter");
  EXPECT_EQ(refusal({"plan", "--epsilon", "17", "--users", "10", "--size", "4"}, 2), "invalid_parameter");
  EXPECT_EQ(refusal({"plan", "--epsilon", "nan", "--users", "10", "--size", "4"}, 2), "invalid_parameter");
  EXPECT_EQ(refusal({"plan", "--epsilon", "1", "--users", "0", "--size", "4"}, 2), "invalid_parameter");
  EXPECT_EQ(refusal({"plan", "--epsilon", "1", "--users", "10", "--size", "1"}, 2), "invalid_parameter");
  EXPECT_EQ(refusal({"plan", "--epsilon", "1", "--users", "10", "--size", "16777217"}, 2), "invalid_parameter");
  EXPECT_EQ(refusal({"plan", "--epsilon", "1", "--users", "10", "--sizes", "4,5"}, 2), "usage");
  EXPECT_EQ(refusal({"plan", "--epsilon", "1", "--users", "10", "--size", "4", "--mechanism", "cms"}, 2),
            "invalid_parameter");
  EXPECT_EQ(refusal({"plan", "--epsilon", "1", "--users", "10", "--question", "quantile"}, 2), "usage");
  EXPECT_EQ(refusal({"plan", "--epsilon", "3", "--users", "10", "--size", "4", "--profile", "finance"}, 3),
            "not_private");
  EXPECT_EQ(
      refusal({"plan", "--epsilon", "1", "--users", "10", "--size", "4", "--mechanism", "olh", "--max-bytes", "4"},
              3),
      "infeasible");
}

TEST_F(CollectCommand, MakesATaskThatIsWhatItSays) {
  const std::string spec = folder_.write("spec.yaml", kSpec);
  const Ran ran = collect({"task", spec, "-o", path("task.json"), "--json"});
  ASSERT_EQ(ran.status, 0) << ran.err << ran.out;
  const Json task = json_of(ran);
  for (const char* key : {"format",         "version",       "name", "state", "missing",   "mode",    "question",
                          "mechanism",      "parameters",    "law",  "p",     "q",         "epsilon", "values",
                          "period_seconds", "payload_bytes", "hash", "block", "statement", "label",   "warnings"})
    EXPECT_NE(task.find(key), nullptr) << key;
  EXPECT_EQ(task.find("state")->text(), "complete");
  EXPECT_EQ(task.find("values")->elements()->size(), 4U);
  EXPECT_EQ(task.find("values")->elements()->back().text(), "other");
  EXPECT_THAT(std::string(task.find("statement")->find("zh")->text()), HasSubstr("中文"));
  EXPECT_EQ(collect({"task", "check", path("task.json")}).status, 0);
  EXPECT_EQ(run({"label", "check", path("task.json")}).status, 0);
  EXPECT_THAT(collect({"task", "show", path("task.json")}).out, HasSubstr("home-page"));
}

TEST_F(CollectCommand, NamesWhatADraftMisses) {
  const Json task = json_of(collect({"task", "--name", "x", "--epsilon", "1", "--size", "4", "--json"}));
  EXPECT_EQ(task.find("state")->text(), "draft");
  EXPECT_EQ(task.find("missing")->elements()->size(), 13U);
  EXPECT_EQ(task.find("warnings")->elements()->front().find("code")->text(), "draft_task");
  EXPECT_EQ(task.find("values")->elements()->back().text(), "3");
}

TEST_F(CollectCommand, FindsTasksThatWereChanged) {
  const std::string file = task("t", {"--epsilon", "1", "--values", "a,b,c"});
  const std::string text = *read_file(file);
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    const auto at = other.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    other.replace(at, from.size(), to);
    return folder_.write("changed.json", other);
  };
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"\"a\"", "\"z\""},
                                                        {"\"report\": 1", "\"report\": 2"},
                                                        {"\"cost\": 1", "\"cost\": 0.5"},
                                                        {"for a report", "for two reports"},
                                                        {"\"period_seconds\": 86400", "\"period_seconds\": 60"},
                                                        {"\"retention\": null", "\"retention\": \"9d\""},
                                                        {"\"purpose\": null", "\"purpose\": \"x\""},
                                                        {"\"p\": 0.", "\"p\": 0.9"},
                                                        {"\"name\": \"t\"", "\"name\": \"u\""}}) {
    EXPECT_EQ(refusal({"task", "check", changed(from, to)}, 1), "bad_data") << from;
    EXPECT_EQ(refusal({"aggregate", path("none.bin"), "--task", path("changed.json")}, 1), "bad_data") << from;
  }
  EXPECT_EQ(refusal({"task", "check", folder_.write("empty.json", "")}, 1), "bad_data");
  EXPECT_EQ(refusal({"task", "check", path("missing.json")}, 1), "io");
}

TEST_F(CollectCommand, KeepsTheCeilingOfAProfile) {
  const std::vector<std::string> flags = {"task",   "--name", "x",         "--epsilon", "3",
                                          "--size", "4",      "--profile", "finance"};
  EXPECT_EQ(refusal(flags, 3), "not_private");
  std::vector<std::string> deviating = flags;
  deviating.insert(deviating.end(), {"--deviation", "a reason", "--json"});
  const Json task = json_of(collect(deviating));
  EXPECT_EQ(task.find("label")->find("parameters")->find("deviation")->text(), "a reason");
}

TEST_F(CollectCommand, EncodesCountsAndEstimates) {
  const std::string file = task("t", {"--epsilon", "3", "--values", "a,b,c"});
  std::string lines;
  for (int i = 0; i < 5000; ++i) lines += i % 10 < 5 ? "a\r\n" : i % 10 < 8 ? "b\n" : "c\n";
  const std::string values = folder_.write("values.txt", "\xEF\xBB\xBF" + lines);
  for (const char* format : {"binary", "jsonl"}) {
    const Ran encoded =
        collect({"encode", values, "--task", file, "--format", format, "--period", "7", "-o", path("r"), "--json"});
    ASSERT_EQ(encoded.status, 0) << encoded.err;
    EXPECT_EQ(json_of(encoded).find("reports")->text(), "5000");
    EXPECT_EQ(run({"label", "check", path("r")}).status, 0);
    const Json result =
        json_of(collect({"aggregate", path("r"), "--task", file, "--sum", "a,b", "--compare", "a:c", "--json"}));
    EXPECT_EQ(result.find("reports")->text(), "5000");
    const Json& first = result.find("values")->elements()->front();
    for (const char* key : {"value", "support", "estimate", "sd", "low", "high", "band_low", "band_high", "count",
                            "consistent", "consistent_count", "percent"})
      EXPECT_NE(first.find(key), nullptr) << key;
    const double share = std::stod(std::string(first.find("estimate")->text()));
    const double sd = std::stod(std::string(first.find("sd")->text()));
    EXPECT_NEAR(share, 0.5, 6 * sd);  // false alarm below 1e-8
    EXPECT_EQ(result.find("sums")->elements()->size(), 1U);
    EXPECT_EQ(result.find("comparisons")->elements()->size(), 1U);
    EXPECT_EQ(result.find("label")->find("neighbours")->text(), "any-two-inputs");
  }
}

TEST_F(CollectCommand, EveryLineIsADeviceWhateverItHolds) {
  const std::string file = task("t", {"--epsilon", "1", "--values", "a,b,c"});
  const std::string lines = "a\n\nnothing\n\xFF\xFE\n" + std::string(3 << 20, 'x') + "\n\0b\nb";
  const Json encoded = json_of(collect({"encode", folder_.write("v", lines + std::string(1, '\0') + "\n"), "--task",
                                        file, "-o", path("r"), "--json"}));
  EXPECT_EQ(encoded.find("reports")->text(), "6");
  const Json none =
      json_of(collect({"encode", folder_.write("empty", ""), "--task", file, "-o", path("e"), "--json"}));
  EXPECT_EQ(none.find("reports")->text(), "0");
  const Json result = json_of(collect({"aggregate", path("e"), "--task", file, "--json"}));
  EXPECT_EQ(result.find("reports")->text(), "0");
  EXPECT_TRUE(result.find("values")->elements()->front().find("estimate")->is_null());
}

TEST_F(CollectCommand, EncodesAColumnOfATable) {
  const std::string file = task("age", {"--epsilon", "8", "--question", "mean", "--low", "0", "--high", "100"});
  std::string csv = "name,age\n";
  for (int i = 0; i < 3000; ++i) csv += fmt::format("p{},{}\n", i, i % 41);
  const std::string table = folder_.write("people.csv", csv);
  ASSERT_EQ(collect({"encode", table, "--column", "age", "--task", file, "-o", path("r")}).status, 0);
  EXPECT_THAT(run({"label", "show", path("r")}).out, HasSubstr("closed every quote"));
  const Json result = json_of(collect({"aggregate", path("r"), "--task", file, "--json"}));
  const Json& mean = *result.find("mean");
  EXPECT_NEAR(std::stod(std::string(mean.find("estimate")->text())), 19.9,
              6 * std::stod(std::string(mean.find("sd")->text())));
  EXPECT_EQ(refusal({"encode", table, "--column", "nothing", "--task", file, "-o", path("r")}, 2), "unknown_column");
}

// Whether a device reports is not a matter of what others' rows hold.
TEST_F(CollectCommand, EveryRowOfATableReportsWhateverItHolds) {
  const std::string file = task("t", {"--epsilon", "1", "--values", "a,b,c"});
  const auto reports = [&](const std::string& name, std::string_view bytes, std::vector<std::string> more = {}) {
    std::vector<std::string> args = {
        "encode", folder_.write(name, bytes), "--column", "v", "--task", file, "-o", path("r"), "--json"};
    args.insert(args.end(), more.begin(), more.end());
    return std::string(json_of(collect(args)).find("reports")->text());
  };
  EXPECT_EQ(reports("odd.csv", "n,v\n1,a\n2,\"b\"c\n3\n4,a,b,c\n5,\xFF\n6,b\"\n"), "6");
  EXPECT_EQ(reports("one.csv", "\nv\na\n\n \t\nb\n"), "4")
      << "a blank line of one column is a device without a value";
  EXPECT_EQ(reports("one-named.csv", "a\n\nb\n", {"--names", "v", "--no-header", "--delimiter", ","}), "3");
  EXPECT_EQ(reports("lines.jsonl", "{\"v\":\"a\"}\nnot JSON\n{\"v\":[1]}\n"), "3");
  EXPECT_EQ(reports("missing.csv", "n,v\n1,a\n2,-\n", {"--null", "-"}), "2");
}

TEST_F(CollectCommand, CountsWhatItRejects) {
  const std::string file = task("t", {"--epsilon", "1", "--values", "a,b,c"});
  const std::string other = task("u", {"--epsilon", "1", "--values", "a,b,d"});
  const std::string values = folder_.write("v", "a\nb\nc\n");
  ASSERT_EQ(collect({"encode", values, "--task", file, "-o", path("r")}).status, 0);
  const Json of_other = json_of(collect({"aggregate", path("r"), "--task", other, "--json"}));
  EXPECT_EQ(of_other.find("rejected")->find("unknown_task")->text(), "3");
  EXPECT_EQ(of_other.find("warnings")->elements()->back().find("code")->text(), "rejected_reports");
  std::string bytes = *read_file(path("r"));
  bytes[65] = static_cast<char>(bytes[65] ^ 1);
  const Json damaged = json_of(collect({"aggregate", folder_.write("d", bytes), "--task", file, "--json"}));
  EXPECT_EQ(damaged.find("rejected")->find("damaged")->text(), "3");
  EXPECT_EQ(damaged.find("reports")->text(), "0");
  EXPECT_EQ(refusal({"aggregate", path("r"), path("r"), "--task", file}, 1), "bad_data");
  EXPECT_EQ(refusal({"aggregate", path("r"), "--task", file, "--sum", "a,z"}, 2), "invalid_parameter");
  EXPECT_EQ(refusal({"aggregate", path("r"), "--task", file, "--sum", "a,a"}, 2), "invalid_parameter");
  EXPECT_EQ(refusal({"aggregate", path("r"), "--task", file, "--compare", "a"}, 2), "usage");
}

TEST_F(CollectCommand, MergesStates) {
  const std::string file = task("t", {"--epsilon", "1", "--values", "a,b,c"});
  for (const char* day : {"1", "2"}) {
    ASSERT_EQ(
        collect({"encode", folder_.write("v", "a\nb\nc\n"), "--task", file, "--period", day, "-o", path(day)}).status,
        0);
    ASSERT_EQ(collect({"aggregate", path(day), "--task", file, "-o", path(std::string(day) + ".gza")}).status, 0);
  }
  const Json merged = json_of(collect({"merge", path("1.gza"), path("2.gza"), "-o", path("both.gza"), "--json"}));
  EXPECT_EQ(merged.find("reports")->text(), "6");
  EXPECT_EQ(merged.find("label")->find("definition")->text(), "pure");
  ASSERT_EQ(collect({"aggregate", path("1"), path("2"), "--task", file, "-o", path("once.gza")}).status, 0);
  EXPECT_EQ(*read_file(path("both.gza")), *read_file(path("once.gza")));
  EXPECT_EQ(refusal({"merge", path("1.gza"), path("both.gza"), "-o", path("x.gza")}, 1), "bad_data");
  EXPECT_EQ(refusal({"aggregate", path("1"), path("both.gza"), "--task", file}, 1), "bad_data");
  EXPECT_EQ(refusal({"merge", path("1"), "-o", path("x.gza")}, 1), "bad_data");
}

TEST_F(CollectCommand, MergesStatesThatLieWithoutTheirLabels) {
  const std::string file = task("t", {"--epsilon", "1", "--values", "a,b,c"});
  ASSERT_EQ(collect({"encode", folder_.write("v", "a\nb\n"), "--task", file, "-o", path("r")}).status, 0);
  ASSERT_EQ(collect({"aggregate", path("r"), "--task", file, "-o", path("alone.gza")}).status, 0);
  const std::string fetched = folder_.write("fetched.gza", *read_file(path("alone.gza")));
  const Json merged = json_of(collect({"merge", fetched, "-o", path("merged.gza"), "--json"}));
  EXPECT_EQ(merged.find("reports")->text(), "2");
  EXPECT_EQ(merged.find("label")->find("definition")->text(), "none")
      << "a state does not say what its task costs, so its label must not either";
  EXPECT_FALSE(merged.find("label")->find("warning")->text().empty());
}

TEST_F(CollectCommand, EstimatesFromSupports) {
  const Json json = json_of(collect({"estimate", "--mechanism", "oue", "--epsilon", "1", "--size", "3", "--users",
                                     "1000", "--support", "420,310,300", "--json"}));
  EXPECT_EQ(json.find("estimates")->elements()->size(), 3U);
  EXPECT_EQ(json.find("sd")->elements()->size(), 3U);
  std::int64_t sum = 0;
  for (const Json& one : *json.find("consistent_counts")->elements()) sum += std::stol(std::string(one.text()));
  EXPECT_EQ(sum, 1000);
  const Json none = json_of(collect({"estimate", "--estimates", "-0.5,-0.2", "--consistency", "norm-mul", "--json"}));
  EXPECT_TRUE(none.find("consistent")->is_null());
  EXPECT_EQ(refusal({"estimate", "--mechanism", "oue", "--epsilon", "1", "--size", "3", "--users", "10", "--support",
                     "1,2"},
                    2),
            "invalid_parameter");
  EXPECT_EQ(refusal({"estimate"}, 2), "usage");
}

TEST_F(CollectCommand, IsAWholeDevice) {
  const std::string file = task("t", {"--epsilon", "1", "--values", "a,b,c"});
  const std::string device = path("phone");
  const std::vector<std::string> encode = {
      "encode", "--device", device, "--task", file, "--value", "a", "--time", "2026-01-31T12:00:00Z",
      "-o",     path("r")};
  ASSERT_EQ(collect({"device", "init", device, "--window", "1d", "--epsilon-window", "1", "--epsilon-lifetime", "2"})
                .status,
            0);
  EXPECT_EQ(refusal({"device", "init", device}, 2), "usage");
  EXPECT_EQ(refusal(encode, 4), "not_authorised");
  EXPECT_FALSE(std::filesystem::exists(path("r")));
  ASSERT_EQ(collect({"consent", device, "--task", file, "--grant"}).status, 0);
  std::vector<std::string> json_encode = encode;
  json_encode.emplace_back("--json");
  const Json first = json_of(collect(json_encode));
  EXPECT_EQ(first.find("ledger")->find("window")->find("left")->text(), "0");
  EXPECT_EQ(refusal(encode, 3), "budget_exhausted");
  std::vector<std::string> next_day = encode;
  next_day[8] = "2026-02-01";
  EXPECT_EQ(collect(next_day).status, 0);
  std::vector<std::string> third_day = encode;
  third_day[8] = "2026-02-02";
  EXPECT_EQ(refusal(third_day, 3), "budget_exhausted");  // for life
  const Json shown = json_of(collect({"device", "show", device, "--json"}));
  EXPECT_EQ(shown.find("reports")->text(), "2");
  ASSERT_EQ(collect({"consent", device, "--task", file, "--withdraw"}).status, 0);
  EXPECT_EQ(refusal(encode, 4), "not_authorised");
  folder_.write("phone/ledger", std::string(128, 'x'));
  EXPECT_EQ(refusal(encode, 1), "bad_data");
}

TEST_F(CollectCommand, SimulatesSideBySide) {
  const std::string file = task("t", {"--epsilon", "1", "--size", "8"});
  const Json json = json_of(collect({"simulate", "--task", file, "--users", "500", "--repetitions", "40",
                                     "--mechanism", "de", "--mechanism", "oue", "--seed", "3", "--json"}));
  ASSERT_EQ(json.find("results")->elements()->size(), 2U);
  for (const Json& one : *json.find("results")->elements()) {
    EXPECT_NEAR(std::stod(std::string(one.find("ratio")->text())), 1, 0.25);
    EXPECT_NEAR(std::stod(std::string(one.find("coverage95")->text())), 0.95, 0.04);
  }
  const Json again =
      json_of(collect({"simulate", "--task", file, "--users", "500", "--repetitions", "40", "--mechanism", "de",
                       "--mechanism", "oue", "--seed", "3", "--json", "--threads", "1"}));
  EXPECT_EQ(json.dump(), again.dump());
}

TEST_F(CollectCommand, RefusesWhatALaterVersionUnderstands) {
  const std::string file = task("t", {"--epsilon", "1", "--size", "8"});
  EXPECT_EQ(refusal({"aggregate", path("r"), "--task", file, "--quantiles", "0.5"}, 2), "usage");
  EXPECT_EQ(refusal({"simulate", "--task", file, "--users", "5", "--fakes", "1"}, 2), "usage");
  for (const char* line :
       {"question: quantile", "mode: central", "mechanism: rappor", "memoise: {permanent: 2, period: 90d}"}) {
    const std::string key = std::string(line).substr(0, std::string(line).find(':'));
    std::string spec = "version: 1\nname: x\nepsilon: 1\nfield: {type: category, values: [a, b]}\n";
    EXPECT_EQ(refusal({"task", folder_.write("s.yaml", spec + line + "\n")}, 2), "invalid_parameter") << line;
  }
}

TEST_F(CollectCommand, RefusesSpecificationsThatMakeNoSense) {
  const auto refused = [&](const std::string& field, const std::string& rest = "") {
    const std::string spec = "version: 1\nname: x\nepsilon: 1\nfield: " + field + "\n" + rest;
    return refusal({"task", folder_.write("s.yaml", spec)}, 2);
  };
  EXPECT_EQ(refused("{type: category, values: [a]}"), "invalid_parameter");
  EXPECT_EQ(refused("{type: category, values: [a, a]}"), "invalid_parameter");
  EXPECT_EQ(refused("{type: category, values: [a, '']}"), "invalid_parameter");
  EXPECT_EQ(refused("{type: category, values: [a, other], other: true}"), "invalid_parameter");
  EXPECT_EQ(refused("{type: integer, low: 1, high: 9}"), "invalid_parameter");
  EXPECT_EQ(refused("{type: integer, low: 9, high: 9}", "question: mean\n"), "invalid_parameter");
  EXPECT_EQ(refused("{type: decimal, low: 0, high: 9e9, places: 18}", "question: mean\n"), "invalid_parameter");
  EXPECT_EQ(refused("{type: integer, low: 0, high: 3000000000}", "question: mean\nvariance: true\n"),
            "invalid_parameter");
  EXPECT_EQ(refused("{type: category, values: [a, b]}", "limits: {window: 30d}\n"), "invalid_parameter");
  EXPECT_EQ(refused("{type: category, values: [a, b]}", "limits: {epsilon_lifetime: 0.5}\n"), "invalid_parameter");
  EXPECT_EQ(refused("{type: category, values: [a, b]}", "retention: 0d\n"), "invalid_parameter");
  EXPECT_EQ(refused("{type: category, values: [a, b]}", "collection: {validity: 2027-02-30}\n"), "invalid_parameter");
  EXPECT_EQ(refused("{type: category, values: [a, b]}", "nonsense: 1\n"), "invalid_parameter");
}

TEST_F(CollectCommand, ADeviceReportsWhateverItsValueIs) {
  const std::string file = task("values", {"--epsilon", "1", "--values", "a,b,c", "--mechanism", "oue"});
  const std::string device = path("phone");
  ASSERT_EQ(collect({"device", "init", device}).status, 0);
  ASSERT_EQ(collect({"consent", device, "--task", file, "--grant"}).status, 0);
  std::set<std::string> seen;
  for (const std::string value : {"a", "c", "none of them", "", " ", "-1", "1e999", "中文"}) {
    const Ran ran = collect({"encode", "--device", device, "--task", file, "--value=" + value, "-o", path("report")});
    EXPECT_EQ(ran.status, 0) << ran.err;
    seen.insert(ran.out + ran.err + std::to_string(std::filesystem::file_size(path("report"))));
  }
  EXPECT_EQ(seen.size(), 1U);
}

TEST_F(CollectCommand, ABlockAboveItsClaimIsNotEncodedWhateverTheTextSays) {
  const std::string file = task("honest", {"--epsilon", "1", "--size", "5", "--mechanism", "de"});
  Json document = *read_json(*read_file(file));
  std::string block = *from_base64(document.find("block")->text());
  block[36] = 9;  // A, above 2^32
  const std::uint32_t check = collect::crc32c({reinterpret_cast<const unsigned char*>(block.data()), 252});
  for (std::size_t i = 0; i < 4; ++i) block[252 + i] = static_cast<char>(check >> (8 * i));
  document.set("block", to_base64(block)).set("hash", sha256_hex(block));
  const std::string forged = path("forged.json");
  ASSERT_TRUE(write_file(forged, document.dump()));
  ASSERT_TRUE(write_file(path("values.txt"), "1\n2\n"));
  EXPECT_EQ(refusal({"task", "check", forged}, 1), "bad_data");
  EXPECT_EQ(refusal({"encode", path("values.txt"), "--task", forged, "-o", path("out")}, 3), "cost_above_claim");
  EXPECT_FALSE(std::filesystem::exists(path("out")));
}

constexpr const char* kCentral =
    "version: 1\nname: survey\nmode: central\n"
    "fields: {age: {type: integer, low: 0, high: 120}, city: {type: category, values: [Oslo, Lima], other: true}}\nepsilon: 0.5\nprofile: other\n";

TEST_F(CollectCommand, MakesCentralTasksAndChecksThem) {
  ASSERT_TRUE(write_file(path("survey.yaml"), kCentral));
  const Json made = json_of(collect({"task", path("survey.yaml"), "-o", path("survey.json"), "--json"}));
  EXPECT_EQ(made.find("mode")->text(), "central");
  EXPECT_EQ(made.find("state")->text(), "draft");
  EXPECT_EQ(made.find("fields")->find("city")->find("values")->dump(), R"(["Oslo","Lima","other"])");
  EXPECT_EQ(made.find("label")->find("privacy_unit")->text(), "one enrolment");
  const Json checked = json_of(collect({"task", "check", path("survey.json"), "--json"}));
  EXPECT_EQ(checked.find("valid")->dump(), "true");
  EXPECT_EQ(checked.find("hash")->text(), made.find("hash")->text());
  const Ran shown = collect({"task", "show", path("survey.json")});
  EXPECT_THAT(shown.out, HasSubstr("the curator is trusted"));
  std::string text = *read_file(path("survey.json"));
  text.replace(text.find("Oslo"), 4, "Olso");
  ASSERT_TRUE(write_file(path("forged.json"), text));
  EXPECT_EQ(refusal({"task", "check", path("forged.json")}, 1), "bad_data");
  ASSERT_TRUE(write_file(path("above.yaml"), std::string(kCentral) + "deviation: ''\n"));
  std::string above = kCentral;
  above.replace(above.find("0.5"), 3, "1.5");
  ASSERT_TRUE(write_file(path("above.yaml"), above));
  EXPECT_EQ(refusal({"task", path("above.yaml")}, 3), "not_private");
}

TEST_F(CollectCommand, EncodesRecordsOfTheColumnsOfATable) {
  ASSERT_TRUE(write_file(path("survey.yaml"), kCentral));
  ASSERT_EQ(collect({"task", path("survey.yaml"), "-o", path("survey.json"), "--quiet"}).status, 0);
  ASSERT_TRUE(write_file(path("people.csv"), "city,name,age\nLima,x,30\nRome,y,300\n,,\nOslo,z,-1\n"));
  const Json done = json_of(collect({"encode", path("people.csv"), "--task", path("survey.json"), "--columns",
                                     "age,city", "--period", "7", "-o", path("records.bin"), "--json"}));
  EXPECT_EQ(done.find("reports")->text(), "4");
  EXPECT_EQ(done.find("label")->find("definition")->text(), "internal");
  const std::string block = *read_file(path("records.bin"));
  ASSERT_EQ(block.size(), 66U + 4 * 9);
  std::string records;
  for (const auto& [age, city] : std::vector<std::pair<int, int>>{{30, 1}, {120, 2}, {0, 2}, {0, 0}}) {
    records += static_cast<char>(age);
    records += std::string(7, '\0') + static_cast<char>(city);
  }
  EXPECT_EQ(block.substr(62, 36), records);
  const std::string task = path("survey.json");
  EXPECT_EQ(refusal({"encode", path("people.csv"), "--task", task, "-o", path("out")}, 2), "usage");
  EXPECT_EQ(refusal({"encode", path("people.csv"), "--task", task, "--column", "age", "-o", path("out")}, 2),
            "usage");
  EXPECT_EQ(refusal({"encode", path("people.csv"), "--task", task, "--columns", "age", "-o", path("out")}, 2),
            "usage");
  EXPECT_EQ(refusal({"encode", path("people.csv"), "--task", task, "--columns", "age,town", "-o", path("out")}, 2),
            "unknown_column");
  const std::string local = this->task("local", {"--epsilon", "1", "--size", "3"});
  EXPECT_EQ(refusal({"encode", path("people.csv"), "--task", local, "--columns", "age,city", "-o", path("out")}, 2),
            "usage");
}

TEST_F(CollectCommand, EncodesOneRecordAsADevice) {
  ASSERT_TRUE(write_file(path("survey.yaml"), kCentral));
  ASSERT_EQ(collect({"task", path("survey.yaml"), "-o", path("survey.json"), "--quiet"}).status, 0);
  const std::string task = path("survey.json");
  ASSERT_EQ(collect({"device", "init", path("phone"), "--epsilon-lifetime", "0"}).status, 0);
  const std::vector<std::string> encode = {"encode", "--device", path("phone"),  "--task",
                                           task,     "--value",  "city=Lima",    "--value",
                                           "age=41", "-o",       path("one.bin")};
  EXPECT_EQ(refusal(encode, 4), "not_authorised");
  const Ran consent = collect({"consent", path("phone"), "--task", task, "--grant", "--language", "zh"});
  EXPECT_THAT(consent.out, HasSubstr("信任数据管理方"));
  std::vector<std::string> json = encode;
  json.emplace_back("--json");
  const Json done = json_of(collect(json));
  EXPECT_EQ(done.find("ledger")->find("lifetime")->find("spent")->text(), "0");
  EXPECT_EQ(read_file(path("one.bin"))->substr(62, 9), std::string("\x29\0\0\0\0\0\0\0\x01", 9));
  // A field that is not named is missing: an unknown city is `other`, a missing age is low.
  ASSERT_EQ(collect({"encode", "--device", path("phone"), "--task", task, "--value", "city=", "-o", path("none.bin")})
                .status,
            0);
  EXPECT_EQ(read_file(path("none.bin"))->substr(62, 9), std::string(8, '\0') + '\x02');
  for (const char* wrong : {"41", "town=Lima", "=41"})
    EXPECT_EQ(refusal({"encode", "--device", path("phone"), "--task", task, "--value", wrong, "-o", path("out")}, 2),
              "usage");
  EXPECT_EQ(refusal({"encode", "--device", path("phone"), "--task", task, "--value", "age=1", "--value", "age=2",
                     "-o", path("out")},
                    2),
            "usage");
}

TEST_F(CollectCommand, TakesNoCentralTaskWhereReportsAreCounted) {
  ASSERT_TRUE(write_file(path("survey.yaml"), kCentral));
  ASSERT_EQ(collect({"task", path("survey.yaml"), "-o", path("survey.json"), "--quiet"}).status, 0);
  ASSERT_TRUE(write_file(path("people.csv"), "city,age\nLima,30\n"));
  ASSERT_EQ(collect({"encode", path("people.csv"), "--task", path("survey.json"), "--columns", "age,city", "-o",
                     path("r.bin"), "--quiet"})
                .status,
            0);
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"aggregate", path("r.bin"), "--task", path("survey.json")},
        {"simulate", "--task", path("survey.json"), "--users", "10"}}) {
    const Ran ran = collect(command);
    EXPECT_EQ(ran.status, 2) << command.front();
    EXPECT_THAT(ran.err, HasSubstr("the task is a central one")) << command.front();
  }
  EXPECT_NE(collect({"merge", path("survey.json"), "-o", path("m.gza")}).status, 0);
  EXPECT_NE(collect({"merge", path("r.bin"), "-o", path("m.gza")}).status, 0);
}

}  // namespace collect_commands_test
}  // namespace gauze::cli
