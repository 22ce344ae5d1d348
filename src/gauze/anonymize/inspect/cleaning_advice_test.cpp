// What an inspection says of spellings and outliers, and the policy that it drafts.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/anonymize/inspect/draft_policy.h"
#include "gauze/schema/policy/policy_writer.h"
#include "gauze/table/testing/memory_table.h"

namespace gauze::anonymize {
namespace cleaning_advice_test {

using namespace schema;  // the vocabulary of this file

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Texts = std::vector<std::string>;

/// A table of one column; each text once more than the next.
Inspection inspected(const std::string& name, const Texts& texts, const InspectionRequest& request = {}) {
  table::MemoryTable::Rows rows;
  for (std::size_t i = 0; i < texts.size(); ++i) rows.insert(rows.end(), texts.size() - i, {texts[i]});
  table::MemoryTable table({name}, rows);
  Progress progress;
  return inspect(table, request, progress).value();
}

/// The groups of spellings, each as it stands.
std::vector<Texts> groups(const Inspection& found) {
  std::vector<Texts> all;
  for (const LookAlikes& group : found.spellings) {
    Texts& texts = all.emplace_back();
    for (const auto& value : group.values) texts.push_back(value.value);
    EXPECT_EQ(group.name, texts.front());
  }
  return all;
}

TEST(LookAlikes, DifferInCaseWidthBlanksOrPunctuation) {
  EXPECT_THAT(groups(inspected("town", {"St. Gallen", "Rom", "st gallen", "ST.GALLEN", "Oslo", "Ｏｓｌｏ", "Kiel"})),
              ElementsAre(Texts{"St. Gallen", "st gallen", "ST.GALLEN"}, Texts{"Oslo", "Ｏｓｌｏ"}));
  EXPECT_THAT(groups(inspected("pay", {"<=50K", ">50K", "<=50K.", ">50K."})),
              ElementsAre(Texts{"<=50K", "<=50K."}, Texts{">50K", ">50K."}))
      << "signs are more than punctuation";
}

TEST(LookAlikes, LongWordsMayBeALetterApart) {
  EXPECT_THAT(
      groups(inspected("job", {"engineer", "teacher", "enginer", "engineer s", "enigneer", "baker", "bakes"})),
      ElementsAre(Texts{"engineer", "enginer", "engineer s", "enigneer"}))
      << "short words are not compared by letters";
  EXPECT_THAT(groups(inspected("grade", {"level 10 a", "level 11 a"})), IsEmpty()) << "nor are those with digits";
}

TEST(LookAlikes, KnowWordsForSexAndForYesAndNoInFourLanguages) {
  EXPECT_THAT(groups(inspected("geschlecht", {"männlich", "F", "weiblich", "男", "M", "Femme", "女"})),
              ElementsAre(Texts{"männlich", "男", "M"}, Texts{"F", "weiblich", "Femme", "女"}));
  EXPECT_THAT(groups(inspected("smokes", {"yes", "no", "1", "Nein", "是", "0"})),
              ElementsAre(Texts{"yes", "1", "是"}, Texts{"no", "Nein", "0"}));
  EXPECT_THAT(groups(inspected("letter", {"m", "f", "male", "x"})), IsEmpty()) << "x is no sex";
  EXPECT_THAT(groups(inspected("flag", {"1", "0"})), IsEmpty());
}

TEST(LookAlikes, NumbersAndDatesLookLikeNoOtherValue) {
  EXPECT_THAT(groups(inspected("code", {"1.5", "15", "-15", "a", "b"})), IsEmpty());
  EXPECT_THAT(groups(inspected("day", {"2024-01-02", "20240102", "x", "2024.01.02"})), IsEmpty());
  EXPECT_THAT(groups(inspected("band", {"1-5", "15-", "6-10"})), IsEmpty())
      << "what stands between digits belongs to them";
}

TEST(LookAlikes, TotalOnOddTexts) {
  EXPECT_THAT(groups(inspected("odd", {"\xff\xfe", "...", "---", "\u200b\u200b!", "\U0001F600", "İ", "i̇"})),
              ElementsAre(Texts{"İ", "i̇"}));
}

TEST(OutliersOfColumns, LieBeyondThreeInterquartileRanges) {
  // 0 .. 8 with 9, 8, ..., 1 rows: quartiles by hand at 1 and 4 of 45 rows.
  table::MemoryTable::Rows rows;
  for (int value = 0; value < 9; ++value)
    rows.insert(rows.end(), static_cast<std::size_t>(9 - value), {std::to_string(value)});
  rows.push_back({"13"});
  table::MemoryTable at_the_edge({"weight"}, rows);
  Progress progress;
  EXPECT_THAT(inspect(at_the_edge, {}, progress)->outliers, IsEmpty()) << "4 + 3 x 3 = 13 is not beyond";
  rows.back() = {"13.5"};
  rows.push_back({"-99"});
  table::MemoryTable beyond({"weight"}, rows);
  const Inspection found = inspect(beyond, {}, progress).value();
  ASSERT_EQ(found.outliers.size(), 1U);
  EXPECT_EQ(found.outliers[0].low, "-99");
  EXPECT_EQ(found.outliers[0].high, "13.5");
  EXPECT_EQ(found.outliers[0].rows, 2U);
  EXPECT_EQ(found.outliers[0].why, Outliers::Why::far);
  EXPECT_EQ(std::get<NumberBounds>(found.bounds.at("weight").range), (NumberBounds{0, 8}));
}

TEST(OutliersOfColumns, AgesAndDaysThatCannotBeAreNamedAsSuch) {
  const Inspection ages = inspected("age", {"30", "40", "50", "35", "45", "999", "-1", "33"});
  ASSERT_FALSE(ages.outliers.empty());
  EXPECT_EQ(ages.outliers[0].why, Outliers::Why::impossible);
  EXPECT_EQ(ages.outliers[0].low, "-1");
  EXPECT_EQ(ages.outliers[0].high, "999");
  EXPECT_EQ(ages.outliers[0].rows, 3U + 2U);
  EXPECT_EQ(std::get<NumberBounds>(ages.bounds.at("age").range), (NumberBounds{0, 120}));
  InspectionRequest request;
  request.today = Date{2024, 6, 1};
  const Inspection days =
      inspected("seen", {"2024-05-31", "2024-06-01", "2020-02-29", "2024-06-02", "2030-01-01"}, request);
  ASSERT_EQ(days.outliers.size(), 1U);
  EXPECT_EQ(days.outliers[0].low, "2024-06-02");
  EXPECT_EQ(days.outliers[0].high, "2030-01-01");
  EXPECT_EQ(days.outliers[0].rows, 2U + 1U);
  EXPECT_EQ(std::get<DateRange>(days.bounds.at("seen").range), (DateRange{{2020, 2, 29}, {2024, 6, 1}}));
}

TEST(OutliersOfColumns, CodesAndColumnsThatAreMostlyOneValueHaveNone) {
  EXPECT_THAT(inspected("zip", {"10115", "10117", "10119", "99999"}).outliers, IsEmpty());
  Texts gains(20, "0");
  gains.push_back("99999");
  EXPECT_THAT(inspected("gain", gains).outliers, IsEmpty());
}

TEST(DraftPolicy, HoldsWhatWasFoundAndSaysThatItCameFromTheData) {
  table::MemoryTable::Rows rows;
  for (int i = 0; i < 200; ++i)
    rows.push_back({"P" + std::to_string(1000 + i), i == 7 ? "999" : std::to_string(20 + i % 40),
                    i % 4 == 0   ? "M"
                    : i % 4 == 1 ? "female"
                    : i % 4 == 2 ? "male"
                                 : "F",
                    i % 3 == 0    ? "flu"
                    : i % 30 == 1 ? "FLU"
                                  : "gout"});
  table::MemoryTable table({"patient_id", "age", "sex", "diagnosis"}, rows);
  Progress progress;
  InspectionRequest request;
  request.k = 7;
  const Policy policy = draft_policy(inspect(table, request, progress).value(), request);
  const auto written = format_policy(policy, ".");
  const auto back = parse_policy(written);
  ASSERT_TRUE(back) << back.error().message << "\n" << written;
  EXPECT_EQ(*back, policy) << written;
  EXPECT_EQ(back->privacy.k, 7U);
  EXPECT_TRUE(back->find("patient_id")->has(Role::identifier));
  EXPECT_EQ(back->find("sex")->roles, (std::vector<Role>{Role::quasi, Role::protected_group}));
  EXPECT_EQ(back->find("sex")->same, (std::vector<SameValues>{{"F", {"female"}}, {"M", {"male"}}}));
  EXPECT_EQ(back->find("diagnosis")->same, (std::vector<SameValues>{{"flu", {"FLU"}}}));
  EXPECT_EQ(std::get<NumberBounds>(back->find("age")->valid->range), (NumberBounds{0, 120}));
  EXPECT_EQ(back->provenance, PolicyProvenance());
  EXPECT_EQ(back->provenance.cleaning, Provenance::data);
}

}  // namespace cleaning_advice_test
}  // namespace gauze::anonymize
