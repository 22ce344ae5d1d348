#pragma once

#include <mutex>
#include <span>
#include <vector>

#include "gauze/text/mechanisms/internal/wide_sum.h"
#include "gauze/text/statistics/internal/near_filter.h"
#include "gauze/text/statistics/word_statistics.h"

namespace gauze::text::internal {

/// Makes the statistics of one mechanism from its sums and from the pairs that a NearFilter finds.
class NearPass {
 public:
  /// Everything given must outlive the pass.
  NearPass(const SoftmaxMechanism& mechanism, const SoftmaxMechanism::Sums& sums, const StatisticsOptions& options);

  /// Looks at pairs of a tile; from several threads at once, and each tile once. The order does not matter.
  void look_at(const FoundPairs& found);
  /// After all tiles.
  [[nodiscard]] WordStatistics finish() const;

 private:
  /// Sums over near pairs, by word.
  struct Gathered {
    std::vector<WideSum> p, p2, p3, distinct;
    std::vector<std::uint32_t> outputs, inputs;
  };
  struct TileGathered;

  [[nodiscard]] bool is_output(std::size_t word) const { return !mechanism_.may_stay(word); }
  void look(std::size_t x, double energy, std::size_t place_x, std::size_t place_y, TileGathered& gathered) const;
  void add(const FoundPairs& found, const TileGathered& gathered);
  [[nodiscard]] double distinct_of(double p) const;
  [[nodiscard]] double success(const Contest& contest, std::span<const double> prior) const;

  const SoftmaxMechanism& mechanism_;
  const SoftmaxMechanism::Sums& sums_;
  const StatisticsOptions& options_;
  double replaced_;  ///< the chance that a word that may stay is drawn for
  std::vector<Contest> contests_;
  Gathered gathered_;
  std::mutex mutex_;
};

}  // namespace gauze::text::internal
