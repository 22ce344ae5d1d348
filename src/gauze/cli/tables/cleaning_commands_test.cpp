// Every command that takes a policy sees the table as `same` and `valid` make it: what it says of a table in many spellings with its
// cleaning is what it says of the tidy table without.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/cli/core/table_testing.h"

namespace gauze::cli {
namespace cleaning_commands_test {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

std::string policy_text(const std::string& sex, const std::string& age, const std::string& sick) {
  return fmt::format(R"(version: 1
columns:
  age:  {{role: quasi, hierarchy: {{intervals: [[0, 30, 60, 120], [0, 120]]}}{}}}
  sex:  {{role: [quasi, protected], values: [m, f]{}}}
  sick: {{role: target, values: ["yes", "no"], positive: "yes"{}}}
privacy: {{k: 5}}
search: {{suppression: 0.1}}
release: {{mode: grid, levels: {{age: 1, sex: 0}}}}
provenance: {{quasi: public, hierarchies: public, levels: public, k: public, epsilon: public, cleaning: public}}
)",
                     age, sex, sick);
}

const std::string kCleans = policy_text(", same: {m: [M, Male, 男], f: [F, female]}",
                                        ", valid: [0, 120], outside: missing", ", same: {\"yes\": [\"1\", Y]}");
const std::string kPlain = policy_text("", "", "");

class CleaningCommands : public ::testing::Test {
 protected:
  Folder folder_;
  std::string cleans_ = folder_.write("cleans.yaml", kCleans);
  std::string plain_ = folder_.write("plain.yaml", kPlain);
  std::string messy_ = folder_.write("messy.csv", table(true));
  std::string tidy_ = folder_.write("tidy.csv", table(false));

