#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gauze/accounting/privacy_loss.h"

namespace gauze::internal {

/// A privacy loss on a grid: P's mass at offset + (first + i) * step, and what was put at plus infinity. Masses are rounded
/// such that the grid's curve lies on its side of the true one; what is left is some units in the last place of each.
struct LossGrid {
  double step = 0;
  double offset = 0;
  std::int64_t first = 0;
  std::vector<double> mass;
  double infinite = 0;
};

/// Where the loss has its mass: outside of [low, high] lies at most `tail` of P on either side.
struct LossRange {
  double low = 0;
  double high = 0;
};
[[nodiscard]] LossRange loss_range(const PrivacyLoss& loss, double tail);

/// A grid whose delta(epsilon) is nowhere below the true one: the mass between two grid points goes to both of them such
/// that its mass under P and under Q stays what it is ("connect the dots": the curve in e^epsilon becomes its chords).
/// What lies below the range moves up to it, what lies above counts as infinite.
[[nodiscard]] LossGrid grid_above(const PrivacyLoss& loss, const LossRange& range, double step, double offset);

/// A grid whose delta(epsilon) is nowhere above the true one: the lower convex hull, over the grid points, of tangents to
/// the curve in e^epsilon, one in each cell: in its middle, or where it meets the next cell's at their common end, should
/// the curve fall too steeply for that. What lies outside the range is left out, but not what is truly infinite. (Such a
/// curve that begins at 1 stays below the true one under composition: docs/proofs/loss-composition.md.)
[[nodiscard]] LossGrid grid_below(const PrivacyLoss& loss, const LossRange& range, double step, double offset);

/// Whether both ends of the range have mass of their own. A step should then lead from one to the other.
[[nodiscard]] bool has_atoms_at_ends(const PrivacyLoss& loss, const LossRange& range);

/// The distance of the atoms if all of the loss within the range lies on equally spaced ones: a grid of that step is exact.
[[nodiscard]] std::optional<double> lattice_step(const PrivacyLoss& loss, const LossRange& range);

/// Where a grid should have a point: the mean loss of what lies within half a step of it. A rarely sampled mechanism has
/// nearly all its mass at one tiny loss, and a grid whose points lie beside it loses what little there is to lose.
[[nodiscard]] double best_offset(const PrivacyLoss& loss, const LossRange& range, double step);
/// The same for grid_below(): where the tangents beside the heaviest point meet.
[[nodiscard]] double best_offset_below(const PrivacyLoss& loss, const LossRange& range, double step);
/// Another for grid_below(), for atoms at both ends and a step that leads from one to the other.
[[nodiscard]] double offset_at_low_end(const PrivacyLoss& loss, const LossRange& range);

/// ln of the sum of mass * exp(order * loss): of two grids below one loss the larger has kept more of it.
[[nodiscard]] double log_moment(const LossGrid& grid, double order);

}  // namespace gauze::internal
