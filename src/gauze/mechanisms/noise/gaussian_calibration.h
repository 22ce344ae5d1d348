#pragma once

#include "gauze/base/interval.h"

namespace gauze {

/// The exact delta of the continuous Gaussian mechanism at epsilon, for noise of `ratio` = sigma / sensitivity:
/// Phi(1/(2 ratio) - epsilon ratio) - e^epsilon Phi(-1/(2 ratio) - epsilon ratio)  (Balle, Wang 2018, theorem 8).
[[nodiscard]] Interval gaussian_delta(const Rational& epsilon, const Rational& ratio, mpfr_prec_t precision = 320);

/// Whether that delta is certainly at most `delta`. A few digits nearly always decide it, and more than those are taken only
/// where they do not: in the far tail (a delta of 1e-300) all of them take three hundred times as long.
[[nodiscard]] bool gaussian_delta_is_at_most(const Rational& delta, const Rational& epsilon, const Rational& ratio);

/// The smallest ratio sigma / sensitivity, up to the last bits of a double, whose delta is certainly at most `delta`.
/// epsilon between 1e-9 and 1e9, delta in (0, 1).
[[nodiscard]] Rational calibrate_gaussian(const Rational& epsilon, const Rational& delta);

/// The exact delta of the discrete Gaussian mechanism on the integers (Canonne, Kamath, Steinke 2020, theorem 7):
/// P[X > epsilon sigma^2 / D - D/2] - e^epsilon P[X > epsilon sigma^2 / D + D/2], D a positive integer.
[[nodiscard]] Interval discrete_gaussian_delta(const Rational& epsilon, const Rational& sigma,
                                               const Rational& sensitivity, mpfr_prec_t precision = 256);

/// A sigma whose delta is certainly at most `delta`, next to one whose delta is not. The delta of the discrete
/// Gaussian is not monotone in sigma, so the returned value itself is checked, and small sigmas are scanned before
/// bisecting.
[[nodiscard]] Rational calibrate_discrete_gaussian(const Rational& epsilon, const Rational& delta,
                                                   const Rational& sensitivity);

}  // namespace gauze
