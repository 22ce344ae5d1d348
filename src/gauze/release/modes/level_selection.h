#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gauze/mechanisms/selection/selection.h"
#include "gauze/release/job/bounded_units.h"
#include "gauze/release/modes/release_budget.h"

namespace gauze::release {

/// Chooses the level of every quasi-identifier within the budget: the first step of the mode `select`.
///
/// The score of a combination of levels is minus (the sum over records of the weighted mean share of the domain that
/// the record's values stand for) minus (number of cells x mean noise of a cell). The second term is public. One
/// record moves the first by at most 1, one person by at most `most_rows`, and adding records moves it one way only.
///
/// Privacy unit   : that of the row counts given.
/// Neighbours     : as in the options.
/// Guarantee      : epsilon-DP, by the exponential mechanism on exact fractions.
/// Proven         : docs/proofs/release-select.md.
/// Thread safety  : const members may be called concurrently.
class LevelSelection {
 public:
  static constexpr std::size_t kMostCandidates = 20'000;

  struct Options {
    std::vector<std::shared_ptr<const schema::DomainColumn>> quasi;
    std::vector<Rational> weights;                          ///< one each, positive
    std::uint64_t other_cells = 1;                          ///< cells that further columns multiply the domain by
    std::uint64_t most_cells = schema::Domain::kMostCells;  ///< combinations with more cells are not candidates
    double mean_noise = 0;                                  ///< E|Z| of a cell; public
    Rational epsilon = 0;
    std::uint64_t most_rows = 1;  ///< of one unit
    Neighbours neighbours = Neighbours::add_remove;
  };
  /// Refuses more than kMostCandidates combinations, and domains that are too large at every one.
  [[nodiscard]] static Result<LevelSelection> make(Options options);

  [[nodiscard]] const std::vector<std::vector<int>>& candidates() const { return candidates_; }
  /// The scores of the candidates for a grouped table, of which counts[i] rows have tuple i.
  [[nodiscard]] std::vector<Rational> scores(const table::TupleCounts& tuples,
                                             std::span<const std::uint64_t> counts) const;

  [[nodiscard]] Result<std::vector<int>> release(SecureRandom& random, const std::vector<Rational>& scores) const;
  [[nodiscard]] Result<std::vector<int>> simulate(SeededRandom& random, const std::vector<Rational>& scores) const;

 private:
  LevelSelection(Options options, SelectionMechanism mechanism);

  Options options_;
  SelectionMechanism mechanism_;
  std::vector<std::vector<int>> candidates_;
  std::vector<Rational> penalties_;  // cells x mean noise
};

}  // namespace gauze::release
