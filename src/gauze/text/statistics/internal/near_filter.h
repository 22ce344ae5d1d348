#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gauze/text/statistics/internal/near_pairs.h"
#include "gauze/text/statistics/internal/normaliser_bounds.h"
#include "gauze/text/statistics/word_statistics.h"

namespace gauze::text::internal {

/// Who guesses what an output was, under one prior: for each output the word with the largest prior(x) P[x -> y], as its
/// logarithm.
struct Contest {
  std::vector<double> score;  ///< by word: ln(prior(x) q(x) / Z(x)), q the chance that x is drawn for at all
  std::vector<double> best;   ///< by output, so far
};
/// Every word for itself, and the few words with the largest scores for every output: no word beyond the distance at which
/// the metric is cut is a better guess than the first of these.
[[nodiscard]] Contest begin_contest(const SoftmaxMechanism& mechanism, std::span<const double> prior,
                                    std::span<const double> sums);

/// The chance from which on a pair is looked at by itself.
[[nodiscard]] double near_chance(const StatisticsOptions& options);

/// Some pairs of a tile, with their distances.
struct FoundPairs {
  struct Pair {
    std::uint8_t row;
    std::uint8_t column;
    std::uint32_t granules;
  };
  std::size_t first_row = 0;
  std::size_t first_column = 0;
  std::vector<Pair> pairs;
};

/// Finds the pairs with P[x -> y] >= near_chance, and those of which one word may be the best guess for the other, when all
/// that is known of the normalisers is that they lie within bounds. It may find more.
/// Thread safety: const members may be called concurrently.
class NearFilter {
 public:
  /// The mechanism must outlive the filter.
  NearFilter(const SoftmaxMechanism& mechanism, const StatisticsOptions& options, const NormaliserBounds& bounds);

  /// The tile is one of SoftmaxMechanism::visit_distances. Pairs of a word with itself are left out, and on the diagonal of
  /// a symmetric visit each pair is found once.
  void find(const WordMetric::Tile& tile, FoundPairs& found) const;

 private:
  /// The tests of words one after the other, in granules.
  struct Tests {
    std::vector<float> near;
    std::array<std::vector<float>, kContests> score;
    std::array<std::vector<float>, kContests> best;
  };
  const SoftmaxMechanism& mechanism_;
  std::size_t contests_;
  Tests rows_;
  Tests columns_;  ///< of the outputs; where these are all words, as rows_
};

}  // namespace gauze::text::internal
