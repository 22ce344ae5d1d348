#include "gauze/accounting/loss_composition.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>

#include "gauze/accounting/internal/fourier.h"
#include "gauze/accounting/internal/loss_grid.h"
#include "gauze/accounting/internal/tilt_choice.h"

namespace gauze {
namespace {

using internal::best_order;
using internal::LossGrid;
using internal::LossRange;
using internal::Moments;
using internal::moments;
using internal::Sketch;
using internal::sketch;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kWrapped = 1e-13;  // tilted mass that may lie outside of the transformed window
constexpr std::size_t kLargestGrid = std::size_t{1} << 21;
constexpr std::size_t kMostWork = std::size_t{3} << 20;  // points after which no further grid is begun

/// The tilted composition on one window of the grid.
class Composition {
 public:
  Composition(const std::vector<std::pair<LossGrid, double>>& parts, double order) : order_(order) {
    step_ = parts.front().first.step;
    double rounding = 0, log_keep = 0;
    for (const auto& [grid, repeats] : parts) {
      log_keep += repeats * std::log1p(-std::min(grid.infinite, 0.5));
      rounding += repeats * tilt(grid, repeats);
    }
    infinite_ = -std::expm1(log_keep);
    transform(parts);
    // Each tail is right within a few units in the last place, and so is each step of the transform.
    error_ = rounding + 4e-16 * (1 + moved_) * 64 * static_cast<double>(std::bit_width(window_.size())) + kWrapped;
  }

  /// Whether the window could be made large enough.
  [[nodiscard]] bool valid() const { return !window_.empty(); }
  [[nodiscard]] std::size_t size() const { return window_.size(); }

  /// The smallest epsilon with delta(epsilon) at most delta, where `side` (+1 or -1) adds or subtracts all errors.
  [[nodiscard]] double epsilon(double delta, int side) const {
    const double finite = delta - infinite_ * (1 + side * 1e-12);
    if (finite <= 0) return kInfinity;
    double p = 0, q = 0;  // sums over losses above, in units of exp(scale_), the latter times e^(loss - reference)
    for (std::size_t i = window_.size(); i-- > 0;) {
      const double loss = loss_at(i);
      // Between this grid point and the next one: delta = e^scale (p - e^(epsilon - reference) q) + error.
      const double here = log_delta(p, q, loss, side);
      if (here > std::log(finite)) {
        const double wanted = std::exp(std::log(finite) - log_scale_) - side * error_at(loss);
        if (q <= 0) return std::max(0.0, loss);
        const double cut = (p - wanted) / q;
        const double epsilon = cut > 0 ? reference_ + std::log(cut) : loss;
        return std::max(0.0, std::clamp(epsilon, loss, loss + step_));
      }
      if (window_[i] > 0) {
        const double weight = window_[i] * std::exp(-order_ * (loss - reference_));
        p += weight;
        q += weight * std::exp(-(loss - reference_));
      }
      if (loss < -step_) return 0;
    }
    // Not in the window: its lower end still bounds from above, and nothing is known from below.
    return side > 0 ? std::max(0.0, loss_at(0)) : 0;
  }

  /// Whether the answer lies inside the window and stands out from the errors; if not, the tilt was wrong.
  [[nodiscard]] bool answers_epsilon(double delta) const {
    const double found = epsilon(delta, 1);
    const bool clear = std::log(error_at(found)) + log_scale_ < std::log(0.01 * delta);
    return clear && (found == 0 || found > std::max(0.0, loss_at(1)));
  }
  [[nodiscard]] bool answers_delta(double epsilon) const { return epsilon >= loss_at(0) && error_at(epsilon) < 1e-3; }

  /// A tilt whose mean would lie at the answer, as far as this one tells.
  [[nodiscard]] double better_order(double answer) const {
    return order_ * std::clamp(1 + (answer - reference_) / (variance_ * order_), 0.25, 4.0);
  }

  [[nodiscard]] double delta(double epsilon, int side) const {
    double p = 0, q = 0;
    for (std::size_t i = window_.size(); i-- > 0;) {
      const double loss = loss_at(i);
      if (loss <= epsilon) break;
      const double weight = window_[i] * std::exp(-order_ * (loss - reference_));
      p += weight;
      q += weight * std::exp(-(loss - reference_));
    }
    const double finite = std::exp(log_delta(p, q, epsilon, side));
    return std::clamp(finite + infinite_ * (1 + side * 1e-12), 0.0, 1.0);
  }

