#pragma once

#include <functional>

#include "gauze/base/error.h"
#include "gauze/base/rational.h"

namespace gauze::text {

/// A figure that grows with epsilon, in [0, 1]: the mean of N_w, a quantile of it, the success of the best guess.
using FigureOfEpsilon = std::function<Result<double>(const Rational& epsilon)>;

struct EpsilonChoice {
  Rational epsilon;     ///< four significant digits
  double achieved = 0;  ///< the figure there, at most the target
  double next = 0;      ///< the figure at the next larger epsilon of four digits, above the target
  int evaluations = 0;
};

/// Whether the figure is known to grow with epsilon. The success of a guess with a prior does not always under SanText+: at a
/// large epsilon a common word that is replaced becomes a rare one that nobody expects, and guessing gets harder again.
enum class FigureGrows { always, perhaps };

/// The largest epsilon of four significant digits at which the figure is at most the target, by bisection: an epsilon means
/// nothing without its vectors, a target does. `invalid_parameter` when the target is not between 0 and 1, or when no
/// epsilon from 1e-6 to 1e6 has the figure on either side of it. Where it only perhaps grows, epsilons from 1e-3 to 1e4 are
/// tried, eight a decade, and the result is below the first at which the target is exceeded.
[[nodiscard]] Result<EpsilonChoice> choose_epsilon(const FigureOfEpsilon& figure, double target,
                                                   FigureGrows grows = FigureGrows::always);

}  // namespace gauze::text
