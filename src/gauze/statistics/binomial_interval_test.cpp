#include "gauze/statistics/binomial_interval.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gauze/base/rational.h"

namespace gauze {
namespace binomial_interval_test {

/// P[X <= hits], term by term.
double summed_cdf(int hits, int trials, double p) {
  double sum = 0;
  for (int k = 0; k <= hits; ++k) {
    sum += std::exp(std::lgamma(trials + 1) - std::lgamma(k + 1) - std::lgamma(trials - k + 1) + k * std::log(p) +
                    (trials - k) * std::log1p(-p));
  }
  return sum;
}

/// P[X >= hits] as a fraction.
Rational exact_tail(int hits, int trials, const Rational& p) {
  Rational term(1);  // of no hit
  for (int i = 0; i < trials; ++i) term *= Rational(1) - p;
  const Rational odds = p / (Rational(1) - p);
  Rational sum(0);
  for (int k = 0; k <= trials; ++k) {
    if (k >= hits) sum += term;
    term *= odds * Rational(trials - k, k + 1);
  }
  return sum;
}

TEST(BinomialCdf, IsTheSumOfItsTerms) {
  for (const int trials : {1, 7, 40, 1000}) {
    for (const double p : {0.001, 0.2, 0.5, 0.93}) {
      for (int hits = 0; hits < trials; hits += 1 + trials / 13)
        EXPECT_NEAR(binomial_cdf(static_cast<std::uint64_t>(hits), static_cast<std::uint64_t>(trials), p),
                    summed_cdf(hits, trials, p), 1e-11)
            << hits << " of " << trials << " at " << p;
    }
  }
  EXPECT_EQ(binomial_cdf(5, 5, 0.3), 1);
}

// Nothing in n trials: the upper end is 1 - (risk / 2)^(1 / n); all of them: its mirror.
TEST(ClopperPearson, HasItsClosedFormsAtTheEnds) {
  for (const std::uint64_t n : {1U, 10U, 1000U}) {
    const ShareInterval none = clopper_pearson(0, n, 0.95);
    EXPECT_EQ(none.low, 0);
    EXPECT_NEAR(none.high, 1 - std::pow(0.025, 1 / static_cast<double>(n)), 1e-8);
    const ShareInterval all = clopper_pearson(n, n, 0.95);
    EXPECT_EQ(all.high, 1);
    EXPECT_NEAR(all.low, std::pow(0.025, 1 / static_cast<double>(n)), 1e-8);
  }
  EXPECT_EQ(clopper_pearson(0, 0, 0.95).high, 1);
}

// By definition: at the lower end so many hits or more have a chance of risk / 2, at the upper end so many or fewer.
TEST(ClopperPearson, EndsWhereTheTailsAreHalfTheRisk) {
  for (const double confidence : {0.9, 0.95, 0.999999}) {
    for (const std::uint64_t hits : {1U, 3U, 50U, 99U}) {
      const ShareInterval interval = clopper_pearson(hits, 100, confidence);
      const double half = (1 - confidence) / 2;
      EXPECT_NEAR((1 - binomial_cdf(hits - 1, 100, interval.low)) / half, 1, 1e-4);
      EXPECT_LE(1 - binomial_cdf(hits - 1, 100, interval.low), half * (1 + 1e-9));
      EXPECT_NEAR(binomial_cdf(hits, 100, interval.high) / half, 1, 1e-4);
      EXPECT_LE(binomial_cdf(hits, 100, interval.high), half * (1 + 1e-9));
    }
  }
}

// In fractions: the ends keep the risk, and ends a billionth further in would not.
TEST(ClopperPearson, EndsAreProvenAndClose) {
  for (const double risk : {0.3, 0.025, 5e-7, 1e-12}) {
    for (const int trials : {1, 6, 41, 180}) {
      for (int hits = 0; hits <= trials; hits += 1 + trials / 5) {
        const auto x = static_cast<std::uint64_t>(hits);
        const auto n = static_cast<std::uint64_t>(trials);
        const double low = clopper_pearson_low(x, n, risk);
        const double high = clopper_pearson_high(x, n, risk);
        if (hits > 0) {
          EXPECT_LE(exact_tail(hits, trials, low), Rational(risk)) << hits << " of " << trials;
          EXPECT_GT(exact_tail(hits, trials, low * (1 + 1e-9)), Rational(risk)) << hits << " of " << trials;
        }
        if (hits < trials) {
          const Rational failure = Rational(1) - Rational(high);
          EXPECT_LE(exact_tail(trials - hits, trials, failure), Rational(risk)) << hits << " of " << trials;
          const Rational further = Rational(1) - Rational(high * (1 - 1e-9));
          EXPECT_GT(exact_tail(trials - hits, trials, further), Rational(risk)) << hits << " of " << trials;
        }
      }
    }
  }
}

// Many trials: the mirror image is the same, the ends enclose the share, and about as far away as a normal law says.
TEST(ClopperPearson, StandsManyTrials) {
  for (const std::uint64_t trials : {100'000ULL, 10'000'000ULL, 1'000'000'000'000ULL}) {
    for (const std::uint64_t hits : {std::uint64_t{1}, trials / 1000, trials / 2, trials - 3}) {
      const double share = static_cast<double>(hits) / static_cast<double>(trials);
      const double low = clopper_pearson_low(hits, trials, 0.025);
      const double high = clopper_pearson_high(hits, trials, 0.025);
      EXPECT_LT(low, share);
      EXPECT_GT(high, share);
      EXPECT_NEAR(1 - clopper_pearson_high(trials - hits, trials, 0.025), low, 1e-9 * low + 1e-15);
      if (hits == trials / 2 || hits == trials / 1000) {
        const double sd = std::sqrt(share * (1 - share) / static_cast<double>(trials));
        EXPECT_NEAR((share - low) / sd, 1.96, 0.15);
        EXPECT_NEAR((high - share) / sd, 1.96, 0.25);
      }
    }
  }
  EXPECT_EQ(clopper_pearson_low(0, 0, 0.1), 0);
  EXPECT_EQ(clopper_pearson_high(0, 0, 0.1), 1);
  EXPECT_EQ(clopper_pearson_low(5, 9, 0), 0);
  EXPECT_EQ(clopper_pearson_high(5, 9, 0), 1);
}

// Over all outcomes of 30 trials, weighted by their chances: never below 95 %.
TEST(ClopperPearson, CoversEveryProbability) {
  for (double p = 0.005; p < 1; p += 0.0217) {
    double covered = 0;
    for (int hits = 0; hits <= 30; ++hits) {
      const ShareInterval interval = clopper_pearson(static_cast<std::uint64_t>(hits), 30, 0.95);
      const double chance = summed_cdf(hits, 30, p) - (hits > 0 ? summed_cdf(hits - 1, 30, p) : 0);
      if (interval.low <= p && p <= interval.high) covered += chance;
    }
    EXPECT_GE(covered, 0.95 - 1e-9) << p;
  }
}

TEST(WilsonInterval, SolvesItsEquation) {
  for (const double share : {0.1, 0.5, 0.99}) {
    const ShareInterval interval = wilson_interval(share, 50);
    for (const double end : {interval.low, interval.high})
      EXPECT_NEAR(std::abs(share - end), 1.959963984540054 * std::sqrt(end * (1 - end) / 50), 1e-12);
  }
  EXPECT_EQ(wilson_interval(0, 20).low, 0);
  EXPECT_EQ(wilson_interval(1, 20).high, 1);
  EXPECT_EQ(wilson_interval(0, 0).high, 1);
}

}  // namespace binomial_interval_test
}  // namespace gauze
