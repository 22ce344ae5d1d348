#include "gauze/models/boosted_trees.h"

#include <cmath>

#include "gauze/models/internal/logistic_loss.h"
#include "gauze/models/internal/training_rows.h"
#include "gauze/models/internal/tree_grower.h"

namespace gauze::models {
namespace {

constexpr int kMostTrees = 10'000;
constexpr int kMostLevels = 12;

Result<void> check(const BoostedTrees::Options& options) {
  if (options.trees < 1 || options.trees > kMostTrees) {
    return invalid_parameter("trees must be 1 to {}, but is {}", kMostTrees, options.trees);
  }
  if (options.depth < 1 || options.depth > kMostLevels) {
    return invalid_parameter("depth of trees must be 1 to {}, but is {}", kMostLevels, options.depth);
  }
  if (!(options.learning_rate > 0) || !(options.learning_rate <= 1)) {
    return invalid_parameter("learning_rate must be above 0 and at most 1, but is {}", options.learning_rate);
  }
  if (!(options.l2 >= 0) || !std::isfinite(options.l2)) {
    return invalid_parameter("l2 of boosted trees must be finite and not negative, but is {}", options.l2);
  }
  if (!(options.min_child_weight >= 0) || !std::isfinite(options.min_child_weight)) {
    return invalid_parameter("min_child_weight must be finite and not negative, but is {}", options.min_child_weight);
  }
  return {};
}

}  // namespace

/// Turns a tree over the values that occur into one over all codes.
struct BoostedTrees::Trainer {
  BoostedTrees& model;
  const internal::TrainingRows& rows;

  void add(const internal::Tree& tree) const {
    const auto root = static_cast<std::uint32_t>(model.nodes_.size());
    model.roots_.push_back(root);
    for (const internal::TreeNode& node : tree.nodes) {
      if (node.left == 0) {
        model.nodes_.push_back({.value = node.value});
        continue;
      }
      const std::size_t route = model.routes_.size();
      model.nodes_.push_back({.left = root + node.left, .feature = node.feature, .route = route});
      model.routes_.resize(route + model.cardinalities_[node.feature], node.heavier_right ? 1 : 0);
      const std::uint32_t first = rows.first_column[node.feature];
      for (std::uint32_t column = first; column < rows.first_column[node.feature + 1]; ++column) {
        model.routes_[route + rows.code_of[column]] = tree.routes[node.route + column - first];
      }
    }
  }
};

Result<BoostedTrees> BoostedTrees::train(const Examples& examples, const Options& options) {
  GAUZE_TRY_VOID(check(options));
  GAUZE_TRY(const internal::TrainingRows rows, internal::training_rows(examples, 0));
  BoostedTrees model;
  model.cardinalities_ = examples.cardinalities;
  if (rows.one_class()) {
    model.base_score_ = internal::smoothed_log_odds(rows.total_positive, rows.total_negative);
    return model;
  }
  model.base_score_ = internal::log_odds(rows.total_positive, rows.total_negative);
  internal::TreeGrower grower(rows, {.depth = options.depth,
                                     .learning_rate = options.learning_rate,
                                     .l2 = options.l2 / rows.unit,
                                     .min_child_weight = options.min_child_weight / rows.unit});
  std::vector<double> scores(rows.size(), model.base_score_);
  const Trainer trainer{model, rows};
  for (int i = 0; i < options.trees; ++i) {
    const internal::Tree& tree = grower.grow(scores);
    if (tree.nodes.size() == 1) break;  // nothing to gain, so the next tree would be the same
    trainer.add(tree);
  }
  return model;
}

std::vector<double> BoostedTrees::probabilities(const Examples& examples) const {
  return predict(examples.codes, examples.size());
}

std::vector<double> BoostedTrees::probabilities(CodeColumns codes) const {
  return predict(codes, codes.empty() ? 0 : codes.front().size());
}

std::vector<double> BoostedTrees::predict(CodeColumns codes, std::size_t tuples) const {
  internal::check_codes(codes, cardinalities_, tuples);
  std::vector<const std::uint32_t*> columns;
  for (const auto& column : codes) columns.push_back(column.data());
  std::vector<double> result(tuples, base_score_);
  for (const std::uint32_t root : roots_) {
    for (std::size_t i = 0; i < tuples; ++i) {
      const Node* node = &nodes_[root];
      while (node->left != 0) node = &nodes_[node->left + routes_[node->route + columns[node->feature][i]]];
      result[i] += node->value;
    }
  }
  for (double& each : result) each = internal::sigmoid(each);
  return result;
}

}  // namespace gauze::models
