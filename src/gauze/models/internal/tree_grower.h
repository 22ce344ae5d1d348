#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gauze/models/internal/training_rows.h"

namespace gauze::models::internal {

struct TreeOptions {
  int depth = 3;
  double learning_rate = 0.2;
  double l2 = 1;                ///< in the unit of the rows
  double min_child_weight = 1;  ///< in the unit of the rows
};

/// A node of a tree: a split of one feature's values into two sets, or a leaf.
struct TreeNode {
  std::uint32_t left = 0;      ///< its left child; the right one is the next; 0: a leaf
  std::uint32_t feature = 0;   ///< of a split
  std::size_t route = 0;       ///< of a split: routes[route + column - first column of the feature] is 1 for right
  bool heavier_right = false;  ///< of a split: which child has more weight; values not seen here follow it
  double value = 0;            ///< of a leaf: what it adds to the score
};

struct Tree {
  std::vector<TreeNode> nodes;  ///< the root first
  std::vector<std::uint8_t> routes;
};

/// Grows one tree after the other on the same rows, level by level, and keeps its buffers.
///
/// A node's split maximises GL^2 / (HL + l2) + GR^2 / (HR + l2), where G and H are sums of gradients and curvatures. That is
/// convex in (GL, HL), so the best of all subsets of values is a prefix of the values in the order of g / h: sorting finds
/// it (min_child_weight aside). Ties, up to rounding, go to the smallest feature, then the shortest prefix.
class TreeGrower {
 public:
  TreeGrower(const TrainingRows& rows, const TreeOptions& options);

  /// A tree for the scores' gradients; adds its values to the scores.
  const Tree& grow(std::span<double> scores);

 private:
  struct Sums {
    double gradient = 0;
    double curvature = 0;
    Sums& operator+=(const Sums& other) {
      gradient += other.gradient;
      curvature += other.curvature;
      return *this;
    }
  };
  struct Value {
    double ratio;
    std::uint32_t column;
  };
  struct Split {
    double score = 0;
    std::uint32_t feature = 0;
    std::size_t prefix = 0;  ///< how many values go left; 0: no split
    Sums left = {};
    Sums right = {};
  };

  void start(std::span<const double> scores);
  void descend(std::size_t row);
  void fill_histograms(std::size_t first_open, bool at_root);
  [[nodiscard]] double score(const Sums& sums) const;
  [[nodiscard]] double leaf_value(const Sums& sums) const;
  void sort_values(const Sums* histogram, std::uint32_t feature);
  void try_feature(const Sums* histogram, std::uint32_t feature, Split& best);
  [[nodiscard]] Split best_split(const Sums* histogram, const Sums& node);
  void divide(std::size_t node, const Sums* histogram, const Split& split);

  const TrainingRows& rows_;
  TreeOptions options_;
  Tree tree_;
  std::vector<Sums> node_sums_;
  std::vector<Sums> row_sums_;
  std::vector<std::uint32_t> node_of_;
  std::vector<Sums> histograms_;  ///< [open node][column]
  std::vector<Value> values_;     ///< of one feature in one node, sorted
  std::vector<Sums> suffixes_;    ///< sums of the values from each on
};

}  // namespace gauze::models::internal
