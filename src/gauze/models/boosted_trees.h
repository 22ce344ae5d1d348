#pragma once

#include "gauze/models/examples.h"

namespace gauze::models {

/// Gradient-boosted trees on categorical features, for the logistic loss, with second-order steps (Chen and Guestrin,
/// XGBoost, 2016). A split sends any set of a feature's values to the left: the best of all sets is found, by sorting the
/// values by gradient / curvature (the best of those prefixes where min_child_weight binds); ordered values are the
/// special case where the set is an interval.
///
/// The training loss never increases from tree to tree: leaves whose step would be too long are shortened to one that
/// provably is not. Boosting ends early when no split gains anything. Trees are greedy: an exactly balanced XOR has no
/// first split that gains, and is not learnt. A value that a split has not seen follows the child of more weight.
///
/// Training is total, for callers who measure noisy releases: only one outcome in the weights gives the constant model
/// (positive + 1/2) / (total + 1), no weight at all the constant 1/2.
///
/// Not covered    : privacy. The model depends on its training data like any other statistic.
/// Cost           : trees * depth * tuples * features, and 2^depth times the values that occur in memory.
/// Thread safety  : training is single-threaded, const members may be called concurrently.
/// Reproducibility: the same input gives the same bits; ties go to the smallest feature and split. Another order of
///                  tuples, or a tuple split into parts, gives the same up to rounding (which can decide between splits
///                  that are equally good up to rounding); all weights, l2 and min_child_weight times a power of two
///                  give the same bits.
class BoostedTrees {
 public:
  struct Options {
    int trees = 60;               ///< 1 to 10,000
    int depth = 3;                ///< 1 to 12
    double learning_rate = 0.2;   ///< above 0, at most 1
    double l2 = 1;                ///< on the values of leaves; finite and >= 0
    double min_child_weight = 1;  ///< least sum of weight * p * (1 - p) in a child; finite and >= 0
  };

  /// Refuses options and weights out of range.
  [[nodiscard]] static Result<BoostedTrees> train(const Examples& examples, const Options& options);
  [[nodiscard]] static Result<BoostedTrees> train(const Examples& examples) { return train(examples, Options{}); }

  /// The probability of the positive outcome for each tuple of the examples, whose weights are not looked at.
  [[nodiscard]] std::vector<double> probabilities(const Examples& examples) const;
  /// The same for columns alone; a model without features has no columns to count tuples by, and returns nothing.
  [[nodiscard]] std::vector<double> probabilities(CodeColumns codes) const;

  /// How many trees were grown: fewer than asked for when no split gained anything any more.
  [[nodiscard]] std::size_t size() const { return roots_.size(); }

 private:
  struct Node {
    std::uint32_t left = 0;     ///< its left child; the right one is the next; 0: a leaf
    std::uint32_t feature = 0;  ///< of a split
    std::size_t route = 0;      ///< of a split: routes_[route + code] is 1 for right
    double value = 0;           ///< of a leaf
  };
  struct Trainer;
  BoostedTrees() = default;
  [[nodiscard]] std::vector<double> predict(CodeColumns codes, std::size_t tuples) const;

  std::vector<std::uint32_t> cardinalities_;
  double base_score_ = 0;
  std::vector<std::uint32_t> roots_;
  std::vector<Node> nodes_;
  std::vector<std::uint8_t> routes_;
};

}  // namespace gauze::models
