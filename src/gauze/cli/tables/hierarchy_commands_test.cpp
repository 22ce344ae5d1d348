#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/cli/core/table_testing.h"

namespace gauze::cli {
namespace hierarchy_commands_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class HierarchyCommands : public ::testing::Test {
 protected:
  Folder folder_;
  std::string people_ = folder_.write("people.csv", kPeople);
  std::string out_ = folder_ / "h.csv";

  Ran build(const std::string& column, const std::vector<std::string>& flags = {}) {
    std::vector<std::string> args = {"hierarchy", "build", people_, "--column", column, "-o", out_};
    args.insert(args.end(), flags.begin(), flags.end());
    return run(args);
  }
};

TEST_F(HierarchyCommands, BuildComposesARuleAndMarksTheFile) {
  const Ran ran = build("age");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("made from data"));
  const auto lines = lines_of(folder_.read("h.csv"));
  ASSERT_EQ(lines.size(), 17U);
  EXPECT_EQ(lines[0], "# gauze: made from data");
  EXPECT_TRUE(lines[1].starts_with("31;"));
  EXPECT_TRUE(lines[16].ends_with(";*"));
  EXPECT_FALSE(folder_.has("h.csv.label.json")) << "it is no release";
}

TEST_F(HierarchyCommands, EveryKindHasFlagsAndASpec) {
  const std::vector<std::pair<std::string, std::vector<std::vector<std::string>>>> same = {
      {"zip",
       {{"--kind", "mask", "--steps", "1,3"},
        {"--steps", "1,3"},
        {"--spec", "{mask: {side: right, steps: [1, 3]}}"}}},
      {"zip", {{"--kind", "mask", "--side", "left", "--steps", "2"}, {"--spec", "{mask: {side: left, steps: [2]}}"}}},
      {"age",
       {{"--bounds", "0,40,60,80", "--bounds", "0,40,80"}, {"--spec", "{intervals: [[0,40,60,80],[0,40,80]]}"}}},
      {"age",
       {{"--from", "0", "--to", "80", "--width", "5", "--then", "10,40"},
        {"--spec", "{intervals: {from: 0, to: 80, width: 5, then: [10, 40]}}"}}},
      {"illness",
       {{"--group", "lung=flu,asthma", "--group", "belly=gastritis"},
        {"--spec", "{groups: [{lung: [flu, asthma], belly: [gastritis]}]}"}}},
      {"illness",
       {{"--values", "flu,asthma,gastritis", "--fanout", "2"},
        {"--spec", "{order: {values: [flu, asthma, gastritis], fanout: 2}}"}}},
      {"age", {{"--kind", "order", "--fanout", "4"}, {"--fanout", "4"}, {"--spec", "{order: {fanout: 4}}"}}},
      {"age", {{}, {"--kind", "automatic"}, {"--spec", "automatic"}}},
  };
  for (const auto& [column, ways] : same) {
    std::string first;
    for (const auto& flags : ways) {
      const Ran ran = build(column, flags);
      ASSERT_EQ(ran.status, 0) << column << ": " << ran.err;
      if (first.empty()) first = folder_.read("h.csv");
      EXPECT_EQ(folder_.read("h.csv"), first);
    }
  }
}

