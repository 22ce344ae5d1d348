#include "gauze/accounting/internal/loss_grid.h"

#include <algorithm>
#include <cmath>

namespace gauze::internal {
namespace {

/// Searches an epsilon between a and b where a falling function of epsilon crosses `level`, within 0.1 % of its distance
/// from `anchor`.
template <class Function>
double crossing(Function falling, double a, double b, double level) {
  for (int round = 0; round < 60 && b - a > 1e-3 * std::max(std::abs(a), std::abs(b)); ++round) {
    const double middle = (a + b) / 2;
    (falling(middle) > level ? a : b) = middle;
  }
  return b;
}

/// Relative error that tails and a few operations on them may have: some units in the last place.
constexpr double kSlack = 2e-15;
/// Losses beyond it are as good as infinite: e^600 is near the end of the doubles.
constexpr double kLargestLoss = 600;

}  // namespace

LossRange loss_range(const PrivacyLoss& loss, double tail) {
  const double infinite = loss.infinite_mass();
  const auto upper = [&](double epsilon) { return loss.above(epsilon).p - infinite; };
  const auto upper_q = [&](double epsilon) { return loss.above(epsilon).q; };
  LossRange range;
  if (std::isfinite(loss.highest())) {
    range.high = loss.highest();
  } else {
    double b = 1e-6;
    while (b < 1e5 && upper(b) > tail) b *= 2;
    range.high = crossing(upper, 0, b, tail);
  }
  if (std::isfinite(loss.lowest())) {
    range.low = loss.lowest();
  } else {
    // Mass of P below a negative loss is smaller than that of Q there, which is 1 - Q[above].
    double a = -1e-6;
    while (a > -1e5 && 1 - upper_q(a) > 1e-14) a *= 2;
    range.low = a;
  }
  range.low = std::clamp(range.low, -kLargestLoss, kLargestLoss);
  range.high = std::clamp(range.high, range.low, kLargestLoss);
  return range;
}

LossGrid grid_above(const PrivacyLoss& loss, const LossRange& range, double step) {
  LossGrid grid{
      .step = step, .first = static_cast<std::int64_t>(std::floor(range.low / step)), .mass = {}, .infinite = 0};
  const auto last = static_cast<std::int64_t>(std::ceil(range.high / step));
  grid.mass.assign(static_cast<std::size_t>(last - grid.first + 1), 0.0);
  const double one_minus = -std::expm1(-step);
  PrivacyLoss::Tail upper = loss.above(static_cast<double>(grid.first) * step);
  grid.mass[0] = std::max(0.0, 1 - upper.p);
  for (std::int64_t i = grid.first; i < last; ++i) {
    const double epsilon = static_cast<double>(i) * step;
    const PrivacyLoss::Tail next = loss.above(static_cast<double>(i + 1) * step);
    const double p = std::max(0.0, upper.p - next.p);
    const double q = std::max(0.0, upper.q - next.q);
    // a + b = p at the two ends, a e^-epsilon + b e^-(epsilon + step) = q; rounded towards the upper end.
    const double b = std::clamp((p - std::exp(epsilon) * q + kSlack * upper.p) / one_minus, 0.0, p);
    const auto place = static_cast<std::size_t>(i - grid.first);
    grid.mass[place] += p - b;
    grid.mass[place + 1] += b;
    upper = next;
  }
  grid.infinite = upper.p;
  return grid;
}

LossGrid grid_below(const PrivacyLoss& loss, const LossRange& range, double step) {
  const double infinite = loss.infinite_mass();
  const auto first = static_cast<std::int64_t>(std::floor(range.low / step)) - 1;
  const auto last = static_cast<std::int64_t>(std::ceil(range.high / step)) + 1;
  const auto count = static_cast<std::size_t>(last - first + 1);
  const auto place = [&](std::size_t i) { return static_cast<double>(first + static_cast<std::int64_t>(i)) * step; };
  // Tangents to the curve f(t) = P[L > ln t] - t Q[L > ln t] in the middle of each cell: t -> p - t q. At a grid point the
  // lower of its two neighbours' counts, so that in each cell the chord stays below that cell's tangent.
  std::vector<PrivacyLoss::Tail> tangent(count - 1);
  for (std::size_t i = 0; i + 1 < count; ++i) {
    tangent[i] = loss.above(place(i) + step / 2);
    tangent[i].p -= infinite;
  }
  const auto value = [&](std::size_t i, double t) {
    double lowest = std::numeric_limits<double>::infinity();
    if (i > 0) lowest = std::min(lowest, tangent[i - 1].p - t * tangent[i - 1].q - kSlack * tangent[i - 1].p);
    if (i + 1 < count) lowest = std::min(lowest, tangent[i].p - t * tangent[i].q - kSlack * tangent[i].p);
    return std::max(0.0, lowest);
  };
  // The lower convex hull of these points, from left to right. It begins at (0, 1), where every curve does: a loss of minus
  // infinity, without mass under P.
  struct Corner {
    std::size_t place;
    double t, v;
  };
  std::vector<Corner> hull = {{count, 0, 1 - infinite}};
  for (std::size_t i = 0; i < count; ++i) {
    const double t = std::exp(place(i));
    const Corner corner{i, t, value(i, t)};
    while (hull.size() >= 2) {
      const Corner& a = hull[hull.size() - 2];
      const Corner& b = hull.back();
      if ((b.v - a.v) * (corner.t - b.t) < (corner.v - b.v) * (b.t - a.t)) break;
      hull.pop_back();
    }
    hull.push_back(corner);
  }
  // At a corner Q has the change of slope, P e^loss times as much. After the last corner the slope is zero.
  LossGrid grid{
      .step = step, .first = first, .mass = std::vector<double>(count, 0.0), .infinite = infinite * (1 - kSlack)};
  for (std::size_t c = 1; c < hull.size(); ++c) {
    const double before = (hull[c].v - hull[c - 1].v) / (hull[c].t - hull[c - 1].t);
    const double after = c + 1 == hull.size() ? 0 : (hull[c + 1].v - hull[c].v) / (hull[c + 1].t - hull[c].t);
    // The corners are right within kSlack of P's tail to their left, and slopes divide that by their distance.
    const double error = kSlack * tangent[hull[c].place > 1 ? hull[c].place - 2 : 0].p / step;
    grid.mass[hull[c].place] = std::max(0.0, hull[c].t * (after - before) - error);
  }
  return grid;
}

}  // namespace gauze::internal
