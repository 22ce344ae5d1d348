#include "gauze/schema/database/value_text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace gauze::schema {
namespace value_text_test {

TEST(ValueText, DaysAreCountedFrom1970) {
  EXPECT_EQ(parse_day("1970-01-01"), 0);
  EXPECT_EQ(parse_day("1969-12-31"), -1);
  EXPECT_EQ(parse_day("2000-03-01"), 11'017);
  EXPECT_EQ(parse_day("0001-01-01"), -719'162);
  EXPECT_EQ(parse_day("9999-12-31"), 2'932'896);
  for (const char* text : {"", "1970", "1970-1-1", "1970-02-30", "0000-01-01", "1970-01-01 ", "1970-01-01T", "x"})
    EXPECT_EQ(parse_day(text), std::nullopt) << text;
}

RC_GTEST_PROP(ValueText, DaysReadBack, ()) {
  const std::int64_t day = *rc::gen::inRange<std::int64_t>(-719'162, 2'932'897);
  RC_ASSERT(parse_day(day_text(day)) == day);
}

TEST(ValueText, InstantsAreMicrosecondsInUtc) {
  EXPECT_EQ(parse_instant("1970-01-01"), 0);
  EXPECT_EQ(parse_instant("1970-01-01 00:00:01"), 1'000'000);
  EXPECT_EQ(parse_instant("1970-01-02T01:02:03.25Z"), (86'400LL + 3'723) * 1'000'000 + 250'000);
  EXPECT_EQ(parse_instant("1969-12-31 23:59"), -60'000'000);
  for (const char* text : {"1970-01-01 24:00", "1970-01-01 1:00", "1970-01-01 00:60", "1970-01-01 00:00:00.1234567",
                           "1970-01-01 00:00:00.", "1970-01-01 00:00+01", "1970-01-01Z"})
    EXPECT_EQ(parse_instant(text), std::nullopt) << text;
}

TEST(ValueText, ValuesHaveOneSpelling) {
  EXPECT_EQ(canonical_value("+007", DeclaredType::integer, 0).value_or("none"), "7");
  EXPECT_EQ(canonical_value("1e3", DeclaredType::integer, 0), "1000");
  EXPECT_EQ(canonical_value("1.5", DeclaredType::integer, 0), std::nullopt);
  EXPECT_EQ(canonical_value("9223372036854775807", DeclaredType::integer, 0), "9223372036854775807");
  EXPECT_EQ(canonical_value("9223372036854775808", DeclaredType::integer, 0), std::nullopt);
  EXPECT_EQ(canonical_value("1.5", DeclaredType::decimal, 2), "1.50");
  EXPECT_EQ(canonical_value("-0.05", DeclaredType::decimal, 2), "-0.05");
  EXPECT_EQ(canonical_value("7", DeclaredType::decimal, 0), "7");
  EXPECT_EQ(canonical_value("1.505", DeclaredType::decimal, 2), std::nullopt);
  EXPECT_EQ(canonical_value("1e18", DeclaredType::decimal, 0), std::nullopt);
  EXPECT_EQ(canonical_value("true", DeclaredType::boolean, 0), "true");
  EXPECT_EQ(canonical_value("yes", DeclaredType::boolean, 0), std::nullopt);
  EXPECT_EQ(canonical_value("2024-02-29", DeclaredType::date, 0), "2024-02-29");
  EXPECT_EQ(canonical_value(" 上海 ", DeclaredType::text, 0), " 上海 ");
}

}  // namespace value_text_test
}  // namespace gauze::schema
