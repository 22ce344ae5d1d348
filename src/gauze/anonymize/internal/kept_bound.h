#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace gauze::anonymize::internal {

/// A sum of lines a s - b, of those that are above 0 at some s.
struct Lines {
  double slope = 0;   ///< the sum of a
  double offset = 0;  ///< the sum of b
  void add_above_zero(double a, double b, double s) {
    if (a * s <= b) return;
    slope += a;
    offset += b;
  }
};

/// An upper bound on the s <= records with sum of max(0, a_i s - b_i) <= total s, a_i and b_i >= 0: lines_at(s) gives
/// the lines that are above 0 at s.
///
/// The difference g(s) of the sides is convex and 0 at 0, so g <= 0 on one interval [0, s*] only. Where g(s) > 0, the lines
/// above 0 at s are a lower bound of the sum everywhere, hence s* is at most their own zero, offset / (slope - total):
/// Newton's step. Every step gives a bound, three are close to the best. Roundings are far below the 1e-10 by which
/// slopes are lowered here, and offsets raised.
template <class LinesAt>
[[nodiscard]] std::uint64_t most_kept(std::uint64_t records, double total, LinesAt lines_at) {
  auto kept = static_cast<double>(records);
  for (int step = 0; step < 3 && kept >= 1; ++step) {
    const Lines lines = lines_at(kept);
    const double slope = lines.slope - total - 1e-10 * (lines.slope + total);
    if (!(slope > 0)) break;  // nor for infinite bounds
    const double next = lines.offset * (1 + 1e-10) / slope;
    if (!(next < kept)) break;
    const bool is_close = next > 0.9 * kept;
    kept = next;
    if (is_close) break;
  }
  return static_cast<std::uint64_t>(std::min(std::floor(kept + 1e-6), static_cast<double>(records)));
}

}  // namespace gauze::anonymize::internal
