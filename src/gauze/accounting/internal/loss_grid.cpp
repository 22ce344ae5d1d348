#include "gauze/accounting/internal/loss_grid.h"

#include <algorithm>
#include <cmath>

namespace gauze::internal {
namespace {

/// Where a falling function between a and b comes down to `level`, from above and to the last place: an atom may be there.
template <class Function>
double crossing(Function falling, double a, double b, double level) {
  for (int round = 0; round < 110 && b - a > 2e-16 * std::max(std::abs(a), std::abs(b)); ++round) {
    const double middle = (a + b) / 2;
    (falling(middle) > level ? a : b) = middle;
  }
  return b;
}

/// The first place from zero on at which a falling function is at most `level`, and no further than `end`, unless the
/// function jumps only there.
template <class Function>
double reach(Function falling, double end, double level) {
  if (std::isfinite(end) && falling(end - 1e-9 * std::abs(end)) > level) return end;
  double b = 1e-9;
  while (b < std::min(end, 1e5) && falling(b) > level) b *= 2;
  return crossing(falling, 0, std::min(b, end), level);
}

/// How far off p - e^epsilon q may be for differences p and q of tails, relative to the larger tail of P. The loss
/// itself is off by some units in its last place too, which is accounted for where losses are summed.
double slack(const PrivacyLoss::Tail& tail, double epsilon) {
  return 5 * tail.error + 4e-16 * (3 + std::abs(epsilon));
}
/// Losses beyond it are as good as infinite: e^600 is near the end of the doubles.
constexpr double kLargestLoss = 600;

/// Tangents to the curve f(t) = P[L > ln t] - t Q[L > ln t], t -> p - t q, one in each cell between grid points.
class Tangents {
 public:
  Tangents(const PrivacyLoss& loss, double step, double offset, std::int64_t first, std::size_t points)
      : loss_(loss), infinite_(loss.infinite_mass()), step_(step), offset_(offset), first_(first), t_(points) {
    for (std::size_t i = 0; i < points; ++i) t_[i] = std::exp(place(i));
    lines_.reserve(points - 1);
    for (std::size_t i = 0; i + 1 < points; ++i) lines_.push_back(tangent(place(i) + step / 2));
  }
  [[nodiscard]] double t(std::size_t i) const { return t_[i]; }
  [[nodiscard]] double place(std::size_t i) const {
    return offset_ + static_cast<double>(first_ + static_cast<std::int64_t>(i)) * step_;
  }

  /// At a grid point the lower of its neighbours counts, so that in each cell the chord stays below that cell's tangent.
  [[nodiscard]] double value(std::size_t i) const {
    double lowest = std::numeric_limits<double>::infinity();
    if (i > 0) lowest = std::min(lowest, height(i - 1, i));
    if (i + 1 < t_.size()) lowest = std::min(lowest, height(i, i));
    return lowest;
  }

  /// Tangents in the middles of two cells seldom meet at their common end; the lower one counts there, and where the curve
  /// bends much more in one cell than in the next it is too low by far. From both ends towards the heaviest point,
  /// tangents are moved such that they meet.
  void settle() {
    const std::size_t cells = lines_.size(), heavy = heaviest();
    double after = 0;  // the value at the right end of the cell
    for (std::size_t i = cells; i-- > heavy;) {
      if (height(i, i + 1) < after * (1 - kWorthwhile)) {
        double bad = place(i) + step_ / 2, good = place(i + 1);
        for (int round = 0; round < kRounds; ++round) {
          const double between = (bad + good) / 2;
          lines_[i] = tangent(between);
          (height(i, i + 1) < after ? bad : good) = between;
        }
        lines_[i] = tangent(good);
      }
      after = std::max(0.0, height(i, i));
    }
    double before =
        height(0, 0);  // the value at the left end; how far it is above the line that every curve begins with
    for (std::size_t i = 0; i < heavy; ++i) {
      const double above = before - (1 - infinite_ - t_[i]);
      const double wanted = before - kWorthwhile * std::max(0.0, above) - 4e-14;
      if (height(i, i) < wanted) {
        double bad = place(i) + step_ / 2, good = place(i);
        for (int round = 0; round < kRounds; ++round) {
          const double between = (bad + good) / 2;
          lines_[i] = tangent(between);
          (height(i, i) < wanted ? bad : good) = between;
        }
        lines_[i] = tangent(good);
      }
      before = height(i, i + 1);
    }
  }

