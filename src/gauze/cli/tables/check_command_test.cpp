#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gauze/cli/core/table_testing.h"

namespace gauze::cli {
namespace check_command_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

// Two classes: {flu, flu, asthma} and {flu, asthma, asthma, gastritis}; one row is suppressed and shows nothing.
const std::string kRelease =
    "age,sex,illness\n"
    "[30, 40),F,flu\n[30, 40),F,flu\n[30, 40),F,asthma\n"
    "[40, 50),M,flu\n[40, 50),M,asthma\n[40, 50),M,asthma\n[40, 50),M,gastritis\n"
    "*,*,*\n";

class CheckCommand : public ::testing::Test {
 protected:
  Folder folder_;
  std::string file_ = folder_.write("release.csv", [] {
    std::string text;  // values with commas stand in quotes
    for (const std::string& line : lines_of(kRelease))
      text += line.starts_with("[") ? "\"" + line.substr(0, 8) + "\"" + line.substr(8) + "\n" : line + "\n";
    return text;
  }());

  Ran check(const std::vector<std::string>& flags) {
    std::vector<std::string> args = {"check", file_};
    args.insert(args.end(), flags.begin(), flags.end());
    return run(args);
  }
  Json json(std::vector<std::string> flags, int status = 0) {
    flags.emplace_back("--json");
    const Ran ran = check(flags);
    EXPECT_EQ(ran.status, status) << ran.out << ran.err;
    return json_of(ran);
  }
};

TEST_F(CheckCommand, GivesTheKeysOfTheInterface) {
  const Json found = json({"--quasi", "age,sex", "--sensitive", "illness"});
  EXPECT_THAT(keys_of(found), IsSupersetOf({"k", "classes", "suppressed", "suppressed_class", "smallest_class",
                                            "sensitive", "risk", "risk_unsuppressed", "satisfied"}));
  EXPECT_THAT(keys_of(*found.find("suppressed_class")), ElementsAre("rows", "blank", "satisfied"));
  EXPECT_EQ(at(found, {"k"}), "3");
  EXPECT_EQ(at(found, {"classes"}), "2");
  EXPECT_EQ(at(found, {"suppressed"}), "1");
  EXPECT_EQ(at(found, {"smallest_class"}), "3");
  EXPECT_EQ(at(found, {"largest_class"}), "4");
  EXPECT_EQ(at(found, {"satisfied"}), "true") << "nothing was asked for";
  EXPECT_THAT(keys_of(*found.find("sensitive")), ElementsAre("illness"));
  EXPECT_THAT(keys_of(*found.find("sensitive")->find("illness")),
              IsSupersetOf({"l_distinct", "l_entropy", "t_equal", "t_ordered", "delta_disclosure", "beta_likeness"}));
}

// p = (3, 3, 1) / 7 over the rows in which the illness is visible.
TEST_F(CheckCommand, FiguresAreThoseOfTheDefinitions) {
  const Json found = json({"--quasi", "age,sex", "--sensitive", "illness"});
  EXPECT_EQ(at(found, {"sensitive", "illness", "l_distinct"}), "2");
  const double entropy = std::exp(-(2.0 / 3 * std::log(2.0 / 3) + 1.0 / 3 * std::log(1.0 / 3)));
  EXPECT_NEAR(number_at(found, {"sensitive", "illness", "l_entropy"}), entropy, 1e-11);
  EXPECT_NEAR(number_at(found, {"sensitive", "illness", "t_equal"}), 5.0 / 21, 1e-12);
  EXPECT_NEAR(number_at(found, {"sensitive", "illness", "beta_likeness"}), 0.75, 1e-12);
  EXPECT_NEAR(number_at(found, {"sensitive", "illness", "delta_disclosure"}), std::log2(1.75), 1e-12);
  EXPECT_NEAR(number_at(found, {"risk", "prosecutor", "highest"}), 1.0 / 3, 1e-12);
  EXPECT_NEAR(number_at(found, {"risk", "prosecutor", "mean"}), 2.0 / 7, 1e-12);
  EXPECT_EQ(at(found, {"risk", "uniques"}), "0");
}

TEST_F(CheckCommand, EndsWith3WhenSomethingAskedForDoesNotHold) {
  const std::vector<std::pair<std::vector<std::string>, bool>> asked = {
      {{"--k", "3"}, true},
      {{"--k", "4"}, false},
      {{"--l-diversity", "illness:distinct:2"}, true},
      {{"--l-diversity", "illness:distinct:3"}, false},
      {{"--l-diversity", "illness:entropy:1.8"}, true},
      {{"--l-diversity", "illness:entropy:2"}, false},
      {{"--l-diversity", "illness:recursive:2:3"}, true},
      {{"--l-diversity", "illness:recursive:2:2"}, false},
      {{"--t-closeness", "illness:equal:0.2381"}, true},
      {{"--t-closeness", "illness:equal:0.238"}, false},
      {{"--delta-disclosure", "illness:0.81"}, true},
      {{"--delta-disclosure", "illness:0.8"}, false},
      {{"--beta-likeness", "illness:basic:0.75"}, true},
      {{"--beta-likeness", "illness:basic:0.74"}, false}};
  for (const auto& [flags, holds] : asked) {
    std::vector<std::string> all = {"--quasi", "age,sex"};
    all.insert(all.end(), flags.begin(), flags.end());
    const Json found = json(all, holds ? 0 : 3);
    EXPECT_EQ(at(found, {"satisfied"}), holds ? "true" : "false") << flags[1];
    const auto& one = found.find("requirements")->elements()->at(0);
    EXPECT_EQ(at(one, {"holds"}), holds ? "true" : "false");
    EXPECT_EQ(at(one, {"failing_classes"}) == "0", holds) << flags[1];
  }
}

TEST_F(CheckCommand, WarnsOfQuasiIdentifiersThatNobodyNamed) {
  std::string text = "sex,born,ill\n";
  for (int i = 0; i < 40; ++i) text += fmt::format("{},19{}-0{}-11,flu\n", i % 2 == 0 ? "F" : "M", 50 + i, 1 + i % 9);
  file_ = folder_.write("born.csv", text);
  const Ran ran = check({"--quasi", "sex", "--k", "5", "--quiet"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.err, HasSubstr("'born'"));
  const Json found = json({"--quasi", "sex", "--k", "5"});
  EXPECT_EQ(at(found.find("warnings")->elements()->at(0), {"code"}), "unnamed_quasi_identifiers");
  EXPECT_THAT(check({"--quasi", "sex", "--keep", "born", "--k", "5"}).err, Not(HasSubstr("born")));
  const std::vector<std::string> anonymize = {"anonymize", file_, "--quasi",           "sex",    "--k",
                                              "5",         "-o",  folder_ / "out.csv", "--quiet"};
  EXPECT_THAT(run(anonymize).err, HasSubstr("'born'")) << "and before it is written";
}

TEST_F(CheckCommand, JudgesTheLettersOfTheFile) {
  file_ = folder_.write("letters.csv", "sex,age\nM,30\nM,30\nM ,30\nF,?\nF,?\nF,\n");
  const Json found = json({"--quasi", "sex,age", "--k", "2"}, 3);
  EXPECT_EQ(at(found, {"k"}), "1");
  EXPECT_EQ(at(found.find("requirements")->elements()->at(0), {"failing_rows"}), "2");
}

TEST_F(CheckCommand, BlanksThatNobodySeesMakeNoOtherValue) {
  file_ = folder_.write("blanks.csv", "sex,ill\nM,HIV\nM,HIV\u00A0\nM,\u3000HIV\nM,HIV\u200B\nM,\u2003\n");
  const Json found = json({"--quasi", "sex", "--l-diversity", "ill:distinct:2"}, 3);
  EXPECT_EQ(at(found, {"sensitive", "ill", "l_distinct"}), "1");
  const Ran ran = run({"anonymize", file_, "--quasi", "sex", "--k", "2", "--l-diversity", "ill:distinct:2", "-o",
                       folder_ / "out.csv"});
  EXPECT_EQ(ran.status, 3) << "one illness and a missing cell";
}

TEST_F(CheckCommand, ShowsTheKOfTheReadingOfMissing) {
  file_ = folder_.write("missing.csv", "age,zip\n30,1\n30,1\n?,1\n");
  EXPECT_EQ(at(json({"--quasi", "age,zip", "--missing", "own"}), {"k"}), "1");
  EXPECT_EQ(at(json({"--quasi", "age,zip", "--missing", "any"}), {"k"}), "3");
}

TEST_F(CheckCommand, HierarchicalDistanceNeedsAHierarchy) {
  EXPECT_EQ(check({"--quasi", "age,sex", "--t-closeness", "illness:hierarchical:0.5"}).status, 2);
  const std::string hierarchy = folder_.write("illness.csv", "flu;lung;*\nasthma;lung;*\ngastritis;belly;*\n");
  const Json found = json({"--quasi", "age,sex", "--sensitive", "illness", "--hierarchy", "illness=" + hierarchy,
                           "--t-closeness", "illness:hierarchical:0.5"});
  EXPECT_NE(at(found, {"sensitive", "illness", "t_hierarchical"}), "(absent)");
  folder_.write("illness.csv", "flu;lung;*\nasthma;lung;*\n");
  EXPECT_EQ(check({"--quasi", "age,sex", "--hierarchy", "illness=" + hierarchy, "--t-closeness",
                   "illness:hierarchical:0.5"})
                .status,
            1);
}

TEST_F(CheckCommand, SpeaksPlainly) {
  const Ran ran = check({"--quasi", "age,sex", "--sensitive", "illness", "--k", "4"});
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.out, HasSubstr("k            3: every row looks like at least 2 others\n"));
  EXPECT_THAT(ran.out, HasSubstr("classes      2 of 3 to 4 rows\n"));
  EXPECT_THAT(ran.out, HasSubstr("FAILS        k = 4: 1 class with 3 rows does not satisfy it\n"));
  EXPECT_THAT(ran.out, HasSubstr("rows         8, 1 with nothing but * at all: in no class\n"));
  file_ = folder_.write("unique.csv", "age\n1\n1\n2\n");
  EXPECT_THAT(check({"--quasi", "age"}).out, HasSubstr("k            1: 1 row looks like no other\n"));
  file_ = folder_.write("pairs.csv", "age\n1\n1\n2\n2\n");
  const Ran pairs = check({"--quasi", "age"});
  EXPECT_THAT(pairs.out, HasSubstr("k            2: every row looks like at least 1 other\n"));
  EXPECT_THAT(pairs.out, HasSubstr("classes      2 of 2 rows each\n"));
}

TEST_F(CheckCommand, StarsInOneColumnDoNotSuppressARow) {
  file_ = folder_.write("stars.csv", "age,sex\n*,F\n*,F\n*,*\n");
  const Json found = json({"--quasi", "age,sex"});
  EXPECT_EQ(at(found, {"suppressed"}), "1");
  EXPECT_EQ(at(found, {"k"}), "2");
}

// What k = 18 was once said of: one suppressed row tells everything about the one person who fits no class.
TEST_F(CheckCommand, SuppressedRowsThatShowSomethingAreAClass) {
  file_ = folder_.write("shown.csv", "age,sex,illness\n30,F,flu\n30,F,asthma\n*,*,HIV\n");
  const Json found = json({"--quasi", "age,sex", "--k", "2"}, 3);
  EXPECT_EQ(at(found, {"k"}), "1");
  EXPECT_EQ(at(found, {"suppressed_class", "rows"}), "1");
  EXPECT_EQ(at(found, {"suppressed_class", "satisfied"}), "false");
  EXPECT_EQ(at(found, {"risk_unsuppressed", "prosecutor", "highest"}), "0.5");
  std::string rows = "age,illness\n30,flu\n30,HIV\n";
  for (int i = 0; i < 10; ++i) rows += "*,HIV\n";
  file_ = folder_.write("ten.csv", rows);
  EXPECT_EQ(check({"--quasi", "age", "--k", "2"}).status, 0);
  EXPECT_EQ(check({"--quasi", "age", "--k", "2", "--l-diversity", "illness:distinct:2"}).status, 3);
}

TEST_F(CheckCommand, AnIdentifierThatNobodyDecidedAboutSpeaksAgainstTheFile) {
  file_ = folder_.write("named.csv", "name,age,illness\nAda,30,flu\nBob,30,flu\n");
  const Json refused = json({"--quasi", "age", "--k", "2"}, 3);
  EXPECT_EQ(at(refused, {"error", "code"}), "not_private");
  EXPECT_EQ(at(refused, {"satisfied"}), "false");
  EXPECT_EQ(at(refused, {"k"}), "2") << "the figures stand beside it";
  EXPECT_EQ(at(refused.find("undecided_columns")->elements()->at(0), {"column"}), "name");
  EXPECT_EQ(at(json({"--quasi", "age", "--k", "2", "--keep", "name"}), {"satisfied"}), "true");
  const Ran text = check({"--quasi", "age", "--k", "2"});
  EXPECT_EQ(text.status, 3);
  EXPECT_THAT(text.out, HasSubstr("every row looks like at least 1 other"));
  EXPECT_THAT(text.out, HasSubstr("FAILS        'name' (its name says 'name') looks like an identifier"));
  EXPECT_THAT(text.out, HasSubstr("--keep"));
  EXPECT_EQ(check({"--quasi", "age", "--k", "2", "--keep", "nam"}).status, 2) << "unknown";
}

TEST_F(CheckCommand, APolicyKnowsEveryColumnAndSeesWhatItDropsGone) {
  const auto policy = [&](const std::string& columns) {
    return folder_.write("p.yaml", "version: 1\ncolumns:\n  age: {role: quasi}\n" + columns + "privacy: {k: 2}\n");
  };
  file_ = folder_.write("f.csv", "ward,age\na,30\na,30\n");
  const Json unknown = json({"--policy", policy("")}, 3);
  EXPECT_EQ(at(unknown, {"error", "code"}), "not_private");
  EXPECT_THAT(at(unknown, {"error", "message"}), HasSubstr("says nothing of 'ward'"));
  const Json dropped = json({"--policy", policy("  ward: {role: identifier, action: drop}\n")}, 3);
  EXPECT_THAT(at(dropped, {"error", "message"}), HasSubstr("drops 'ward', and the file still has it"));
  EXPECT_EQ(at(json({"--policy", policy("  ward: {role: insensitive}\n")}), {"satisfied"}), "true");
  EXPECT_EQ(check({"--policy", policy("  ward: {role: identifier, action: keep}\n")}).status, 0);
}

TEST_F(CheckCommand, AColumnOfPseudonymsHoldsPseudonyms) {
  const std::string policy = folder_.write(
      "p.yaml",
      "version: 1\ncolumns:\n  age: {role: quasi}\n  pid: {role: identifier, action: pseudonym, key: k}\nprivacy: {k: 2}\n");
  const std::string raw = folder_.write("raw.csv", "pid,age\na@example.org,30\nb@example.org,30\n");
  file_ = raw;
  const Json refused = json({"--policy", policy}, 3);
  EXPECT_EQ(at(refused, {"error", "code"}), "not_private") << "the unprocessed input";
  ASSERT_EQ(run({"anonymize", raw, "--policy", policy, "-o", folder_ / "out.csv"}).status, 0);
  file_ = folder_ / "out.csv";
  EXPECT_EQ(at(json({"--policy", policy}), {"satisfied"}), "true");
}

TEST_F(CheckCommand, TakesColumnsAndCriteriaFromAPolicy) {
  const std::string policy =
      folder_.write("p.yaml",
                    "version: 1\ncolumns:\n  age: {role: quasi}\n  sex: {role: quasi}\n"
                    "  illness: {role: sensitive}\n"
                    "privacy: {k: 3, l_diversity: [{column: illness, kind: distinct, l: 2}]}\n");
  const Json found = json({"--policy", policy});
  EXPECT_EQ(found.find("requirements")->elements()->size(), 2U);
  EXPECT_EQ(check({"--policy", policy, "--quasi", "age"}).status, 2);
}

TEST_F(CheckCommand, RiskByGroupNamesWhoIsWorseProtected) {
  const Json found = json({"--quasi", "age,sex", "--sensitive", "illness"});
  EXPECT_THAT(found.find("risk")->dump(), HasSubstr("gastritis"));
}

TEST_F(CheckCommand, ReadsStandardInput) {
  const StandardInput input(file_);
  const Ran ran = run({"check", "-", "--quasi", "age,sex", "--k", "3"});
  EXPECT_EQ(ran.status, 0) << ran.err;
}

}  // namespace check_command_test
}  // namespace gauze::cli
