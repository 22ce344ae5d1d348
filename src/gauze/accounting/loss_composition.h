#pragma once

#include <optional>
#include <vector>

#include "gauze/accounting/privacy_loss.h"

namespace gauze {

/// A lower and an upper bound on one figure; no lower bound where the pair is only an upper one, infinite where none holds.
struct Bounds {
  std::optional<double> lower;
  double upper = 0;
};

/// How far apart bounds on an epsilon may lie where no tolerance is asked for.
[[nodiscard]] constexpr double default_accuracy(double epsilon) {
  return epsilon * 0.002 > 0.005 ? epsilon * 0.002 : 0.005;
}

/// Mechanisms that are fixed beforehand and run one after the other: each pair, and how often.
struct ComposedLoss {
  struct Part {
    LossPair loss;
    double count = 1;  ///< a whole number from 1 to 1e9
  };
  std::vector<Part> parts;
};

/// The privacy-loss distribution of a composition, in one direction, by Fourier transform with certified bounds.
///
/// Each loss is put on a grid twice, once nowhere below and once nowhere above the true curve; the composition of either
/// is a convolution. Both are tilted by exp(order * loss) before they are transformed, so that rounding errors are
/// relative to the figure asked for, however small: they, and what wraps around, are added to delta.
/// docs/proofs/loss-composition.md
///
/// Losses whose atoms share no grid are composed on grids of their own, and their sums on a common one.
///
/// `tolerance`: how close the bounds shall be (default_accuracy() of an epsilon, a hundredth of a delta when it is zero);
/// grids are refined until they are, or until that would take too long.
/// `enough`: an upper bound as low as this ends the work: of two directions only the worse one counts.
[[nodiscard]] Bounds composed_epsilon(const ComposedLoss& composed, double delta, double tolerance = 0,
                                      double enough = 0);
[[nodiscard]] Bounds composed_delta(const ComposedLoss& composed, double epsilon, double tolerance = 0);

}  // namespace gauze
