#include "gauze/accounting/loss_composition.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "gauze/accounting/internal/loss_grid.h"
#include "gauze/accounting/internal/tilt_choice.h"
#include "gauze/accounting/internal/tilted_composition.h"

namespace gauze {
namespace {

using internal::best_order;
using internal::LossGrid;
using internal::LossRange;
using internal::Moments;
using internal::moments;
using internal::Sketch;
using internal::sketch;
using internal::TiltedComposition;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostWork = std::size_t{3} << 20;  // points after which no further grid is begun

/// What is asked of a composition: epsilon at a delta or the other way round.
struct Question {
  double log_delta = 0;  // for choosing the tilt
  double tail = 0;       // what a part may put at infinity
  std::function<double(const TiltedComposition&, int)> figure;
  std::function<double(double order, const Moments&)> bound;  // Chernoff's, to minimise
  std::function<bool(const TiltedComposition&)> is_answered;
  std::function<double(const TiltedComposition&)> place;  // the loss at which the answer is found
  double enough = 0;                                      // a bound as low as this is as good as any
};

enum class Side { above, below };

std::vector<std::pair<LossGrid, double>> on_grids(const ComposedLoss& composed, const std::vector<LossRange>& ranges,
                                                  double step, Side side) {
  std::vector<std::pair<LossGrid, double>> result;
  for (std::size_t i = 0; i < composed.parts.size(); ++i) {
    const PrivacyLoss& loss = *composed.parts[i].loss;
    const double offset = std::remainder(
        side == Side::above ? internal::best_offset(loss, step) : internal::best_offset_below(loss, step), step);
    result.emplace_back(side == Side::above ? internal::grid_above(loss, ranges[i], step, offset)
                                            : internal::grid_below(loss, ranges[i], step, offset),
                        composed.parts[i].count);
  }
  return result;
}

/// A step not much smaller that leads from one end of a bounded loss with atoms there to the other, and to the middle. Of
/// several such losses the one that spreads the sum most counts; of several such steps the one that ends shortly below
/// the upper ends of the others.
double fitting_step(const ComposedLoss& composed, double step) {
  std::vector<std::pair<double, double>> atoms;  // spread, width
  for (const auto& part : composed.parts) {
    const double width = part.loss->highest() - part.loss->lowest();
    if (width > step && internal::has_atoms_at_ends(*part.loss))
      atoms.emplace_back(part.count * width * width, width);
  }
  if (atoms.empty()) return step;
  std::sort(atoms.rbegin(), atoms.rend());
  const double width = atoms.front().second, least = std::ceil(width / (2 * step));
  double fitting = width / (2 * least), smallest = kInfinity;
  const int candidates = static_cast<int>(std::min(0.3 * least + 1, 400.0));
  for (int more = 0; more < candidates; ++more) {
    const double candidate = width / (2 * (least + more));
    double missed = 0;
    for (std::size_t i = 1; i < atoms.size(); ++i) {
      const double cells = atoms[i].second / candidate;
      missed += atoms[i].first * (cells - std::floor(cells + 1e-12)) / cells;
    }
    if (missed < 0.9 * smallest) {
      smallest = missed;
      fitting = candidate;
    }
    if (smallest <= 0) break;
  }
  return fitting;
}

Bounds answer(const ComposedLoss& composed, const Question& question, double tolerance, bool figure_is_epsilon) {
  std::vector<LossRange> ranges;
  std::vector<Sketch> sketches;
  double count = 0, widest = 0, order = 0;
  bool tight = true;
  for (const auto& part : composed.parts) {
    count += part.count;
    tight = tight && part.loss->is_tight();
  }
  Moments tilted;
  const auto choose = [&](double tail) {
    ranges.clear();
    sketches.clear();
    widest = 0;
    for (const auto& part : composed.parts) {
      ranges.push_back(internal::loss_range(*part.loss, tail / count));
      sketches.push_back(sketch(*part.loss, ranges.back(), part.count));
      widest = std::max(widest, ranges.back().high - ranges.back().low);
    }
    // Beyond such an order the tilt leaves nothing but the largest loss.
    order = best_order(500 / widest, [&](double o) { return question.bound(o, moments(sketches, o)); });
    tilted = moments(sketches, order);
  };
  choose(question.tail);
  if (figure_is_epsilon) {
    // A share of delta that is put at infinity moves epsilon by about share / order. What little it may move leaves a
    // shorter range, and a steeper tilt: rare large losses that decay slowly would draw the tilted mean beyond the answer.
    const double share = 0.02 * (tolerance > 0 ? tolerance : 0.005) * order;
    if (share > 2e-5) choose(question.tail * 1e5 * std::min(share, 0.01));
  }
  const double estimate = std::max(0.0, question.bound(order, tilted));
  // For a delta the tolerance is relative.
  const double goal = tolerance > 0 ? tolerance : figure_is_epsilon ? std::max(0.005, 0.002 * estimate) : 0.01;
  // A grid adds at most step^2 / 4 to the variance of each loss, which moves epsilon by half of that times the order.
  double step = std::min({std::sqrt(3 * goal / (order * count)),
                          std::max(std::sqrt(tilted.variance / count) / 2, widest / 4096), widest / 64});
  const double finest = 4 * widest / static_cast<double>(TiltedComposition::kLargestGrid);

  const auto wanted_gap = [&](const Bounds& known) {
    if (!figure_is_epsilon) return std::max(goal * known.upper, 1e-300);
    return tolerance > 0 ? tolerance : std::max(0.005, 0.002 * known.upper);
  };

  Bounds bounds{.lower = std::nullopt, .upper = kInfinity};
  double previous_gap = kInfinity;
  int stalled = 0;
  std::size_t work = 0;  // points transformed
  auto transform = TiltedComposition::Transform::plain;
  bool both_tried = false;
  const auto compose = [&](Side side) {
    TiltedComposition result(on_grids(composed, ranges, step, side), order, transform);
    work += result.size() * (composed.parts.size() + 1) / 2;
    return result;
  };
  for (int round = 0, weaker = 0; round < 6; ++round) {
    step = fitting_step(composed, std::max(step, finest));
    TiltedComposition above = compose(Side::above);
    if (!above.valid()) break;
    const double figure = question.figure(above, 1);
    bounds.upper = std::min(bounds.upper, figure);
    if (bounds.upper <= question.enough) break;
    const double unclear = both_tried ? 0 : figure - question.figure(above, -1);
    if (unclear > 0.1 * wanted_gap(bounds) && work <= kMostWork) {
      // Errors of the transform are what is seen: perhaps the other way of taking it has fewer.
      both_tried = true;
      transform = TiltedComposition::Transform::split;
      TiltedComposition other = compose(Side::above);
      const double other_figure = question.figure(other, 1);
      bounds.upper = std::min(bounds.upper, other_figure);
      if (other_figure - question.figure(other, -1) < unclear) {
        above = std::move(other);
      } else {
        transform = TiltedComposition::Transform::plain;
      }
    }
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
    const TiltedComposition below = compose(Side::below);
    if (below.valid()) bounds.lower = std::max(bounds.lower.value_or(0), question.figure(below, -1));
    if (!bounds.lower) break;
    const double wanted = wanted_gap(bounds);
    const double gap = bounds.upper - *bounds.lower;
    // A finer grid no longer helps once rounding is what keeps the bounds apart; once it may miss atoms by chance.
    if (gap > 0.95 * previous_gap) ++stalled;
    if (gap <= wanted || step <= finest || stalled > 1 || work > kMostWork) break;
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
                          .figure = [=](const TiltedComposition& c, int side) { return c.epsilon(delta, side); },
                          .bound = [=](double order, const Moments& m) { return (m.log_moment - log_delta) / order; },
                          .is_answered = [=](const TiltedComposition& c) { return c.answers_epsilon(delta); },
                          .place = [=](const TiltedComposition& c) { return c.epsilon(delta, 1); },
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
                 .figure = [=](const TiltedComposition& c, int side) { return c.delta(epsilon, side); },
                 .bound = bound,
                 .is_answered = [=](const TiltedComposition& c) { return c.answers_delta(epsilon); },
                 .place = [=](const TiltedComposition&) { return epsilon; },
                 .enough = 0},
                tolerance, false);
}

}  // namespace gauze