TEST_F(HierarchyCommands, DatesBecomeMonthsAndYears) {
  const std::string file = folder_.write("d.csv", "born\n2001-05-17\n1999-12-31\n03/04/2010\n");
  const Ran open = run({"hierarchy", "build", file, "--column", "born", "--kind", "dates", "-o", out_});
  EXPECT_NE(open.status, 0) << "nobody knows whether 03/04 is in March";
  const Ran ran = run({"hierarchy", "build", file, "--column", "born", "--levels", "month,year", "--date-order",
                       "day-first", "-o", "-"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("03/04/2010;2010-04;2010;*\n"));
  EXPECT_EQ(run({"hierarchy", "build", file, "--column", "born", "--levels", "week", "-o", "-"}).status, 2);
}

TEST_F(HierarchyCommands, RulesThatListTheirValuesAreNotMadeFromData) {
  const Ran ran = build("illness", {"--group", "lung=flu,asthma,cough", "--group", "belly=gastritis", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.out;
  EXPECT_EQ(at(json_of(ran), {"made_from_data"}), "false");
  EXPECT_EQ(sorted(lines_of(folder_.read("h.csv"))),
            (std::vector<std::string>{"asthma;lung;*", "cough;lung;*", "flu;lung;*", "gastritis;belly;*"}))
      << "cough is there although nobody has it";
  EXPECT_EQ(at(json_of(build("illness", {"--values", "flu,asthma,gastritis", "--json"})), {"made_from_data"}),
            "false");
  for (const auto& flags : std::vector<std::vector<std::string>>{{"--kind", "automatic"},
                                                                 {"--kind", "order"},
                                                                 {"--bounds", "0,40,80"},
                                                                 {"--from", "0", "--to", "80", "--width", "5"},
                                                                 {"--steps", "1"}}) {
    std::vector<std::string> all = flags;
    all.emplace_back("--json");
    const Ran marked = build("age", all);
    EXPECT_EQ(at(json_of(marked), {"made_from_data"}), "true") << marked.out;
    EXPECT_TRUE(folder_.read("h.csv").starts_with("# gauze: made from data\n"));
  }
}

TEST_F(HierarchyCommands, BuildSaysWhatItLeavesOut) {
  const Ran ran = build("age", {"--bounds", "0,40,60", "--json"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(keys_of(json_of(ran)), ElementsAre("column", "kind", "file", "height", "values_by_level",
                                                 "made_from_data", "uncovered", "warnings"));
  EXPECT_EQ(at(json_of(ran), {"warnings", "0", "code"}), "values_not_covered");
  EXPECT_EQ(at(json_of(ran), {"uncovered"}), "4");
  EXPECT_THAT(ran.err, HasSubstr("4 of the 16 values"));
}

TEST_F(HierarchyCommands, BuildRefusesWhatDoesNotGoTogether) {
  const std::vector<std::vector<std::string>> wrong = {{"--kind", "mask"},
                                                       {"--kind", "intervals"},
                                                       {"--kind", "widths", "--from", "0"},
                                                       {"--kind", "groups"},
                                                       {"--kind", "mask", "--bounds", "0,1"},
                                                       {"--steps", "1", "--bounds", "0,1"},
                                                       {"--steps", "1", "--spec", "automatic"},
                                                       {"--kind", "mask", "--spec", "automatic"},
                                                       {"--steps", "3,1"},
                                                       {"--steps", "1.5"},
                                                       {"--steps", "one"},
                                                       {"--bounds", "0,x"},
                                                       {"--bounds", "40,0"},
                                                       {"--group", "flu"},
                                                       {"--group", "a=flu", "--group", "b=flu"},
                                                       {"--spec", "{csv: x.csv}"},
                                                       {"--spec", "{mask: {"},
                                                       {"--spec", "{masks: 1}"}};
  for (const auto& flags : wrong) {
    const Ran ran = build("age", flags);
    EXPECT_EQ(ran.status, 2) << flags.front() << ' ' << flags.back() << ran.out << ran.err;
    EXPECT_FALSE(folder_.has("h.csv"));
  }
  EXPECT_EQ(build("agee").status, 2);
  EXPECT_EQ(run({"hierarchy", "build", people_, "-o", out_}).status, 2);
  EXPECT_EQ(run({"hierarchy", "build", people_, "--column", "age"}).status, 2);
  EXPECT_EQ(run({"hierarchy", "build", people_, "--column", "age", "-o", folder_ / "absent/h.csv"}).status, 1);
}

TEST_F(HierarchyCommands, WhatIsBuiltCanBeUsed) {
  ASSERT_EQ(build("zip", {"--steps", "2,3"}).status, 0);
  const Ran checked = run({"hierarchy", "check", out_, people_, "--column", "zip"});
  EXPECT_EQ(checked.status, 0) << checked.out;
  const std::vector<std::string> rest = {"--quasi", "zip", "--k", "3", "-o", folder_ / "out.csv", "--json"};
  std::vector<std::string> args = {"anonymize", people_, "--hierarchy", "zip=" + out_};
  args.insert(args.end(), rest.begin(), rest.end());
  const Ran ran = run(args);
  EXPECT_EQ(ran.status, 0) << ran.out;
}

TEST_F(HierarchyCommands, ShowSaysLevelsAndABranch) {
  folder_.write("h.csv", "1;low;*\n2;low;*\n3;low;*\n4;low;*\n5;high;*\n");
  const Ran ran = run({"hierarchy", "show", out_});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("levels 0 to 2, not marked as made from data"));
  EXPECT_THAT(
      ran.out,
      HasSubstr(
          "  *  (5 values)\n    low  (4 values)\n      1\n      2\n      3\n      ... 1 more\n    high  (1 value)\n"));
  const Json json = json_of(run({"hierarchy", "show", out_, "--json"}));
  EXPECT_THAT(keys_of(json), ElementsAre("file", "height", "made_from_data", "delimiter", "levels", "warnings"));
  EXPECT_EQ(at(json, {"height"}), "2");
  EXPECT_EQ(at(json.find("levels")->elements()->at(1), {"values"}), "2");
  EXPECT_EQ(at(json.find("levels")->elements()->at(1), {"sample"}), R"(["low","high"])");
}

TEST_F(HierarchyCommands, ShowReadsStdinOtherDelimitersAndATable) {
  const Ran piped = run({"hierarchy", "show", "-"}, "F;*\nM;*\n");
  EXPECT_EQ(piped.status, 0) << piped.err;
  folder_.write("h.csv", "F:x:*\nM:y:*\nD:y:*\n");
  EXPECT_EQ(at(json_of(run({"hierarchy", "show", out_, "--json"})), {"height"}), "0");
  const Ran ran =
      run({"hierarchy", "show", out_, "--hierarchy-delimiter", ":", "--table", people_, "--column", "sex", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.out;
  const Json json = json_of(ran);
  const auto& levels = *json.find("levels")->elements();
  EXPECT_EQ(at(levels[0], {"occurring"}), "2");
  EXPECT_EQ(at(levels[1], {"occurring"}), "2");
  EXPECT_EQ(at(levels[2], {"occurring"}), "1");
  EXPECT_EQ(at(json, {"uncovered"}), "0");
  EXPECT_EQ(run({"hierarchy", "show", out_, "--table", people_}).status, 2);
  EXPECT_EQ(run({"hierarchy", "show", out_, "--column", "sex"}).status, 2);
  EXPECT_EQ(run({"hierarchy", "show", out_, "--hierarchy-delimiter", "::"}).status, 2);
  EXPECT_EQ(run({"hierarchy", "show", folder_ / "absent.csv"}).status, 1);
}

TEST_F(HierarchyCommands, CheckListsWhatIsMissingAndWhatIsNotUsed) {
  folder_.write("h.csv", "flu;lung;*\nmumps;other;*\n");
  const Ran ran = run({"hierarchy", "check", out_, people_, "--column", "illness"});
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.out, HasSubstr("MISSING  illness: 2 of the 3 values of the column, on 10 rows"));
  EXPECT_THAT(ran.out, HasSubstr("  asthma\n  gastritis\n"));
  EXPECT_THAT(ran.out, HasSubstr("1 value of the hierarchy does not occur"));
  EXPECT_THAT(ran.err, HasSubstr("owner's own eyes"));
  const Json json = json_of(run({"hierarchy", "check", out_, people_, "--column", "illness", "--json"}));
  EXPECT_THAT(keys_of(json), ElementsAre("covered", "column", "kind", "values", "missing", "missing_total",
                                         "missing_rows", "unused", "unused_total", "internal", "warnings"));
  EXPECT_EQ(at(json, {"covered"}), "false");
  EXPECT_EQ(at(json, {"missing"}), R"(["asthma","gastritis"])");
  EXPECT_EQ(at(json, {"missing_total"}), "2");
  EXPECT_EQ(at(json, {"unused"}), R"(["mumps"])");
  const Json few =
      json_of(run({"hierarchy", "check", out_, people_, "--column", "illness", "--limit", "1", "--json"}));
  EXPECT_EQ(at(few, {"missing"}), R"(["asthma"])");
  EXPECT_EQ(at(few, {"missing_total"}), "2");
}

TEST_F(HierarchyCommands, MissingCellsNeedNoRowOfTheirOwn) {
  folder_.write("h.csv", "81667;*\n81675;*\n81925;*\n81931;*\n80331;*\n80333;*\n80335;*\n");
  const Ran ran = run({"hierarchy", "check", out_, people_, "--column", "zip", "--json"});
  EXPECT_EQ(ran.status, 0) << ran.out;
  EXPECT_EQ(at(json_of(ran), {"unused_total"}), "0");
  folder_.write("h.csv", folder_.read("h.csv") + "?;*\n");
  const Ran listed = run({"hierarchy", "check", out_, people_, "--column", "zip", "--json"});
  EXPECT_EQ(listed.status, 0);
  EXPECT_EQ(at(json_of(listed), {"unused_total"}), "0") << "the row of missing is used";
}

TEST_F(HierarchyCommands, CheckTakesAWholePolicy) {
  folder_.write("sex.csv", "F;*\nM;*\nD;*\n");
  const std::string policy = folder_.write("p.yaml",
                                           "version: 1\ncolumns:\n"
                                           "  sex: {role: quasi, hierarchy: {csv: sex.csv}}\n"
                                           "  age: {role: quasi, hierarchy: {intervals: [[0, 40, 60]]}}\n"
                                           "  zip: {role: quasi}\n"
                                           "privacy: {k: 2}\n");
  const Ran ran = run({"hierarchy", "check", people_, "--policy", policy, "--json"});
  EXPECT_EQ(ran.status, 3) << ran.out;
  const Json json = json_of(ran);
  EXPECT_EQ(at(json, {"covered"}), "false");
  EXPECT_EQ(at(json, {"missing_total"}), "4");
  const auto& columns = *json.find("columns")->elements();
  ASSERT_EQ(columns.size(), 2U);
  EXPECT_EQ(at(columns[0], {"covered"}), "true");
  EXPECT_EQ(at(columns[0], {"unused"}), R"(["D"])");
  EXPECT_EQ(at(columns[1], {"kind"}), "intervals");
  EXPECT_EQ(at(columns[1], {"missing"}), R"(["61","63","66","67"])");
  EXPECT_EQ(at(columns[1], {"unused"}), "null");
  EXPECT_EQ(run({"hierarchy", "check", people_, "--policy", policy}).status, 3);
  EXPECT_EQ(run({"hierarchy", "check", people_, "--policy", policy, "--column", "sex"}).status, 2);
  EXPECT_EQ(run({"hierarchy", "check", people_, people_, "--policy", policy}).status, 2);
  EXPECT_EQ(run({"hierarchy", "check", people_}).status, 2);
  EXPECT_EQ(run({"hierarchy", "check", "-", "-", "--column", "sex"}).status, 2);
}

}  // namespace hierarchy_commands_test
}  // namespace gauze::cli
