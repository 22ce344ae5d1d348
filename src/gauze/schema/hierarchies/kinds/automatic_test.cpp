#include "gauze/schema/hierarchies/kinds/automatic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "gauze/schema/hierarchies/coverage.h"
#include "gauze/schema/hierarchies/hierarchy_testing.h"
#include "gauze/table/odd_cells.h"

namespace gauze::schema {
namespace automatic_test {

using ::testing::ElementsAre;

std::vector<std::string> numbers(int from, int to, int step = 1) {
  std::vector<std::string> values;
  for (int i = from; i <= to; i += step) values.push_back(std::to_string(i));
  return values;
}

/// The kind, and what one value becomes.
std::pair<std::string, std::vector<std::string>> composed(const std::vector<std::string>& values,
                                                          std::string_view value) {
  const HierarchySpec spec = *compose_automatically(values);
  const auto hierarchy = materialise(AutomaticSpec{}, "column", dictionary_of(values));
  EXPECT_TRUE(hierarchy) << hierarchy.error().message;
  if (!hierarchy) return {};
  EXPECT_EQ(hierarchy->size(), dictionary_of(values).values.size());
  EXPECT_EQ(hierarchy->value_count(hierarchy->height()), 1U);
  return {std::string(kind_name(spec)), path_of(*hierarchy, value)};
}

TEST(Automatic, AgesBecomeRoundIntervals) {
  const auto [kind, path] = composed(numbers(17, 90), "39");
  EXPECT_EQ(kind, "intervals");
  EXPECT_THAT(path, ElementsAre("39", "[35, 40)", "[30, 40)", "[20, 40)", "*"));
}

TEST(Automatic, YearsAndDecimalsBecomeRoundIntervals) {
  EXPECT_THAT(composed(numbers(1950, 2020), "1987").second,
              ElementsAre("1987", "[1985, 1990)", "[1980, 1990)", "[1980, 2000)", "*"));
  std::vector<std::string> decimals;
  for (int i = 0; i < 100; ++i) decimals.push_back(fmt::format("{}.{:02}", i / 10, (i * 7) % 100));
  const auto [kind, path] = composed(decimals, "3.10");
  EXPECT_EQ(kind, "intervals");
  EXPECT_THAT(path, ElementsAre("3.10", "[3, 3.5)", "[3, 4)", "[2, 4)", "*"));
}

TEST(Automatic, NegativeNumbersAreCoveredToo) {
  const auto [kind, path] = composed(numbers(-100, 100, 5), "-100");
  EXPECT_EQ(kind, "intervals");
  EXPECT_EQ(path.front(), "-100");
  EXPECT_EQ(path.back(), "*");
}

TEST(Automatic, CrowdedNumbersBecomeIntervalsOfEquallyManyValues) {
  std::vector<std::string> incomes = numbers(1, 64);
  incomes.push_back("1000000000");
  const HierarchySpec spec = *compose_automatically(incomes);
  ASSERT_TRUE(std::holds_alternative<IntervalsSpec>(spec));
  const auto& bounds = std::get<IntervalsSpec>(spec).bounds;
  EXPECT_EQ(bounds.size(), 4U);
  EXPECT_EQ(bounds.front().size(), 17U);
  EXPECT_EQ(composed(incomes, "1000000000").second.size(), 6U);
}

TEST(Automatic, FewValuesHaveOnlyTheTop) {
  EXPECT_THAT(composed({"true", "false"}, "true").second, ElementsAre("true", "*"));
  EXPECT_THAT(composed({"0", "1"}, "0").second, ElementsAre("0", "*"));
  EXPECT_THAT(composed({"a"}, "a").second, ElementsAre("a", "*"));
  EXPECT_THAT(composed({"red", "yellow", "green", "blue", "white", "black"}, "red").second, ElementsAre("red", "*"));
  // Five ways to write two numbers.
  EXPECT_THAT(composed({"1", "1.0", "1.00", "2", "2.0"}, "1.0").second, ElementsAre("1.0", "*"));
}

TEST(Automatic, CodesAreMasked) {
  std::vector<std::string> zips;
  for (int i = 0; i < 50; ++i) zips.push_back(fmt::format("{:05}", 1000 + 997 * i));
  const auto [kind, path] = composed(zips, "01000");
  EXPECT_EQ(kind, "mask");
  EXPECT_THAT(path, ElementsAre("01000", "0100*", "010**", "01***", "0****", "*"));
  EXPECT_EQ(composed({"A1-1", "A1-2", "B2-3", "B2-40", "C3-5"}, "A1-1").first, "mask");
  EXPECT_EQ(composed({"FRA", "MUC", "BER", "PEK", "SHA"}, "PEK").first, "mask");
}

TEST(Automatic, DatesBecomeMonthsYearsAndDecades) {
  std::vector<std::string> days;
  for (int i = 1; i < 29; ++i) days.push_back(fmt::format("{}-{:02}-{:02}", 1990 + i, 1 + i % 12, i));
  const auto [kind, path] = composed(days, "1991-02-01");
  EXPECT_EQ(kind, "dates");
  EXPECT_THAT(path, ElementsAre("1991-02-01", "1991-02", "1991", "1990s", "*"));
  // Day and month cannot be told apart: only the year is certain.
  EXPECT_THAT(composed({"01/02/2001", "02/03/2002", "03/04/2003", "04/05/2004", "05/06/2005"}, "01/02/2001").second,
              ElementsAre("01/02/2001", "2001", "2000s", "*"));
  EXPECT_THAT(composed({"01/02/2001", "02/03/2002", "03/04/2003", "04/05/2004", "25/06/2005"}, "01/02/2001").second,
              ElementsAre("01/02/2001", "2001-02", "2001", "2000s", "*"));
}

TEST(Automatic, OtherTextIsGroupedByTheAlphabet) {
  std::vector<std::string> names;
  for (char c = 'a'; c <= 'z'; ++c) names.push_back(std::string(static_cast<std::size_t>(c - 'a' + 1), c));
  const auto [kind, path] = composed(names, "a");
  EXPECT_EQ(kind, "order");
  EXPECT_THAT(path, ElementsAre("a", "[a, ccc]", "[a, iiiiiiiii]", "*"));
  EXPECT_EQ(composed({"北京", "上海市", "天津", "重庆市", "广东", "河北省", "山西", "辽宁省", "吉林"}, "北京").first,
            "order");
}

TEST(Automatic, NearlyDatesAndNumbersAreNotOrderedByLetters) {
  std::vector<std::string> days;
  for (int i = 1; i < 29; ++i) days.push_back(fmt::format("{}-{:02}-{:02}", 1990 + i, 1 + i % 12, i));
  days.push_back("不详");
  const auto refused = compose_automatically(days);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::bad_data);
  EXPECT_THAT(refused.error().message, ::testing::HasSubstr("96.6 % are dates, 1 is not ('不详')"));
  EXPECT_THAT(refused.error().message, ::testing::HasSubstr("null tokens '不详'"));
  std::vector<std::string> few = numbers(5, 75, 10);
  few.push_back("-");
  EXPECT_FALSE(compose_automatically(few)) << "eight ages and one cell that is none";
  std::vector<std::string> ages = numbers(17, 89);
  ages.push_back("90+");
  EXPECT_FALSE(compose_automatically(ages));
  ages.back() = "90";
  EXPECT_TRUE(compose_automatically(ages));
}

TEST(Automatic, NoValuesAreNoProblem) {
  EXPECT_EQ(kind_name(*compose_automatically({})), "order");
  const auto hierarchy = materialise(AutomaticSpec{}, "empty", dictionary_of({}, "?"));
  ASSERT_TRUE(hierarchy);
  EXPECT_THAT(path_of(*hierarchy, "?"), ElementsAre("?", "*"));
}

RC_GTEST_PROP(AutomaticProperty, CoversAnyColumn, ()) {
  const auto characters = rc::gen::elementOf(*rc::gen::element<std::string>("0123456789", "0123456789.-", "ab1 -/."));
  const auto values = *rc::gen::unique<std::vector<std::string>>(rc::gen::container<std::string>(characters));
  RC_PRE(!values.empty());
  const table::Dictionary dictionary = dictionary_of(values);
  const auto bound = materialise_and_bind(AutomaticSpec{}, "any", dictionary);
  RC_ASSERT(bound.has_value() || table::find_odd_cells(values, {}, 50).has_value());
  if (!bound) return;
  RC_ASSERT(bound->hierarchy->size() == dictionary.values.size());
  RC_ASSERT(bound->hierarchy->levels() <= 8);
  RC_ASSERT(bound->hierarchy->value_count(bound->hierarchy->height()) == 1U);
}

RC_GTEST_PROP(AutomaticProperty, CoversAnyNumbers, ()) {
  const auto scale = *rc::gen::element("", "e5", "e-7", "e200");
  const auto integers = *rc::gen::unique<std::vector<std::int64_t>>(rc::gen::arbitrary<std::int64_t>());
  RC_PRE(!integers.empty());
  std::vector<std::string> values;
  for (const auto integer : integers) values.push_back(std::to_string(integer) + scale);
  const auto bound = materialise_and_bind(AutomaticSpec{}, "numbers", dictionary_of(values));
  RC_ASSERT(bound.has_value());
  RC_ASSERT(bound->hierarchy->levels() <= 6);
}

}  // namespace automatic_test
}  // namespace gauze::schema
