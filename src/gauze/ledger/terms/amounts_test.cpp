#include "gauze/ledger/terms/amounts.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace gauze {
namespace amounts_test {

constexpr Currency kAll[] = {Currency::epsilon,    Currency::rho,   Currency::rdp,  Currency::mu,
                             Currency::mu_squared, Currency::delta, Currency::share};

TEST(LedgerAmounts, DecimalsAreWholeNumbersOfUnits) {
  EXPECT_EQ(units_up(*Rational::parse("0.1"), Currency::epsilon), 100'000'000);
  EXPECT_EQ(units_down(*Rational::parse("0.1"), Currency::epsilon), 100'000'000);
  EXPECT_EQ(units_up(*Rational::parse("1e-15"), Currency::rho), 1);
  EXPECT_EQ(units_up(*Rational::parse("1e-6"), Currency::delta), 1'000'000'000'000);
  EXPECT_EQ(decimal_of(100'000'000, Currency::epsilon), "0.1");
  EXPECT_EQ(decimal_of(1, Currency::delta), "0.000000000000000001");
  EXPECT_EQ(decimal_of(0, Currency::rho), "0");
}

TEST(LedgerAmounts, ChargesRoundUpAndTotalsDown) {
  const Rational third(1, 3);
  EXPECT_EQ(units_up(third, Currency::epsilon), 333'333'334);
  EXPECT_EQ(units_down(third, Currency::epsilon), 333'333'333);
  EXPECT_EQ(units_up(*Rational::parse("1e-30"), Currency::delta), 1);
  EXPECT_EQ(units_down(*Rational::parse("1e-30"), Currency::delta), 0);
}

TEST(LedgerAmounts, BeyondTheLimitThereIsNoAmount) {
  EXPECT_EQ(units_up(Rational(4000), Currency::rho), kMostUnits);
  EXPECT_EQ(units_up(*Rational::parse("4000.000000000000001"), Currency::rho), std::nullopt);
  EXPECT_EQ(units_down(*Rational::parse("1e400"), Currency::epsilon), std::nullopt);
  EXPECT_EQ(units_up(Rational(-1), Currency::epsilon), std::nullopt);
  EXPECT_EQ(units_up(Rational(1) / Rational(), Currency::epsilon), std::nullopt);
  std::int64_t sum = 0;
  EXPECT_FALSE(__builtin_add_overflow(kMostUnits + 1, kMostUnits + 1, &sum));
}

TEST(LedgerAmounts, PartsDoNotOverflow) {
  EXPECT_EQ(part_of(kMostUnits, 1'000'000'000, 1'000'000'000), kMostUnits);
  EXPECT_EQ(part_of(kMostUnits, 1, 1'000'000'000), 4'000'000'000);
  EXPECT_EQ(part_of(10, 1, 3), 3);
}

RC_GTEST_PROP(LedgerAmounts, DecimalsReadBackToTheSameUnits, ()) {
  const auto units = *rc::gen::inRange<std::int64_t>(0, kMostUnits);
  for (const Currency currency : kAll) {
    const auto read = Rational::parse(decimal_of(units, currency));
    RC_ASSERT(read.has_value());
    RC_ASSERT(units_up(*read, currency) == units);
    RC_ASSERT(units_down(*read, currency) == units);
    RC_ASSERT(*read == amount_of(units, currency));
  }
}

}  // namespace amounts_test
}  // namespace gauze
