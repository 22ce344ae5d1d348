#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "gauze/accounting/internal/loss_grid.h"
#include "gauze/accounting/internal/tilt_choice.h"
#include "gauze/accounting/internal/tilted_composition.h"
#include "gauze/accounting/loss_composition.h"

namespace gauze::internal {

/// Losses of a composition that share one grid.
struct LossGroup {
  struct Member {
    ComposedLoss::Part part;
    LossRange range;
    Sketch sketch;
  };
  std::vector<Member> members;
  double step = 0;     ///< wanted
  double fitted = 0;   ///< taken: fits the members' atoms, and may be a little smaller
  bool exact = false;  ///< all atoms are on the grid: nothing is left to refine

  [[nodiscard]] double count() const;
  [[nodiscard]] double widest() const;
  /// Below it no window holds the widest loss.
  [[nodiscard]] double finest_step() const;
  [[nodiscard]] bool is_finest() const { return exact || step <= finest_step(); }
  /// Finds the step to take, for a tilt of this order.
  void fit(double order);
  /// A step that adds little enough to the variance of each loss to move epsilon by `goal` at most, about.
  /// It is finer where a window of `cheap_points` allows it.
  void choose_step(double order, double goal, double cheap_points = 0);
};

/// The same losses in several groups, a loss of its own group where there are few: atoms that share no grid, or losses of very
/// different size, then cost what a grid costs once instead of once a run.
[[nodiscard]] std::vector<LossGroup> separated(const LossGroup& all);

enum class Side { above, below };

/// The composition of all groups, which have been fitted, on the side asked for; groups meet on multiples of `common_step`. Adds the points that
/// were transformed to `work`.
[[nodiscard]] TiltedComposition compose(const std::vector<LossGroup>& groups, Side side, double order,
                                        TiltedComposition::Transform transform, double common_step,
                                        std::size_t& work);

}  // namespace gauze::internal