  /// 240 people; in the messy table in several spellings, and some ages that cannot be.
  static std::string table(bool messy) {
    const std::vector<std::vector<std::string>> sexes = {{"m", "M", " Male ", "男"}, {"f", "F", "female", "f "}};
    std::string text = "age,sex,sick\n";
    for (std::size_t i = 0; i < 240; ++i) {
      const bool odd = i % 40 == 7;
      const std::string age = odd ? (!messy ? "" : i % 80 == 7 ? "999" : "unknown") : std::to_string(20 + i % 60);
      const bool sick = i % 5 == 0;
      const std::string yes = messy && i % 10 == 0 ? "1" : "yes";
      text += fmt::format("{},{},{}\n", age, sexes[i % 2][messy ? i / 2 % 4 : 0], sick ? yes : "no");
    }
    return text;
  }
  Json of(std::vector<std::string> args, int status = 0) {
    args.emplace_back("--json");
    const Ran ran = run(args);
    EXPECT_EQ(ran.status, status) << ran.out << ran.err;
    return json_of(ran);
  }
  static std::string without(const Json& object, const std::vector<std::string>& left_out) {
    std::string text;
    for (const auto& [key, value] : *object.members())
      if (std::find(left_out.begin(), left_out.end(), key) == left_out.end())
        text += key + ": " + value.dump() + "\n";
    return text;
  }
};

TEST_F(CleaningCommands, AnonymizeSearchesAndWritesTheTidyTable) {
  const Json messy = of({"anonymize", messy_, "--policy", cleans_, "--keep-order", "-o", folder_ / "a.csv"});
  const Json tidy = of({"anonymize", tidy_, "--policy", plain_, "--keep-order", "-o", folder_ / "b.csv"});
  const std::vector<std::string> other = {"seconds", "label", "warnings"};
  EXPECT_EQ(without(messy, other), without(tidy, other));
  EXPECT_EQ(folder_.read("a.csv"), folder_.read("b.csv"));
  EXPECT_THAT(folder_.read("a.csv"), Not(HasSubstr("Male")));
  EXPECT_EQ(at(messy, {"label", "parameters", "columns_cleaned"}), R"(["age","sex","sick"])");
}

TEST_F(CleaningCommands, AnonymizeWritesParquetAndShuffledRowsOfTheTidyTableToo) {
  ASSERT_EQ(run({"anonymize", messy_, "--policy", cleans_, "-o", folder_ / "a.csv"}).status, 0);
  ASSERT_EQ(run({"anonymize", tidy_, "--policy", plain_, "-o", folder_ / "b.csv"}).status, 0);
  EXPECT_EQ(sorted(lines_of(folder_.read("a.csv"))), sorted(lines_of(folder_.read("b.csv"))));
  ASSERT_EQ(run({"anonymize", messy_, "--policy", cleans_, "-o", folder_ / "a.parquet"}).status, 0);
  const auto checked = [&](const char* file) {
    const Json found = of({"check", folder_ / file, "--quasi", "age,sex", "--sensitive", "sick", "--k", "5"});
    return at(found, {"k"}) + at(found, {"classes"}) + at(found, {"sensitive"});
  };
  EXPECT_EQ(checked("a.parquet"), checked("b.csv"));
}

TEST_F(CleaningCommands, EvaluateMeasuresTheTidyTable) {
  const std::vector<std::string> flags = {"--epsilons", "0.5,1", "--repetitions", "4", "--seed", "3"};
  const auto with = [&](std::vector<std::string> args) {
    args.insert(args.end(), flags.begin(), flags.end());
    return of(args);
  };
  EXPECT_EQ(at(with({"evaluate", messy_, "--policy", cleans_}), {"epsilons"}),
            at(with({"evaluate", tidy_, "--policy", plain_}), {"epsilons"}));
  EXPECT_EQ(at(of({"compare", messy_, "--policy", cleans_, "--epsilon", "1", "--repetitions", "4", "--seed", "3"}),
               {"comparison"}),
            at(of({"compare", tidy_, "--policy", plain_, "--epsilon", "1", "--repetitions", "4", "--seed", "3"}),
               {"comparison"}));
}

TEST_F(CleaningCommands, EvaluateTellsOfRulesThatAReleaseWouldRefuse) {
  std::string text = kCleans;
  text.replace(text.find(", cleaning: public"), 18, "");
  const Json found = of({"evaluate", messy_, "--policy", folder_.write("data.yaml", text), "--epsilons", "1",
                         "--repetitions", "2", "--seed", "3"});
  EXPECT_THAT(warning_codes(found), Contains("cleaning_from_data"));
  EXPECT_EQ(
      refusal({"release", messy_, "--policy", folder_ / "data.yaml", "--epsilon", "1", "-o", folder_ / "x.csv"}, 3),
      "not_private");
}

TEST_F(CleaningCommands, ReleaseCountsTheTidyTable) {
  // Noise of scale 1e-7 is 0 but once in e^5,000,000 draws.
  for (const auto& [file, policy, out] : {std::tuple(messy_, cleans_, "a.csv"), std::tuple(tidy_, plain_, "b.csv")})
    ASSERT_EQ(run({"release", file, "--policy", policy, "--epsilon", "10000000", "-o", folder_ / out}).status, 0);
  EXPECT_EQ(folder_.read("a.csv"), folder_.read("b.csv"));
  EXPECT_THAT(folder_.read("a.csv"), HasSubstr("m,"));
  ASSERT_EQ(run({"release", messy_, "--policy", cleans_, "--epsilon", "1", "--as-published", "-o", folder_ / "c.csv"})
                .status,
            0);
  EXPECT_THAT(folder_.read("c.csv"), AllOf(Not(HasSubstr("Male")), Not(HasSubstr("999"))));
}

TEST_F(CleaningCommands, CheckJudgesTheFileAsItStandsAndAsThePolicyReadsIt) {
  const std::string keys = "{role: quasi, same: {a: [A]}}";
  const std::string policy = folder_.write("p.yaml", "version: 1\ncolumns: {c: " + keys + "}\nprivacy: {k: 3}\n");
  const std::string split = folder_.write("split.csv", "c\na\na\nA\nA\n");
  const Json failing = of({"check", split, "--policy", policy}, 3);
  EXPECT_EQ(at(failing, {"satisfied"}), "false");
  EXPECT_EQ(at(failing, {"k"}), "2") << "whoever reads the file tells a and A apart";
  const std::string both = folder_.write("both.csv", "c\na\na\na\nA\nA\nA\n");
  const Json warned = of({"check", both, "--policy", policy});
  EXPECT_EQ(at(warned, {"k"}), "3");
  EXPECT_THAT(warning_codes(warned), Contains("not_cleaned"));
  // two spellings of one illness are no two illnesses
  const std::string ill =
      folder_.write("ill.yaml",
                    "version: 1\ncolumns: {c: {role: quasi}, s: {role: sensitive, same: {flu: [Flu]}}}\n"
                    "privacy: {k: 2, l_diversity: [{column: s, kind: distinct, l: 2}]}\n");
  const Json told = of({"check", folder_.write("ill.csv", "c,s\na,flu\na,Flu\n"), "--policy", ill}, 3);
  EXPECT_EQ(at(told, {"error", "code"}), "not_private");
  EXPECT_THAT(at(told, {"error", "message"}), HasSubstr("'s' in 1 row"));
  const std::string clean = folder_.write("clean.csv", "c\na\na\na\n");
  EXPECT_THAT(warning_codes(of({"check", clean, "--policy", policy})), Not(Contains("not_cleaned")));
}

TEST_F(CleaningCommands, WhatAnonymizeWroteIsCleanToCheck) {
  std::string text = kCleans;
  text.replace(text.find("outside: missing"), 16, "outside: other");
  const std::string policy = folder_.write("other.yaml", text);
  ASSERT_EQ(run({"anonymize", messy_, "--policy", policy, "-o", folder_ / "a.csv"}).status, 0);
  const Json found = of({"check", folder_ / "a.csv", "--policy", policy});
  EXPECT_EQ(at(found, {"satisfied"}), "true");
  EXPECT_THAT(warning_codes(found), Not(Contains("not_cleaned"))) << "intervals are no numbers outside";
}

TEST_F(CleaningCommands, SuppressedCellsAreNoValuesOutside) {
  std::string csv = "c,size\n";
  for (int i = 0; i < 12; ++i) csv += fmt::format("{},{}\n", i < 11 ? "a" : "b", 150 + i);
  const std::string policy = folder_.write(
      "star.yaml",
      "version: 1\ncolumns: {c: {role: quasi, hierarchy: {groups: [{all: [a, b]}]}}, size: {role: sensitive, valid: [100, 220]}}\n"
      "privacy: {k: 5}\nsearch: {suppression: 0.2}\nprovenance: {cleaning: public}\n");
  ASSERT_EQ(run({"anonymize", folder_.write("sizes.csv", csv), "--policy", policy, "-o", folder_ / "s.csv"}).status,
            0);
  const Json found = of({"check", folder_ / "s.csv", "--policy", policy});
  EXPECT_EQ(at(found, {"satisfied"}), "true");
  EXPECT_THAT(warning_codes(found), Not(Contains("not_cleaned")));
}

TEST_F(CleaningCommands, HierarchiesNeedNoRowForWhatLiesOutside) {
  std::string text = kCleans;
  text.replace(text.find("outside: missing"), 16, "outside: other");
  const Json found = of({"hierarchy", "check", messy_, "--policy", folder_.write("other.yaml", text)});
  EXPECT_EQ(at(found, {"covered"}), "true");
  EXPECT_EQ(at(of({"hierarchy", "check", messy_, "--policy", plain_}, 3), {"covered"}), "false")
      << "without cleaning they miss some";
}

TEST_F(CleaningCommands, TheWrittenPolicyCleansAlike) {
  const std::string again = folder_ / "again.yaml";
  ASSERT_EQ(run({"anonymize", messy_, "--policy", cleans_, "--write-policy", again, "--keep-order", "-o",
                 folder_ / "a.csv"})
                .status,
            0);
  ASSERT_EQ(run({"anonymize", messy_, "--policy", again, "--keep-order", "-o", folder_ / "b.csv"}).status, 0);
  EXPECT_EQ(folder_.read("a.csv"), folder_.read("b.csv"));
  EXPECT_THAT(folder_.read("again.yaml"), HasSubstr("cleaning: data"));
}

TEST_F(CleaningCommands, AColumnToCleanThatIsNotThereIsNamed) {
  const std::string policy = folder_.write(
      "p.yaml",
      "version: 1\ncolumns: {age: {role: quasi}, town: {role: insensitive, same: {a: [A]}}}\nprivacy: {k: 2}\n");
  EXPECT_EQ(refusal({"anonymize", tidy_, "--policy", policy, "-o", folder_ / "x.csv"}), "unknown_column");
}

}  // namespace cleaning_commands_test
}  // namespace gauze::cli