 private:
  /// Returns how far off the tilted masses may be, all together.
  double tilt(const LossGrid& grid, double repeats) {
    double peak = -kInfinity;
    for (std::size_t i = 0; i < grid.mass.size(); ++i) {
      if (grid.mass[i] > 0) peak = std::max(peak, order_ * loss_of(grid, i) + std::log(grid.mass[i]));
    }
    std::vector<double> weights(grid.mass.size());
    double sum = 0, first = 0, second = 0, rounding = 0;
    for (std::size_t i = 0; i < grid.mass.size(); ++i) {
      const double factor = std::exp(order_ * loss_of(grid, i) - peak);
      rounding += grid.rounding[i] * factor;
      if (grid.mass[i] <= 0) continue;
      weights[i] = grid.mass[i] * factor;
      sum += weights[i];
      first += weights[i] * loss_of(grid, i);
      second += weights[i] * loss_of(grid, i) * loss_of(grid, i);
    }
    for (double& weight : weights) weight /= sum;
    log_moment_ += repeats * (peak + std::log(sum));
    mean_ += repeats * first / sum;
    variance_ += repeats * std::max(0.0, second / sum - first / sum * (first / sum));
    tilted_.push_back(std::move(weights));
    part_means_.push_back(first / sum);
    heaviest_.push_back(static_cast<std::size_t>(std::max_element(tilted_.back().begin(), tilted_.back().end()) -
                                                 tilted_.back().begin()));
    double rest = 0;
    for (std::size_t i = 0; i < tilted_.back().size(); ++i) rest += i == heaviest_.back() ? 0 : tilted_.back()[i];
    rest_.push_back(rest);
    moved_ += repeats * rest;
    offset_ += repeats * loss_of(grid, heaviest_.back());
    return rounding / sum + 4e-16;
  }

  /// How far from the mean a tilted sum strays with probability kWrapped / 2 on either side, by Chernoff's bound.
  [[nodiscard]] double reach(const std::vector<std::pair<LossGrid, double>>& parts, int side) const {
    const double deviation = std::sqrt(variance_) + step_;
    double shortest = kInfinity;
    for (const double s : {1e-3, 0.1, 1.0, 2.0, 3.5, 5.0, 7.0, 12.0}) {
      const double slope = side * s / deviation;
      double log_moment = 0;
      for (std::size_t k = 0; k < parts.size(); ++k) {
        const LossGrid& grid = parts[k].first;
        double sum = 0;
        for (std::size_t i = 0; i < tilted_[k].size(); ++i) {
          if (tilted_[k][i] > 0) sum += tilted_[k][i] * std::exp(slope * (loss_of(grid, i) - part_means_[k]));
        }
        log_moment += parts[k].second * std::log(sum);
      }
      const double distance = (log_moment - std::log(kWrapped / 2)) / std::abs(slope);
      if (std::isfinite(distance)) shortest = std::min(shortest, distance);
    }
    return shortest;
  }

  void transform(const std::vector<std::pair<LossGrid, double>>& parts) {
    const double below = reach(parts, -1), above = reach(parts, 1);
    const double points = (below + above) / step_ + 4;
    if (!(points < static_cast<double>(kLargestGrid))) return;
    const std::size_t n = std::bit_ceil(static_cast<std::size_t>(points) + 1);
    first_ = static_cast<std::int64_t>(std::floor((mean_ - offset_ - below) / step_)) - 1;
    // The heaviest point of a part counts as no move, and only the rest is transformed: errors are then relative to the
    // rest, which is tiny for a mechanism that is rarely sampled. ln(1 + z), z the transform minus its value at zero.
    std::vector<std::complex<double>> product(n, 0.0);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const std::size_t heavy = heaviest_[k];
      std::vector<std::complex<double>> folded(n, 0.0);
      for (std::size_t i = 0; i < tilted_[k].size(); ++i) {
        if (i != heavy)
          folded[fold(static_cast<std::int64_t>(i) - static_cast<std::int64_t>(heavy), n)] += tilted_[k][i];
      }
      internal::fourier_transform(folded, false);
      // Masses are real, so the upper half of the frequencies mirrors the lower one.
      const double rest = rest_[k];
      for (std::size_t i = 0; i <= n / 2; ++i) product[i] += log_power(folded[i] - rest, parts[k].second);
    }
    for (std::size_t i = 0; i <= n / 2; ++i) {
      product[i] = product[i].real() < kNothing
                       ? 0.0
                       : std::polar(std::exp(product[i].real()), std::remainder(product[i].imag(), 2 * M_PI));
      if (i > 0) product[n - i] = std::conj(product[i]);
    }
    internal::fourier_transform(product, true);
    window_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double value = product[fold(first_ + static_cast<std::int64_t>(i), n)].real() / static_cast<double>(n);
      window_[i] = std::max(0.0, value);
    }
    reference_ = mean_;
    log_scale_ = log_moment_ - order_ * reference_;
  }

