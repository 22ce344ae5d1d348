#include "gauze/text/mechanisms/dchi_mechanism.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "gauze/mechanisms/testing/distribution_checks.h"
#include "gauze/text/mechanisms/internal/nearest_words.h"
#include "gauze/text/mechanisms/internal/radial_noise.h"
#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text {
namespace dchi_mechanism_test {

using gauze::testing::chi_square;
using gauze::testing::kolmogorov_bound;
using internal::RadialNoise;
using testing::random_words;
using testing::words_at;

/// Says what it is told to say.
class ScriptedWords final : public RandomWords {
 public:
  explicit ScriptedWords(std::vector<std::uint64_t> words) : words_(std::move(words)) {
    position_ = words_.data();
    end_ = position_ + words_.size();
  }

 private:
  void refill() override { GAUZE_CHECK(false); }
  std::vector<std::uint64_t> words_;
};

std::size_t uniforms(std::size_t n) { return n % 2 == 1 ? 2 * ((n + 1) / 2) + (n + 1) / 2 : 2 * (n / 2 + 1) + n / 2; }

TEST(RadialNoise, GivesInDoublesWhatIntervalsGiveForTheSameDigits) {
  std::mt19937_64 random(1);
  for (const std::size_t n : {1U, 2U, 3U, 8U, 25U, 100U}) {
    for (const int lattice_bits : {20, 26 - 8}) {
      const RadialNoise noise(n, Rational(3, 2), lattice_bits);
      const std::vector<std::int32_t> row(n, 12345);
      const std::size_t count = n < 10 ? 300 : 20;
      for (std::size_t i = 0; i < count; ++i) {
        std::vector<std::uint64_t> fast;
        std::vector<std::uint64_t> slow;
        for (std::size_t u = 0; u < uniforms(n); ++u) {
          const std::uint64_t word =
              random() % 16 == 0 ? ~(random() >> 9) : std::max<std::uint64_t>(random(), 1ULL << 60);
          fast.push_back(word);
          slow.push_back(word);
          slow.push_back(random());
        }
        // More words for those that need them: whatever they are, the doubles must agree with digits that go on so.
        const std::uint64_t before = RadialNoise::slow_count();
        std::vector<std::int64_t> a(n);
        std::vector<std::int64_t> b(n);
        for (int spare = 0; spare < 600; ++spare) fast.push_back(random());
        for (int spare = 0; spare < 600; ++spare) slow.push_back(random());
        bool any_short = false;
        for (std::size_t u = 0; u < uniforms(n); ++u) any_short = any_short || ~fast[u] < (1ULL << 54);
        ScriptedWords for_doubles(fast);
        ScriptedWords for_intervals(slow);
        noise.add(row, 20, for_doubles, a);
        if (any_short || RadialNoise::slow_count() != before) continue;  // other digits were drawn
        noise.add_slowly(row, 20, for_intervals, b);
        EXPECT_EQ(a, b);
      }
    }
  }
}

TEST(RadialNoise, SeldomNeedsIntervals) {
  const RadialNoise noise(100, 1, 18);
  SeededRandom random(2);
  const std::vector<std::int32_t> row(100, 777);
  std::vector<std::int64_t> out(100);
  const std::uint64_t before = RadialNoise::slow_count();
  for (int i = 0; i < 20'000; ++i) noise.add(row, 20, random, out);
  EXPECT_LT(RadialNoise::slow_count() - before, 100U);
}

/// P[Gamma(n, 1) <= x].
double gamma_cdf(std::size_t n, double x) {
  double term = std::exp(-x);
  double sum = 0;
  for (std::size_t k = 0; k < n; ++k) {
    sum += term;
    term *= x / static_cast<double>(k + 1);
  }
  return 1 - sum;
}

// 100,000 radii: alarms on the right law with p <= 1e-6; catches a scale that is 2 % off at n = 100 for sure.
TEST(RadialNoise, HasGammaRadiusAndUniformDirection) {
  for (const std::size_t n : {1U, 2U, 3U, 10U, 100U}) {
    const double epsilon = 2.5;
    const RadialNoise noise(n, Rational(5, 2), 18);
    SeededRandom random(3 + n);
    const std::vector<std::int32_t> row(n, 0);
    std::vector<std::int64_t> out(n);
    std::vector<double> radii;
    std::vector<double> first;  // the sign and size of one coordinate, as a share of the radius
    double mean = 0;
    const std::size_t count = 100'000;
    for (std::size_t i = 0; i < count; ++i) {
      noise.add(row, 20, random, out);
      double squared = 0;
      for (const std::int64_t value : out) squared += static_cast<double>(value) * static_cast<double>(value);
      radii.push_back(epsilon * std::ldexp(std::sqrt(squared), -18));
      mean += radii.back() / static_cast<double>(count);
      first.push_back(static_cast<double>(out[n - 1]) / std::sqrt(squared));
    }
    EXPECT_NEAR(mean, static_cast<double>(n), 5 * std::sqrt(static_cast<double>(n) / static_cast<double>(count)));
    std::sort(radii.begin(), radii.end());
    double gap = 0;
    for (std::size_t i = 0; i < count; ++i) {
      gap = std::max(gap, std::abs(gamma_cdf(n, radii[i]) - static_cast<double>(i) / static_cast<double>(count)));
    }
    EXPECT_LT(gap, kolmogorov_bound(count) + 1e-4) << n;
    if (n != 3) continue;
    std::sort(first.begin(), first.end());  // Archimedes: uniform on [-1, 1] in three dimensions
    gap = 0;
    for (std::size_t i = 0; i < count; ++i) {
      gap = std::max(gap, std::abs((first[i] + 1) / 2 - static_cast<double>(i) / static_cast<double>(count)));
    }
    EXPECT_LT(gap, kolmogorov_bound(count) + 1e-4);
  }
}

TEST(NearestWords, AreThoseOfIntegers) {
  std::mt19937_64 random(7);
  for (const double spread : {0.5, 4.0}) {
    const WordVectors vectors = random_words(1200, 9, spread, 3);
    for (const int lattice_bits : {vectors.scale_bits(), vectors.scale_bits() - 3, -5}) {
      std::vector<std::int64_t> points;
      const std::size_t count = 300;
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t word = random() % vectors.size();
        const std::size_t other = random() % vectors.size();
        for (std::size_t d = 0; d < 9; ++d) {
          const double at = i % 3 == 0 ? vectors.fixed_row(word)[d]
                            : i % 3 == 1
                                ? (static_cast<double>(vectors.fixed_row(word)[d]) + vectors.fixed_row(other)[d]) / 2
                                : 1e9 * (static_cast<double>(random() % 2001) - 1000) / 1000;
          points.push_back(static_cast<std::int64_t>(std::ldexp(at, lattice_bits - vectors.scale_bits())));
        }
      }
      std::vector<std::uint32_t> found(count);
      internal::nearest_words(vectors, points, lattice_bits, found);
      for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t nearest = 0;
        unsigned __int128 best = ~static_cast<unsigned __int128>(0);
        for (std::uint32_t y = 0; y < vectors.size(); ++y) {
          unsigned __int128 squared = 0;
          for (std::size_t d = 0; d < 9; ++d) {
            const __int128 difference =
                static_cast<__int128>(points[i * 9 + d]) * (1LL << (vectors.scale_bits() - lattice_bits)) -
                vectors.fixed_row(y)[d];
            squared += static_cast<unsigned __int128>(difference * difference);
          }
          if (squared < best) {
            best = squared;
            nearest = y;
          }
        }
        ASSERT_EQ(found[i], nearest);
      }
    }
  }
}

