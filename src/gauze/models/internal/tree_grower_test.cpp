#include "gauze/models/internal/tree_grower.h"

#include <gtest/gtest.h>

#include <thread>

#include "gauze/models/boosted_trees.h"
#include "gauze/models/internal/logistic_loss.h"
#include "gauze/models/models_testing.h"

namespace gauze::models::internal {
namespace tree_grower_test {

/// A greedy tree grown by recursion, every subset of every feature tried: adds its values to the scores.
class PlainTree {
 public:
  PlainTree(const TrainingRows& rows, const TreeOptions& options, std::vector<double>& scores)
      : rows_(rows), options_(options), scores_(scores), before_(scores) {}

  void grow(const std::vector<std::size_t>& members, int depth) {
    std::vector<std::size_t> best[2];
    double best_score = score(members) * (1 + 1e-12);
    for (std::size_t f = 0; depth > 0 && f < rows_.features; ++f) {
      const std::uint32_t first = rows_.first_column[f];
      const std::uint32_t values = rows_.first_column[f + 1] - first;
      for (std::uint32_t subset = 1; subset + 1 < (1U << values); ++subset) {
        std::vector<std::size_t> side[2];
        for (const std::size_t row : members) {
          side[subset >> (rows_.columns[row * rows_.features + f] - first) & 1].push_back(row);
        }
        const double both = score(side[0]) + score(side[1]);
        if (side[0].empty() || side[1].empty() || both <= best_score * (1 + 1e-12)) continue;
        best_score = both;
        best[0] = side[0];
        best[1] = side[1];
      }
    }
    if (!best[0].empty()) return grow(best[0], depth - 1), grow(best[1], depth - 1);
    const LossSlope sums = sum(members);
    for (const std::size_t row : members) {
      scores_[row] -= options_.learning_rate * sums.gradient / (sums.curvature + options_.l2);
    }
  }

 private:
  [[nodiscard]] LossSlope sum(const std::vector<std::size_t>& members) const {
    LossSlope sums;
    for (const std::size_t row : members) {
      const LossSlope slope = loss_slope(before_[row], rows_.positive[row], rows_.negative[row]);
      sums.gradient += slope.gradient;
      sums.curvature += slope.curvature;
    }
    return sums;
  }
  [[nodiscard]] double score(const std::vector<std::size_t>& members) const {
    const LossSlope sums = sum(members);
    return sums.gradient * sums.gradient / (sums.curvature + options_.l2);
  }

  const TrainingRows& rows_;
  TreeOptions options_;
  std::vector<double>& scores_;
  std::vector<double> before_;
};

TEST(TreeGrower, GrowsTheGreedyTreesThatTryingEverySubsetGives) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 25; ++round) {
    const TrainingRows rows = training_rows(random_examples(random, {5, 3, 4}, 60, 30), 0).value();
    const TreeOptions options{.depth = 1 + round % 3, .l2 = 0.3 / rows.unit, .min_child_weight = 0};
    std::vector<std::size_t> all(rows.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<double> scores(rows.size(), 0.2), plain(rows.size(), 0.2);
    TreeGrower grower(rows, options);
    for (int tree = 0; tree < 4; ++tree) {  // the same grower: its buffers must be as new
      grower.grow(scores);
      PlainTree(rows, options, plain).grow(all, options.depth);
      ASSERT_LT(largest_gap(scores, plain), 1e-10) << round << ", tree " << tree;
    }
  }
}

TEST(TreeGrower, KeepsToItsDepth) {
  std::mt19937_64 random(2);
  const TrainingRows rows = training_rows(random_examples(random, {9, 8, 7}, 400), 0).value();
  for (int depth = 1; depth <= 6; ++depth) {
    std::vector<double> scores(rows.size(), 0);
    TreeGrower grower(rows, {.depth = depth, .l2 = 0, .min_child_weight = 0});
    const Tree& tree = grower.grow(scores);
    std::vector<int> level(tree.nodes.size(), 0);
    int deepest = 0;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      if (tree.nodes[i].left == 0) continue;
      ASSERT_GT(tree.nodes[i].left, i);
      level[tree.nodes[i].left] = level[tree.nodes[i].left + 1] = level[i] + 1;
      deepest = std::max(deepest, level[i] + 1);
    }
    EXPECT_EQ(deepest, depth);
  }
}

TEST(TreeGrower, LongStepsStopWhereTheLossStillDecreasesForCertain) {
  // At score -20 a row of the positive outcome has G = -1 and H = 2e-9 of its weight.
  const Examples examples{.cardinalities = {1}, .codes = {{0}}, .positive = {1}, .negative = {0}};
  const TrainingRows rows = training_rows(examples, 0).value();
  std::vector<double> scores = {-20};
  TreeGrower grower(rows, {.depth = 1, .learning_rate = 1, .l2 = 0, .min_child_weight = 0});
  grower.grow(scores);
  const LossSlope slope = loss_slope(-20, 1, 0);
  EXPECT_DOUBLE_EQ(scores[0], -20 + std::log1p(-slope.gradient / slope.curvature));
  EXPECT_NEAR(scores[0], 0, 1e-6);
}

TEST(BoostedTrees, ConstMembersMayBeCalledConcurrently) {
  std::mt19937_64 random(3);
  const Examples examples = random_examples(random, {9, 8, 7}, 400);
  const BoostedTrees trees = BoostedTrees::train(examples).value();
  const LogisticRegression line = LogisticRegression::train(examples).value();
  std::vector<double> of_trees[4], of_line[4];
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&, i] {
        of_trees[i] = trees.probabilities(examples);
        of_line[i] = LogisticRegression::train(examples).value().probabilities(examples);
      });
    }
  }
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(of_trees[i], trees.probabilities(examples));
    EXPECT_EQ(of_line[i], line.probabilities(examples));
  }
}

}  // namespace tree_grower_test
}  // namespace gauze::models::internal
