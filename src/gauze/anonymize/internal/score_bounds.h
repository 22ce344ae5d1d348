#pragma once

#include <cstdint>
#include <vector>

#include "gauze/anonymize/classes/lattice.h"
#include "gauze/anonymize/classes/node_evaluation.h"
#include "gauze/anonymize/metrics/information_loss.h"

namespace gauze::anonymize::internal {

/// For every node a score that it cannot beat, raised as other nodes are looked at; and which nodes are settled.
///
/// Why the bounds hold. Additive metrics: what a node suppresses for good is suppressed at all nodes below it, and a
/// term never falls when more is suppressed. Class sizes: see NodeOutcome::least_squares_above and most_classes_above,
/// and below a node at least its lasting records are suppressed. Bounds are shaved by 1e-12 of their size, more than
/// the rounding of their sums.
class ScoreBounds {
 public:
  ScoreBounds(const Lattice& lattice, const InformationLoss& loss, const NodeEvaluation& evaluation);

  [[nodiscard]] double bound(std::uint32_t node) const { return bounds_[node]; }
  [[nodiscard]] bool closed(std::uint32_t node) const { return closed_[node] != 0; }
  void close(std::uint32_t node) { closed_[node] = 1; }
  /// Takes in what the node was found to be like; closes all below it when it prunes them.
  void learn(std::uint32_t node, const NodeOutcome& outcome);

 private:
  [[nodiscard]] double size_bound(const Levels& levels, double suppressed) const;
  void raise(std::uint32_t node, double score);
  void close_below(std::uint32_t node);

  const Lattice& lattice_;
  const InformationLoss& loss_;
  const NodeEvaluation& evaluation_;
  std::vector<double> bounds_;
  std::vector<std::uint8_t> closed_;
  std::vector<std::uint8_t> pruned_;  // closed together with everything below
};

}  // namespace gauze::anonymize::internal