  /// count x ln(1 + z), accurate for small z. What would be as good as zero gets no angle.
  static constexpr double kNothing = -700;
  static std::complex<double> log_power(const std::complex<double>& z, double count) {
    const double x = z.real(), y = z.imag();
    const double real = count * std::log1p(std::max(-1.0, 2 * x + x * x + y * y)) / 2;
    return real < kNothing ? std::complex(2 * kNothing, 0.0) : std::complex(real, count * std::atan2(y, 1 + x));
  }
  static std::size_t fold(std::int64_t index, std::size_t n) {
    const auto size = static_cast<std::int64_t>(n);
    return static_cast<std::size_t>(((index % size) + size) % size);
  }
  [[nodiscard]] double loss_of(const LossGrid& grid, std::size_t i) const {
    return grid.offset + static_cast<double>(grid.first + static_cast<std::int64_t>(i)) * step_;
  }
  [[nodiscard]] double loss_at(std::size_t i) const {
    return offset_ + static_cast<double>(first_ + static_cast<std::int64_t>(i)) * step_;
  }
  /// Errors of the tilted masses weigh at most e^(-order (loss - reference)) above a loss.
  [[nodiscard]] double error_at(double loss) const { return error_ * std::exp(-order_ * (loss - reference_)); }
  [[nodiscard]] double log_delta(double p, double q, double epsilon, int side) const {
    const double value = p - std::exp(epsilon - reference_) * q + side * error_at(epsilon);
    return value > 0 ? std::log(value) + log_scale_ : -kInfinity;
  }

  double order_;
  double step_ = 0;
  double offset_ = 0;  // loss of the sum when every part has its heaviest point
  double moved_ = 0;   // expected number of parts that do not
  std::vector<std::size_t> heaviest_;
  std::vector<double> rest_;
  double infinite_ = 0;
  double error_ = 0;
  double log_moment_ = 0, mean_ = 0, variance_ = 0;
  double reference_ = 0, log_scale_ = 0;
  std::int64_t first_ = 0;
  std::vector<std::vector<double>> tilted_;
  std::vector<double> part_means_;
  std::vector<double> window_;  // tilted masses at (first_ + i) * step_
};

/// What is asked of a composition: epsilon at a delta or the other way round.
struct Question {
  double log_delta = 0;  // for choosing the tilt
  double tail = 0;       // what a part may put at infinity
  std::function<double(const Composition&, int)> figure;
  std::function<double(double order, const Moments&)> bound;  // Chernoff's, to minimise
  std::function<bool(const Composition&)> is_answered;
  std::function<double(const Composition&)> place;  // the loss at which the answer is found
  double enough = 0;                                // a bound as low as this is as good as any
};

enum class Side { above, below, below_steep };

std::vector<std::pair<LossGrid, double>> on_grids(const ComposedLoss& composed, const std::vector<LossRange>& ranges,
                                                  double step, Side side) {
  std::vector<std::pair<LossGrid, double>> result;
  for (std::size_t i = 0; i < composed.parts.size(); ++i) {
    const PrivacyLoss& loss = *composed.parts[i].loss;
    const double offset = internal::best_offset(loss, step);
    result.emplace_back(side == Side::above
                            ? internal::grid_above(loss, ranges[i], step, offset)
                            : internal::grid_below(loss, ranges[i], step, offset, side == Side::below_steep),
                        composed.parts[i].count);
  }
  return result;
}

/// A step not larger that leads from one end of a bounded loss to the other: such losses have atoms at both ends. Of
/// several such losses the one that spreads the sum most counts.
double fitting_step(const ComposedLoss& composed, double step) {
  double fitting = step, most = 0;
  for (const auto& part : composed.parts) {
    const double width = part.loss->highest() - part.loss->lowest();
    if (!std::isfinite(width) || width <= step || part.count * width * width <= most) continue;
    most = part.count * width * width;
    fitting = width / std::ceil(width / step);
  }
  return fitting;
}

