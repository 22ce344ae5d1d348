#include "gauze/table/values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace gauze::table {
namespace values_test {

std::string integer(std::int64_t value) {
  ValueColumn column;
  column.integers = {value};
  std::string text;
  append_value(text, column, ValueType::integer, 0);
  return text;
}

std::string wide(Int128 value) {
  ValueColumn column;
  column.wide_integers = {value};
  std::string text;
  append_value(text, column, ValueType::wide_integer, 0);
  return text;
}

std::string real(double value) {
  ValueColumn column;
  column.reals = {value};
  std::string text;
  append_value(text, column, ValueType::real, 0);
  return text;
}

TEST(Values, IntegersReadAsTheirDigits) {
  EXPECT_EQ(integer(0), "0");
  EXPECT_EQ(integer(-7), "-7");
  EXPECT_EQ(integer(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(wide(0), "0");
  EXPECT_EQ(wide(Int128{1} << 64), "18446744073709551616");
  constexpr Int128 kMost = static_cast<Int128>(~static_cast<unsigned __int128>(0) >> 1);
  EXPECT_EQ(wide(kMost), "170141183460469231731687303715884105727");
  EXPECT_EQ(wide(-kMost - 1), "-170141183460469231731687303715884105728");
}

TEST(Values, RealsReadAsTheShortestDecimalThatComesBack) {
  EXPECT_EQ(real(39), "39");
  EXPECT_EQ(real(-0.5), "-0.5");
  EXPECT_EQ(real(0.1), "0.1");
  EXPECT_EQ(real(1e15), "1000000000000000");
  EXPECT_EQ(real(1e16), "1e+16");
  EXPECT_EQ(real(1e30), "1e+30");
  EXPECT_EQ(real(0.0001), "0.0001");
  EXPECT_EQ(real(0.00001), "1e-05");
  EXPECT_EQ(real(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(real(std::numeric_limits<double>::denorm_min()), "5e-324");
}

TEST(Values, NullAndNotANumberAreNothing) {
  EXPECT_EQ(real(std::nan("")), "");
  ValueColumn column;
  column.integers = {5, 6};
  column.nulls = {1, 0};
  std::string text;
  append_value(text, column, ValueType::integer, 0);
  EXPECT_EQ(text, "");
  append_value(text, column, ValueType::integer, 1);
  EXPECT_EQ(text, "6");
}

}  // namespace values_test
}  // namespace gauze::table
