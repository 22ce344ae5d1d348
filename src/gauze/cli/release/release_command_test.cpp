#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "gauze/cli/core/table_testing.h"

namespace gauze::cli {
namespace release_command_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kPolicy = R"(version: 1
columns:
  name:    {role: identifier, action: drop}
  age:     {role: quasi, hierarchy: {intervals: [[0, 30, 60, 120], [0, 60, 120]]}}
  town:    {role: quasi, hierarchy: {groups: [{north: [Kiel, Oslo], 南方: [Rom, 上海]}]}}
  illness: {role: sensitive, values: [flu, gout]}
  sick:    {role: target, values: ["yes", "no"], positive: "yes"}
  sex:     {role: protected}
privacy: {k: 3}
release: {mode: grid, levels: {age: 1, town: 1}}
provenance: {quasi: public, hierarchies: public, levels: public, k: public, epsilon: public}
)";

class ReleaseCommand : public ::testing::Test {
 protected:
  Folder folder_;
  std::string policy_ = folder_.write("policy.yaml", kPolicy);
  std::string people_ = folder_.write("people.csv", people());
  std::string out_ = folder_ / "out.csv";

  static std::string people() {
    std::string text = "name,age,town,illness,sick,sex\n";
    const char* towns[] = {"Kiel", "Oslo", "Rom", "上海"};
    for (int i = 0; i < 400; ++i)
      text += "n" + std::to_string(i) + "," + std::to_string(i % 90) + "," + towns[i % 4] + "," +
              (i % 3 == 0 ? "flu" : "plague-XYZ") + "," + (i % 5 < 2 ? "yes" : "no") + "," + (i % 7 < 3 ? "f" : "m") +
              "\n";
    return text + "odd,999,Atlantis-XYZ,flu,no,f\n";
  }
  std::string policy_with(const std::string& from, const std::string& to) {
    std::string text = kPolicy;
    text.replace(text.find(from), from.size(), to);
    return folder_.write("other.yaml", text);
  }
  Ran release(std::vector<std::string> flags, const std::string& policy = "", const std::string& file = "") {
    std::vector<std::string> args = {
        "release", file.empty() ? people_ : file, "--policy", policy.empty() ? policy_ : policy, "-o", out_};
    args.insert(args.end(), flags.begin(), flags.end());
    return run(args);
  }
};

