#include "gauze/learn/plan/plan_price.h"

#include <cmath>

#include "gauze/accounting/calibration.h"
#include "gauze/learn/plan/training_plan.h"

namespace gauze::learn {
namespace {

/// A double not below the root, or not above it.
double root_up(const Rational& square) { return std::nextafter(std::sqrt(square.to_double_up()), HUGE_VAL); }

double steps_sensitivity(Neighbours neighbours) { return neighbours == Neighbours::replace_one ? 2 : 1; }

/// What one training step is to the accountant, but for its sigma.
PrivacyEvent step_event(const TrainingPlan& plan) {
  PrivacyEvent event{.kind = PrivacyEvent::Kind::gaussian,
                     .sigma = 1,
                     .sensitivity = steps_sensitivity(plan.neighbours),
                     .count = static_cast<double>(plan.steps),
                     .neighbours = plan.neighbours};
  if (plan.sampling == SamplingKind::poisson) event.sampling = PrivacyEvent::Sampling::poisson;
  if (plan.sampling == SamplingKind::fixed_size) event.sampling = PrivacyEvent::Sampling::fixed_size;
  event.rate = plan.sampling == SamplingKind::full ? 1 : plan.rate.to_double_up();
  return event;
}

/// How many values a feature can take in a histogram: its list and "other"; 16 equal bins and "missing".
std::size_t histogram_columns(const schema::LearnPolicy& policy) { return policy.sensitive.size(); }

}  // namespace

Result<Bounds> epsilon_of(const std::vector<PrivacyEvent>& events, const Rational& delta) {
  GAUZE_TRY(const Accountant accountant, Accountant::make(events));
  GAUZE_TRY(const auto answers, accountant.epsilon(delta.to_double_down()));
  Bounds bounds = answers.front().bounds;
  for (const Accountant::Answer& answer : answers) {
    if (answer.bounds.lower && (!bounds.lower || *answer.bounds.lower > *bounds.lower) &&
        *answer.bounds.lower <= bounds.upper)
      bounds.lower = answer.bounds.lower;
  }
  return bounds;
}

Result<Rational> sigma_for(std::vector<PrivacyEvent> events, const Rational& epsilon, const Rational& delta) {
  const double target = epsilon.to_double_down();
  if (events.size() == 1) {
    GAUZE_TRY(const double sigma, calibrate_noise(events.front(), target, delta.to_double_down()));
    return Rational::parse(fmt::format("{}", sigma));
  }
  PrivacyEvent& step = events.back();
  const auto enough = [&](double sigma) -> Result<bool> {
    GAUZE_TRY(const Rational printed, Rational::parse(fmt::format("{}", sigma)));
    step.sigma = printed.to_double_down();
    GAUZE_TRY(const Bounds bounds, epsilon_of(events, delta));
    return bounds.upper <= target;
  };
  GAUZE_TRY(double fitting, calibrate_noise(step, target, delta.to_double_down()));
  double missing = fitting * (1 - 1e-4);
  for (;;) {
    GAUZE_TRY(const bool ok, enough(fitting));
    if (ok) break;
    missing = fitting;
    fitting *= 1.25;
    if (fitting > static_cast<double>(kMostSigma))
      return make_error(ErrorCode::infeasible,
                        "the histograms of the entropies alone cost as much as epsilon allows");
  }
  while (fitting / missing > 1 + 1e-4) {
    const double middle = std::sqrt(fitting * missing);
    GAUZE_TRY(const bool ok, enough(middle));
    (ok ? fitting : missing) = middle;
  }
  return Rational::parse(fmt::format("{}", fitting));
}

Rational remaining_sigma(const Rational& a, const Rational& b) {
  const Rational square = Rational(1) / (Rational(1) / (a * a) - Rational(1) / (b * b));
  return Rational(root_up(square));
}

Result<void> TrainingPlan::plan_histograms(const schema::LearnPolicy& policy) {
  if (options.method != MethodKind::shaped) return {};
  if (!policy.entropies->rho) {
    for (const std::string& name : policy.sensitive) {
      if (!policy.entropies->given.contains(name))
        return invalid_parameter("entropies: the sensitive attribute '{}' has none", name);
    }
    return {};
  }
  HistogramPlan histogram;
  histogram.rho = *policy.entropies->rho;
  // one cell a column and row: two non-negative vectors of length R differ by at most sqrt(2) R when one unit is replaced
  Rational square(static_cast<std::int64_t>(histogram_columns(policy) * max_rows * max_rows));
  if (neighbours == Neighbours::replace_one) square *= Rational(2);
  histogram.sensitivity = root_up(square);
  histogram.sigma = Rational(root_up(square / (Rational(2) * histogram.rho)));
  if (histogram.sigma > Rational(1'000'000'000) || histogram.sigma < Rational(1, 1'000'000))
    return invalid_parameter("entropies: a rho of {} is of no use here", histogram.rho.to_decimal());
  PrivacyEvent event{.kind = PrivacyEvent::Kind::gaussian,
                     .sigma = histogram.sigma.to_double_down(),
                     .sensitivity = histogram.sensitivity,
                     .neighbours = neighbours};
  events.push_back(event);
  histograms = histogram;
  return {};
}

Result<void> TrainingPlan::price() {
  events.push_back(step_event(*this));
  if (options.sigma) {
    sigma = *options.sigma;
  } else {
    GAUZE_TRY(sigma, sigma_for(events, *options.epsilon, delta));
    if (sigma > Rational(kMostSigma))
      return invalid_parameter("this epsilon needs a sigma above {}: take fewer steps or a smaller batch",
                               kMostSigma);
  }
  events.back().sigma = sigma.to_double_down();
  GAUZE_TRY(training_epsilon, epsilon_of(events, delta));
  claimed_epsilon = options.epsilon ? *options.epsilon : Rational(training_epsilon.upper);
  if (options.epsilon) {
    // what was asked for is the claim: calibrated against the accountant itself
    if (Rational(training_epsilon.upper) > *options.epsilon)
      return make_error(ErrorCode::internal, "the calibrated noise does not meet epsilon");
    training_epsilon.upper = options.epsilon->to_double_up();
  } else if (!std::isfinite(training_epsilon.upper)) {
    return make_error(ErrorCode::infeasible, "no finite epsilon holds at this sigma and delta");
  }
  sigma_gradient = sigma;
  if (options.adaptive) {
    const Rational expected = normaliser / Rational(20);
    sigma_clipping = expected > sigma ? expected : sigma;
    sigma_gradient = remaining_sigma(sigma, Rational(2) * sigma_clipping);
  }
  return {};
}

Result<void> TrainingPlan::price_holdout() {
  if (!options.holdout) return {};
  if (*options.holdout_epsilon > claimed_epsilon)
    return invalid_parameter("holdout-epsilon must be at most the epsilon of training, {}",
                             claimed_epsilon.to_decimal_up(6));
  holdout_epsilon = options.holdout_epsilon;
  return {};
}

PrivacyCost TrainingPlan::cost() const {
  PrivacyCost cost = PrivacyCost::of_epsilon(claimed_epsilon, delta);
  cost.unit = unit;
  cost.neighbours = neighbours;
  return cost;
}

Result<PrivacyCost> TrainingPlan::cost(const PrivacyFilter& accountant) const {
  PrivacyCost total = cost();
  const bool full = sampling == SamplingKind::full;
  const Rational sensitivity(steps_sensitivity(neighbours));
  const Rational square =  // mu^2 of everything, where everybody is sampled
      full ? sensitivity * sensitivity * Rational(static_cast<std::int64_t>(steps)) / (sigma * sigma) +
                 (histograms ? Rational(2) * histograms->rho : Rational())
           : Rational();
  const Rational held = holdout_epsilon.value_or(Rational());
  switch (accountant.kind()) {
    case PrivacyFilter::Kind::basic:
      break;
    case PrivacyFilter::Kind::zcdp: {
      if (!full) break;
      const Rational rho = square / Rational(2);
      const Rational of_holdout = held * held / Rational(2);
      total.rho = rho > of_holdout ? rho : of_holdout;
      break;
    }
    case PrivacyFilter::Kind::gdp:
      if (!full)
        return invalid_parameter(
            "a gdp dataset takes a training run only with full sampling: it has no mu otherwise");
      if (holdout_epsilon) return invalid_parameter("a gdp dataset takes no hold-out: its figures have no mu");
      total.mu = Rational(root_up(square));
      break;
    case PrivacyFilter::Kind::rdp: {
      GAUZE_TRY(const Accountant composed, Accountant::make(events));
      const auto renyi = composed.renyi(accountant.order().to_double_up());
      if (!renyi) break;  // fixed-size sampling has none: charged as (epsilon, delta), if the dataset takes that
      const Rational pure = accountant.order() * held * held / Rational(2);
      const Rational of_holdout = pure < held ? pure : held;
      const Rational of_training(*renyi);
      total.renyi_order = accountant.order();
      total.renyi_epsilon = of_training > of_holdout ? of_training : of_holdout;
      break;
    }
  }
  return total;
}

}  // namespace gauze::learn
