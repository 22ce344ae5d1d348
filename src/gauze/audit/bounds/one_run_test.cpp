#include "gauze/audit/bounds/one_run.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gauze/random/seeded_random.h"

namespace gauze::audit {
namespace one_run_test {

/// C(n, k) as an exact fraction.
Rational choose(int n, int k) {
  Rational value = 1;
  for (int i = 1; i <= k; ++i) value = value * Rational(n - k + i) / Rational(i);
  return value;
}

Rational power(const Rational& base, int exponent) {
  Rational value = 1;
  for (int i = 0; i < exponent; ++i) value = value * base;
  return value;
}

/// p(eps) of the paper for a chance q of a right guess, by its definition and in fractions.
Rational chance(int canaries, int guesses, int correct, const Rational& delta, const Rational& q) {
  const auto mass = [&](int k) { return choose(guesses, k) * power(q, k) * power(Rational(1) - q, guesses - k); };
  Rational tail = 0;
  for (int k = correct; k <= guesses; ++k) tail = tail + mass(k);
  Rational best = 0;
  Rational between = 0;
  for (int i = 1; i <= canaries; ++i) {
    if (correct - i >= 0) between = between + mass(correct - i);
    best = std::max(best, between / Rational(i));
  }
  return tail + Rational(2 * canaries) * delta * best;
}

TEST(OneRun, IsWhereTheExactChanceReachesTheError) {
  struct Case {
    int canaries, guesses, correct;
    Rational delta;
    double error;
  };
  for (const Case& one : {Case{20, 20, 18, 0, 0.05}, Case{30, 12, 11, 0, 0.05}, Case{30, 30, 25, 0, 1e-3},
                          Case{30, 20, 19, Rational(1, 1'000'000), 0.05}, Case{25, 25, 24, Rational(1, 10'000), 0.05},
                          Case{40, 8, 8, Rational(1, 100'000), 1e-2}}) {
    const double lower =
        one_run_lower(static_cast<std::uint64_t>(one.canaries), static_cast<std::uint64_t>(one.guesses),
                      static_cast<std::uint64_t>(one.correct), one.delta.to_double(), one.error);
    ASSERT_GT(lower, 0);
    const auto at = [&](double epsilon) {
      return chance(one.canaries, one.guesses, one.correct, one.delta, Rational(1 / (1 + std::exp(-epsilon))))
          .to_double();
    };
    EXPECT_LE(at(lower), one.error);
    EXPECT_GT(at(lower + 1e-4), one.error);
    for (int i = 0; i < 20; ++i) EXPECT_LE(at(lower * i / 20), one.error) << "the first place, not a later one";
  }
}

/// The same by logarithms, for numbers at which fractions are too long and chances too small for a double.
double chance_by_logs(int canaries, int guesses, int correct, double delta, double epsilon) {
  const auto log_mass = [&](int k) {
    return std::lgamma(guesses + 1.0) - std::lgamma(k + 1.0) - std::lgamma(guesses - k + 1.0) -
           k * std::log1p(std::exp(-epsilon)) - (guesses - k) * std::log1p(std::exp(epsilon));
  };
  double tail = 0;
  for (int k = correct; k <= guesses; ++k) tail += std::exp(log_mass(k));
  double best = 0;
  double between = 0;
  for (int i = 1; i <= std::min(canaries, correct); ++i) {
    between += std::exp(log_mass(correct - i));
    best = std::max(best, between / i);
  }
  return tail + 2 * canaries * delta * best;
}

// Far above the mode the chances vanish in a double, and what they grow to further below must not vanish with them.
TEST(OneRun, CountsChancesThatAreTooSmallForADouble) {
  for (const int guesses : {900, 1'200, 3'000, 20'000}) {
    for (const int wrong : {0, 1, 40}) {
      for (const double delta : {0.02, 0.03, 1e-4}) {
        const int correct = guesses - wrong;
        const auto n = static_cast<std::uint64_t>(guesses);
        const double lower = one_run_lower(n, n, static_cast<std::uint64_t>(correct), delta, 0.05);
        if (2 * delta >= 0.05) {
          EXPECT_EQ(lower, 0);
          continue;
        }
        for (int i = 0; i <= 10 && lower > 0; ++i)
          EXPECT_LE(chance_by_logs(guesses, guesses, correct, delta, lower * i / 10), 0.05 * (1 + 1e-6));
        EXPECT_GT(chance_by_logs(guesses, guesses, correct, delta, lower + 0.01), 0.05);
      }
    }
  }
}

TEST(OneRun, EndsAlsoForNumbersThatNobodyHas) {
  const std::uint64_t many = std::uint64_t{1} << 34U;
  EXPECT_GT(one_run_lower(many, many, many / 4 * 3, 1e-12, 0.05), 1);
  EXPECT_EQ(one_run_lower(many, many, many, 0.03, 0.05), 0);
}

TEST(OneRun, AllGuessesRightHasAClosedForm) {
  for (const std::uint64_t guesses : {1, 5, 100, 5'000}) {
    for (const double error : {0.05, 1e-6}) {
      const double q = std::pow(error, 1 / static_cast<double>(guesses));
      const double exact = std::max(0.0, std::log(q / (1 - q)));
      const double lower = one_run_lower(guesses, guesses, guesses, 0, error);
      EXPECT_LE(lower, exact);
      EXPECT_NEAR(lower, exact, 1e-4 * (1 + exact)) << guesses << ' ' << error;
    }
  }
}

TEST(OneRun, NothingFollowsFromNothing) {
  EXPECT_EQ(one_run_lower(100, 0, 0, 0, 0.05), 0);
  EXPECT_EQ(one_run_lower(100, 50, 0, 0, 0.05), 0);
  EXPECT_EQ(one_run_lower(100, 100, 50, 0, 0.05), 0);
  // 2 delta is as much as the error: 0 by construction, even when all is right
  EXPECT_EQ(one_run_lower(1'000, 1'000, 1'000, 5e-7, 1e-6), 0);
  EXPECT_GT(one_run_lower(1'000, 1'000, 1'000, telling_delta(5e-7, 1e-6, 1'000), 1e-6), 3);
}

TEST(OneRun, GrowsWithRightGuessesAndFallsWithDelta) {
  double before = -1;
  for (std::uint64_t correct = 120; correct <= 200; correct += 10) {
    const double lower = one_run_lower(400, 200, correct, 1e-6, 0.05);
    EXPECT_GE(lower, before);
    before = lower;
  }
  EXPECT_LT(one_run_lower(400, 200, 190, 1e-3, 0.05), one_run_lower(400, 200, 190, 0, 0.05));
}

/// Membership by fair coins, scores that tell it with the odds e^eps: the tightest that is eps-DP (randomised response).
OneRunBound simulated(SeededRandom& random, double epsilon, std::size_t records, double error) {
  std::vector<double> members;
  std::vector<double> others;
  const double right = 1 / (1 + std::exp(-epsilon));
  for (std::size_t i = 0; i < records; ++i) {
    const bool member = random.below(2) == 1;
    const bool told = static_cast<double>(random.below(1'000'000)) < right * 1e6 ? member : !member;
    const double score = (told ? 1 : -1) * (1 + static_cast<double>(random.below(1'000)) / 1'000);
    (member ? members : others).push_back(score);
  }
  return one_run_bound({std::move(members), std::move(others)}, 0, error);
}

TEST(OneRun, ExceedsTheTruthInAtMostItsShareOfRuns) {
  SeededRandom random(11);
  // 1,000 runs at 5 %, divided by the numbers of guesses: more than 89 misses have a chance below 1e-6 where each has 5 %.
  // An error that were four times too large (20 %) would miss in over 89 of them with a chance above 0.99.
  for (const double epsilon : {0.0, 1.0}) {
    int missed = 0;
    for (int run = 0; run < 1'000; ++run)
      missed += simulated(random, epsilon, 300, 0.05 / kNumbersOfGuesses).epsilon_lower > epsilon ? 1 : 0;
    EXPECT_LE(missed, 89) << epsilon;
  }
}

TEST(OneRun, ComesNearTheTruthWithManyRecords) {
  SeededRandom random(12);
  EXPECT_GT(simulated(random, 1, 20'000, 0.05 / kNumbersOfGuesses).epsilon_lower, 0.9);
  EXPECT_GT(simulated(random, 3, 20'000, 0.05 / kNumbersOfGuesses).epsilon_lower, 2.8);
}

TEST(OneRun, LeavesOutWhatTiesWithTheFirstThatIsLeftOut) {
  // all scores equal: nobody is guessed about, in whatever order they stand
  const OneRunBound none = one_run_bound({std::vector<double>(100, 1.0), std::vector<double>(100, 1.0)}, 0, 0.01);
  EXPECT_EQ(none.guesses, 0u);
  EXPECT_EQ(none.epsilon_lower, 0);
  // three scores: those above and below the middle are guessed about, however many may be
  std::vector<double> members(60, 2.0);
  std::vector<double> others(60, 0.0);
  members.insert(members.end(), 40, 1.0);
  others.insert(others.end(), 40, 1.0);
  const OneRunBound some = one_run_bound({members, others}, 0, 0.01);
  EXPECT_EQ(some.guesses, 120u);
  EXPECT_EQ(some.correct, 120u);
  EXPECT_EQ(one_run_bound({{HUGE_VAL}, {-HUGE_VAL}}, 0, 0.5).correct, 2u) << "scores without bound are scores";
}

TEST(OneRun, GuessesAreThoseOfSortingEverything) {
  SeededRandom random(13);
  for (int run = 0; run < 300; ++run) {
    struct Record {
      double score;
      bool member;
    };
    std::vector<Record> all(2 + random.below(60));
    std::vector<double> members;
    std::vector<double> others;
    for (Record& one : all) {
      one = {static_cast<double>(random.below(12)), random.below(2) == 1};
      (one.member ? members : others).push_back(one.score);
    }
    std::sort(all.begin(), all.end(), [](const Record& a, const Record& b) { return a.score > b.score; });
    double best = 0;
    for (const std::size_t percent : {1, 2, 5, 10, 20, 50, 100}) {
      const std::size_t half = all.size() * percent / 100 / 2;
      if (half == 0) continue;
      std::uint64_t guesses = 0;
      std::uint64_t correct = 0;
      for (std::size_t i = 0; i < half; ++i) {
        if (all[i].score > all[half].score) {
          ++guesses;
          correct += all[i].member ? 1 : 0;
        }
        const std::size_t low = all.size() - 1 - i;
        if (all[low].score < all[all.size() - 1 - half].score) {
          ++guesses;
          correct += all[low].member ? 0 : 1;
        }
      }
      best = std::max(best, one_run_lower(all.size(), guesses, correct, 0, 0.3));
    }
    EXPECT_DOUBLE_EQ(one_run_bound({members, others}, 0, 0.3).epsilon_lower, best);
  }
}

}  // namespace one_run_test
}  // namespace gauze::audit
