#include "gauze/base/rational.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace gauze {
namespace rational_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kSmallest = std::numeric_limits<double>::denorm_min();

Rational decimal(std::string_view text) {
  const auto result = Rational::parse(text);
  EXPECT_TRUE(result.has_value()) << text;
  return result.value_or(Rational(std::numeric_limits<double>::quiet_NaN()));
}

/// Any finite double, all magnitudes alike.
rc::Gen<double> any_finite() {
  return rc::gen::suchThat(rc::gen::map(rc::gen::arbitrary<std::uint64_t>(),
                                        [](std::uint64_t bits) {
                                          // rapidcheck starts with small numbers: spread them over all exponents.
                                          return std::bit_cast<double>(bits * 0x9E3779B97F4A7C15U);
                                        }),
                           [](double value) { return std::isfinite(value); });
}

rc::Gen<Rational> any_fraction() {
  return rc::gen::map(rc::gen::pair(rc::gen::arbitrary<std::int64_t>(), rc::gen::inRange<std::int64_t>(1, 1'000'000)),
                      [](const auto& parts) { return Rational(parts.first, parts.second); });
}

TEST(RationalParse, ReadsDecimalsExactly) {
  EXPECT_EQ(decimal("0.1"), Rational(1, 10));
  EXPECT_NE(decimal("0.1"), Rational(0.1)) << "the double nearest to 0.1 is another number";
  EXPECT_EQ(decimal("0.29") * 100, Rational(29));
  EXPECT_NE(0.29 * 100, 29.0) << "which is why doubles are not used here";
  EXPECT_EQ(decimal("0.1") + decimal("0.2"), decimal("0.3"));
}

