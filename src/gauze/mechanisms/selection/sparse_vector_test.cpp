#include "gauze/mechanisms/selection/sparse_vector.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gauze/base/testing/watched.h"

namespace gauze {
namespace sparse_vector_test {

TEST(SparseVector, SplitsItsBudgetAsStated) {
  const auto best = SparseVector::make({.epsilon = 1, .max_above = 4}, SecureRandom::of_thread());
  EXPECT_EQ(best->threshold_epsilon() + best->query_epsilon(), Rational(1));
  EXPECT_NEAR(best->threshold_epsilon().to_double(), 1 / (1 + std::pow(8.0, 2.0 / 3)), 1e-12);
  const auto half = SparseVector::make({.epsilon = 1, .threshold_share = Rational(1, 2)}, SecureRandom::of_thread());
  EXPECT_EQ(half->query_epsilon(), Rational(1, 2));
}

TEST(SparseVector, IsMovedButNeverCopied) {
  static_assert(!std::is_copy_constructible_v<SparseVector> && !std::is_copy_assignable_v<SparseVector>);
  auto first = SparseVector::make({.epsilon = 1, .max_above = 3}, SecureRandom::of_thread()).value();
  const SparseVector second = std::move(first);
  EXPECT_EQ(second.answers_left(), 3);
  EXPECT_FALSE(first.is_above(SecureRandom::of_thread(), 0));  // NOLINT(bugprone-use-after-move): on purpose
}

TEST(SparseVector, StopsAfterTheYesItPaidFor) {
  auto vector = SparseVector::make({.epsilon = 100, .threshold = 10, .max_above = 2}, SecureRandom::of_thread());
  SecureRandom& random = SecureRandom::of_thread();
  for (int i = 0; i < 50; ++i) EXPECT_FALSE(*vector->is_above(random, 0));
  EXPECT_TRUE(*vector->is_above(random, 1000));
  EXPECT_TRUE(*vector->is_above(random, 1000));
  EXPECT_EQ(vector->answers_left(), 0);
  const auto refused = vector->is_above(random, 1000);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::budget_exhausted);
}

/// P[first yes at query 0], for one query: P[q + Y >= T + R] with Y of scale 2/e2 and R of scale 1/e1, by summing
/// over R.
double yes_probability(double gap, double e1, double e2) {
  const double grid = std::ldexp(1.0, -8);
  const double a = 1 / e1, b = 2 / e2;
  double total = 0, probability = 0;
  for (double r = -40 * a; r <= 40 * a; r += grid) {
    const double density = std::exp(-std::abs(r) / a);
    const double need = gap + r;
    total += density;
    probability += density * (need > 0 ? std::exp(-need / b) / 2 : 1 - std::exp(need / b) / 2);
  }
  return probability / total;
}

// 20,000 fresh vectors: 4.9 sigma is 0.0173. Forgetting the factor 2 of the query noise, or the noise of the
// threshold, moves the probability by 0.03 or more and is caught in > 99 % of runs.
TEST(SparseVector, AnswersYesAsOftenAsTheLawSays) {
  const double gap = 2;
  double yes = 0;
  const int runs = watched_less(20'000);
  for (int i = 0; i < runs; ++i) {
    auto vector = SparseVector::make({.epsilon = 1, .threshold = Rational(gap), .threshold_share = Rational(1, 2)},
                                     SecureRandom::of_thread());
    yes += *vector->is_above(SecureRandom::of_thread(), 0) ? 1 : 0;
  }
  EXPECT_NEAR(yes / runs, yes_probability(gap, 0.5, 0.5), 0.0173 * std::sqrt(20'000.0 / runs));
}

TEST(SparseVector, ChecksItsParameters) {
  SecureRandom& random = SecureRandom::of_thread();
  EXPECT_FALSE(SparseVector::make({.epsilon = 0}, random));
  EXPECT_FALSE(SparseVector::make({.epsilon = 1, .sensitivity = 0}, random));
  EXPECT_FALSE(SparseVector::make({.epsilon = 1, .max_above = 0}, random));
  EXPECT_FALSE(SparseVector::make({.epsilon = 1, .threshold_share = 1}, random));
  EXPECT_FALSE(SparseVector::make({.epsilon = 1, .threshold = Rational(std::nan(""))}, random));
}

}  // namespace sparse_vector_test
}  // namespace gauze
