#include "gauze/statistics/binomial_interval.h"

#include <gtest/gtest.h>

#include <cmath>

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
