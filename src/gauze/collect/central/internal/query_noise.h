#pragma once
// The noise of one query: mechanisms that are made before anything is read, so that nothing fails afterwards.

#include <optional>
#include <vector>

#include "gauze/collect/central/central_query.h"
#include "gauze/mechanisms/noise/additive_mechanism.h"
#include "gauze/mechanisms/selection/selection.h"

namespace gauze::collect::internal {

/// The candidates of a quantile, in units: every value of the field up to 4,096 of them, else the upper edges of 1,024 cells.
class QuantileGrid {
 public:
  explicit QuantileGrid(const NumberField& field);
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] Rational candidate(std::size_t index) const;
  /// How many candidates are not above a number of the field: these have it below or at them.
  [[nodiscard]] std::size_t not_above(std::int64_t number) const;

 private:
  std::int64_t low_;
  Rational width_;
  bool is_value_each_;
  std::size_t size_;
  std::vector<std::int64_t> edges_;  ///< of cells, rounded up to whole units
};

/// Sensitivities are those of docs/proofs/curator-queries.md, `weight` is L P.
class QueryNoise {
 public:
  [[nodiscard]] static Result<QueryNoise> make(QueryKind kind, const RecordField* field, const Rational& epsilon,
                                               const Rational& weight);

  /// A mechanism, and how far its noise reaches with the level of the intervals: 95 %, of the two of a mean 97.5 % each.
  struct Drawn {
    AdditiveMechanism mechanism;
    Rational reach;
  };
  std::optional<Drawn> count;  ///< of one number, or of all cells of a histogram
  std::optional<Drawn> sum;    ///< in units; of a mean in half units, of distances from the middle
  std::optional<SelectionMechanism> choice;
  std::optional<QuantileGrid> grid;
  Rational sensitivity;  ///< of what is asked, in the units of the answer; of a mean that of its sum
};

}  // namespace gauze::collect::internal
