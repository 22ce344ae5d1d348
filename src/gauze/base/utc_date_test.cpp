#include "gauze/base/utc_date.h"

#include <gtest/gtest.h>

namespace gauze {
namespace utc_date_test {

TEST(UtcDate, GoesThereAndBack) {
  EXPECT_EQ(parse_utc_date("1970-01-01"), 0);
  EXPECT_EQ(parse_utc_date("2000-02-29"), 11'016);
  EXPECT_EQ(parse_utc_date("2027-01-31"), 20'849);
  for (std::int64_t day = 0; day < 60'000; day += 17) EXPECT_EQ(parse_utc_date(utc_date_text(day)), day);
}

TEST(UtcDate, IsNoneForWhatNoCalendarHas) {
  for (const char* text : {"", "2027-1-31", "2027-02-29", "2027-13-01", "2027-00-10", "1969-12-31", "2027-01-32",
                           "2027/01/31", "+027-01-31", "2027-01-31T"})
    EXPECT_FALSE(parse_utc_date(text)) << text;
}

TEST(UtcDate, ADayBeginsAtMidnight) {
  EXPECT_EQ(utc_day_of(86'399), 0);
  EXPECT_EQ(utc_day_of(86'400), 1);
  EXPECT_EQ(utc_day_of(-1), -1);
}

}  // namespace utc_date_test
}  // namespace gauze
