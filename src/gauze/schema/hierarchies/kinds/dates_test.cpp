#include "gauze/schema/hierarchies/kinds/dates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <tuple>

#include "gauze/schema/hierarchies/hierarchy_testing.h"

namespace gauze::schema {
namespace dates_test {

using Unit = DatesSpec::Unit;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto kDayFirst = DateOrder::day_first;
constexpr auto kMonthFirst = DateOrder::month_first;

std::vector<std::string> path(const DatesSpec& spec, const std::vector<std::string>& values, std::string_view value) {
  const auto rule = make_generaliser(spec, values);
  EXPECT_TRUE(rule) << rule.error().message;
  std::vector<std::string> texts;
  return rule && (*rule)->generalise(value, texts) ? texts : std::vector<std::string>{};
}

TEST(Dates, ReadManyWaysToWriteADay) {
  const Date day = {2024, 5, 7};
  for (const std::string_view text :
       {"2024-05-07", "2024-5-7", "2024/05/07", "2024.05.07", "07.05.2024", "7.5.2024", "2024年5月7日",
        "2024-05-07T12:30:00Z", "2024-05-07 12:30:00.5", "2024/05/07 1:02"}) {
    EXPECT_EQ(parse_date(text, std::nullopt), day) << text;
  }
  EXPECT_EQ(parse_date("07/05/2024", kDayFirst), day);
  EXPECT_EQ(parse_date("05/07/2024", kMonthFirst), day);
  EXPECT_EQ(parse_date("07-05-2024", kDayFirst), day);
  EXPECT_EQ(parse_date("05-07-2024", kMonthFirst), day);
  // Dots mean the day first, whatever the order is elsewhere.
  EXPECT_EQ(parse_date("07.05.2024", kMonthFirst), day);
  EXPECT_EQ(parse_date("07/05/2024", std::nullopt), std::nullopt);
  EXPECT_EQ(parse_date("17/05/2024", std::nullopt), (Date{2024, 5, 17}));
  EXPECT_EQ(parse_date("05-17-2024", std::nullopt), (Date{2024, 5, 17}));
  EXPECT_EQ(parse_date("05/05/2024", std::nullopt), (Date{2024, 5, 5}));
  EXPECT_EQ(parse_date("13/14/2024", std::nullopt), std::nullopt);
  EXPECT_EQ(parse_date("2024年5月7日 10:00", std::nullopt), day);
  EXPECT_EQ(parse_date("2024-05", std::nullopt), (Date{2024, 5, 0}));
  EXPECT_EQ(parse_date("2024年5月", std::nullopt), (Date{2024, 5, 0}));
}

TEST(Dates, RefuseWhatIsNoDay) {
  for (
      const std::string_view text :
      {"",           "2024",          "2024-13-01",    "2024-00-01",  "2024-02-30",      "2023-02-29",   "1900-02-29",
       "2024-05-00", "2024-05-32",    "24-05-07",      "2024-05-07x", "2024-05-07 noon", "2024--07",     "2024-05-",
       "2024/05-07", "x2024-05-07",   "20240507",      "2024-005-07", "31.11.2024",      "00.05.2024",   "2024年5",
       "2024年5月7", "2024年5月7日1", "2024-05 12:00", "99999-01-01", "1.2.34",          "2024-05-07-08"}) {
    EXPECT_EQ(parse_date(text, kDayFirst), std::nullopt) << text;
  }
  EXPECT_NE(parse_date("2024-02-29", std::nullopt), std::nullopt);
  EXPECT_NE(parse_date("2000-02-29", std::nullopt), std::nullopt);
  EXPECT_EQ(parse_date("13/05/2024", kMonthFirst), std::nullopt);
}

TEST(Dates, FindTheOrderFromTheValues) {
  const auto order_of = [](const std::vector<std::string>& values) { return find_date_order(values); };
  EXPECT_EQ(order_of({"01/02/2024", "13/02/2024"}).order, kDayFirst);
  EXPECT_EQ(order_of({"01/02/2024", "01/13/2024"}).order, kMonthFirst);
  EXPECT_EQ(order_of({"01/02/2024"}).order, std::nullopt);
  EXPECT_TRUE(order_of({"01/02/2024"}).is_needed);
  EXPECT_FALSE(order_of({"02/02/2024", "2024-05-07", "17.05.2024"}).is_needed);
}

TEST(Dates, BecomeMonthsYearsAndDecades) {
  EXPECT_THAT(path({}, {}, "2024-05-17"), ElementsAre("2024-05", "2024", "2020s"));
  EXPECT_THAT(path({}, {}, "17.05.2024"), ElementsAre("2024-05", "2024", "2020s"));
  EXPECT_THAT(path({}, {}, "2024-05"), ElementsAre("2024-05", "2024", "2020s"));
  EXPECT_THAT(path({{Unit::day, Unit::decade}, {}}, {}, "1999/1/2 10:00"), ElementsAre("1999-01-02", "1990s"));
  EXPECT_TRUE(path({{Unit::day, Unit::decade}, {}}, {}, "1999/1").empty());
  EXPECT_THAT(path({}, {}, "0005-01-02"), ElementsAre("0005-01", "0005", "0000s"));
  EXPECT_TRUE(path({}, {}, "unknown").empty());
  EXPECT_EQ((*make_generaliser(DatesSpec{}, {}))->only_value(), std::nullopt);
}

TEST(Dates, UseTheOrderFoundOrGiven) {
  EXPECT_THAT(path({{Unit::month}, {}}, {"01/02/2024", "01/13/2024"}, "01/02/2024"), ElementsAre("2024-01"));
  EXPECT_THAT(path({{Unit::month}, kDayFirst}, {"01/02/2024"}, "01/02/2024"), ElementsAre("2024-02"));
  const std::vector<std::string> unclear = {"01/02/2024"};
  EXPECT_THAT(error_of(make_generaliser(DatesSpec{}, unclear)), HasSubstr("day-first or month-first"));
  // Above the month it does not matter.
  EXPECT_THAT(path({{Unit::year}, {}}, unclear, "01/02/2024"), ElementsAre("2024"));
}

TEST(Dates, RefuseLevelsThatDoNotBecomeCoarser) {
  EXPECT_THAT(error_of(check(DatesSpec{{}, {}})), HasSubstr("at least one level"));
  EXPECT_THAT(error_of(check(DatesSpec{{Unit::year, Unit::month}, {}})), HasSubstr("coarser"));
  EXPECT_THAT(error_of(check(DatesSpec{{Unit::year, Unit::year}, {}})), HasSubstr("coarser"));
}

DatesSpec within(Date from, Date to, std::vector<Unit> levels) {
  return {.levels = std::move(levels), .order = {}, .range = DateRange{from, to}};
}

TEST(Dates, OfARangeAreKnownWithoutData) {
  const DateRange range = {{1999, 12, 30}, {2000, 3, 1}};
  const auto spans = [&](Unit unit) {
    std::vector<std::pair<std::string, std::int64_t>> result;
    for (const DateSpan& span : date_spans(range, unit)) result.emplace_back(span.text, span.days);
    return result;
  };
  using P = std::pair<std::string, std::int64_t>;
  EXPECT_EQ(spans(Unit::day).size(), 63U);
  EXPECT_EQ(spans(Unit::day).front(), P("1999-12-30", 1));
  EXPECT_EQ(spans(Unit::day).back(), P("2000-03-01", 1));
  EXPECT_THAT(spans(Unit::month), ElementsAre(P("1999-12", 2), P("2000-01", 31), P("2000-02", 29), P("2000-03", 1)));
  EXPECT_THAT(spans(Unit::year), ElementsAre(P("1999", 2), P("2000", 61)));
  EXPECT_THAT(spans(Unit::decade), ElementsAre(P("1990s", 2), P("2000s", 61)));
}

TEST(Dates, OutsideTheirRangeAreNotCovered) {
  const DatesSpec spec = within({1999, 12, 30}, {2000, 3, 1}, {Unit::month, Unit::year});
  EXPECT_TRUE(path(spec, {}, "1999-12-29").empty());
  EXPECT_TRUE(path(spec, {}, "2000-03-02").empty());
  EXPECT_THAT(path(spec, {}, "1999-12-30"), ElementsAre("1999-12", "1999"));
  EXPECT_THAT(path(spec, {}, "1.3.2000"), ElementsAre("2000-03", "2000"));
  // Without a day: some day of the month is in the range.
  EXPECT_THAT(path(spec, {}, "2000-03"), ElementsAre("2000-03", "2000"));
  EXPECT_TRUE(path(spec, {}, "2000-04").empty());
  EXPECT_TRUE(path(spec, {}, "1999-11").empty());
}

TEST(Dates, OfARangeAreNotReadByWhatOtherValuesSay) {
  DatesSpec spec = within({2000, 1, 1}, {2030, 12, 31}, {Unit::month});
  const std::vector<std::string> telling = {"01/02/2024", "01/13/2024"};
  EXPECT_TRUE(path(spec, telling, "01/02/2024").empty());
  spec.order = kDayFirst;
  EXPECT_THAT(path(spec, telling, "01/02/2024"), ElementsAre("2024-02"));
}

TEST(Dates, OfARangeWithinOneDecadeNeedNoTop) {
  const auto only = [](const DatesSpec& spec) { return (*make_generaliser(spec, {}))->only_value(); };
  EXPECT_EQ(only(within({1990, 1, 1}, {1999, 12, 31}, {Unit::year, Unit::decade})), "1990s");
  EXPECT_EQ(only(within({1990, 1, 1}, {2000, 1, 1}, {Unit::year, Unit::decade})), std::nullopt);
}

TEST(Dates, RefuseRangesThatAreNone) {
  EXPECT_THAT(error_of(check(within({2000, 1, 2}, {2000, 1, 1}, {Unit::year}))), HasSubstr("before"));
  EXPECT_THAT(error_of(check(within({2000, 1, 0}, {2000, 2, 1}, {Unit::year}))), HasSubstr("whole days"));
  EXPECT_THAT(error_of(check(within({1, 1, 1}, {2000, 1, 1}, {Unit::day}))), HasSubstr("more than 100000 days"));
  EXPECT_TRUE(check(within({1, 1, 1}, {9999, 12, 31}, {Unit::year})));
  EXPECT_TRUE(check(within({2000, 1, 1}, {2000, 1, 1}, {Unit::day})));
}

RC_GTEST_PROP(Dates, SpansOfARangeHoldEveryDayOnce, ()) {
  const auto day = [] {
    return Date{*rc::gen::inRange(0, 10'000), *rc::gen::inRange(1, 13), *rc::gen::inRange(1, 29)};
  };
  Date from = day();
  Date to = day();
  const auto before = [](const Date& a, const Date& b) {
    return std::tie(a.year, a.month, a.day) < std::tie(b.year, b.month, b.day);
  };
  if (before(to, from)) std::swap(from, to);
  const auto total = [&](Unit unit) {
    std::int64_t days = 0;
    for (const DateSpan& span : date_spans({from, to}, unit)) {
      RC_ASSERT(span.days >= 1);
      days += span.days;
    }
    return days;
  };
  const auto days = total(Unit::month);
  RC_ASSERT(total(Unit::year) == days);
  RC_ASSERT(total(Unit::decade) == days);
  // An independent count, by the calendar of the standard library.
  const auto number = [](const Date& date) {
    return std::chrono::sys_days(std::chrono::year(date.year) / date.month / date.day).time_since_epoch().count();
  };
  RC_ASSERT(days == number(to) - number(from) + 1);
}

RC_GTEST_PROP(Dates, AnyDayReadsBackInEveryWay, ()) {
  const Date day = {*rc::gen::inRange(1000, 3000), *rc::gen::inRange(1, 13), *rc::gen::inRange(1, 29)};
  const auto [y, m, d] = day;
  RC_ASSERT(parse_date(fmt::format("{:04}-{:02}-{:02}", y, m, d), {}) == day);
  RC_ASSERT(parse_date(fmt::format("{}/{}/{}", y, m, d), {}) == day);
  RC_ASSERT(parse_date(fmt::format("{}.{}.{}", d, m, y), {}) == day);
  RC_ASSERT(parse_date(fmt::format("{}/{}/{}", d, m, y), kDayFirst) == day);
  RC_ASSERT(parse_date(fmt::format("{:02}/{:02}/{}", m, d, y), kMonthFirst) == day);
  RC_ASSERT(parse_date(fmt::format("{}年{}月{}日", y, m, d), {}) == day);
}

}  // namespace dates_test
}  // namespace gauze::schema