  /// A curve must not end below zero: a tangent that does so within its cell is moved towards the cell's end, or given up
  /// together with all that lies to the right.
  void stay_above_zero() {
    for (std::size_t i = lines_.size(); i-- > 0;) {
      if (height(i, i + 1) < 0) stay_above_zero(i);
    }
  }

  /// The grid point next to which most of P lies.
  [[nodiscard]] std::size_t heaviest() const {
    std::size_t best = 0;
    double most = 0;
    for (std::size_t i = 1; i < lines_.size(); ++i) {
      if (lines_[i - 1].p - lines_[i].p > most) {
        most = lines_[i - 1].p - lines_[i].p;
        best = i;
      }
    }
    return best;
  }

  /// Where the two tangents beside a grid point meet: the loss of what lies between where they touch.
  [[nodiscard]] double meeting(std::size_t i) const {
    if (i == 0 || i >= lines_.size()) return place(i);
    const double p = lines_[i - 1].p - lines_[i].p, q = lines_[i - 1].q - lines_[i].q;
    return p > 0 && q > 0 ? std::log1p((p - q) / q) : place(i);
  }

 private:
  static constexpr int kRounds = 10;
  /// What a value may lose before a better tangent is looked for, relative.
  static constexpr double kWorthwhile = 1e-4;

  void stay_above_zero(std::size_t i) {
    double bad = place(i), good = place(i + 1);
    lines_[i] = tangent(good);
    if (height(i, i + 1) < 0) {
      lines_[i] = {};
      // An atom at the end of the cell is not beyond it: what touches shortly before may still do.
      good = place(i + 1) - 1e-6 * step_;
      const PrivacyLoss::Tail line = tangent(good);
      if (line.p - t_[i + 1] * line.q - slack(line, place(i + 1)) * (line.p + infinite_) < 0) return;
    }
    for (int round = 0; round < 2 * kRounds; ++round) {
      const double between = (bad + good) / 2;
      lines_[i] = tangent(between);
      (height(i, i + 1) < 0 ? bad : good) = between;
    }
    lines_[i] = tangent(good);
  }
  [[nodiscard]] PrivacyLoss::Tail tangent(double epsilon) const {
    PrivacyLoss::Tail line = loss_.above(epsilon);
    line.p -= infinite_;
    return line;
  }
  [[nodiscard]] double height(std::size_t cell, std::size_t i) const {
    const PrivacyLoss::Tail& line = lines_[cell];
    if (line.q <= 0) return 0;
    return line.p - t_[i] * line.q - slack(line, place(i)) * (line.p + infinite_);
  }

