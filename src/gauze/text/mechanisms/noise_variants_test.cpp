// Mahalanobis and Vickrey: DchiMechanism with lambda and with t.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "gauze/text/mechanisms/dchi_mechanism.h"
#include "gauze/text/mechanisms/internal/nearest_words.h"
#include "gauze/text/mechanisms/mahalanobis_map.h"
#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text {
namespace noise_variants_test {

using testing::random_words;
using testing::words_at;

/// Wide in one direction, narrow in the other, correlated.
WordVectors stretched(std::size_t count) {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal(0, 1);
  std::vector<std::vector<float>> rows;
  for (std::size_t i = 0; i < count; ++i) {
    const double a = normal(random);
    const double b = normal(random);
    rows.push_back({static_cast<float>(3 * a), static_cast<float>(2 * a + 0.2 * b)});
  }
  return words_at(rows);
}

TEST(MahalanobisMap, MakesTheNormOfTheRegularisedCovariance) {
  const WordVectors vectors = stretched(500);
  constexpr double kLambda = 0.6;
  // M by hand.
  double mean[2] = {0, 0};
  double s[3] = {0, 0, 0};
  const auto x = [&](std::size_t i, std::size_t d) {
    return std::ldexp(vectors.fixed_row(i)[d], -vectors.scale_bits());
  };
  for (std::size_t i = 0; i < 500; ++i)
    for (std::size_t d = 0; d < 2; ++d) mean[d] += x(i, d) / 500;
  for (std::size_t i = 0; i < 500; ++i) {
    const double a = x(i, 0) - mean[0];
    const double b = x(i, 1) - mean[1];
    s[0] += a * a / 500;
    s[1] += a * b / 500;
    s[2] += b * b / 500;
  }
  const double scale = kLambda / ((s[0] + s[2]) / 2);
  const double m[3] = {s[0] * scale + 1 - kLambda, s[1] * scale, s[2] * scale + 1 - kLambda};
  const double determinant = m[0] * m[2] - m[1] * m[1];
  const MahalanobisMap map = MahalanobisMap::make(vectors, kLambda).value();
  const WordVectors mapped = map.mapped(vectors).value();
  for (std::size_t i = 1; i < 100; ++i) {
    const double a = x(i, 0) - x(0, 0);
    const double b = x(i, 1) - x(0, 1);
    const double norm = std::sqrt((m[2] * a * a - 2 * m[1] * a * b + m[0] * b * b) / determinant);
    EXPECT_NEAR(mapped.distance(0, i), norm, 1e-4 * (1 + norm));
    EXPECT_GT(std::abs(mapped.distance(0, i) - vectors.distance(0, i)), 1e-3) << "another metric than the Euclidean";
  }
  // There and back again.
  std::vector<std::int64_t> points;
  for (std::size_t d = 0; d < 2; ++d) points.push_back(std::int64_t{mapped.fixed_row(7)[d]} << 8);
  map.map_back(points, std::int64_t{1} << 40);
  for (std::size_t d = 0; d < 2; ++d)
    EXPECT_NEAR(std::ldexp(static_cast<double>(points[d]), -mapped.scale_bits() - 8), x(7, d), 1e-4);
}

TEST(Mahalanobis, WithLambda0IsDchi) {
  const WordVectors vectors = stretched(40);
  const DchiMechanism plain = DchiMechanism::make(vectors, {.epsilon = 3}).value();
  const DchiMechanism with = DchiMechanism::make(vectors, {.epsilon = 3, .lambda = Rational(0)}).value();
  const std::vector<std::uint32_t> words(200, 5);
  std::vector<std::uint32_t> a(200);
  std::vector<std::uint32_t> b(200);
  SeededRandom first(1);
  SeededRandom second(1);
  plain.simulate(words, first, a);
  with.simulate(words, second, b);
  EXPECT_EQ(a, b);
}

// n = 20,000: an error of 0.025 is seen with more than 99.99 %; a correct share alarms with less than 1e-6 (5 standard errors).
TEST(Mahalanobis, TwoWordsHaveTheirClosedFormInTheMapsNorm) {
  const WordVectors vectors = words_at({{0, 0}, {2, 1}});
  const DchiMechanism mechanism =
      DchiMechanism::make(vectors, {.epsilon = Rational(3, 2), .lambda = Rational(1, 2)}).value();
  const auto law = mechanism.law(0);
  ASSERT_TRUE(law);
  EXPECT_GT(std::abs((*law)[1] - (*DchiMechanism::make(vectors, {.epsilon = Rational(3, 2)})->law(0))[1]), 0.01);
  constexpr std::size_t kDraws = 20'000;
  const std::vector<std::uint32_t> words(kDraws, 0);
  std::vector<std::uint32_t> out(kDraws);
  mechanism.release(words, SecureRandom::of_thread(), out);
  const double share = static_cast<double>(std::count(out.begin(), out.end(), 1U)) / kDraws;
  EXPECT_NEAR(share, (*law)[1], 5 * std::sqrt((*law)[1] * (1 - (*law)[1]) / kDraws));
  // The promise in its own metric, which is shorter than the Euclidean one here.
  EXPECT_LE(std::log((*law)[0] / (*mechanism.law(1))[0]), 1.5 * mechanism.metric_vectors().distance(0, 1));
}

TEST(Mahalanobis, RefusesLambdasOutsideItsRange) {
  const WordVectors vectors = stretched(10);
  for (const Rational& lambda : {Rational(-1, 10), Rational(1), Rational(2)})
    EXPECT_EQ(DchiMechanism::make(vectors, {.epsilon = 1, .lambda = lambda}).error().code,
              ErrorCode::invalid_parameter);
}

TEST(TwoNearestWords, AreThoseOfASearchByHand) {
  const WordVectors vectors = random_words(300, 5, 1.0, 8);
  std::mt19937_64 random(3);
  std::vector<std::int64_t> points;
  constexpr std::size_t kPoints = 50;
  for (std::size_t i = 0; i < kPoints * 5; ++i)
    points.push_back(static_cast<std::int64_t>(random() % (1U << 22)) - (1 << 21));
  const int bits = 20;
  std::vector<internal::TwoNearest> two(kPoints);
  internal::two_nearest_words(vectors, points, bits, two);
  std::vector<std::uint32_t> nearest(kPoints);
  internal::nearest_words(vectors, points, bits, nearest);
  for (std::size_t i = 0; i < kPoints; ++i) {
    std::vector<std::pair<double, std::uint32_t>> all;
    for (std::uint32_t w = 0; w < vectors.size(); ++w) {
      double sum = 0;
      for (std::size_t d = 0; d < 5; ++d) {
        const double difference = std::ldexp(static_cast<double>(points[i * 5 + d]), -bits) -
                                  std::ldexp(static_cast<double>(vectors.fixed_row(w)[d]), -vectors.scale_bits());
        sum += difference * difference;
      }
      all.emplace_back(std::sqrt(sum), w);
    }
    std::sort(all.begin(), all.end());
    EXPECT_EQ(two[i].first, nearest[i]);
    EXPECT_NEAR(two[i].first_distance, all[0].first, 1e-5);
    EXPECT_NEAR(two[i].second_distance, all[1].first, 1e-5);
    EXPECT_NE(two[i].first, two[i].second);
  }
}

TEST(TwoNearestWords, AreOneWordWhereThereIsNoOther) {
  const WordVectors vectors = words_at({{1, 2}});
  std::vector<internal::TwoNearest> two(1);
  const std::vector<std::int64_t> point = {0, 0};
  internal::two_nearest_words(vectors, point, 10, two);
  EXPECT_EQ(two[0].first, 0U);
  EXPECT_EQ(two[0].second, 0U);
}

TEST(Vickrey, WithT0IsDchiAndWithT1PrintsTheSecondNearest) {
  const WordVectors vectors = words_at({{0, 0}, {1, 0}, {5, 0}, {9, 9}});
  const Rational tight = 1000;  // the noise is next to nothing
  std::vector<std::uint32_t> out(4);
  const std::vector<std::uint32_t> words = {0, 1, 2, 3};
  DchiMechanism::make(vectors, {.epsilon = tight, .t = Rational(0)})->release(words, SecureRandom::of_thread(), out);
  EXPECT_EQ(out, words);
  DchiMechanism::make(vectors, {.epsilon = tight, .t = Rational(1)})->release(words, SecureRandom::of_thread(), out);
  EXPECT_EQ(out, (std::vector<std::uint32_t>{1, 0, 1, 2}));
  EXPECT_FALSE(DchiMechanism::make(vectors, {.epsilon = 1, .t = Rational(1, 2)})->law(0));
  EXPECT_EQ(DchiMechanism::make(vectors, {.epsilon = 1, .t = Rational(2)}).error().code,
            ErrorCode::invalid_parameter);
}

// Words at 0 and 1 on a line, t = 1/2: a sum at v prints the second-nearest with probability d1 / (d1 + d2). Integrated over the
// Laplace law of the sum by hand. n = 20,000, 5 standard errors: alarms with less than 1e-6.
TEST(Vickrey, ChoosesByTheCoinOfTheDistances) {
  const WordVectors vectors = words_at({{0}, {1}});
  constexpr double kEpsilon = 2;
  const DchiMechanism mechanism = DchiMechanism::make(vectors, {.epsilon = 2, .t = Rational(1, 2)}).value();
  double expected = 0;  // P[0 -> 1]
  constexpr double kStep = 1e-4;
  for (double v = -20; v < 21; v += kStep) {
    const double density = kEpsilon / 2 * std::exp(-kEpsilon * std::abs(v)) * kStep;
    const double to_0 = std::abs(v);
    const double to_1 = std::abs(v - 1);
    const double first = std::min(to_0, to_1);
    const double second_chance = first / (to_0 + to_1);
    expected += density * (to_1 < to_0 ? 1 - second_chance : second_chance);
  }
  constexpr std::size_t kDraws = 20'000;
  const std::vector<std::uint32_t> words(kDraws, 0);
  std::vector<std::uint32_t> out(kDraws);
  mechanism.release(words, SecureRandom::of_thread(), out);
  const double share = static_cast<double>(std::count(out.begin(), out.end(), 1U)) / kDraws;
  EXPECT_NEAR(share, expected, 5 * std::sqrt(expected * (1 - expected) / kDraws) + 1e-3);
}

// The word itself stays a candidate: both words can print both, so that no output rules a word out. Were it left out, P[x -> x] would
// be 0 while P[x' -> x] is not, and no bound could hold.
TEST(Vickrey, NeverLeavesTheWordItselfOut) {
  const WordVectors vectors = words_at({{0}, {1}, {3}});
  const DchiMechanism mechanism = DchiMechanism::make(vectors, {.epsilon = 1, .t = Rational(1, 2)}).value();
  for (std::uint32_t x = 0; x < 3; ++x) {
    const std::vector<std::uint32_t> words(2000, x);
    std::vector<std::uint32_t> out(2000);
    mechanism.release(words, SecureRandom::of_thread(), out);
    for (std::uint32_t y = 0; y < 3; ++y) EXPECT_GT(std::count(out.begin(), out.end(), y), 20) << x << " " << y;
  }
}

}  // namespace noise_variants_test
}  // namespace gauze::text
