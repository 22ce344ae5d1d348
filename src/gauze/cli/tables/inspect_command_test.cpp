#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "gauze/cli/core/table_testing.h"

namespace gauze::cli {
namespace inspect_command_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class InspectCommand : public ::testing::Test {
 protected:
  Folder folder_;
  std::string file_ = folder_.write("people.csv", [] {
    std::string text = "name,age,zip,sex,illness,income,size\n";
    for (int i = 0; i < 60; ++i)
      text += fmt::format("Person {},{},8{:04},{},{},{},{}.5\n", i, 20 + i % 13, i % 6, i % 2 == 0 ? "F" : "M",
                          i % 3 == 0 ? "flu" : "asthma", i % 13 < 6 ? "low" : "high", 150 + i);
    return text + "Last,?,81000,F,flu,low,170.5\n";
  }());

  Json json(std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"inspect", file_, "--json"});
    const Ran ran = run(flags);
    EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
    return json_of(ran);
  }
  static std::map<std::string, Json> columns(const Json& found) {
    std::map<std::string, Json> by_name;
    for (const Json& column : *found.find("columns")->elements())
      by_name[std::string(column.find("name")->text())] = column;
    return by_name;
  }
};

TEST_F(InspectCommand, GivesTheKeysOfTheInterface) {
  const Json found = json({"--target", "income"});
  EXPECT_THAT(keys_of(found),
              ElementsAre("rows", "columns", "combinations", "ties", "twins", "spellings", "outliers", "warnings"));
  EXPECT_EQ(at(found, {"rows"}), "61");
  for (const Json& column : *found.find("columns")->elements())
    EXPECT_THAT(keys_of(column),
                ElementsAre("name", "type", "distinct", "missing", "uniqueness", "role", "reason",
                            "mutual_information", "normalized_mutual_information", "distinction", "separation",
                            "least", "largest", "commonest", "odd", "availability", "risk"));
}

TEST_F(InspectCommand, SuggestsRolesWithTheReason) {
  auto found = columns(json({}));
  const std::map<std::string, std::string> roles = {{"name", "identifier"},   {"age", "quasi"},
                                                    {"zip", "quasi"},         {"sex", "quasi"},
                                                    {"illness", "sensitive"}, {"income", "sensitive"}};
  for (const auto& [name, role] : roles) EXPECT_EQ(at(found[name], {"role"}), role) << name;
  EXPECT_EQ(at(found["age"], {"type"}), "integer");
  EXPECT_EQ(at(found["age"], {"missing"}), "1");
  EXPECT_EQ(at(found["age"], {"distinct"}), "13");
  EXPECT_EQ(at(found["age"], {"mutual_information"}), "null") << "without a target there is none";
  EXPECT_THAT(at(found["zip"], {"reason"}), HasSubstr("zip"));
}

TEST_F(InspectCommand, RiskIsInformationTimesAvailability) {
  auto found = columns(json({"--target", "income", "--columns", "age,zip,sex", "--availability", "age=2"}));
  EXPECT_EQ(at(found["age"], {"normalized_mutual_information"}), "1") << "income follows from age";
  EXPECT_EQ(at(found["age"], {"availability"}), "2");
  EXPECT_EQ(at(found["age"], {"risk"}), "2");
  EXPECT_EQ(at(found["income"], {"role"}), "target");
  EXPECT_EQ(run({"inspect", file_, "--availability", "age=6"}).status, 2);
  EXPECT_EQ(run({"inspect", file_, "--availability", "age"}).status, 2);
}

TEST_F(InspectCommand, SensitiveColumnsCanBeNamed) {
  auto found = columns(json({"--sensitive", "zip"}));
  EXPECT_EQ(at(found["zip"], {"role"}), "sensitive");
}

TEST_F(InspectCommand, CountsUniqueRowsOnCombinations) {
  const Json found = json({"--columns", "age,zip,sex", "--k", "3"});
  const auto& combinations = *found.find("combinations")->elements();
  ASSERT_EQ(combinations.size(), 1U);
  EXPECT_THAT(keys_of(combinations[0]),
              ElementsAre("columns", "uniques", "below_k", "smallest_class", "reaches_k", "loss"));
  const Json checked = json_of(run({"check", file_, "--quasi", "age,zip,sex", "--json"}));
  EXPECT_EQ(at(combinations[0], {"uniques"}), at(checked, {"risk", "uniques"}));
  EXPECT_EQ(at(combinations[0], {"smallest_class"}), at(checked, {"k"}));
}

TEST_F(InspectCommand, WarnsOfColumnsTiedToAProtectedGroup) {
  std::string text = "sex,job,age\n";
  for (int i = 0; i < 80; ++i)
    text += fmt::format("{},{},{}\n", i % 2 == 0 ? "F" : "M", i % 2 == 0 ? "nurse" : "smith", i % 7);
  file_ = folder_.write("tied.csv", text);
  const Json found = json({});
  const auto& ties = *found.find("ties")->elements();
  ASSERT_EQ(ties.size(), 1U);
  EXPECT_EQ(at(ties[0], {"column"}), "job");
  EXPECT_EQ(at(ties[0], {"protected"}), "sex");
  EXPECT_NEAR(number_at(ties[0], {"cramers_v"}), 1, 1e-12);
  EXPECT_THAT(run({"inspect", file_}).out, HasSubstr("job and sex"));
}

