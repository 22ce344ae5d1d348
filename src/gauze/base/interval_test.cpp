#include "gauze/base/interval.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace gauze {
namespace interval_test {

constexpr mpfr_prec_t kPrecision = 96;

Rational decimal(std::string_view text) { return Rational::parse(text).value(); }

Interval exactly(const Rational& value, mpfr_prec_t precision = kPrecision) { return {value, precision}; }

Rational end_of(mpfr_srcptr end) {
  mpq_t value;
  mpq_init(value);
  mpfr_get_q(value, end);
  char* text = mpq_get_str(nullptr, 10, value);
  const std::string digits = text;
  void (*release)(void*, std::size_t) = nullptr;
  mp_get_memory_functions(nullptr, nullptr, &release);
  release(text, digits.size() + 1);
  mpq_clear(value);
  const auto slash = digits.find('/');
  const Rational numerator = decimal(digits.substr(0, slash));
  return slash == std::string::npos ? numerator : numerator / decimal(digits.substr(slash + 1));
}

bool contains(const Interval& interval, const Rational& value) {
  return end_of(interval.low_end()) <= value && value <= end_of(interval.high_end());
}

/// That the interval holds the number of these first digits, and is itself known to nearly as many.
void expect_digits(const Interval& interval, std::string_view digits, std::string_view unit_in_last_place) {
  const Rational low = decimal(digits);
  const Rational unit = decimal(unit_in_last_place);
  EXPECT_TRUE(end_of(interval.low_end()) <= low + unit) << digits;
  EXPECT_TRUE(end_of(interval.high_end()) >= low) << digits;
  EXPECT_TRUE(interval.certainly_at_least(low - unit)) << digits;
  EXPECT_TRUE(interval.certainly_at_most(low + unit + unit)) << digits;
}

rc::Gen<Rational> any_fraction() {
  return rc::gen::map(rc::gen::pair(rc::gen::inRange(-1'000'000, 1'000'000), rc::gen::inRange(1, 10'000)),
                      [](const auto& parts) { return Rational(parts.first, parts.second); });
}

/// An interval and a number inside.
struct Enclosure {
  Interval interval;
  Rational inside;
};

Enclosure any_enclosure(mpfr_prec_t precision) {
  const Rational low = *any_fraction();
  const Rational width = Rational(*rc::gen::inRange(0, 1000), 7);
  const Rational part(*rc::gen::inRange(0, 101), 100);
  return {Interval(low, low + width, precision), low + width * part};
}

TEST(Interval, IsZeroByDefaultAndExactForWhatFits) {
  EXPECT_EQ(Interval(kPrecision).low(), 0.0);
  EXPECT_EQ(Interval(kPrecision).high(), 0.0);
  EXPECT_EQ(exactly(Rational(3, 8)).low(), 0.375);
  EXPECT_EQ(exactly(Rational(3, 8)).high(), 0.375);
  EXPECT_EQ(exactly(1, 200).precision(), 200);
}

TEST(Interval, EnclosesWhatDoesNotFitAsTightlyAsItCan) {
  const Interval third = exactly(Rational(1, 3));
  EXPECT_TRUE(contains(third, Rational(1, 3)));
  EXPECT_EQ(end_of(third.high_end()) - end_of(third.low_end()), Rational::power_of_two(-kPrecision - 1));
  EXPECT_EQ(std::nextafter(third.low(), 1.0), third.high());
  EXPECT_EQ(third.middle(), 1.0 / 3.0);
}

TEST(Interval, KnowsTheConstants) {
  expect_digits(exactly(1).exp(), "2.718281828459045235360287", "1e-24");
  expect_digits(exactly(2).log(), "0.693147180559945309417232", "1e-24");
  expect_digits(exactly(2).sqrt(), "1.414213562373095048801688", "1e-24");
  expect_digits(Interval::pi(kPrecision), "3.141592653589793238462643", "1e-24");
  expect_digits(exactly(1).erfc(), "0.157299207050285130658779", "1e-24");
  expect_digits(exactly(decimal("1.96")).normal_tail(), "0.0249978951482204341", "1e-18");
  expect_digits(exactly(decimal("1e-10")).expm1(), "0.000000000100000000005", "1e-21");
  expect_digits(exactly(decimal("1e-10")).log1p(), "0.000000000099999999995", "1e-21");
}

TEST(Interval, FunctionsOfAWideIntervalReachFromEndToEnd) {
  const Interval wide(Rational(1), Rational(4), kPrecision);
  EXPECT_EQ(wide.sqrt().low(), 1.0);
  EXPECT_EQ(wide.sqrt().high(), 2.0);
  EXPECT_EQ(wide.log().low(), 0.0);
  EXPECT_EQ(wide.power(3).low(), 1.0);
  EXPECT_EQ(wide.power(3).high(), 64.0);
  EXPECT_EQ(wide.power(0).high(), 1.0);
  EXPECT_EQ(exactly(1).power(Rational::power_of_two(1000)).high(), 1.0);
  EXPECT_LT(wide.erfc().low(), wide.erfc().high()) << "it falls, so its ends change places";
  EXPECT_EQ((-wide).low(), -4.0);
  EXPECT_EQ((-wide).high(), -1.0);
  const Interval around_zero(Rational(-1), Rational(9), kPrecision);
  EXPECT_EQ(around_zero.sqrt().low(), 0.0);
  EXPECT_EQ(around_zero.sqrt().high(), 3.0);
}

TEST(Interval, ProductsOfMixedSignsTakeTheExtremes) {
  const Interval mixed(Rational(-2), Rational(3), kPrecision);
  const Interval negative(Rational(-7), Rational(-5), kPrecision);
  EXPECT_EQ((mixed * negative).low(), -21.0);
  EXPECT_EQ((mixed * negative).high(), 14.0);
  EXPECT_EQ((mixed * mixed).low(), -6.0);
  EXPECT_EQ((mixed * mixed).high(), 9.0);
  EXPECT_EQ((negative * negative).low(), 25.0);
  EXPECT_EQ((mixed / negative).high(), 0.4) << "the double above two fifths";
}

TEST(Interval, ComparisonsAreCertainOrFalse) {
  const Interval low(Rational(0), Rational(1), kPrecision);
  const Interval high(Rational(1), Rational(2), kPrecision);
  EXPECT_FALSE(low.certainly_less(high)) << "they touch";
  EXPECT_TRUE(low.certainly_at_most(high));
  EXPECT_FALSE(high.certainly_at_most(low));
  EXPECT_TRUE(low.certainly_less(exactly(Rational(3, 2))));
  EXPECT_TRUE(low.certainly_at_most(Rational(1)));
  EXPECT_FALSE(low.certainly_at_most(Rational(999, 1000)));
  EXPECT_TRUE(high.certainly_at_least(Rational(1)));
  EXPECT_FALSE(high.certainly_at_least(Rational(1001, 1000)));
  EXPECT_FALSE(exactly(Rational(1, 3)).certainly_at_most(Rational(1, 3))) << "not known well enough";
}

TEST(Interval, AnOverflowIsNeverCertain) {
  const Interval huge = exactly(decimal("1e300")).exp();  // beyond any exponent
  EXPECT_EQ(huge.high(), std::numeric_limits<double>::infinity());
  EXPECT_FALSE(huge.certainly_at_most(decimal("1e400")));
  const Interval unknown = Interval(kPrecision) * huge;  // zero times infinity
  EXPECT_FALSE(unknown.certainly_at_most(Rational(0)));
  EXPECT_FALSE(unknown.certainly_at_least(Rational(1)));
  const Interval as_huge = huge;
  const Interval difference = huge - as_huge;  // infinity less infinity
  EXPECT_FALSE(difference.certainly_at_most(Rational(-1)));
  EXPECT_FALSE(difference.certainly_at_least(Rational(1)));
  const Interval tiny = exactly(-decimal("1e300")).exp();
  EXPECT_EQ(tiny.low(), 0.0);
  EXPECT_GT(mpfr_sgn(tiny.high_end()), 0) << "it does not underflow to nothing";
}

TEST(Interval, CopiesAndAssignmentsKeepEndsAndPrecision) {
  Interval a(Rational(1, 3), 64);
  const Interval b(Rational(2, 3), 300);
  Interval copy = a;
  copy = b;
  EXPECT_EQ(copy.precision(), 300);
  EXPECT_EQ(mpfr_equal_p(copy.low_end(), b.low_end()), 1);
  EXPECT_EQ(mpfr_equal_p(copy.high_end(), b.high_end()), 1);
  const Interval& same = a;
  a = same;
  EXPECT_TRUE(contains(a, Rational(1, 3)));
  EXPECT_EQ((a + b).precision(), 300) << "the wider of the two";
}

TEST(IntervalDeathTest, WhatHasNoValueIsABrokenInvariant) {
  EXPECT_DEATH((void)exactly(Rational(1, 0)), "is_defined");
  EXPECT_DEATH((void)(exactly(1) / Interval(Rational(-1), Rational(1), kPrecision)), "does not hold");
  EXPECT_DEATH((void)exactly(0).log(), "does not hold");
  EXPECT_DEATH((void)exactly(-1).log1p(), "does not hold");
  EXPECT_DEATH((void)exactly(-1).power(2), "does not hold");
}

RC_GTEST_PROP(IntervalProperty, ArithmeticKeepsTheTruthInside, ()) {
  const mpfr_prec_t precision = *rc::gen::inRange(2, 120);
  const auto [a, x] = any_enclosure(precision);
  const auto [b, y] = any_enclosure(precision);
  RC_ASSERT(contains(a, x));
  RC_ASSERT(contains(a + b, x + y));
  RC_ASSERT(contains(a - b, x - y));
  RC_ASSERT(contains(a * b, x * y));
  RC_ASSERT(contains(-a, -x));
  if (mpfr_sgn(b.low_end()) * mpfr_sgn(b.high_end()) > 0) RC_ASSERT(contains(a / b, x / y));
}

// A computation in few bits must enclose the same computation in many.
RC_GTEST_PROP(IntervalProperty, FewBitsEncloseManyBits, ()) {
  const Rational value(*rc::gen::inRange(1, 100'000), *rc::gen::inRange(1, 3000));
  const Interval coarse(value, 20);
  const Interval fine(value, 400);
  const std::vector<std::pair<Interval, Interval>> pairs = {
      {coarse.exp(), fine.exp()},   {coarse.expm1(), fine.expm1()},
      {coarse.log(), fine.log()},   {coarse.log1p(), fine.log1p()},
      {coarse.sqrt(), fine.sqrt()}, {coarse.power(5), fine.power(5)},
      {coarse.erfc(), fine.erfc()}, {coarse.normal_tail(), fine.normal_tail()}};
  for (const auto& [few, many] : pairs) {
    RC_ASSERT(mpfr_lessequal_p(few.low_end(), many.low_end()) != 0);
    RC_ASSERT(mpfr_lessequal_p(many.high_end(), few.high_end()) != 0);
    RC_ASSERT(mpfr_lessequal_p(many.low_end(), many.high_end()) != 0);
  }
}

}  // namespace interval_test
}  // namespace gauze
