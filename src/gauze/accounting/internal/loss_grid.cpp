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
/// Error of a difference of two tails, relative to the larger.
constexpr double kRounding = 4e-16;
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

double best_offset(const PrivacyLoss& loss, double step) {
  // The most massive of the places where mass may pile up: no loss, and the ends of a bounded loss.
  const auto mass = [&](double centre) {
    const PrivacyLoss::Tail low = loss.above(centre - step / 2), high = loss.above(centre + step / 2);
    return PrivacyLoss::Tail{low.p - high.p, low.q - high.q};
  };
  double centre = 0;
  for (const double end : {loss.lowest(), loss.highest()})
    if (std::isfinite(end) && mass(end).p > mass(centre).p) centre = end;
  for (int round = 0; round < 8; ++round) {
    const PrivacyLoss::Tail near = mass(centre);
    if (!(near.p > 1e-3) || !(near.q > 0)) break;
    centre = std::clamp(std::log1p((near.p - near.q) / near.q), centre - step / 2, centre + step / 2);
  }
  return std::remainder(centre, step);
}

LossGrid grid_above(const PrivacyLoss& loss, const LossRange& range, double step, double offset) {
  LossGrid grid{.step = step,
                .offset = offset,
                .first = static_cast<std::int64_t>(std::floor((range.low - offset) / step)),
                .mass = {},
                .rounding = {},
                .infinite = 0};
  const auto last = static_cast<std::int64_t>(std::ceil((range.high - offset) / step));
  const auto edge = [&](std::int64_t i) { return offset + static_cast<double>(i) * step; };
  grid.mass.assign(static_cast<std::size_t>(last - grid.first + 1), 0.0);
  grid.rounding.assign(grid.mass.size(), 0.0);
  const double one_minus = -std::expm1(-step);
  PrivacyLoss::Tail upper = loss.above(edge(grid.first));
  grid.mass[0] = std::max(0.0, 1 - upper.p);
  for (std::int64_t i = grid.first; i < last; ++i) {
    const double epsilon = edge(i);
    const PrivacyLoss::Tail next = loss.above(edge(i + 1));
    const double p = std::max(0.0, upper.p - next.p);
    const double q = std::max(0.0, upper.q - next.q);
    // a + b = p at the two ends, a e^-epsilon + b e^-(epsilon + step) = q; rounded towards the upper end.
    const double b = std::clamp((p - std::exp(epsilon) * q + kSlack * upper.p) / one_minus, 0.0, p);
    const auto place = static_cast<std::size_t>(i - grid.first);
    grid.mass[place] += p - b;
    grid.mass[place + 1] += b;
    grid.rounding[place] += kRounding * upper.p;
    grid.rounding[place + 1] += kRounding * upper.p;
    upper = next;
  }
  grid.infinite = upper.p;
  return grid;
}

LossGrid grid_below(const PrivacyLoss& loss, const LossRange& range, double step, double offset, bool steep) {
  const double infinite = loss.infinite_mass();
  const auto first = static_cast<std::int64_t>(std::floor((range.low - offset) / step)) - 1;
  const auto last = static_cast<std::int64_t>(std::ceil((range.high - offset) / step)) + 1;
  const auto count = static_cast<std::size_t>(last - first + 1);
  const auto place = [&](std::size_t i) {
    return offset + static_cast<double>(first + static_cast<std::int64_t>(i)) * step;
  };
  // Tangents to the curve f(t) = P[L > ln t] - t Q[L > ln t] in the middle of each cell: t -> p - t q. At a grid point the
  // lower of its two neighbours' counts, so that in each cell the chord stays below that cell's tangent.
  std::vector<PrivacyLoss::Tail> tangent(count - 1);
  for (std::size_t i = 0; i + 1 < count; ++i) {
    tangent[i] = loss.above(place(i) + step / 2);
    tangent[i].p -= infinite;
  }
  for (std::size_t i = count - 2; steep && i-- > 0;) {
    const double t = std::exp(place(i + 1));
    const double after = tangent[i + 1].p - t * tangent[i + 1].q;
    if (tangent[i].p - t * tangent[i].q >= 0.8 * after) continue;
    tangent[i] = loss.above(place(i + 1));
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
  LossGrid grid{.step = step,
                .offset = offset,
                .first = first,
                .mass = std::vector<double>(count, 0.0),
                .rounding = std::vector<double>(count, 0.0),
                .infinite = infinite * (1 - kSlack)};
  for (std::size_t c = 1; c < hull.size(); ++c) {
    const double before = (hull[c].v - hull[c - 1].v) / (hull[c].t - hull[c - 1].t);
    const double after = c + 1 == hull.size() ? 0 : (hull[c + 1].v - hull[c].v) / (hull[c + 1].t - hull[c].t);
    // The corners are right within kSlack of P's tail to their left, and slopes divide that by their distance.
    const double tail = tangent[hull[c].place > 1 ? hull[c].place - 2 : 0].p;
    const double error = kSlack * tail / step;
    grid.rounding[hull[c].place] = kRounding * tail;
    grid.mass[hull[c].place] = std::max(0.0, hull[c].t * (after - before) - error);
  }
  return grid;
}

}  // namespace gauze::internal