  const PrivacyLoss& loss_;
  double infinite_, step_, offset_;
  std::int64_t first_;
  std::vector<double> t_;
  std::vector<PrivacyLoss::Tail> lines_;
};

}  // namespace

LossRange loss_range(const PrivacyLoss& loss, double tail) {
  const double infinite = loss.infinite_mass();
  // Mass of P below a negative loss is smaller than that of Q there, which is 1 - Q[above].
  const double high =
      reach([&](double epsilon) { return loss.above(epsilon).p - infinite; }, std::max(0.0, loss.highest()), tail);
  const double low =
      -reach([&](double epsilon) { return 1 - loss.above(-epsilon).q; }, std::max(0.0, -loss.lowest()), 1e-14);
  LossRange range;
  range.low = std::clamp(low, -kLargestLoss, kLargestLoss);
  range.high = std::clamp(high, range.low, kLargestLoss);
  return range;
}

bool has_atoms_at_ends(const PrivacyLoss& loss, const LossRange& range) {
  const double width = range.high - range.low;
  if (width <= 0) return false;
  const auto mass = [&](double from, double to) { return loss.above(from).p - loss.above(to).p; };
  const double near = 1e-9 * width;
  return std::min(mass(range.low - near, range.low + near), mass(range.high - near, range.high + near)) > 1e-9;
}

std::optional<double> lattice_step(const PrivacyLoss& loss, const LossRange& range) {
  constexpr double kMostAtoms = 20000;
  const double width = range.high - range.low;
  if (width <= 0) return std::nullopt;
  // The highest atom, and the next below it.
  const double infinite = loss.infinite_mass(), near = 1e-9 * width / kMostAtoms;
  const auto upper = [&](double epsilon) { return loss.above(epsilon).p - infinite; };
  const double next = crossing(upper, range.low - near, range.high, upper(range.high - near) * (1 + 1e-9));
  const double atoms = std::round(width / (range.high - next));
  if (!(atoms >= 1 && atoms <= kMostAtoms)) return std::nullopt;
  const double step = width / atoms;
  // Every cell between two atoms must be empty, but for what rounding makes of nothing.
  double above = upper(range.high - near);
  for (double i = 1; i <= atoms; ++i) {
    const double atom = range.high - i * step;
    const double between = upper(atom + near) - above;
    if (between > 1e-13 * above) return std::nullopt;
    above = upper(atom - near);
  }
  return step;
}

double best_offset(const PrivacyLoss& loss, const LossRange& range, double step) {
  // The most massive of the places where mass may pile up: no loss, the median, and the ends.
  const auto mass = [&](double centre) {
    const PrivacyLoss::Tail low = loss.above(centre - step / 2), high = loss.above(centre + step / 2);
    return PrivacyLoss::Tail{low.p - high.p, low.q - high.q};
  };
  const auto upper = [&](double epsilon) { return loss.above(epsilon).p; };
  const double median = crossing(upper, range.low - step, range.high, 0.5);
  double centre = 0;
  for (const double other : {median, range.low, range.high})
    if (mass(other).p > mass(centre).p * (1 + 1e-9)) centre = other;
  for (int round = 0; round < 8; ++round) {
    const PrivacyLoss::Tail near = mass(centre);
    if (!(near.p > 1e-3) || !(near.q > 0)) break;
    centre = std::clamp(std::log1p((near.p - near.q) / near.q), centre - step / 2, centre + step / 2);
  }
  return centre;
}

double offset_at_low_end(const PrivacyLoss& loss, const LossRange& range) {
  // Tangents are rounded down: an atom at the upper end stays if its grid point lies a little below it.
  const double width = range.high - range.low;
  return range.low - 3 * slack(loss.above(range.high - 1e-9 * width), std::abs(range.low) + width);
}

double best_offset_below(const PrivacyLoss& loss, const LossRange& range, double step) {
  double centre = best_offset(loss, range, step);
  constexpr std::int64_t kAround = 40;
  for (int round = 0; round < 6; ++round) {
    Tangents near(loss, step, centre, -kAround, 2 * kAround + 1);
    const std::size_t heavy = near.heaviest();
    near.settle();
    const double moved = near.meeting(heavy) - near.place(heavy);
    if (!(std::abs(moved) <= step)) break;
    centre += moved;
    if (std::abs(moved) < 1e-15) break;
  }
  // Rounded down as above.
  return centre - 3 * slack(loss.above(centre - step), centre);
}

double log_moment(const LossGrid& grid, double order) {
  const auto exponent = [&](std::size_t i) {
    return order * (grid.offset + static_cast<double>(grid.first + static_cast<std::int64_t>(i)) * grid.step);
  };
  double peak = -std::numeric_limits<double>::infinity(), sum = 0;
  for (std::size_t i = 0; i < grid.mass.size(); ++i)
    if (grid.mass[i] > 0) peak = std::max(peak, exponent(i) + std::log(grid.mass[i]));
  for (std::size_t i = 0; i < grid.mass.size(); ++i)
    if (grid.mass[i] > 0) sum += grid.mass[i] * std::exp(exponent(i) - peak);
  return peak + std::log(sum);
}

LossGrid grid_above(const PrivacyLoss& loss, const LossRange& range, double step, double offset) {
  LossGrid grid{.step = step,
                .offset = offset,
                .first = static_cast<std::int64_t>(std::floor((range.low - offset) / step)),
                .mass = {},
                .infinite = 0};
  // A point further than rounding takes an atom at the upper end, which else might count as infinite.
  const auto last = static_cast<std::int64_t>(std::ceil((range.high - offset) / step + 1e-6));
  const auto edge = [&](std::int64_t i) { return offset + static_cast<double>(i) * step; };
  grid.mass.assign(static_cast<std::size_t>(last - grid.first + 1), 0.0);
  const double one_minus = -std::expm1(-step);
  // Tails are rounded up, masses are their differences: each sum of masses above a point is then large enough.
  const auto tail = [&](std::int64_t i) {
    PrivacyLoss::Tail result = loss.above(edge(i));
    result.p *= 1 + 2 * result.error;
    return result;
  };
  PrivacyLoss::Tail upper = tail(grid.first);
  grid.mass[0] = std::max(0.0, 1 - upper.p);
  for (std::int64_t i = grid.first; i < last; ++i) {
    const double epsilon = edge(i);
    const PrivacyLoss::Tail next = tail(i + 1);
    const double p = std::max(0.0, upper.p - next.p);
    const double q = std::max(0.0, upper.q - next.q);
    // a + b = p at the two ends, a e^-epsilon + b e^-(epsilon + step) = q; rounded towards the upper end.
    const double up = (p - std::exp(epsilon) * q + slack(upper, epsilon) * upper.p) / one_minus;
    const double b = std::clamp(up * (1 + 1e-15), 0.0, p);
    const auto place = static_cast<std::size_t>(i - grid.first);
    grid.mass[place] += p - b;
    grid.mass[place + 1] += b;
    upper = next;
  }
  grid.infinite = upper.p;
  return grid;
}

LossGrid grid_below(const PrivacyLoss& loss, const LossRange& range, double step, double offset) {
  const double infinite = loss.infinite_mass();
  const auto first = static_cast<std::int64_t>(std::floor((range.low - offset) / step)) - 1;
  const auto last = static_cast<std::int64_t>(std::ceil((range.high - offset) / step)) + 1;
  const auto count = static_cast<std::size_t>(last - first + 1);
  Tangents tangents(loss, step, offset, first, count);
  tangents.settle();
  tangents.stay_above_zero();
  // The lower convex hull of these points, from left to right. It begins at (0, 1), where every curve does: a loss of minus
  // infinity, without mass under P. The first grid point must not lie above the tangent there.
  const PrivacyLoss::Tail all =
      std::isfinite(loss.lowest()) ? loss.above(loss.lowest() - 1) : PrivacyLoss::Tail{1, 1};
  struct Corner {
    std::size_t place;
    double t, v;
  };
  std::vector<Corner> hull = {{count, 0, 1 - infinite}};
  for (std::size_t i = 0; i < count; ++i) {
    Corner corner{i, tangents.t(i), tangents.value(i)};
    if (i == 0)
      corner.v = std::max(0.0, std::min(corner.v, 1 - infinite - all.q * corner.t - slack(all, tangents.place(0))));
    while (hull.size() >= 2) {
      const Corner& a = hull[hull.size() - 2];
      const Corner& b = hull.back();
      if ((b.v - a.v) * (corner.t - b.t) < (corner.v - b.v) * (b.t - a.t)) break;
      hull.pop_back();
    }
    hull.push_back(corner);
  }
  // At a corner Q has the change of slope, P e^loss times as much; after the last corner the slope is zero. Slopes are
  // tails of Q: rounded towards zero, and never steeper than the one before, they only lose mass.
  LossGrid grid{.step = step,
                .offset = offset,
                .first = first,
                .mass = std::vector<double>(count, 0.0),
                .infinite = infinite * (1 - 1e-14)};
  double before = 0;
  for (std::size_t c = 0; c < hull.size(); ++c) {
    double after = 0;
    if (c + 1 < hull.size()) {
      const double width =
          c == 0 ? hull[1].t : hull[c].t * std::expm1(static_cast<double>(hull[c + 1].place - hull[c].place) * step);
      const double rounding = 2e-15 + 4e-16 * std::abs(tangents.place(hull[c + 1].place));
      after = std::max(0.0, (hull[c].v - hull[c + 1].v) / width * (1 - rounding));
      if (c > 0) after = std::min(after, before);
    }
    if (c > 0) grid.mass[hull[c].place] = hull[c].t * (before - after);
    before = after;
  }
  return grid;
}

}  // namespace gauze::internal
