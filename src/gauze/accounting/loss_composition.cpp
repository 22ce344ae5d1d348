#include "gauze/accounting/loss_composition.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "gauze/accounting/internal/infinity.h"
#include "gauze/accounting/internal/loss_groups.h"

namespace gauze {
namespace {

using internal::LossGroup;
using internal::LossRange;
using internal::Moments;
using internal::Side;
using internal::TiltedComposition;

using internal::kInfinity;
constexpr double kManyPoints = 1 << 17, kCheapPoints = 1 << 15;
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

/// Puts a composition on finer and finer grids until both bounds are as close as asked.
class Search {
 public:
  Search(const ComposedLoss& composed, const Question& question, double tolerance, bool figure_is_epsilon)
      : composed_(composed), question_(question), tolerance_(tolerance), figure_is_epsilon_(figure_is_epsilon) {}

  [[nodiscard]] Bounds run() {
    choose_order();
    shared_ = all_;
    shared_.choose_step(order_, goal_);
    choose_plans();
    while (next_plan()) {
      for (int round = 0; round < rounds_; ++round) {
        if (!improve_or_coarsen()) break;
        const double gap = bounds_.upper - bounds_.lower.value_or(0), wanted = wanted_gap();
        if (bounds_.upper <= question_.enough || gap <= wanted || work_ > kMostWork) return bounds_;
        // A finer grid no longer helps once rounding is what keeps the bounds apart; once it may miss atoms by chance.
        if (gap > 0.95 * previous_gap_ && ++stalled_ > 1) break;
        if (coarser_ > 1 || all_are_finest()) break;
        previous_gap_ = gap;
        // The gap falls with the square of the step.
        for (LossGroup& group : groups_) group.step *= std::clamp(0.9 * std::sqrt(wanted / gap), 0.1, 0.7);
      }
      if (groups_.size() == 1) shared_ = groups_.front();
    }
    return bounds_;
  }

 private:
  enum class Plan { shared_once, separated, shared };
  static constexpr int kRounds = 6, kWeaker = 8;
  static constexpr double kCoarsest = 1 << 12;

  /// One grid for all is tried once, then one for each, then the first again, refined. A window so large that it takes all
  /// the time there is comes last: better not on a grid that fits only some.
  void choose_plans() {
    const double points = 20 * std::sqrt(moments_at(order_).variance) / shared_.step;
    if (all_.members.size() == 1) {
      plans_ = {Plan::shared};
    } else if (points > kManyPoints) {
      plans_ = {Plan::separated, Plan::shared};
    } else {
      plans_ = {Plan::shared_once, Plan::separated, Plan::shared};
    }
  }
  [[nodiscard]] bool next_plan() {
    if (plans_.empty() || work_ > kMostWork) return false;
    plan_ = plans_.front();
    plans_.erase(plans_.begin());
    if (plan_ == Plan::separated) {
      groups_ = internal::separated(all_);
      for (LossGroup& group : groups_)
        group.choose_step(order_, goal_ / static_cast<double>(groups_.size()), kCheapPoints);
    } else {
      groups_ = {shared_};
    }
    rounds_ = plan_ == Plan::shared_once ? 1 : kRounds;
    transform_ = TiltedComposition::Transform::plain;
    both_tried_ = false;
    previous_gap_ = kInfinity;
    coarser_ = 1;
    stalled_ = 0;
    return true;
  }
  [[nodiscard]] bool all_are_finest() const {
    return std::all_of(groups_.begin(), groups_.end(), [](const auto& group) { return group.is_finest(); });
  }

  /// The order at which Chernoff's bound is best, and the ranges of the losses.
  void choose_order() {
    choose_order(question_.tail);
    if (figure_is_epsilon_) {
      // A share of delta that is put at infinity moves epsilon by about share / order. What little it may move leaves a
      // shorter range, and a steeper tilt: rare large losses that decay slowly would draw the tilted mean beyond the answer.
      const double share = 0.02 * (tolerance_ > 0 ? tolerance_ : 0.005) * order_;
      if (share > 2e-5) choose_order(question_.tail * 1e5 * std::min(share, 0.01));
    }
    const double estimate = std::max(0.0, question_.bound(order_, moments_at(order_)));
    // For a delta the tolerance is relative.
    goal_ = tolerance_ > 0 ? tolerance_ : figure_is_epsilon_ ? default_accuracy(estimate) : 0.01;
  }
  void choose_order(double tail) {
    all_.members.clear();
    double count = 0;
    for (const auto& part : composed_.parts) count += part.count;
    for (const auto& part : composed_.parts) {
      const LossRange range = internal::loss_range(*part.loss, tail / count);
      all_.members.push_back({part, range, internal::sketch(*part.loss, range, part.count)});
    }
    order_ = internal::best_order(largest_order(), [&](double o) { return question_.bound(o, moments_at(o)); });
  }
  /// Beyond such an order the tilt leaves nothing but the largest loss.
  [[nodiscard]] double largest_order() const { return 500 / all_.widest(); }
  [[nodiscard]] Moments moments_at(double order) const {
    Moments total;
    for (const auto& member : all_.members) {
      const Moments one = internal::moments({member.sketch}, order);
      total.log_moment += one.log_moment;
      total.mean += one.mean;
      total.variance += one.variance;
    }
    return total;
  }

