#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "gauze/patterns/mining/miner.h"
#include "gauze/patterns/testing/small_baskets.h"

namespace gauze::patterns {
namespace exact_test {

/// Other frequent sets that a release has lost: counted by enumeration.
std::uint64_t losses(const Database& before, const Database& after, const SensitiveList& list,
                     std::uint64_t min_count) {
  std::uint64_t lost = 0;
  for (std::uint64_t mask = 1; mask < std::uint64_t{1} << before.names.size(); ++mask) {
    Itemset set;
    for (Item item = 0; item < before.names.size(); ++item)
      if ((mask >> item & 1) != 0) set.push_back(item);
    bool must_vanish = false;
    for (const SensitivePattern& one : list.patterns) must_vanish = must_vanish || holds(set, one.items);
    if (must_vanish) continue;
    const std::vector<Itemset> sets = {set};
    lost += supports(before, sets)[0] >= min_count && supports(after, sets)[0] < min_count ? 1 : 0;
  }
  return lost;
}

/// The smallest objective over all ways to change items of the patterns.
double best_by_force(const Database& database, const SensitiveList& list, const HidingOptions& options) {
  std::vector<Edit> choices;
  for (std::size_t row = 0; row < database.rows(); ++row) {
    Itemset items;
    for (const SensitivePattern& one : list.patterns)
      if (holds(database.row(row), one.items)) items.insert(items.end(), one.items.begin(), one.items.end());
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
    for (const Item item : items)
      choices.push_back({row, item, options.change == ChangeKind::remove ? Operation::remove : Operation::mark});
  }
  EXPECT_LE(choices.size(), 16U);
  std::vector<PatternShape> shapes;
  for (const SensitivePattern& one : list.patterns) shapes.push_back({one.items, {}});
  double best = std::numeric_limits<double>::infinity();
  for (std::uint64_t mask = 0; mask < std::uint64_t{1} << choices.size(); ++mask) {
    HidingState state(database, shapes, false);
    std::vector<bool> touched(database.rows(), false);
    for (std::size_t i = 0; i < choices.size(); ++i) {
      if ((mask >> i & 1) == 0) continue;
      state.edit(choices[i]);
      touched[choices[i].row] = true;
    }
    bool reached = true;
    for (std::size_t p = 0; p < shapes.size(); ++p)
      reached = reached && level_of(state.standing(p), {options.min_count, options.min_support, 0, {}},
                                    database.rows()) >= options.level;
    if (!reached) continue;
    const HidingObjective& weights = options.objective;
    double cost = weights.marks * static_cast<double>(state.edits().size()) +
                  weights.rows * static_cast<double>(std::count(touched.begin(), touched.end(), true));
    if (weights.losses > 0)
      cost += weights.losses * static_cast<double>(losses(database, state.released(), list, options.min_count));
    best = std::min(best, cost);
  }
  return best;
}

TEST(Exact, IsAsGoodAsExhaustiveSearch) {
  SeededRandom random(21);
  Progress progress;
  int compared = 0;
  int better_than_the_border = 0;
  for (int trial = 0; trial < 24; ++trial) {
    const Database database = random_baskets(random, 5, 9, 60);
    const SensitiveList list = sensitive("a b\nb c\n", database);
    std::size_t choices = 0;
    for (const SensitivePattern& one : list.patterns)
      choices += 2 * supports(database, std::vector<Itemset>{one.items})[0];
    if (choices > 16) continue;
    HidingOptions options;
    options.algorithm = HidingAlgorithm::exact;
    options.level = trial % 3 == 0 ? HidingLevel::h1 : trial % 3 == 1 ? HidingLevel::h2 : HidingLevel::h3;
    options.change = trial % 3 == 2 ? ChangeKind::remove : ChangeKind::mark;
    options.mark_style = MarkStyle::anchored;
    options.min_count = 3;
    options.min_support = Rational(1, 3);
    options.objective = trial % 2 == 0 ? HidingObjective{1, 0, 0} : HidingObjective{1, 0.25, 0.5};
    const auto result = hide(database, list, options, progress);
    if (!result && result.error().code == ErrorCode::unsupported) GTEST_SKIP() << result.error().message;
    ASSERT_TRUE(result) << result.error().message;
    const double best = best_by_force(database, list, options);
    if (std::isinf(best)) {
      EXPECT_FALSE(result->stuck.empty()) << trial;
      continue;
    }
    if (result->edits.empty()) {
      EXPECT_EQ(best, 0) << trial;
      continue;
    }
    EXPECT_GE(result->level, options.level) << trial;
    EXPECT_NEAR(*result->objective, best, 1e-9) << trial;
    EXPECT_NEAR(*result->bound, best, 1e-9) << trial;
    ++compared;
    HidingOptions greedy = options;
    greedy.algorithm = HidingAlgorithm::border;
    const auto border = hide(database, list, greedy, progress);
    ASSERT_TRUE(border);
    if (options.objective.marks == 0 && border->stuck.empty()) {
      const std::uint64_t lost = losses(database, border->released, list, 3);
      EXPECT_GE(static_cast<double>(lost), best);
      better_than_the_border += static_cast<double>(lost) > best ? 1 : 0;
    }
  }
  EXPECT_GE(compared, 8);
}

}  // namespace exact_test
}  // namespace gauze::patterns
