#pragma once

#include <atomic>
#include <mutex>
#include <span>
#include <vector>

#include "gauze/text/mechanisms/internal/wide_sum.h"
#include "gauze/text/statistics/internal/near_pairs.h"
#include "gauze/text/statistics/word_statistics.h"

namespace gauze::text::internal {

/// What the second pass over the pairs gathers for one mechanism: everything about pairs (x, y) with P[x -> y] >= tau, and
/// the best guess for every output.
class NearPass {
 public:
  /// `sums` and mechanism must outlive the pass.
  NearPass(const SoftmaxMechanism& mechanism, const SoftmaxMechanism::Sums& sums, const StatisticsOptions& options);

  /// Looks at the pairs of a tile; from several threads at once.
  void visit(const WordMetric::RoughTile& tile);
  /// After all tiles.
  [[nodiscard]] WordStatistics finish();

 private:
  /// The best guess for each output under one prior.
  struct Contest {
    std::vector<double> log_score;          ///< ln(prior(x) q(x) / Z(x))
    double offset = 0;                      ///< the largest of them
    std::vector<std::atomic<double>> best;  ///< by output: ln of the largest prior(x) P[x -> y] so far
  };
  /// Sums over near pairs, by word.
  struct Gathered {
    std::vector<WideSum> p, p2, p3, distinct;
    std::vector<std::uint32_t> outputs, inputs;
  };
  struct TileGathered;
  struct Lane;

  [[nodiscard]] bool is_output(std::size_t word) const { return is_output_.empty() || is_output_[word]; }
  [[nodiscard]] double chance(std::size_t x, double weight) const { return factor_[x] * weight / sums_.weights[x]; }
  [[nodiscard]] double weight(std::uint32_t granules) const;
  void add_contest(std::span<const double> prior);
  void start_contest(Contest& contest);
  void raise(Contest& contest, std::size_t y, double value);
  void look(std::size_t x, std::size_t y, double weight, std::size_t place_x, std::size_t place_y,
            TileGathered& gathered);
  void prepare(Lane& lane, std::size_t first, std::size_t count) const;
  [[nodiscard]] double distinct_of(double p) const;
  [[nodiscard]] double success(const Contest& contest, std::span<const double> prior) const;

  const SoftmaxMechanism& mechanism_;
  const SoftmaxMechanism::Sums& sums_;
  const StatisticsOptions options_;
  double rate_;  ///< epsilon / 2 a unit of distance
  double tau_;
  float error_;
  std::vector<bool> is_output_;  ///< empty: all are
  std::vector<double> factor_;   ///< the chance that x is drawn for at all: 1, or p
  std::vector<float> near_;      ///< squared distance up to which P[x -> y] may be tau
  std::vector<Contest> contests_;
  Gathered gathered_;
  std::mutex mutex_;
};

}  // namespace gauze::text::internal