std::vector<std::int64_t> draws(const DchiMechanism& mechanism, std::uint32_t x, std::size_t count,
                                std::uint64_t seed) {
  SeededRandom random(seed);
  const std::vector<std::uint32_t> words(count, x);
  std::vector<std::uint32_t> out(count);
  mechanism.simulate(words, random, out);
  return {out.begin(), out.end()};
}

void expect_law(const DchiMechanism& mechanism, std::uint32_t x, const std::vector<double>& p) {
  std::map<std::int64_t, double> law;
  for (std::size_t y = 0; y < p.size(); ++y) law[static_cast<std::int64_t>(y)] = p[y];
  EXPECT_FALSE(chi_square(law, draws(mechanism, x, 200'000, x)).alarms());
}

TEST(Dchi, HasTheClosedFormsOfTwoWords) {
  for (const double epsilon : {0.5, 2.0, 6.0}) {
    const double a = epsilon * 1.5 / 2;
    const auto line = DchiMechanism::make(words_at({{0}, {1.5F}}), Rational(epsilon)).value();
    EXPECT_NEAR(line.law(0).value()[0], 1 - std::exp(-a) / 2, 1e-6);
    expect_law(line, 0, {1 - std::exp(-a) / 2, std::exp(-a) / 2});
    const auto space = DchiMechanism::make(words_at({{0, 0, 0}, {0.5F, 1, 1}}), Rational(epsilon)).value();
    const double flips = (2 + a) * std::exp(-a) / 4;
    EXPECT_NEAR(space.law(1).value()[1], 1 - flips, 1e-10);
    expect_law(space, 1, {flips, 1 - flips});
  }
}

TEST(Dchi, AgreesWithItsQuadratureForTwoWordsInManyDimensions) {
  for (const std::size_t n : {2U, 50U, 101U}) {
    std::vector<std::vector<float>> rows(2, std::vector<float>(n));
    rows[1][0] = 3;
    const auto mechanism = DchiMechanism::make(words_at(rows), 2).value();
    expect_law(mechanism, 0, mechanism.law(0).value());
  }
}

TEST(Dchi, HasTheClosedFormOfWordsOnALine) {
  const WordVectors vectors =
      words_at({{0}, {2}, {0.5F}, {-1}, {0.5F}});  // w4 lies where w2 does, and is never printed
  const auto mechanism = DchiMechanism::make(vectors, Rational(3, 2)).value();
  for (const std::uint32_t x : {0U, 1U, 4U}) {
    const auto law = mechanism.law(x).value();
    double sum = 0;
    for (const double p : law) sum += p;
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_EQ(law[4], 0);
    expect_law(mechanism, x, law);
  }
  EXPECT_NEAR(mechanism.law(0).value()[1], std::exp(-1.5 * 1.25) / 2, 1e-6);
}

TEST(Dchi, HasTheClosedFormAlsoWhereTheLatticeShows) {
  // So much noise that the lattice is as coarse as the words: steps of 1/2 at epsilon = 1e-7, and words 1/2 to 2 apart.
  const WordVectors vectors = words_at({{0.5F}, {0}, {2}, {-1}, {1.5F}});
  const auto mechanism = DchiMechanism::make(vectors, Rational(1, 10'000'000)).value();
  ASSERT_EQ(mechanism.lattice_bits(), 1);
  const auto law = mechanism.law(0).value();
  // The places of the lattice that go to each word, of -1 0 0.5 1.5 2 with equals to the first of the list.
  const double step = std::ldexp(1.0, -mechanism.lattice_bits());
  std::vector<double> counted(5);
  for (double q = -1; q <= 2; q += step) {
    std::size_t best = 0;
    const double places[] = {0.5, 0, 2, -1, 1.5};
    for (std::size_t i = 1; i < 5; ++i) {
      if (std::abs(q - places[i]) < std::abs(q - places[best])) best = i;
    }
    counted[best] += step * 5e-8;  // the density is flat here
  }
  for (const std::size_t inner : {0U, 1U, 4U}) EXPECT_NEAR(law[inner] / counted[inner], 1, 1e-6) << inner;
}

TEST(Dchi, KeepsItsInequalityOnALine) {
  const WordVectors vectors = random_words(12, 1, 1.0, 5);
  const auto mechanism = DchiMechanism::make(vectors, 3).value();
  for (std::size_t a = 0; a < 12; ++a) {
    for (std::size_t b = 0; b < 12; ++b) {
      const double distance =
          std::abs(std::ldexp(vectors.fixed_row(a)[0] - vectors.fixed_row(b)[0], -vectors.scale_bits()));
      const auto one = mechanism.law(a).value();
      const auto other = mechanism.law(b).value();
      for (std::size_t y = 0; y < 12; ++y) EXPECT_LE(one[y], std::exp(3 * distance) * other[y] * (1 + 1e-9) + 1e-300);
    }
  }
}

TEST(Dchi, WorksAtExtremeEpsilon) {
  const WordVectors vectors = random_words(50, 20, 1.0, 6);
  const auto sure = DchiMechanism::make(vectors, 100'000).value();
  for (const std::int64_t y : draws(sure, 3, 1000, 1)) EXPECT_EQ(y, 3);
  const auto blind = DchiMechanism::make(vectors, Rational(1, 10'000'000)).value();
  EXPECT_LT(blind.lattice_bits(), 0);
  std::map<std::int64_t, int> seen;
  for (const std::int64_t y : draws(blind, 3, 5000, 1)) ++seen[y];
  EXPECT_GT(seen.size(), 15U);
  EXPECT_FALSE(DchiMechanism::make(vectors, Rational(1e-18)));
  EXPECT_FALSE(DchiMechanism::make(vectors, 0));
  EXPECT_FALSE(DchiMechanism::make(vectors, -1));
  EXPECT_EQ(DchiMechanism::make(words_at({{1, 2}}), 1)->law(0).value(), std::vector<double>{1});
  EXPECT_EQ(blind.law(0), std::nullopt);
}

TEST(Dchi, OfTwoRunsDiffer) {
  const auto mechanism = DchiMechanism::make(random_words(100, 20, 1.0, 6), 2).value();
  SecureRandom random;
  const std::vector<std::uint32_t> words(100, 7);
  std::vector<std::uint32_t> one(100);
  std::vector<std::uint32_t> two(100);
  mechanism.release(words, random, one);
  mechanism.release(words, random, two);
  EXPECT_NE(one, two);
}

// Two words one grid step apart, noise of the same size: the lattice decides, not the real numbers.
TEST(DchiMechanism, HasNoLawOfTwoWordsOnACoarseGrid) {
  const WordVectors vectors = words_at({{1'000'000, 0}, {1'000'000.0625F, 0}});
  EXPECT_FALSE(DchiMechanism::make(vectors, Rational(64)).value().law(0));
  EXPECT_TRUE(DchiMechanism::make(words_at({{1, 0}, {2, 0}}), Rational(64)).value().law(0));
}

TEST(DchiMechanism, RefusesAnEpsilonThatNoDoubleHolds) {
  const WordVectors vectors = words_at({{1, 0}, {2, 0}});
  EXPECT_FALSE(DchiMechanism::make(vectors, Rational::parse("1e400").value()));
  EXPECT_TRUE(DchiMechanism::make(vectors, Rational::parse("1e300").value()));
}

}  // namespace dchi_mechanism_test
}  // namespace gauze::text