TEST(RationalParse, AcceptsEveryPlainAndScientificForm) {
  EXPECT_EQ(decimal("12"), Rational(12));
  EXPECT_EQ(decimal("+12"), Rational(12));
  EXPECT_EQ(decimal("-0.5"), Rational(-1, 2));
  EXPECT_EQ(decimal(".5"), Rational(1, 2));
  EXPECT_EQ(decimal("5."), Rational(5));
  EXPECT_EQ(decimal("1e-5"), Rational(1, 100'000));
  EXPECT_EQ(decimal("2.5E+3"), Rational(2500));
  EXPECT_EQ(decimal("-1.25e2"), Rational(-125));
  EXPECT_EQ(decimal("007"), Rational(7));
  EXPECT_EQ(decimal("-0"), Rational(0));
  EXPECT_EQ(decimal("0e400"), Rational(0));
}

TEST(RationalParse, RefusesWhatIsNotADecimal) {
  const std::vector<std::string> garbage = {
      "",      " ",    " 1",       "1 ",       "1 2",          ".",         "-",
      "+",     "e",    "e5",       ".e5",      "1e",           "1e+",       "1e-",
      "1e5.0", "1e5e", "1ee5",     "--1",      "+-1",          "1.2.3",     "1,5",
      "0x10",  "inf",  "-inf",     "nan",      "NaN",          "Infinity",  "1_000",
      "1/2",   "12a",  "\xC2\xBD", "\xD9\xA1", "\xEF\xBC\x91", "1\xC2\xA0", "\xE2\x88\x92x",
      "\xFF",  "1\n",  "\t1"};
  for (const auto& text : garbage) {
    const auto result = Rational::parse(text);
    ASSERT_FALSE(result.has_value()) << "'" << text << "'";
    EXPECT_EQ(result.error().code, ErrorCode::invalid_parameter);
  }
  EXPECT_FALSE(Rational::parse(std::string_view("1\0002", 3)).has_value());
}

TEST(RationalParse, RefusalsDoNotQuoteTheText) {
  EXPECT_THAT(Rational::parse("secret-4711").error().message, ::testing::Not(::testing::HasSubstr("4711")));
  EXPECT_THAT(Rational::parse("1e4711").error().message, ::testing::Not(::testing::HasSubstr("4711")));
}

TEST(RationalParse, BoundsDigitsAndPowers) {
  EXPECT_EQ(decimal(std::string(400, '9')) + 1, decimal("1e400"));
  EXPECT_FALSE(Rational::parse(std::string(401, '9')).has_value());
  EXPECT_FALSE(Rational::parse("0." + std::string(400, '0')).has_value());
  EXPECT_TRUE(decimal("1e-400") > 0);
  for (const char* text : {"1e401", "1e-401", "1e99999999999999999999", "1e-2147483648", "1e18446744073709551617"}) {
    EXPECT_FALSE(Rational::parse(text).has_value()) << text;
  }
  EXPECT_FALSE(Rational::parse("1e" + std::string(1'000'000, '9')).has_value()) << "absurd input costs nothing";
  EXPECT_EQ(decimal("1e" + std::string(1000, '0') + "2"), Rational(100));
}

TEST(Rational, ADoubleConvertsExactly) {
  EXPECT_EQ(Rational(0.5), Rational(1, 2));
  EXPECT_EQ(Rational(kSmallest), Rational::power_of_two(-1074));
  EXPECT_EQ(Rational(-0.0), Rational(0));
  EXPECT_EQ(Rational(kLargest), Rational::power_of_two(1024) - Rational::power_of_two(971));
}

TEST(Rational, IntegersOfAllSizesConvert) {
  constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(Rational(kMin), -Rational::power_of_two(63));
  EXPECT_EQ(Rational(kMin).to_int64().value(), kMin);
  EXPECT_EQ(Rational(kMin, kMin), Rational(1));
  EXPECT_EQ(Rational(1, -3), Rational(-1, 3)) << "the sign may stand below";
  EXPECT_EQ(Rational(6, 4).to_decimal(), "1.5");
}

TEST(Rational, UndefinedPropagatesAndEqualsNothing) {
  for (const Rational& bad : {Rational(std::nan("")), Rational(kInfinity), Rational(-kInfinity), Rational(1, 0)}) {
    EXPECT_FALSE(bad.is_defined());
    EXPECT_FALSE((bad + 1).is_defined());
    EXPECT_FALSE((1 - bad).is_defined());
    EXPECT_FALSE((bad * 0).is_defined());
    EXPECT_FALSE((Rational(0) / bad).is_defined());
    EXPECT_FALSE((-bad).is_defined());
    EXPECT_FALSE(bad.floor().is_defined());
    EXPECT_FALSE(bad.ceil().is_defined());
    EXPECT_FALSE(bad.is_integer());
    EXPECT_FALSE(bad == bad);
    EXPECT_FALSE(bad < 1 || bad > 1 || bad <= bad);
    EXPECT_TRUE(std::isnan(bad.to_double()) && std::isnan(bad.to_double_down()) && std::isnan(bad.to_double_up()));
    EXPECT_FALSE(bad.to_int64().has_value());
    EXPECT_EQ(bad.to_decimal(), "undefined");
    const Rational copy = bad;
    EXPECT_FALSE(copy.is_defined());
  }
  EXPECT_FALSE((Rational(1) / 0).is_defined());
  EXPECT_FALSE((Rational(0) / Rational()).is_defined());
}

TEST(Rational, CopiesAndMovesKeepTheValue) {
  Rational a(1, 3);
  Rational b = a;
  b += 1;
  EXPECT_EQ(a, Rational(1, 3));
  Rational c = std::move(b);
  EXPECT_EQ(c, Rational(4, 3));
  b = a;  // a moved-from value may be assigned to
  EXPECT_EQ(b, a);
  const Rational& same = a;
  a = same;
  a -= same;
  EXPECT_EQ(a, Rational(0));
  c /= *&c;
  EXPECT_EQ(c, Rational(1));
}

TEST(Rational, FloorAndCeilGoDownAndUpForNegativesToo) {
  const std::vector<std::pair<Rational, std::pair<int, int>>> cases = {
      {Rational(7, 2), {3, 4}},    {Rational(-7, 2), {-4, -3}},   {Rational(3), {3, 3}}, {Rational(-3), {-3, -3}},
      {Rational(1, 1000), {0, 1}}, {Rational(-1, 1000), {-1, 0}}, {Rational(0), {0, 0}}};
  for (const auto& [value, expected] : cases) {
    EXPECT_EQ(value.floor(), Rational(expected.first)) << value.to_decimal();
    EXPECT_EQ(value.ceil(), Rational(expected.second)) << value.to_decimal();
    EXPECT_TRUE(value.floor().is_integer());
  }
}

TEST(Rational, FloorLog2IsTheLargestPowerNotAbove) {
  EXPECT_EQ(Rational(1).floor_log2(), 0);
  EXPECT_EQ(Rational(3, 2).floor_log2(), 0);
  EXPECT_EQ(Rational(2).floor_log2(), 1);
  EXPECT_EQ(Rational(1, 3).floor_log2(), -2);
  EXPECT_EQ(Rational(-5).floor_log2(), 2);
  EXPECT_EQ(Rational(kSmallest).floor_log2(), -1074);
  EXPECT_EQ((Rational::power_of_two(500) - 1).floor_log2(), 499);
}

TEST(RationalDeathTest, WhatHasNoLogarithmIsABrokenInvariant) {
  EXPECT_DEATH((void)Rational(0).floor_log2(), "sign");
  EXPECT_DEATH((void)Rational(1, 0).floor_log2(), "defined");
  EXPECT_DEATH((void)Rational::power_of_two(100'001), "exponent");
}

RC_GTEST_PROP(RationalProperty, FloorLog2BracketsTheMagnitude, ()) {
  const Rational value = *any_fraction();
  RC_PRE(value.sign() != 0);
  const Rational magnitude = value.sign() < 0 ? -value : value;
  const int log = value.floor_log2();
  RC_ASSERT(Rational::power_of_two(log) <= magnitude);
  RC_ASSERT(magnitude < Rational::power_of_two(log + 1));
}

RC_GTEST_PROP(RationalProperty, ArithmeticIsThatOfAField, ()) {
  const Rational a = *any_fraction();
  const Rational b = *any_fraction();
  const Rational c = *any_fraction();
  RC_ASSERT(a + b == b + a);
  RC_ASSERT((a + b) * c == a * c + b * c);
  RC_ASSERT(a - b == -(b - a));
  if (b.sign() != 0) RC_ASSERT(a / b * b == a);
  RC_ASSERT((a < b) == ((b - a).sign() > 0));
}

RC_GTEST_PROP(RationalProperty, FloorAndCeilEnclose, ()) {
  const Rational value = *any_fraction();
  RC_ASSERT(value.floor() <= value);
  RC_ASSERT(value < value.floor() + 1);
  RC_ASSERT(value.ceil() == -(-value).floor());
}

TEST(RationalToDouble, DownAndUpAreNeighboursAroundTheValue) {
  EXPECT_LT(decimal("0.1").to_double_down(), decimal("0.1").to_double_up());
  EXPECT_EQ(decimal("0.1").to_double(), 0.1);
  EXPECT_EQ(decimal("0.5").to_double_down(), 0.5);
  EXPECT_EQ(decimal("0.5").to_double_up(), 0.5);
  EXPECT_EQ(decimal("-0.1").to_double_down(), -decimal("0.1").to_double_up());
}

TEST(RationalToDouble, ZeroHasNoSign) {
  EXPECT_FALSE(std::signbit(Rational(0).to_double_down()));
  EXPECT_FALSE(std::signbit(Rational(0).to_double_up()));
  EXPECT_FALSE(std::signbit(Rational(0).to_double()));
}

TEST(RationalToDouble, SubnormalsRoundOutwardAndTiesGoToEven) {
  const Rational tiny = decimal("1e-400");
  EXPECT_EQ(tiny.to_double_down(), 0.0);
  EXPECT_EQ(tiny.to_double_up(), kSmallest);
  EXPECT_EQ((-tiny).to_double_down(), -kSmallest);
  EXPECT_EQ((-tiny).to_double_up(), 0.0);
  EXPECT_EQ(tiny.to_double(), 0.0);
  const Rational step(kSmallest);
  EXPECT_EQ((step / 2).to_double(), 0.0);
  EXPECT_EQ((step * Rational(3, 2)).to_double(), 2 * kSmallest);
  EXPECT_EQ((step * Rational(5, 2)).to_double(), 2 * kSmallest);
  EXPECT_EQ((step * Rational(5, 2)).to_double_down(), 2 * kSmallest);
  EXPECT_EQ((step * Rational(5, 2)).to_double_up(), 3 * kSmallest);
}

TEST(RationalToDouble, TiesGoToEven) {
  const Rational ulp = Rational::power_of_two(-52);
  EXPECT_EQ((Rational(1) + ulp / 2).to_double(), 1.0);
  EXPECT_EQ((Rational(1) + ulp * Rational(3, 2)).to_double(), 1.0 + 0x1p-51);
  EXPECT_EQ((-Rational(1) - ulp * Rational(3, 2)).to_double(), -1.0 - 0x1p-51);
}

TEST(RationalToDouble, BeyondTheRangeIsInfiniteOutwardAndFiniteInward) {
  const Rational huge = decimal("1e400");
  EXPECT_EQ(huge.to_double_down(), kLargest);
  EXPECT_EQ(huge.to_double_up(), kInfinity);
  EXPECT_EQ((-huge).to_double_down(), -kInfinity);
  EXPECT_EQ((-huge).to_double_up(), -kLargest);
  EXPECT_EQ(huge.to_double(), kLargest);
  EXPECT_EQ((-huge).to_double(), -kLargest);
  EXPECT_EQ((Rational(kLargest) + 1).to_double_down(), kLargest);
  EXPECT_EQ((Rational(kLargest) + 1).to_double_up(), kInfinity);
}

RC_GTEST_PROP(RationalProperty, DoublesComeBack, ()) {
  const double value = *any_finite();
  RC_ASSERT(Rational(value).to_double() == value);
  RC_ASSERT(Rational(value).to_double_down() == value);
  RC_ASSERT(Rational(value).to_double_up() == value);
}

RC_GTEST_PROP(RationalProperty, DownAndUpAreTheAdjacentDoubles, ()) {
  // A point strictly between two neighbouring doubles, at any magnitude.
  const double low = *any_finite();
  const double high = std::nextafter(low, kInfinity);
  RC_PRE(std::isfinite(high));
  const Rational part(*rc::gen::inRange(1, 1000), 1000);
  const Rational value = Rational(low) + (Rational(high) - Rational(low)) * part;
  RC_ASSERT(value.to_double_down() == low);
  RC_ASSERT(value.to_double_up() == high);
  const double nearest = value.to_double();
  if (part < Rational(1, 2)) RC_ASSERT(nearest == low);
  if (part > Rational(1, 2)) RC_ASSERT(nearest == high);
}

TEST(RationalToInt64, TakesIntegersThatFit) {
  EXPECT_EQ(decimal("1e3").to_int64().value(), 1000);
  EXPECT_EQ(decimal("9223372036854775807").to_int64().value(), std::numeric_limits<std::int64_t>::max());
  EXPECT_FALSE(decimal("9223372036854775808").to_int64().has_value());
  EXPECT_FALSE(decimal("-9223372036854775809").to_int64().has_value());
  EXPECT_FALSE(decimal("0.5").to_int64().has_value());
}

TEST(RationalToDecimal, IsExactWhereADecimalIs) {
  for (const char* text :
       {"0", "0.1", "-0.1", "2500", "0.000001", "-12.5", "123456789012345678901234567.89", "100"}) {
    EXPECT_EQ(decimal(text).to_decimal(), text);
  }
  EXPECT_EQ(decimal("1e-5").to_decimal(), "0.00001");
  EXPECT_EQ(decimal("2.50").to_decimal(), "2.5");
  EXPECT_EQ(decimal("1e-300").to_decimal(), "1e-300");
  EXPECT_EQ(decimal("-12.5e-100").to_decimal(), "-1.25e-99");
  EXPECT_EQ(Rational::power_of_two(-10).to_decimal(), "0.0009765625");
  EXPECT_EQ(Rational::power_of_two(-40).to_decimal(40), "0.0000000000009094947017729282379150390625");
}

TEST(RationalToDecimal, IsTheNearestDoubleElsewhere) {
  EXPECT_EQ(Rational(1, 3).to_decimal(), "0.3333333333333333");
  EXPECT_EQ(Rational(-2, 3).to_decimal(), "-0.6666666666666666");
  EXPECT_EQ(decimal("1e40").to_decimal(), "1e40");
  EXPECT_EQ(decimal("-12.5e399").to_decimal(), "-1.25e400");
  EXPECT_EQ(Rational::power_of_two(-40).to_decimal(5), "9.094947017729282e-13");
}

RC_GTEST_PROP(RationalProperty, DecimalsComeBack, ()) {
  const auto digits = *rc::gen::arbitrary<std::int64_t>();
  const int power = *rc::gen::inRange(-20, 5);
  const Rational value = decimal(std::to_string(digits) + "e" + std::to_string(power));
  RC_ASSERT(decimal(value.to_decimal(60)) == value);
}

RC_GTEST_PROP(RationalProperty, ParsingNeverFailsOtherThanByAnError, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("0123456789+-.eE x\xC3")));
  const auto result = Rational::parse(text);
  if (result) RC_ASSERT(result->is_defined());
  if (!result) RC_ASSERT(result.error().code == ErrorCode::invalid_parameter);
}

TEST(Rational, RoundsDecimalsUpWhereTheyCannotBeExact) {
  EXPECT_EQ(decimal("0.1").to_decimal_up(), "0.1");
  for (const auto& value : {Rational(1, 3), Rational(-1, 3), Rational(10, 7), Rational(1, 3) * Rational(1e-300)}) {
    const Rational read = decimal(value.to_decimal_up());
    EXPECT_GE(read, value);
    EXPECT_LT(read - value, (value.sign() < 0 ? -value : value) * Rational(1e-15));
  }
}

}  // namespace rational_test
}  // namespace gauze
