#include "gauze/text/mechanisms/exact_weights.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <cmath>
#include <random>

namespace gauze::text {
namespace exact_weights_test {

constexpr std::uint32_t kFar = 1U << 25;  // 32 in granules of 2^-20

ExactWeights weights_for(const Rational& epsilon, std::uint32_t cap = 0x7FFF'FFFF) {
  return ExactWeights::make({.epsilon = epsilon, .granule_bits = 20, .largest_granules = kFar, .cap_granules = cap})
      .value();
}

/// ceil(2^100 exp(-epsilon k 2^-21)) by MPFR with 256 bits, and nothing of the code under test.
Weight defined_weight(const Rational& epsilon, std::uint32_t k) {
  mpfr_t value;
  mpfr_init2(value, 256);
  mpfr_set_q(value, epsilon.gmp(), MPFR_RNDN);
  mpfr_mul_ui(value, value, k, MPFR_RNDN);
  mpfr_div_2ui(value, value, 21, MPFR_RNDN);
  mpfr_neg(value, value, MPFR_RNDN);
  mpfr_exp(value, value, MPFR_RNDN);
  mpfr_mul_2ui(value, value, 100, MPFR_RNDN);
  mpfr_ceil(value, value);
  Weight weight = 0;
  mpfr_t high;
  mpfr_init2(high, 256);
  mpfr_div_2ui(high, value, 64, MPFR_RNDN);
  mpfr_floor(high, high);
  weight = Weight{mpfr_get_ui(high, MPFR_RNDN)} << 64;
  mpfr_mul_2ui(high, high, 64, MPFR_RNDN);
  mpfr_sub(value, value, high, MPFR_RNDN);
  weight += mpfr_get_ui(value, MPFR_RNDN);
  mpfr_clear(high);
  mpfr_clear(value);
  return weight;
}

TEST(ExactWeights, AreTheCeilingForEveryEpsilonAndDistance) {
  std::mt19937_64 random(1);
  for (const Rational& epsilon : {Rational(1), Rational(3, 10), Rational(8), Rational(1000), Rational(1, 1'000'000),
                                  Rational(0.1), Rational(12345, 1000)}) {
    const ExactWeights weights = weights_for(epsilon);
    const std::uint32_t last = std::min(weights.cap_granules(), kFar);
    std::size_t wrong = 0;
    const auto check = [&](std::uint32_t k) { wrong += weights.weight(k) != defined_weight(epsilon, k); };
    for (std::uint32_t k = 0; k < 2000; ++k) check(std::min(k, last));
    for (std::uint32_t k = 0; k < 2000; ++k) check(last - std::min(k, last));
    for (int bits = 0; bits < 25; ++bits) {
      for (const int around : {-1, 0, 1}) check(std::min<std::uint32_t>(last, (1U << bits) + std::uint32_t(around)));
    }
    for (int i = 0; i < 5000; ++i) check(static_cast<std::uint32_t>(random() % (std::uint64_t{last} + 1)));
    EXPECT_EQ(wrong, 0U) << epsilon.to_decimal();
  }
}

TEST(ExactWeights, AreDecidedByIntervalsWhereTheTablesCannot) {
  // Among four million distances some hit the narrow place: five in 2^26 are expected to.
  const Rational epsilon(7, 10);
  const ExactWeights weights = weights_for(epsilon);
  Weight before = weights.weight(0);
  std::size_t rising = 0;
  for (std::uint32_t k = 1; k < 4'000'000; ++k) {
    const Weight now = weights.weight(k);
    rising += now >= before;
    before = now;
  }
  EXPECT_EQ(rising, 0U);
  for (const std::uint32_t k : {1U, 77U, 123'456U, 9'999'999U}) {
    EXPECT_TRUE(weights.slow_weight(k) == defined_weight(epsilon, k));
  }
}

TEST(ExactWeights, AreNeverBelowTwoToTheForty) {
  for (const Rational& epsilon : {Rational(5), Rational(100), Rational(1000), Rational(1'000'000)}) {
    const ExactWeights weights = weights_for(epsilon);
    const std::uint32_t cap = weights.cap_granules();
    EXPECT_TRUE(weights.weight(cap) >= Weight{1} << 40);
    EXPECT_TRUE(defined_weight(epsilon, cap + 1) <= Weight{1} << 40);  // the cap is the largest possible
    EXPECT_TRUE(weights.weight(cap + 1) == weights.weight(cap));
    EXPECT_TRUE(weights.weight(0xFFFF'FFFF) == weights.weight(cap));
  }
}

TEST(ExactWeights, StopFallingAtTheCapThatWasAskedFor) {
  const ExactWeights weights = weights_for(1, 1000);
  EXPECT_EQ(weights.cap_granules(), 1000U);
  EXPECT_TRUE(weights.weight(999) > weights.weight(1000));
  EXPECT_TRUE(weights.weight(1000) == weights.weight(1'000'000));
  EXPECT_TRUE(weights_for(1, 0).weight(5) == Weight{1} << 100);
}

TEST(ExactWeights, AreCloseToTheirApproximations) {
  const ExactWeights weights = weights_for(2);
  for (std::uint32_t k = 0; k < kFar; k += 999'983) {
    EXPECT_NEAR(weights.approximate(k) * 0x1p100 / to_double(weights.weight(k)), 1, 0x1p-38);
    EXPECT_NEAR(log_of(weights.weight(k)), 100 * std::log(2.0) + std::log(weights.approximate(k)), 1e-11);
  }
}

TEST(ExactWeights, RefuseAnEpsilonThatCannotBe) {
  const auto refused = [](const Rational& epsilon) {
    const auto weights = ExactWeights::make({.epsilon = epsilon, .largest_granules = 10});
    return !weights && weights.error().code == ErrorCode::invalid_parameter;
  };
  EXPECT_TRUE(refused(0));
  EXPECT_TRUE(refused(-1));
  EXPECT_TRUE(refused(Rational(std::nan(""))));
  EXPECT_TRUE(refused(Rational(1e9)));
}

}  // namespace exact_weights_test
}  // namespace gauze::text
