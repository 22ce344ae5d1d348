#include "gauze/mechanisms/selection/selection.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "gauze/base/testing/watched.h"
#include "gauze/mechanisms/testing/distribution_checks.h"

namespace gauze {
namespace selection_test {

using Kind = SelectionMechanism::Kind;
constexpr Kind kAllKinds[] = {Kind::exponential, Kind::base2_exponential, Kind::permute_and_flip, Kind::noisy_max};

std::vector<Rational> scores(std::initializer_list<int> values) { return {values.begin(), values.end()}; }

SelectionMechanism mechanism(Kind kind, double epsilon, bool monotone = false, double sensitivity = 1) {
  return *SelectionMechanism::make(
      {.kind = kind, .epsilon = epsilon, .sensitivity = sensitivity, .monotone = monotone});
}

std::vector<std::size_t> choose(const SelectionMechanism& m, const std::vector<Rational>& q, std::size_t count) {
  return m.release(SecureRandom::of_thread(), q, count).value();
}

class Kinds : public ::testing::TestWithParam<Kind> {};
std::string name_of(const ::testing::TestParamInfo<Kind>& kind) {
  constexpr const char* kNames[] = {"Exponential", "Base2Exponential", "PermuteAndFlip", "NoisyMax"};
  return kNames[static_cast<int>(kind.param)];
}
INSTANTIATE_TEST_SUITE_P(All, Kinds, ::testing::ValuesIn(kAllKinds), name_of);

// 200,000 choices, chi-square against the stated distribution: false alarm 1e-6; an epsilon that is 10 % off is
// caught in > 99 % of runs.
TEST_P(Kinds, ChooseWithTheProbabilitiesTheyState) {
  for (const auto& q : {scores({3, 2, 0}), scores({5, 5, 5, 4, -3}), scores({0})}) {
    const SelectionMechanism m = mechanism(GetParam(), 1.3);
    const auto stated = m.probabilities(q);
    ASSERT_TRUE(stated);
    EXPECT_NEAR(std::accumulate(stated->begin(), stated->end(), 0.0), 1, 1e-12);
    std::map<std::int64_t, double> expected;
    for (std::size_t i = 0; i < q.size(); ++i) expected[static_cast<std::int64_t>(i)] = (*stated)[i];
    std::vector<std::int64_t> chosen;
    for (const std::size_t i : choose(m, q, 200'000)) {
      chosen.push_back(static_cast<std::int64_t>(i));
    }
    if (q.size() > 1) {
      EXPECT_FALSE(testing::chi_square(expected, chosen).alarms());
    }
  }
}

/// Every vector of shifts by at most one, in steps of one (monotone: none negative).
std::vector<std::vector<Rational>> neighbours_of(const std::vector<Rational>& q, bool monotone) {
  std::vector<std::vector<Rational>> result = {{}};
  for (const Rational& score : q) {
    std::vector<std::vector<Rational>> longer;
    for (const auto& prefix : result) {
      for (int shift = monotone ? 0 : -1; shift <= 1; ++shift) {
        longer.push_back(prefix);
        longer.back().push_back(score + Rational(shift));
      }
    }
    result = std::move(longer);
  }
  return result;
}

TEST_P(Kinds, TheInequalityHoldsForAllNeighboursOfSmallCases) {
  for (const bool monotone : {false, true}) {
    for (const double epsilon : {0.4, 2.0}) {
      const SelectionMechanism m = mechanism(GetParam(), epsilon, monotone);
      const auto q = scores({2, 1, 1, -4});
      const auto here = *m.probabilities(q);
      double worst = 0;
      for (const auto& neighbour : neighbours_of(q, monotone)) {
        const auto there = *m.probabilities(neighbour);
        for (std::size_t i = 0; i < here.size(); ++i) {
          worst = std::max(worst, std::abs(std::log(here[i] / there[i])));
        }
      }
      EXPECT_LE(worst, epsilon * (1 + 1e-9)) << "monotone " << monotone;
      EXPECT_GT(worst, epsilon * 0.4) << "far too cautious";
    }
  }
}

TEST_P(Kinds, ExtremeScoresAreNoTrouble) {
  const SelectionMechanism m = mechanism(GetParam(), 1);
  const std::vector<Rational> q = {Rational(1e12), Rational(0), Rational(-1e12)};
  for (const std::size_t i : choose(m, q, 100)) EXPECT_EQ(i, 0U);
  const std::vector<Rational> apart = {Rational(1e300), Rational(-1e300)};
  EXPECT_EQ(choose(m, apart, 1), std::vector<std::size_t>{0});
  const std::vector<Rational> both_large = {Rational(1e300), Rational(2e300)};
  EXPECT_EQ(choose(m, both_large, 1), std::vector<std::size_t>{1});
  const std::vector<Rational> many(1000, Rational(7));
  std::map<std::size_t, int> seen;
  for (const std::size_t i : choose(m, many, 2000)) ++seen[i];
  EXPECT_GT(seen.size(), 700U);  // 865 expected
}

TEST_P(Kinds, OnlyTheRatioOfScoresToSensitivityMatters) {
  // Whole scores, so that base 2 takes them; powers of two, so that the grid of noisy-max scales along.
  for (const double factor : {0x1p70, 0x1p300}) {
    const auto usual = *mechanism(GetParam(), 1.3).probabilities(scores({3, 2, -9}));
    const std::vector<Rational> large = {Rational(3 * factor), Rational(2 * factor), Rational(-9 * factor)};
    const auto scaled = *mechanism(GetParam(), 1.3, false, factor).probabilities(large);
    for (std::size_t i = 0; i < usual.size(); ++i) EXPECT_NEAR(scaled[i], usual[i], 1e-12) << factor;
  }
  const auto tiny = *mechanism(GetParam(), 1, false, 1e-90).probabilities(scores({3, 2, 1}));
  EXPECT_EQ(tiny[0], 1) << "scores that are far apart in units of the sensitivity";
}

TEST_P(Kinds, ProbabilitiesNeverExceedOne) {
  EXPECT_EQ(mechanism(GetParam(), 1e9).probabilities(scores({3, 2, 0}))->front(), 1);
  const auto even = *mechanism(GetParam(), 0.7).probabilities(scores({1, 1, 1}));
  for (const double p : even) EXPECT_NEAR(p, 1.0 / 3, 1e-15);
}

TEST_P(Kinds, SeedsRepeat) {
  const SelectionMechanism m = mechanism(GetParam(), 0.1);
  const auto q = scores({1, 2, 3, 4});
  SeededRandom a(3), b(3);
  EXPECT_EQ(*m.simulate(a, q, 50), *m.simulate(b, q, 50));
}

TEST_P(Kinds, CanBeStopped) {
  Progress progress;
  progress.request_stop();
  const auto stopped = mechanism(GetParam(), 1).release(SecureRandom::of_thread(), scores({1, 2}), 5, &progress);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::interrupted);
}

TEST_P(Kinds, RefuseBadScores) {
  const SelectionMechanism m = mechanism(GetParam(), 1);
  EXPECT_FALSE(m.release(SecureRandom::of_thread(), {}));
  const std::vector<Rational> undefined = {Rational(1), Rational(std::nan(""))};
  EXPECT_FALSE(m.release(SecureRandom::of_thread(), undefined));
}

TEST(ExponentialMechanism, HasTheClosedForm) {
  const auto p = *mechanism(Kind::exponential, 2, false, 1).probabilities(scores({3, 2, 0}));
  const double total = 1 + std::exp(-1.0) + std::exp(-3.0);
  EXPECT_NEAR(p[0], 1 / total, 1e-14);
  EXPECT_NEAR(p[2], std::exp(-3.0) / total, 1e-14);
  const auto monotone = *mechanism(Kind::exponential, 2, true).probabilities(scores({3, 2, 0}));
  EXPECT_NEAR(monotone[1] / monotone[0], std::exp(-2.0), 1e-14);
}

TEST(Base2Exponential, IsWithinRoundingOfTheExponentialAndNeverAboveItsEpsilon) {
  const auto exact = *mechanism(Kind::exponential, 2).probabilities(scores({3, 2, 0}));
  const auto base2 = *mechanism(Kind::base2_exponential, 2).probabilities(scores({3, 2, 0}));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(exact[i], base2[i], 1e-15);
  const std::vector<Rational> halves = {Rational(1, 2), Rational(1)};
  EXPECT_FALSE(mechanism(Kind::base2_exponential, 2).release(SecureRandom::of_thread(), halves));
}

TEST(PermuteAndFlip, HasTheDistributionOfItsDefinition) {
  // Average over all six orders of "first candidate whose coin shows heads".
  const std::vector<double> p = {1, std::exp(-0.65), std::exp(-1.95)};
  std::vector<std::size_t> order = {0, 1, 2};
  std::vector<double> expected(3, 0.0);
  do {
    double reached = 1;
    for (const std::size_t i : order) {
      expected[i] += reached * p[i] / 6;
      reached *= 1 - p[i];
    }
  } while (std::next_permutation(order.begin(), order.end()));
  const auto stated = *mechanism(Kind::permute_and_flip, 1.3).probabilities(scores({3, 2, 0}));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(stated[i], expected[i], 1e-13);
  // Never worse than the exponential mechanism.
  EXPECT_GT(stated[0], (*mechanism(Kind::exponential, 1.3).probabilities(scores({3, 2, 0})))[0]);
}

TEST(NoisyMax, IsCloseToTheContinuousLaw) {
  // Two candidates, Laplace noise of scale b = 2 / epsilon: P[the lower one wins] = e^(-d/b) (2 + d/b) / 4.
  const double epsilon = 1, d = 1.5, b = 2 / epsilon;
  const std::vector<Rational> q = {Rational(d), Rational(0)};
  const auto p = *mechanism(Kind::noisy_max, epsilon).probabilities(q);
  EXPECT_NEAR(p[1], std::exp(-d / b) * (2 + d / b) / 4, 1e-6);
}

/// Every place of the grid, one by one, ties by permuting: P[i wins] = sum over v and over how many others are at v.
std::vector<double> noisy_max_term_by_term(const std::vector<double>& units, long double scale) {
  const long double r = std::exp(-1 / scale), peak = std::tanh(0.5L / scale);
  const long double best = *std::max_element(units.begin(), units.end());
  std::vector<long double> result(units.size(), 0);
  for (long double v = best - 40 * scale; v <= best + 40 * scale; ++v) {
    for (std::size_t i = 0; i < units.size(); ++i) {
      std::vector<long double> ties = {1};  // ties[k]: k of the others are at v, the rest below it
      for (std::size_t j = 0; j < units.size(); ++j) {
        if (j == i) continue;
        const long double d = v - units[j], decay = std::exp(-std::abs(d) / scale);
        const long double below = d > 0 ? 1 - decay / (1 + r) : decay * r / (1 + r);
        ties.push_back(0);
        for (std::size_t k = ties.size() - 1; k > 0; --k) ties[k] = ties[k] * below + ties[k - 1] * peak * decay;
        ties[0] *= below;
      }
      long double wins = 0;
      for (std::size_t k = 0; k < ties.size(); ++k) wins += ties[k] / static_cast<long double>(k + 1);
      result[i] += wins * peak * std::exp(-std::abs(v - units[i]) / scale);
    }
  }
  return {result.begin(), result.end()};
}

TEST(SelectionMechanism, NoisyMaxProbabilitiesAreTheSumOfAllTerms) {
  // Powers of two: the grid has steps of 2^-10, and the scale is 2^11 of them at epsilon 1, half of that at 2.
  const std::vector<std::vector<double>> lists = {
      {3, 2, 0}, {0, 0, 0, 0}, {1, 1 - 0x1p-10, 1 - 0x1p-5, -7, -200}, {0.5, 30, 29.5, 2, 17, 29, 29.75}};
  for (const double epsilon : {2.0, 1.0}) {
    for (const auto& list : lists) {
      if (is_watched() && list.size() > 4) continue;
      std::vector<double> units;
      for (const double score : list) units.push_back(std::ldexp(score, 10));
      const auto expected = noisy_max_term_by_term(units, 0x1p11 / epsilon);
      const auto p =
          *mechanism(Kind::noisy_max, epsilon).probabilities(std::vector<Rational>(list.begin(), list.end()));
      for (std::size_t i = 0; i < p.size(); ++i) EXPECT_NEAR(p[i], expected[i], 1e-14) << epsilon << " " << i;
    }
  }
}

TEST(SelectionMechanism, NoisyMaxProbabilitiesAreKnownAtASmallEpsilonToo) {
  // The closed form of two continuous candidates; summed one by one there would be up to 1e13 terms.
  for (const double epsilon : {1e-4, 1e-6, 1e-8}) {
    const double b = 2 / epsilon, d = 0.75 * b;
    const std::vector<Rational> q = {Rational(d), Rational(0)};
    const auto p = *mechanism(Kind::noisy_max, epsilon).probabilities(q);
    EXPECT_NEAR(p[1], std::exp(-d / b) * (2 + d / b) / 4, 1e-12) << epsilon;
  }
}

TEST(SelectionMechanism, NoisyMaxProbabilitiesOfManyScoresFollowTheirOrder) {
  std::vector<Rational> q;
  for (int i = 0; i < 1000; ++i) q.emplace_back(i % 250, 8);
  const auto p = *mechanism(Kind::noisy_max, 0.5).probabilities(q);
  for (std::size_t i = 250; i < p.size(); ++i) EXPECT_NEAR(p[i] / p[i - 250], 1, 1e-12) << "equal scores";
  for (std::size_t i = 1; i < 250; ++i) EXPECT_GT(p[i], p[i - 1]) << "a better score";
}

TEST(SelectionMechanism, NoisyMaxRefusesTooManyScoresForItsProbabilitiesBeforeWorking) {
  std::vector<Rational> q;
  for (int i = 0; i < 200'000; ++i) q.emplace_back(i, 1'000'000);
  const auto p = mechanism(Kind::noisy_max, 1e-3).probabilities(q);
  ASSERT_FALSE(p);
  EXPECT_EQ(p.error().code, ErrorCode::invalid_parameter);
  EXPECT_NE(p.error().message.find("200000 scores"), std::string::npos) << p.error().message;
}

TEST(SelectionMechanism, MonotoneIsRefusedForReplaceOne) {
  const auto result =
      SelectionMechanism::make({.epsilon = 1, .monotone = true, .neighbours = Neighbours::replace_one});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::invalid_parameter);
  EXPECT_NE(result.error().message.find("monotone"), std::string::npos);
}

}  // namespace selection_test
}  // namespace gauze
