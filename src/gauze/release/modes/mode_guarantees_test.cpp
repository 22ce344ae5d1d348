// The differential-privacy inequality of each mode on exact distributions of tiny tables, and that the code draws from
// exactly these distributions.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "gauze/base/testing/watched.h"
#include "gauze/mechanisms/testing/distribution_checks.h"
#include "gauze/release/modes/grid_release.h"
#include "gauze/release/modes/level_selection.h"
#include "gauze/release/modes/stability_release.h"
#include "gauze/schema/testing/small_tables.h"

namespace gauze::release {
namespace mode_guarantees_test {

using namespace schema;  // the vocabulary of this file

constexpr std::int64_t kNothing = -1'000'000;  // the outcome "not released"
constexpr std::int64_t kFarthest = 80;         // outcomes beyond have probability below 1e-15 here

using Law = std::map<std::int64_t, double>;  // outcome -> probability

std::shared_ptr<const NoiseLaw> laplace(const Rational& scale) {
  return std::make_shared<DiscreteLaplaceLaw>(*DiscreteLaplaceLaw::make(scale));
}

double tail(const NoiseLaw& law, std::int64_t m) { return law.tail(m, 256).middle(); }
double mass(const NoiseLaw& law, std::int64_t z) { return (law.tail(z, 256) - law.tail(z + 1, 256)).middle(); }

/// What a grid release shows of one cell with n records.
Law grid_law(const NoiseLaw& noise, std::uint64_t n, std::uint64_t k, std::int64_t cut) {
  const std::int64_t above = n >= k ? static_cast<std::int64_t>(n - k + 1) : 0;
  Law law;
  law[kNothing] = 1 - tail(noise, cut - above);
  for (std::int64_t value = cut; value <= kFarthest; ++value)
    law[value + static_cast<std::int64_t>(k) - 1] = mass(noise, value - above);
  return law;
}

/// What a stability release shows of one class of n.
Law stability_law(const NoiseLaw& noise, std::uint64_t n, std::uint64_t k, std::int64_t threshold) {
  Law law;
  if (n < k) {
    law[kNothing] = 1;
    return law;
  }
  law[kNothing] = 1 - tail(noise, threshold - static_cast<std::int64_t>(n));
  for (std::int64_t value = threshold; value <= kFarthest; ++value)
    law[value] = mass(noise, value - static_cast<std::int64_t>(n));
  return law;
}

/// The smallest delta for which P <= e^epsilon Q + delta holds for every event.
double smallest_delta(const Law& p, const Law& q, double epsilon) {
  double delta = 0;
  for (const auto& [outcome, probability] : p) {
    const auto found = q.find(outcome);
    const double other = found == q.end() ? 0 : found->second;
    delta += std::max(0.0, probability - std::exp(epsilon) * other);
  }
  return delta;
}

TEST(GridRelease, OneRecordMoreOrLessStaysWithinEpsilon) {
  for (const Rational& epsilon : {Rational(1, 2), Rational(1), Rational(3)}) {
    const auto noise = laplace(Rational(1) / epsilon);
    for (const std::uint64_t k : {1, 2, 5}) {
      for (const std::int64_t cut : {1, 3}) {
        for (std::uint64_t n = 0; n < 12; ++n) {
          const Law with = grid_law(*noise, n + 1, k, cut);
          const Law without = grid_law(*noise, n, k, cut);
          EXPECT_LT(smallest_delta(with, without, epsilon.to_double()), 1e-12) << k << ' ' << n;
          EXPECT_LT(smallest_delta(without, with, epsilon.to_double()), 1e-12) << k << ' ' << n;
        }
      }
    }
  }
}

// What must never be done: suppress by the true size first. The check above would find it.
TEST(GridRelease, SuppressingByTrueSizeWouldNotBe) {
  const auto noise = laplace(Rational(1));
  const auto wrong_law = [&](std::uint64_t n) {  // k = 5: n [n >= k] + noise
    Law law;
    const std::int64_t kept = n >= 5 ? static_cast<std::int64_t>(n) : 0;
    for (std::int64_t value = -kFarthest; value <= kFarthest; ++value) law[value] = mass(*noise, value - kept);
    return law;
  };
  EXPECT_GT(smallest_delta(wrong_law(5), wrong_law(4), 1), 0.8);
}

TEST(StabilityRelease, OneUnitMoreOrLessStaysWithinEpsilonAndDelta) {
  for (const Rational& epsilon : {Rational(1, 2), Rational(1), Rational(2)}) {
    for (const Rational& delta : {Rational(1, 10), Rational(1, 1000)}) {
      for (const std::uint64_t k : {1, 3, 5}) {
        const auto noise = laplace(Rational(1) / epsilon);
        const auto release = StabilityRelease::make({.k = k, .noise = {.law = noise}, .delta_per_class = delta});
        ASSERT_TRUE(release);
        for (std::uint64_t n = 0; n < 12; ++n) {
          const Law with = stability_law(*noise, n + 1, k, release->threshold());
          const Law without = stability_law(*noise, n, k, release->threshold());
          EXPECT_LE(smallest_delta(with, without, epsilon.to_double()), delta.to_double() + 1e-12) << k << ' ' << n;
          EXPECT_LE(smallest_delta(without, with, epsilon.to_double()), delta.to_double() + 1e-12) << k << ' ' << n;
        }
        // One less would not do: the threshold is the smallest.
        const Law lower = stability_law(*noise, k, k, release->threshold() - 1);
        EXPECT_GT(
            smallest_delta(lower, stability_law(*noise, k - 1, k, release->threshold() - 1), epsilon.to_double()),
            delta.to_double());
      }
    }
  }
}

TEST(StabilityRelease, NeedsADelta) {
  EXPECT_FALSE(
      StabilityRelease::make({.k = 1, .noise = {.law = laplace(Rational(1))}, .delta_per_class = Rational(0)}));
  EXPECT_FALSE(
      StabilityRelease::make({.k = 0, .noise = {.law = laplace(Rational(1))}, .delta_per_class = Rational(1, 2)}));
}

/// One cell's outcomes over many draws of a whole release.
template <class Release>
std::vector<std::int64_t> outcomes(const Release& release, const Histogram& histogram, std::uint64_t cell,
                                   std::size_t draws, std::uint64_t seed) {
  SeededRandom random(seed);
  std::vector<std::int64_t> seen;
  for (std::size_t i = 0; i < draws; ++i) {
    std::int64_t outcome = kNothing;
    for (const NoisyCell& one : release.simulate(random, histogram))
      if (one.cell == cell) outcome = one.value;
    seen.push_back(outcome);
  }
  return seen;
}

// 100,000 draws a case: alarms on correct code with p <= 1e-6; noise on n instead of max(0, n - k + 1), or a cut that is
// off by one, moves a cell's probability by more than 5 % and is found in over 99 % of runs.
TEST(GridRelease, DrawsFromExactlyThisLaw) {
  const auto noise = laplace(Rational(2));
  Histogram histogram;
  histogram.cells = {{1, 1}, {2, 4}, {4, 5}, {5, 9}};
  histogram.total = 19;
  const auto release = GridRelease::make({.k = 5, .cells = 7, .noise = {.law = noise}, .cut = 2});
  ASSERT_TRUE(release);
  const std::map<std::uint64_t, std::uint64_t> truth = {{0, 0}, {1, 1}, {2, 4}, {3, 0}, {4, 5}, {5, 9}, {6, 0}};
  for (const auto& [cell, n] : truth) {
    const auto seen = outcomes(*release, histogram, cell, watched_less(100'000), 100 + cell);
    EXPECT_FALSE(testing::chi_square(grid_law(*noise, n, 5, 2), seen).alarms()) << cell;
  }
}

TEST(StabilityRelease, DrawsFromExactlyThisLaw) {
  const auto noise = laplace(Rational(2));
  Histogram histogram;
  histogram.cells = {{1, 2}, {2, 3}, {4, 8}};
  histogram.total = 13;
  const auto release = StabilityRelease::make({.k = 3, .noise = {.law = noise}, .delta_per_class = Rational(1, 20)});
  ASSERT_TRUE(release);
  for (const auto& [cell, n] : std::map<std::uint64_t, std::uint64_t>{{0, 0}, {1, 2}, {2, 3}, {4, 8}}) {
    const auto seen = outcomes(*release, histogram, cell, watched_less(100'000), 200 + cell);
    EXPECT_FALSE(testing::chi_square(stability_law(*noise, n, 3, release->threshold()), seen).alarms()) << cell;
  }
}

// The same law where empty cells are drawn by their gaps: a full cell, one below k and an empty one among 100,000.
TEST(GridRelease, LargeDomainsHaveTheSameLaw) {
  const auto noise = laplace(Rational(1));
  Histogram histogram;
  histogram.cells = {{500, 2}, {70'000, 6}};
  histogram.total = 8;
  const auto release = GridRelease::make({.k = 3, .cells = 100'000, .noise = {.law = noise}, .cut = 4});
  ASSERT_TRUE(release);
  SeededRandom random(31);
  std::vector<std::int64_t> full;
  std::vector<std::int64_t> others;
  double places = 0;
  constexpr int kDraws = 4000;
  for (int i = 0; i < kDraws; ++i) {
    std::int64_t seen_full = kNothing;
    std::int64_t seen_others = 0;
    std::uint64_t before = 0;
    for (const NoisyCell& one : release->simulate(random, histogram)) {
      EXPECT_TRUE(before == 0 || one.cell > before) << "sorted by cell";
      before = one.cell;
      if (one.cell == 70'000) {
        seen_full = one.value;
        continue;
      }
      ++seen_others;
      places += static_cast<double>(one.cell) / 100'000;
      EXPECT_GE(one.value, 6);
      EXPECT_LT(one.cell, 100'000U);
    }
    full.push_back(seen_full);
    others.push_back(seen_others);
  }
  EXPECT_FALSE(testing::chi_square(grid_law(*noise, 6, 3, 4), full).alarms());
  // 99,999 other cells pass with the same small probability each: mean and variance of a binomial, 5 deviations.
  const double p = tail(*noise, 4);
  double sum = 0;
  for (const std::int64_t one : others) sum += static_cast<double>(one);
  EXPECT_NEAR(sum / kDraws, 99'999 * p, 5 * std::sqrt(99'999 * p * (1 - p) / kDraws));
  EXPECT_NEAR(places / sum, 0.5, 5 / std::sqrt(12 * sum));
}

TEST(GridRelease, IsUnbiasedBeforePostProcessing) {
  // All noisy values: with a cut that everything passes. 200,000 draws, scale 2: 5 standard errors are 0.032.
  const auto noise = laplace(Rational(2));
  std::vector<std::int64_t> draws(200'000);
  SeededRandom random(8);
  noise->sample(random, draws);
  double sum = 0;
  for (const std::int64_t one : draws) sum += static_cast<double>(one);
  EXPECT_NEAR(sum / static_cast<double>(draws.size()), 0, 0.032);
  // And a large class keeps its size: it always passes.
  Histogram histogram;
  histogram.cells = {{0, 1000}};
  const auto release = GridRelease::make({.k = 5, .cells = 1, .noise = {.law = noise}});
  double kept = 0;
  for (int i = 0; i < 20'000; ++i) kept += static_cast<double>(release->simulate(random, histogram).at(0).value);
  EXPECT_NEAR(kept / 20'000, 1000, 0.1);
}

TEST(GridRelease, TheCutFollowsFromParametersAlone) {
  const auto noise = laplace(Rational(1));
  EXPECT_EQ(GridRelease::make({.cells = 10'000, .noise = {.law = noise}})->cut(), 1);
  const auto release = GridRelease::make({.cells = 1'000'000, .noise = {.law = noise}});
  EXPECT_LE(1e6 * tail(*noise, release->cut()), 1);
  EXPECT_GT(1e6 * tail(*noise, release->cut() - 1), 1);
  EXPECT_FALSE(GridRelease::make({.cells = std::uint64_t{1} << 60, .noise = {.law = noise}, .cut = 1}))
      << "too many would pass";
  EXPECT_FALSE(GridRelease::make({.cells = 5, .noise = {.law = noise}, .cut = 0}));
  EXPECT_FALSE(GridRelease::make({.k = 0, .cells = 5, .noise = {.law = noise}}));
}

TEST(GridRelease, MeanNoiseIsThatOfTheLaw) {
  EXPECT_NEAR(mean_absolute(*laplace(Rational(1))), 1 / std::sinh(1.0), 1e-9);
  EXPECT_NEAR(mean_absolute(*laplace(Rational(10))), 1 / std::sinh(0.1), 1e-8);
  EXPECT_NEAR(mean_absolute(*laplace(Rational(100'000))) / 1e5, 1, 1e-4);
  const auto gaussian = std::make_shared<DiscreteGaussianLaw>(*DiscreteGaussianLaw::make(Rational(3)));
  double sum = 0;
  double weights = 1;
  for (int x = 1; x < 60; ++x) {
    sum += 2 * x * std::exp(-x * x / 18.0);
    weights += 2 * std::exp(-x * x / 18.0);
  }
  EXPECT_NEAR(mean_absolute(*gaussian), sum / weights, 1e-9);
}

/// The probabilities of the levels chosen for a table with these counts.
std::vector<double> level_probabilities(const LevelSelection& selection, const table::TupleCounts& tuples,
                                        const Rational& epsilon, bool add_remove) {
  const auto mechanism =
      SelectionMechanism::make({.kind = SelectionMechanism::Kind::exponential,
                                .epsilon = epsilon,
                                .sensitivity = Rational(1),
                                .monotone = add_remove,
                                .neighbours = add_remove ? Neighbours::add_remove : Neighbours::replace_one});
  return *mechanism->probabilities(selection.scores(tuples, tuples.counts));
}

std::shared_ptr<const DomainColumn> grouped_column(const std::string& name) {
  schema::PolicyColumn column;
  column.name = name;
  column.hierarchy = schema::GroupsSpec{{{{"low", {"a", "b", "c"}}, {"high", {"d"}}}}};
  return std::make_shared<const DomainColumn>(*DomainColumn::make(column));
}

TEST(LevelSelection, OneRecordMoreStaysWithinEpsilon) {
  const Rational epsilon(1, 2);
  for (const bool add_remove : {true, false}) {
    const auto selection =
        LevelSelection::make({.quasi = {grouped_column("x"), grouped_column("y")},
                              .weights = {Rational(1), Rational(3)},
                              .mean_noise = 2.5,
                              .epsilon = epsilon,
                              .neighbours = add_remove ? Neighbours::add_remove : Neighbours::replace_one});
    ASSERT_TRUE(selection);
    EXPECT_EQ(selection->candidates().size(), 9U);
    const std::vector<std::vector<std::string>> rows = {{"a", "a"}, {"b", "d"}, {"d", "d"}, {"zzz", "c"}};
    const auto before = level_probabilities(*selection, make_tuples(rows, {4, 2, 7, 1}), epsilon, add_remove);
    // Add any record, or exchange any for any other.
    for (std::size_t added = 0; added < rows.size(); ++added) {
      for (std::size_t removed = 0; removed < rows.size(); ++removed) {
        std::vector<std::uint64_t> counts = {4, 2, 7, 1};
        ++counts[added];
        if (!add_remove) --counts[removed];
        const auto after = level_probabilities(*selection, make_tuples(rows, counts), epsilon, add_remove);
        for (std::size_t i = 0; i < before.size(); ++i)
          EXPECT_LE(std::abs(std::log(after[i] / before[i])), epsilon.to_double() + 1e-9);
      }
    }
  }
}

TEST(LevelSelection, PrefersDetailWhereThereAreRecordsEnough) {
  const auto selection = LevelSelection::make(
      {.quasi = {grouped_column("x")}, .weights = {Rational(1)}, .mean_noise = 1.5, .epsilon = Rational(1)});
  const auto best = [&](std::uint64_t rows) {
    const auto scores =
        selection->scores(make_tuples({{"a"}, {"d"}}, {rows, rows}), std::vector<std::uint64_t>{rows, rows});
    return selection
        ->candidates()[static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin())];
  };
  EXPECT_EQ(best(1), (std::vector<int>{2}));
  EXPECT_EQ(best(1000), (std::vector<int>{0}));
}

TEST(LevelSelection, LeavesOutDomainsThatAreTooLarge) {
  const auto selection = LevelSelection::make({.quasi = {grouped_column("x")},
                                               .weights = {Rational(1)},
                                               .most_cells = 2,
                                               .mean_noise = 1,
                                               .epsilon = Rational(1)});
  ASSERT_TRUE(selection);
  EXPECT_EQ(selection->candidates().size(), 2U);
  EXPECT_FALSE(LevelSelection::make({.quasi = {grouped_column("x")},
                                     .weights = {Rational(1)},
                                     .other_cells = 5,
                                     .most_cells = 2,
                                     .mean_noise = 1,
                                     .epsilon = Rational(1)}));
}

}  // namespace mode_guarantees_test
}  // namespace gauze::release