TEST_F(InspectCommand, ValuesThatHardlyRepeatAreNoTie) {
  std::string text = "sex,code\n";
  for (int i = 0; i < 40; ++i)
    text += fmt::format("{},{}\n", i % 2 == 0 ? "F" : "M", i / 2 * 7 % 20 + (i % 4 == 0 ? 20 : 0));
  file_ = folder_.write("codes.csv", text);
  EXPECT_TRUE(json({"--columns", "code"}).find("ties")->elements()->empty());
}

TEST_F(InspectCommand, PrintsOneLineAColumn) {
  const Ran ran = run({"inspect", file_, "--target", "income"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("61 rows, 7 columns"));
  EXPECT_THAT(ran.out, HasSubstr("3 columns together"));
  EXPECT_THAT(ran.out, Not(HasSubstr("Person 7")));
}

TEST_F(InspectCommand, AsksWhetherOddCellsMeanMissing) {
  std::string text = "born,sex\n";
  for (int i = 0; i < 40; ++i) text += fmt::format("19{}-05-17,f\n", 50 + i);
  const std::string file = folder_.write("odd.csv", text + "-,m\n");
  const Ran ran = run({"inspect", file});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("97.6 % are dates, 1 is not ('-'); missing? --null '-'"));
  const std::vector<std::string> anonymize = {"anonymize", file, "--quasi", "born",
                                              "--k",       "2",  "-o",      folder_ / "out.csv"};
  const Ran refused = run(anonymize);
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.err, HasSubstr("of its 41 values 97.6 % are dates, 1 is not ('-')"));
  std::vector<std::string> told = anonymize;
  told.insert(told.end(), {"--null", "-", "--suppression", "0.1"});
  EXPECT_EQ(run(told).status, 0);
  EXPECT_EQ(run({"hierarchy", "build", file, "--column", "born", "-o", folder_ / "h.csv"}).status, 1);
  EXPECT_EQ(run({"hierarchy", "build", file, "--column", "born", "--kind", "order", "-o", folder_ / "h.csv"}).status,
            0)
      << "asked for";
}

TEST_F(InspectCommand, SaysWhatItsProductIsRelativeTo) {
  const Ran plain = run({"inspect", file_});
  EXPECT_THAT(plain.out, Not(HasSubstr("r*a")));
  EXPECT_THAT(plain.out, HasSubstr("separation"));
  const Ran targeted = run({"inspect", file_, "--target", "income"});
  EXPECT_THAT(targeted.out, HasSubstr("relevance x availability, relative to the columns compared"));
}

TEST_F(InspectCommand, TellsWhatMayNeedCleaningAndDraftsAPolicyThatCleansIt) {
  std::string text = "age,sex,note\n";
  for (int i = 0; i < 120; ++i)
    text += fmt::format("{},{},n\n", i == 5 ? 999 : 20 + i % 40, i % 40 == 3 ? "Male" : i % 2 == 0 ? "f" : "m");
  const std::string file = folder_.write("messy.csv", text);
  const Json found = json_of(run({"inspect", file, "--json"}));
  ASSERT_EQ(found.find("spellings")->elements()->size(), 1U);
  const Json& group = found.find("spellings")->elements()->at(0);
  EXPECT_EQ(at(group, {"column"}), "sex");
  EXPECT_EQ(at(group, {"name"}), "m");
  EXPECT_EQ(at(group, {"values"}), R"([{"value":"m","rows":57},{"value":"Male","rows":3}])");
  ASSERT_EQ(found.find("outliers")->elements()->size(), 1U);
  EXPECT_EQ(found.find("outliers")->elements()->at(0).dump(),
            R"({"column":"age","low":999,"high":999,"rows":1,"why":"impossible"})");

  const std::string draft = folder_ / "draft.yaml";
  const Ran ran = run({"inspect", file, "--write-policy", draft});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("sex: 'm' (57), 'Male' (3) look alike"));
  EXPECT_THAT(ran.out, HasSubstr("age: 999 in 1 row: no age that people reach"));
  EXPECT_THAT(ran.err, HasSubstr("a draft made from the data"));
  EXPECT_THAT(folder_.read("draft.yaml"), HasSubstr("cleaning: data"));
  ASSERT_EQ(run({"anonymize", file, "--policy", draft, "-o", folder_ / "out.csv"}).status, 0);
  EXPECT_THAT(folder_.read("out.csv"), Not(HasSubstr("999")));
  EXPECT_EQ(refusal({"inspect", file, "--write-policy", file}), "usage") << "the table stays";
}

TEST_F(InspectCommand, WritesItsFiguresAsAPage) {
  const Ran ran = run({"inspect", file_, "--target", "income", "--report", folder_ / "page.html"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("INTERNAL"));
  const std::string page = folder_.read("page.html");
  EXPECT_THAT(page, HasSubstr("\"kind\":\"inspection\""));
  EXPECT_THAT(page, HasSubstr("\"file\":\"people.csv\",\"target\":\"income\",\"k\":5"));
  EXPECT_EQ(run({"inspect", file_, "--report", file_}).status, 2) << "it would replace what is read";
}

}  // namespace inspect_command_test
}  // namespace gauze::cli