TEST_F(ReleaseCommand, WritesCountsWithIntervalsAndALabel) {
  const Ran ran = release({"--epsilon", "1", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.out << ran.err;
  const Json result = json_of(ran);
  const auto lines = lines_of(folder_.read("out.csv"));
  EXPECT_EQ(lines.front(), "age,town,count,low,high");
  EXPECT_EQ(at(result, {"cells"}), "6");
  EXPECT_EQ(at(result, {"cut"}), "1");
  std::int64_t sum = 0;
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
    const std::string tail =
        lines[i].substr(lines[i].rfind(',', lines[i].rfind(',', lines[i].rfind(',') - 1) - 1) + 1);
    sum += std::stoll(tail);
  }
  EXPECT_EQ(std::to_string(std::max<std::int64_t>(0, std::stoll(at(result, {"total"})) - sum)),
            at(result, {"other"}));
  EXPECT_THAT(lines.back(),
              StartsWith("(other),(other)," + at(result, {"other"}) + "," + at(result, {"other_interval", "low"})));
  EXPECT_EQ(run({"label", "check", out_}).status, 0);
  EXPECT_THAT(without_digests(folder_.read("out.csv.label.json")),
              AllOf(HasSubstr("\"pure\""), Not(HasSubstr("XYZ")), Not(HasSubstr("401"))));
}

TEST_F(ReleaseCommand, RefusesNamesOfFormatsItDoesNotWrite) {
  for (const char* name : {"jsonl", "pq", "json", "ndjson"}) {
    const Ran ran = run({"release", people_, "--policy", policy_, "--epsilon", "1", "-o", out_ + "." + name});
    EXPECT_EQ(ran.status, 2) << name;
    EXPECT_THAT(ran.err, HasSubstr(".parquet"));
  }
}

TEST_F(ReleaseCommand, RecordsHoldNothingThatWasNotDeclared) {
  const Ran ran = release({"--epsilon", "5", "--kind", "records"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const std::string text = folder_.read("out.csv");
  EXPECT_TRUE(text.starts_with("age,town,illness,sick\n")) << text.substr(0, 40);
  EXPECT_THAT(text, AllOf(Not(HasSubstr("XYZ")), Not(HasSubstr("Kiel")), HasSubstr("南方"), HasSubstr("other")));
}

TEST_F(ReleaseCommand, StabilityAndSelect) {
  const Ran stable = release({"--epsilon", "1", "--delta", "1e-3", "--mode", "stability", "--json"});
  ASSERT_EQ(stable.status, 0) << stable.out;
  EXPECT_NE(at(json_of(stable), {"threshold"}), "");
  EXPECT_THAT(folder_.read("out.csv.label.json"), HasSubstr("\"approximate\""));
  const Ran select = release({"--epsilon", "1", "--mode", "select", "--json"});
  ASSERT_EQ(select.status, 0) << select.out;
  EXPECT_EQ(at(json_of(select), {"label", "provenance", "levels"}), "selected");
}

TEST_F(ReleaseCommand, GaussianNoiseIsChargedInRho) {
  const std::string ledger = folder_ / "l.ledger";
  ASSERT_EQ(run({"ledger", "create", "people", "--ledger", ledger, "--epsilon", "2", "--delta", "1e-5"}).status, 0);
  const std::string policy = policy_with("mode: grid", "mode: grid, noise: gaussian");
  const Ran ran =
      release({"--epsilon", "1", "--delta", "1e-6", "--ledger", ledger, "--dataset", "people", "--json"}, policy);
  ASSERT_EQ(ran.status, 0) << ran.out;
  const Ran history = run({"ledger", "history", "--ledger", ledger, "--json"});
  EXPECT_THAT(history.out, HasSubstr("rho"));
  EXPECT_THAT(ran.out, HasSubstr("sigma"));
}

TEST_F(ReleaseCommand, ChargesTheLedgerAndIsRefusedWhenItIsEmpty) {
  const std::string ledger = folder_ / "l.ledger";
  ASSERT_EQ(run({"ledger", "create", "people", "--ledger", ledger, "--epsilon", "1.5"}).status, 0);
  const std::vector<std::string> flags = {"--epsilon", "1", "--ledger", ledger, "--dataset", "people", "--json"};
  const Ran first = release(flags);
  ASSERT_EQ(first.status, 0) << first.out;
  EXPECT_EQ(at(json_of(first), {"ledger", "left", "epsilon"}), "0.5");
  EXPECT_EQ(at(json_of(first), {"label", "budget", "recorded"}), "true");
  const std::string before = folder_.read("out.csv");
  const Ran second = release(flags);
  EXPECT_EQ(second.status, 3);
  EXPECT_EQ(at(json_of(second), {"error", "code"}), "budget_exhausted");
  EXPECT_EQ(at(json_of(second), {"allowed", "epsilon"}), "0.5");
  EXPECT_EQ(folder_.read("out.csv"), before) << "nothing was written";
  EXPECT_EQ(run({"ledger", "verify", "--ledger", ledger}).status, 0);
}

TEST_F(ReleaseCommand, WhatCanBeRefusedIsRefusedBeforeAnyBudgetIsSpent) {
  const std::string ledger = folder_ / "l.ledger";
  ASSERT_EQ(run({"ledger", "create", "people", "--ledger", ledger, "--epsilon", "9"}).status, 0);
  const std::vector<std::string> charge = {"--ledger", ledger, "--dataset", "people"};
  const auto refused = [&](std::vector<std::string> flags, const std::string& policy = "",
                           const std::string& file = "") {
    flags.insert(flags.end(), charge.begin(), charge.end());
    return release(flags, policy, file).status;
  };
  EXPECT_EQ(refused({"--epsilon", "0"}), 2);
  EXPECT_EQ(refused({"--epsilon", "nan"}), 2);
  EXPECT_EQ(refused({"--epsilon", "1", "--delta", "0.1"}), 2);
  EXPECT_EQ(refused({"--epsilon", "1", "--mode", "stability"}), 2) << "with delta 0 nothing could be named";
  EXPECT_EQ(refused({"--epsilon", "1", "--seed", "3"}), 2);
  EXPECT_EQ(refused({"--epsilon", "1"}, policy_with("hierarchies: public", "hierarchies: data")), 3);
  EXPECT_EQ(refused({"--epsilon", "1"}, policy_with("{intervals: [[0, 30, 60, 120], [0, 60, 120]]}",
                                                    "{mask: {side: right, steps: [1]}}")),
            2);
  EXPECT_EQ(refused({"--epsilon", "1"}, policy_with("town: 1", "town: 7")), 2);
  EXPECT_EQ(refused({"--epsilon", "1"}, "", folder_.write("narrow.csv", "age\n3\n")), 2) << "a column is missing";
  EXPECT_EQ(refused({"--epsilon", "1"}, "", folder_ / "nowhere.csv"), 1);
  EXPECT_EQ(at(json_of(run({"ledger", "show", "people", "--ledger", ledger, "--json"})), {"left", "epsilon"}), "9");
}

TEST_F(ReleaseCommand, NeitherTheLedgerNorTheBudgetIsLostToAMistypedOutput) {
  const std::string ledger = folder_ / "l.ledger";
  ASSERT_EQ(run({"ledger", "create", "people", "--ledger", ledger, "--epsilon", "9"}).status, 0);
  const auto to = [&](const std::string& output) {
    return run({"release", people_, "--policy", policy_, "--epsilon", "1", "-o", output, "--ledger", ledger,
                "--dataset", "people"});
  };
  EXPECT_EQ(to(ledger).status, 2);
  EXPECT_EQ(to(folder_ / "no/such/folder/x.csv").status, 1);
  EXPECT_EQ(at(json_of(run({"ledger", "show", "people", "--ledger", ledger, "--json"})), {"left", "epsilon"}), "9");
  const Ran done = to(out_);
  EXPECT_EQ(done.status, 0) << done.err;
}

TEST_F(ReleaseCommand, AnotherUnitThanTheLedgersIsRefusedAndNothingIsCharged) {
  const std::string ledger = folder_ / "l.ledger";
  ASSERT_EQ(run({"ledger", "create", "people", "--ledger", ledger, "--epsilon", "9", "--unit", "one person"}).status,
            0);
  const std::vector<std::string> flags = {"--epsilon", "1", "--ledger", ledger, "--dataset", "people", "--json"};
  const Ran rows = release(flags);
  EXPECT_EQ(rows.status, 2) << rows.out;
  EXPECT_THAT(at(json_of(rows), {"error", "message"}), AllOf(HasSubstr("'one person'"), HasSubstr("'one row'")));
  EXPECT_FALSE(std::filesystem::exists(out_));
  const auto policy = [&](const std::string& unit) {
    return policy_with("mode: grid", "mode: grid, unit: {" + unit + "}");
  };
  EXPECT_EQ(release(flags, policy("id: name, max_classes: 1, max_rows: 1")).status, 2) << "that is 'one name'";
  EXPECT_EQ(at(json_of(run({"ledger", "show", "people", "--ledger", ledger, "--json"})), {"left", "epsilon"}), "9");
  for (const char* caps : {"max_classes: 1, max_rows: 1", "max_classes: 2, max_rows: 3"}) {
    const Ran named = release(flags, policy(std::string("id: name, name: one person, ") + caps));
    EXPECT_EQ(named.status, 0) << named.out << "caps are no part of the unit";
    EXPECT_EQ(at(json_of(named), {"label", "privacy_unit"}), "one person");
  }
}

TEST_F(ReleaseCommand, ARequestIsAnsweredAgainFromTheLedgerUnlessAHierarchyChanged) {
  const std::string ledger = folder_ / "l.ledger";
  ASSERT_EQ(run({"ledger", "create", "people", "--ledger", ledger, "--epsilon", "9"}).status, 0);
  folder_.write("towns.csv", "Kiel,north\nOslo,north\nRom,south\n上海,south\n");
  const std::string policy = policy_with("{groups: [{north: [Kiel, Oslo], 南方: [Rom, 上海]}]}", "{csv: towns.csv}");
  const auto asked = [&](const std::string& output) {
    return run({"release", people_, "--policy", policy, "--epsilon", "1", "-o", output, "--ledger", ledger,
                "--dataset", "people", "--request", "r"});
  };
  const std::string first = folder_ / "first.csv";
  ASSERT_EQ(asked(first).status, 0);
  ASSERT_EQ(asked(folder_ / "second.csv").status, 0);
  EXPECT_EQ(folder_.read("second.csv"), folder_.read("first.csv"));
  EXPECT_EQ(asked(folder_ / "second.parquet").status, 1) << "CSV was written";
  EXPECT_EQ(asked("-").status, 0);
  const auto shown = [&](const std::string& output) {
    return run({"release", people_, "--policy", policy, "--epsilon", "1", "-o", output, "--ledger", ledger,
                "--dataset", "people", "--request", "shown", "--purpose", output});
  };
  ASSERT_EQ(shown("-").status, 0);
  EXPECT_EQ(shown(folder_ / "shown.csv").status, 0) << "for another purpose";
  EXPECT_EQ(shown(folder_ / "shown.parquet").status, 1);
  EXPECT_EQ(shown(folder_ / "shown.csv.gz").status, 1);
  folder_.write("towns.csv", "Kiel,A\nOslo,A\nRom,B\n上海,B\n");
  EXPECT_EQ(asked(folder_ / "third.csv").status, 2) << "another request";
  EXPECT_FALSE(folder_.has("third.csv"));
}

TEST_F(ReleaseCommand, ItsLabelFitsItsChargeAndOpensToItsInput) {
  const std::string ledger = folder_ / "l.ledger";
  ASSERT_EQ(run({"ledger", "create", "people", "--ledger", ledger, "--epsilon", "9", "--delta", "1e-5",
                 "--neighbours", "replace-one"})
                .status,
            0);
  const std::vector<std::string> flags = {"--epsilon", "1",    "--delta",   "1e-6",
                                          "--ledger",  ledger, "--dataset", "people"};
  const std::string policy = policy_with("mode: grid", "mode: grid, noise: gaussian");
  ASSERT_EQ(release(flags, policy).status, 0);
  const Ran checked = run({"label", "check", out_, "--ledger", ledger});
  EXPECT_EQ(checked.status, 0) << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("charged for a group of two"));
  EXPECT_EQ(run({"ledger", "verify", "--ledger", ledger, "--labels", out_}).status, 0);
  EXPECT_EQ(run({"label", "open", out_, "--ledger", ledger, people_}).status, 0);
  EXPECT_THAT(run({"label", "open", out_, "--ledger", ledger, people_, "--policy", policy}).out,
              HasSubstr("is the policy"));
  EXPECT_EQ(run({"label", "open", out_, "--ledger", ledger, people_, "--policy", policy_}).status, 1);
  const Ran other = run({"label", "open", out_, "--ledger", ledger, policy_, "--json"});
  EXPECT_EQ(other.status, 1);
  EXPECT_EQ(at(json_of(other), {"opens"}), "false");
}

TEST_F(ReleaseCommand, DelimitersComeFromTheLineOfNames) {
  std::string semicolons = people();
  std::replace(semicolons.begin(), semicolons.end(), ',', ';');
  EXPECT_EQ(release({"--epsilon", "1"}, "", folder_.write("semi.csv", semicolons)).status, 0);
  EXPECT_EQ(lines_of(folder_.read("out.csv")).front(), "age,town,count,low,high");
  ASSERT_EQ(
      run({"anonymize", people_, "--quasi", "age", "--k", "1", "--keep", "name", "-o", folder_ / "people.csv.gz"})
          .status,
      0);
  const Ran zipped = release({"--epsilon", "1"}, "", folder_ / "people.csv.gz");
  EXPECT_EQ(zipped.status, 0) << zipped.err;
}

TEST_F(ReleaseCommand, NothingInTheDataMakesItFail) {
  const std::string tables[] = {
      "name,age,town,illness,sick,sex\n", "name,age,town,illness,sick,sex\nx,1,Kiel,flu,yes,f\n",
      "name,age,town,illness,sick,sex\nx,NaN,,?,NULL,\ny,-inf,Kiel,flu,yes,f\nz,1e400,\"a,b\",flu,yes,m\n",
      "\xEF\xBB\xBFname,age,town,illness,sick,sex\r\nx,1,Kiel,flu,yes,f\r\n"};
  for (const std::string& text : tables) {
    for (const char* output : {"counts", "records"}) {
      const Ran ran = release({"--epsilon", "1", "--kind", output}, "", folder_.write("odd.csv", text));
      EXPECT_EQ(ran.status, 0) << ran.err << text;
    }
    const Ran stable = release({"--epsilon", "1", "--delta", "1e-9", "--mode", "stability"}, "", folder_ / "odd.csv");
    EXPECT_EQ(stable.status, 0) << stable.err;
    EXPECT_THAT(stable.err, HasSubstr("the release is empty"));
    EXPECT_EQ(release({"--epsilon", "1", "--mode", "select"}, "", folder_ / "odd.csv").status, 0);
  }
}

TEST_F(ReleaseCommand, PersonsAreCutToTheirBounds) {
  const std::string policy = policy_with("mode: grid", "mode: grid, unit: {id: name, max_classes: 1, max_rows: 1}");
  std::string text = "name,age,town,illness,sick,sex\n";
  for (int i = 0; i < 5000; ++i) text += "same,10,Kiel,flu,yes,f\n";
  const Ran ran = release({"--epsilon", "5", "--json"}, policy, folder_.write("one.csv", text));
  ASSERT_EQ(ran.status, 0) << ran.out;
  EXPECT_LT(std::stoll(at(json_of(ran), {"total"})), 200) << "one person counts once, however many rows";
  EXPECT_EQ(at(json_of(ran), {"label", "privacy_unit"}), "one name");
  EXPECT_EQ(at(json_of(ran), {"label", "parameters", "max_classes"}), "1");
}

TEST_F(ReleaseCommand, ASeedTakesTheGuaranteeAway) {
  const Ran one = release({"--epsilon", "1", "--seed", "3", "--insecure-seed"});
  ASSERT_EQ(one.status, 0) << one.err;
  const std::string first = folder_.read("out.csv");
  EXPECT_THAT(folder_.read("out.csv.label.json"), HasSubstr("no guarantee"));
  EXPECT_EQ(release({"--epsilon", "1", "--seed", "3", "--insecure-seed"}).status, 0);
  EXPECT_EQ(folder_.read("out.csv"), first);
  EXPECT_EQ(release({"--epsilon", "1"}).status, 0);
  EXPECT_NE(folder_.read("out.csv"), first);
}

TEST_F(ReleaseCommand, AsPublishedCopiesRealRowsAndSaysSo) {
  const Ran ran = release({"--epsilon", "1", "--as-published", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.out << ran.err;
  EXPECT_EQ(at(json_of(ran), {"label", "definition"}), "none");
  const std::string text = folder_.read("out.csv");
  EXPECT_TRUE(text.starts_with("age,town,illness,sick,sex\n")) << "identifiers are dropped";
  EXPECT_THAT(text, HasSubstr("plague-XYZ"));
  EXPECT_THAT(ran.out, Not(HasSubstr("drawn from a seed")));
  EXPECT_THAT(release({"--epsilon", "1", "--as-published", "--json", "--seed", "3", "--insecure-seed"}).out,
              HasSubstr("drawn from a seed"));
  EXPECT_EQ(release({"--epsilon", "1", "--as-published", "--ledger", "x", "--dataset", "y"}).status, 2);
  for (const char* flag : {"--analyst", "--purpose", "--request"})
    EXPECT_EQ(release({"--epsilon", "1", "--as-published", flag, "a"}).status, 2) << flag;
  EXPECT_EQ(release({"--epsilon", "1", "--noise-scale", "2"}).status, 2);
}

TEST_F(ReleaseCommand, APlaceThatTakesNothingIsFoundBeforeRowsAreRead) {
  for (const bool as_published : {false, true}) {
    std::vector<std::string> args = {"release", folder_ / "none.csv", "--policy", policy_, "--epsilon", "1",
                                     "-o",      "/proc/out.csv"};
    if (as_published) args.emplace_back("--as-published");
    const Ran ran = run(args);
    EXPECT_EQ(ran.status, 1);
    EXPECT_THAT(ran.err, HasSubstr("/proc/out.csv")) << "not the input, which is not there either";
  }
}

TEST_F(ReleaseCommand, OtherFormatsAndNoReplacementOfInputs) {
  for (const char* name : {"out.parquet", "out.csv.gz"}) {
    const Ran ran = run({"release", people_, "--policy", policy_, "--epsilon", "1", "-o", folder_ / name});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(run({"label", "check", folder_ / name}).status, 0);
  }
  EXPECT_TRUE(folder_.read("out.parquet").starts_with("PAR1"));
  EXPECT_EQ(run({"release", people_, "--policy", policy_, "--epsilon", "1", "-o", people_}).status, 2);
  EXPECT_EQ(run({"release", people_, "--policy", policy_, "--epsilon", "1", "-o", policy_}).status, 2);
  EXPECT_EQ(
      run({"release", people_, "--policy", policy_, "--epsilon", "1", "-o", folder_ / "no/such/folder.csv"}).status,
      1);
}

TEST_F(ReleaseCommand, CriteriaAreNotAppliedAndThatIsSaid) {
  const std::string policy =
      policy_with("privacy: {k: 3}", "privacy: {k: 3, l_diversity: [{column: illness, kind: distinct, l: 2}]}");
  const Ran ran = release({"--epsilon", "1"}, policy);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("l-diversity illness:distinct:2 is not applied"));
  EXPECT_THAT(folder_.read("out.csv.label.json"), HasSubstr("not applied"));
}

TEST_F(ReleaseCommand, AColumnMayHaveAnyName) {
  const std::string policy = folder_.write("odd.yaml", R"(version: 1
columns:
  value:   {role: quasi, values: [a, b]}
  records: {role: quasi, values: [c]}
release: {mode: grid, levels: {value: 0, records: 0}}
privacy: {k: 1}
provenance: {hierarchies: public}
)");
  const Ran ran = release({"--epsilon", "1"}, policy, folder_.write("odd.csv", "value,records\na,c\n"));
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(run({"label", "check", out_}).status, 0);
}

// Evaluation, comparison and demo on the same small table.

TEST_F(ReleaseCommand, EvaluatePrintsTheSweepAndTheDocument) {
  const std::vector<std::string> base = {"evaluate",   people_, "--policy",      policy_,
                                         "--epsilons", "0.5,2", "--repetitions", "8"};
  const Ran text = run(base);
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out,
              AllOf(HasSubstr("INTERNAL"), HasSubstr("epsilon"), HasSubstr("EOD sex"), HasSubstr("majority")));
  std::vector<std::string> args = base;
  args.insert(args.end(), {"--json", "--report", folder_ / "report.html", "--write-policy", folder_ / "chosen.yaml"});
  const Ran ran = run(args);
  ASSERT_EQ(ran.status, 0) << ran.out;
  const Json document = json_of(ran);
  EXPECT_EQ(at(document, {"internal"}), "true");
  EXPECT_NE(at(document, {"recommendation", "epsilon"}), "");
  const std::string html = folder_.read("report.html");
  EXPECT_TRUE(html.starts_with("<!doctype html>") || html.starts_with("<!DOCTYPE html>"));
  EXPECT_EQ(run({"label", "check", folder_ / "report.html"}).status, 0);
  EXPECT_THAT(folder_.read("report.html.label.json"), HasSubstr("INTERNAL"));
  EXPECT_THAT(folder_.read("chosen.yaml"), HasSubstr("epsilon: data"));
}

TEST_F(ReleaseCommand, EvaluateRefusesAbsurdRequests) {
  const auto status = [&](std::vector<std::string> flags) {
    std::vector<std::string> args = {"evaluate", people_, "--policy", policy_};
    args.insert(args.end(), flags.begin(), flags.end());
    return run(args).status;
  };
  EXPECT_EQ(status({"--epsilons", ""}), 2);
  EXPECT_EQ(status({"--epsilons", "1,1"}), 2);
  EXPECT_EQ(status({"--epsilons", "0"}), 2);
  EXPECT_EQ(status({"--repetitions", "0"}), 2);
  EXPECT_EQ(status({"--weights", "1/2"}), 2);
  EXPECT_EQ(status({"--weights", "0/0/0"}), 2);
  EXPECT_EQ(status({"--target", "nowhere", "--positive", "x"}), 2);
  EXPECT_EQ(status({"--target", "sex"}), 2) << "no positive value";
  EXPECT_EQ(status({"--protected", "nowhere"}), 2);
  EXPECT_EQ(status({"--as-published", "--mode", "grid"}), 2);
  EXPECT_EQ(status({"--report", people_}), 2);
  EXPECT_EQ(
      status({"--epsilons", "1", "--repetitions", "2", "--weights", ".5/.5/0", "--target", "sex", "--positive", "f"}),
      0);
}

TEST_F(ReleaseCommand, CompareShowsThreeMethods) {
  const Ran ran = run({"compare", people_, "--policy", policy_, "--repetitions", "5"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("k-anonymity"), HasSubstr("differential-privacy"), HasSubstr("hybrid"),
                             HasSubstr("retention")));
  const Ran json = run({"compare", people_, "--policy", policy_, "--repetitions", "5", "--json"});
  EXPECT_EQ(at(json_of(json), {"comparison", "epsilon"}), "1");
}

TEST_F(ReleaseCommand, TheDemoRunsToItsEnd) {
  const Ran ran = run({"demo", "--folder", folder_ / "demo", "--people", "3000", "--repetitions", "3"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out,
              AllOf(HasSubstr("$ gauze evaluate"), HasSubstr("The report to look at"), HasSubstr("report.html")));
  EXPECT_EQ(run({"label", "check", folder_ / "demo/counts.csv"}).status, 0);
  EXPECT_EQ(run({"demo", "--folder", folder_ / "demo", "--people", "3000", "--repetitions", "3"}).status, 0)
      << "again";
}

TEST_F(ReleaseCommand, DemoDataRepeatsAndItsPolicyFits) {
  const auto write = [&](const std::string& name, const std::string& seed) {
    EXPECT_EQ(
        run({"demo-data", "-o", folder_ / name, "--people", "2000", "--seed", seed, "--policy", folder_ / "p.yaml"})
            .status,
        0);
    return folder_.read(name);
  };
  const std::string one = write("a.csv", "1");
  EXPECT_EQ(lines_of(one).size(), 2001U);
  EXPECT_EQ(write("b.csv", "1"), one);
  EXPECT_NE(write("c.csv", "2"), one);
  const Ran ran = run({"evaluate", folder_ / "a.csv", "--policy", folder_ / "p.yaml", "--epsilons", "1",
                       "--repetitions", "2", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.out;
  EXPECT_EQ(at(json_of(ran), {"classes", "outside"}), "0") << "every value is in the declared domain";
}

TEST_F(ReleaseCommand, NamesThatParquetDoesNotTellApartAreRefusedBeforeTheCharge) {
  policy_with("levels: {age: 1", "levels: {High: 1");
  std::string text = folder_.read("other.yaml");
  text.replace(text.find("age:     {role: quasi"), 21, "High:    {role: quasi");
  out_ = folder_ / "out.parquet";
  const Ran ran = release({"--epsilon", "1"}, folder_.write("high.yaml", text));
  EXPECT_EQ(ran.status, 2) << ran.out << ran.err;
  EXPECT_THAT(ran.err, AllOf(HasSubstr("upper and lower case"), Not(HasSubstr("charged"))));
}

}  // namespace release_command_test
}  // namespace gauze::cli