Bounds answer(const ComposedLoss& composed, const Question& question, double tolerance, bool figure_is_epsilon) {
  std::vector<LossRange> ranges;
  std::vector<Sketch> sketches;
  double count = 0, widest = 0;
  bool tight = true;
  for (const auto& part : composed.parts) count += part.count;
  for (const auto& part : composed.parts) {
    ranges.push_back(internal::loss_range(*part.loss, question.tail / count));
    sketches.push_back(sketch(*part.loss, ranges.back(), part.count));
    widest = std::max(widest, ranges.back().high - ranges.back().low);
    tight = tight && part.loss->is_tight();
  }
  // Beyond such an order the tilt leaves nothing but the largest loss.
  double order = best_order(500 / widest, [&](double o) { return question.bound(o, moments(sketches, o)); });
  const Moments tilted = moments(sketches, order);
  const double estimate = std::max(0.0, question.bound(order, tilted));
  // For a delta the tolerance is relative.
  const double goal = tolerance > 0 ? tolerance : figure_is_epsilon ? std::max(0.005, 0.002 * estimate) : 0.01;
  // A grid adds at most step^2 / 4 to the variance of each loss, which moves epsilon by half of that times the order.
  double step = std::min({std::sqrt(3 * goal / (order * count)),
                          std::max(std::sqrt(tilted.variance / count) / 2, widest / 4096), widest / 64});
  const double finest = widest / static_cast<double>(kLargestGrid / 4);

  const auto wanted_gap = [&](const Bounds& known) {
    if (!figure_is_epsilon) return std::max(goal * known.upper, 1e-300);
    return tolerance > 0 ? tolerance : std::max(0.005, 0.002 * known.upper);
  };

  Bounds bounds{.lower = std::nullopt, .upper = kInfinity};
  double previous_gap = kInfinity;
  std::size_t work = 0;  // points transformed
  Side kind = Side::below;
  bool switched = false;
  for (int round = 0, weaker = 0; round < 6; ++round) {
    step = fitting_step(composed, std::max(step, finest));
    const Composition above(on_grids(composed, ranges, step, Side::above), order);
    work += above.size();
    if (!above.valid()) break;
    bounds.upper = std::min(bounds.upper, question.figure(above, 1));
    if (bounds.upper <= question.enough) break;
    if (!question.is_answered(above) && weaker < 8 && work <= kMostWork) {
      // Chernoff's bound was far off, and so is the window around the tilted mean.
      const double better = std::min(above.better_order(question.place(above)), 500 / widest);
      if (std::abs(better - order) > 0.02 * order) {
        order = better;
        ++weaker;
        --round;
        continue;
      }
    }
    if (!tight) break;
    const auto raise_lower = [&](Side side) {
      const Composition below(on_grids(composed, ranges, step, side), order);
      work += below.size();
      if (below.valid()) bounds.lower = std::max(bounds.lower.value_or(0), question.figure(below, -1));
    };
    raise_lower(kind);
    if (!bounds.lower) break;
    const double wanted = wanted_gap(bounds);
    double gap = bounds.upper - *bounds.lower;
    if (gap > wanted && !switched && (gap > 0.95 * previous_gap || gap > 30 * wanted) && work <= kMostWork) {
      // Which tangents lose less depends on whether many small losses or a few large ones make the figure.
      switched = true;
      raise_lower(Side::below_steep);
      if (bounds.upper - *bounds.lower < 0.95 * gap) kind = Side::below_steep;
      gap = bounds.upper - *bounds.lower;
    }
    // A finer grid no longer helps once rounding is what keeps the bounds apart.
    if (gap <= wanted || step <= finest || gap > 0.95 * previous_gap || work > kMostWork) break;
    previous_gap = gap;
    // The gap falls with the square of the step.
    step *= std::clamp(0.9 * std::sqrt(wanted / gap), 0.1, 0.7);
  }
  return bounds;
}

}  // namespace

Bounds composed_epsilon(const ComposedLoss& composed, double delta, double tolerance, double enough) {
  const double log_delta = std::log(delta);
  Bounds bounds = answer(composed,
                         {.log_delta = log_delta,
                          .tail = delta * 1e-5,
                          .figure = [=](const Composition& c, int side) { return c.epsilon(delta, side); },
                          .bound = [=](double order, const Moments& m) { return (m.log_moment - log_delta) / order; },
                          .is_answered = [=](const Composition& c) { return c.answers_epsilon(delta); },
                          .place = [=](const Composition& c) { return c.epsilon(delta, 1); },
                          .enough = enough},
                         tolerance, true);
  // No epsilon is ever larger than all losses together.
  double largest = 0, infinite = 0;
  for (const auto& part : composed.parts) {
    largest += part.count * part.loss->highest();
    infinite += part.count * part.loss->infinite_mass();
  }
  if (infinite <= delta) bounds.upper = std::min(bounds.upper, std::max(0.0, largest) * (1 + 1e-13));
  if (bounds.lower) bounds.lower = std::min(*bounds.lower, bounds.upper);
  return bounds;
}

Bounds composed_delta(const ComposedLoss& composed, double epsilon, double tolerance) {
  const auto bound = [=](double order, const Moments& m) { return m.log_moment - order * epsilon; };
  return answer(composed,
                {.log_delta = 0,
                 .tail = 1e-30,
                 .figure = [=](const Composition& c, int side) { return c.delta(epsilon, side); },
                 .bound = bound,
                 .is_answered = [=](const Composition& c) { return c.answers_delta(epsilon); },
                 .place = [=](const Composition&) { return epsilon; },
                 .enough = 0},
                tolerance, false);
}

}  // namespace gauze