  [[nodiscard]] double wanted_gap() const {
    if (!figure_is_epsilon_) return std::max(goal_ * bounds_.upper, 1e-300);
    return tolerance_ > 0 ? tolerance_ : default_accuracy(bounds_.upper);
  }

  [[nodiscard]] TiltedComposition compose(Side side) {
    // Moving a loss to the common grid moves epsilon by one such step at most, for each group.
    const auto count = static_cast<double>(groups_.size());
    const double common_step = std::min(coarser_ * goal_ / 8, 0.018 / order_) / count;
    return internal::compose(groups_, side, order_, transform_, common_step, work_);
  }

  /// The same on the finest grids that windows hold, which may be coarser than asked.
  [[nodiscard]] bool improve_or_coarsen() {
    while (!improve()) {
      if (coarser_ > kCoarsest || (work_ > 0 && plan_ == Plan::separated && !plans_.empty())) return false;
      coarser_ *= 2;
      for (LossGroup& group : groups_) group.step *= 2;
    }
    return true;
  }

  /// Both bounds on the present grids; false when no window holds the upper one.
  [[nodiscard]] bool improve() {
    for (int weaker = 0;; ++weaker) {
      for (LossGroup& group : groups_) group.fit(order_);
      TiltedComposition above = compose(Side::above);
      if (!above.valid()) return false;
      const double figure = question_.figure(above, 1);
      bounds_.upper = std::min(bounds_.upper, figure);
      if (bounds_.upper <= question_.enough) return true;
      const double unclear = both_tried_ ? 0 : figure - question_.figure(above, -1);
      if (unclear > 0.1 * wanted_gap() && work_ <= kMostWork) try_split(above, unclear);
      // Sums of sums have more errors than one sum: no need to go on if it is they that are seen.
      if (plan_ == Plan::separated && !plans_.empty() && unclear > 0 &&
          question_.figure(above, 1) - question_.figure(above, -1) > 10 * wanted_gap())
        return false;
      if (question_.is_answered(above) || weaker >= kWeaker || work_ > kMostWork) break;
      // Chernoff's bound was far off, and so is the window around the tilted mean.
      const double better = std::min(above.better_order(question_.place(above)), largest_order());
      if (std::abs(better - order_) <= 0.02 * order_) break;
      order_ = better;
    }
    const TiltedComposition below = compose(Side::below);
    if (below.valid()) bounds_.lower = std::max(bounds_.lower.value_or(0), question_.figure(below, -1));
    return true;
  }

  /// Errors of the transform are what is seen: perhaps the other way of taking it has fewer.
  void try_split(TiltedComposition& above, double unclear) {
    both_tried_ = true;
    transform_ = TiltedComposition::Transform::split;
    TiltedComposition other = compose(Side::above);
    const double figure = question_.figure(other, 1);
    bounds_.upper = std::min(bounds_.upper, figure);
    if (other.valid() && figure - question_.figure(other, -1) < unclear) {
      above = std::move(other);
    } else {
      transform_ = TiltedComposition::Transform::plain;
    }
  }

  const ComposedLoss& composed_;
  const Question& question_;
  double tolerance_;
  bool figure_is_epsilon_;
  LossGroup all_, shared_;
  std::vector<LossGroup> groups_;
  double order_ = 0, goal_ = 0;
  Bounds bounds_{.lower = std::nullopt, .upper = kInfinity};
  double previous_gap_ = kInfinity, coarser_ = 1;
  int stalled_ = 0, rounds_ = 0;
  std::size_t work_ = 0;  // points transformed
  TiltedComposition::Transform transform_ = TiltedComposition::Transform::plain;
  bool both_tried_ = false;
  std::vector<Plan> plans_;
  Plan plan_ = Plan::shared;
};

Bounds answer(const ComposedLoss& composed, const Question& question, double tolerance, bool figure_is_epsilon) {
  Bounds bounds = Search(composed, question, tolerance, figure_is_epsilon).run();
  // A pair that no input reaches bounds itself from below, not the mechanism.
  const bool tight = std::all_of(composed.parts.begin(), composed.parts.end(),
                                 [](const auto& part) { return part.loss->is_tight(); });
  if (!tight) bounds.lower = std::nullopt;
  return bounds;
}

}  // namespace

Bounds composed_epsilon(const ComposedLoss& composed, double delta, double tolerance, double enough) {
  // Infinite losses alone exceed delta: there is no epsilon.
  double log_finite = 0;
  for (const auto& part : composed.parts) log_finite += part.count * std::log1p(-part.loss->infinite_mass());
  if (-std::expm1(log_finite) > delta * (1 + 1e-9)) return {std::nullopt, std::numeric_limits<double>::infinity()};
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
