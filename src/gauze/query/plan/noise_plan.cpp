#include "gauze/query/plan/noise_plan.h"

#include <algorithm>
#include <cmath>

#include "gauze/accounting/accountant.h"
#include "gauze/accounting/conversions.h"
#include "gauze/mechanisms/selection/partition_selection.h"

namespace gauze::query {
namespace {

/// Noise whose spread is wider than so many steps is drawn on a coarser grid.
constexpr int kSpreadBits = 40;

Rational root_up(const Rational& value) {
  const Interval root = Interval(value, 128).sqrt();
  return Rational(std::nextafter(root.high(), INFINITY));
}
Rational root_down(const Rational& value) {
  const Interval root = Interval(value, 128).sqrt();
  return Rational(std::max(0.0, std::nextafter(root.low(), 0.0)));
}

Rational whole(std::uint64_t value) { return Rational(static_cast<std::int64_t>(value)); }

class Planner {
 public:
  Planner(const Measurements& measurements, const QueryBudget& budget, std::uint64_t groups, std::uint64_t min_group)
      : measurements_(measurements), budget_(budget), groups_(whole(groups)), min_group_(min_group) {
    plan_.groups = groups;
    for (const Measurement& one : measurements.all) {
      if (one.is_constant()) continue;
      ++plan_.drawn;
      if (one.is_selection()) ++selections_;
    }
  }

  [[nodiscard]] Result<NoisePlan> plan() {
    if (plan_.drawn == 0) {  // nothing depends on anybody: the smallest charge there is
      plan_.kind = NoiseKind::laplace;
      plan_.measurements.resize(measurements_.all.size());
      plan_.cost = budget_.epsilon ? PrivacyCost::of_epsilon(*budget_.epsilon) : PrivacyCost::of_rho(*budget_.rho);
      return std::move(plan_);
    }
    GAUZE_TRY_VOID(choose_kind());
    const bool is_gaussian = plan_.kind == NoiseKind::gaussian;
    divide_delta(is_gaussian);
    if (is_gaussian) {
      if (!gaussian_share_) {
        GAUZE_TRY(gaussian_share_, rho_share());
      }
      plan_.rho_share = *gaussian_share_;
    } else {
      plan_.epsilon_share = *budget_.epsilon / whole(plan_.drawn);
    }
    for (const Measurement& one : measurements_.all) {
      GAUZE_TRY(MeasurementNoise noise,
                one.is_selection() ? Result<MeasurementNoise>(selection_noise()) : additive_noise(one));
      plan_.measurements.push_back(std::move(noise));
    }
    if (measurements_.naming) find_threshold();
    set_cost();
    return std::move(plan_);
  }

 private:
  [[nodiscard]] bool has_private_keys() const { return measurements_.naming.has_value(); }

  Result<void> choose_kind() {
    if (budget_.rho) {
      if (budget_.noise == NoiseKind::laplace)
        return invalid_parameter("a budget in rho is spent on Gaussian noise: leave out the noise, or give epsilon");
      plan_.kind = NoiseKind::gaussian;
      return {};
    }
    if (budget_.noise == NoiseKind::gaussian && budget_.delta.sign() <= 0)
      return invalid_parameter("Gaussian noise needs a delta above 0");
    if (budget_.noise) {
      plan_.kind = *budget_.noise;
      return {};
    }
    plan_.kind = NoiseKind::laplace;
    if (budget_.delta.sign() <= 0) return {};
    if (budget_.adds_up_rho) {
      plan_.kind = NoiseKind::gaussian;
      return {};
    }
    // The smaller variance; where something is selected, the larger epsilon a group.
    NoisePlan kept = plan_;
    divide_delta(true);
    GAUZE_TRY(gaussian_share_, rho_share());
    const Rational& share = *gaussian_share_;
    plan_ = std::move(kept);
    const Rational m = whole(plan_.drawn);
    if (selections_ > 0) {
      const Rational laplace = *budget_.epsilon / (m * groups_);
      const Rational gaussian_squared = Rational(8) * share / groups_;
      if (gaussian_squared > laplace * laplace) plan_.kind = NoiseKind::gaussian;
      return {};
    }
    // 2 (G S m / epsilon)^2 against G S^2 / (2 share)
    const Rational scale = groups_ * m / *budget_.epsilon;
    if (groups_ / (Rational(2) * share) < Rational(2) * scale * scale) plan_.kind = NoiseKind::gaussian;
    return {};
  }

  void divide_delta(bool is_gaussian) {
    plan_.delta_noise = 0;
    plan_.delta_threshold = 0;
    if (has_private_keys() && is_gaussian && !budget_.rho) {
      plan_.delta_noise = budget_.delta * Rational(1, 2);
      plan_.delta_threshold = plan_.delta_noise;
    } else if (has_private_keys()) {
      plan_.delta_threshold = budget_.delta;
    } else if (is_gaussian && !budget_.rho) {
      plan_.delta_noise = budget_.delta;
    }
  }

  /// The zCDP of each measurement: equal shares.
  Result<Rational> rho_share() const {
    const Rational m = whole(plan_.drawn);
    if (budget_.rho) return *budget_.rho / m;
    if (selections_ == 0) {
      const Rational mu = mu_budget(*budget_.epsilon, plan_.delta_noise);
      return mu * mu * Rational(1, 2) / m;
    }
    return mixed_share(m);
  }

  /// The largest share, of a few digits, with which Gaussian noise and selections together stay within the budget.
  Result<Rational> mixed_share(const Rational& m) const {
    const double delta = plan_.delta_noise.to_double_down();
    const Rational sums = whole(plan_.drawn - selections_);
    const auto fits = [&](const Rational& share) {
      std::vector<PrivacyEvent> events;
      if (sums.sign() > 0) {
        PrivacyEvent gaussian{.kind = PrivacyEvent::Kind::gaussian};
        gaussian.sigma = root_down(Rational(1) / (Rational(2) * share * sums)).to_double_down();
        events.push_back(gaussian);
      }
      PrivacyEvent selection{.kind = PrivacyEvent::Kind::exponential};
      selection.epsilon = root_up(Rational(8) * share / groups_).to_double_up();
      selection.count = static_cast<double>(plan_.groups * selections_);
      events.push_back(selection);
      const auto accountant = Accountant::make(std::move(events));
      if (!accountant) return false;
      const auto answers = accountant->epsilon(delta);
      return answers && Rational(answers->front().bounds.upper) <= *budget_.epsilon;
    };
    // What zCDP alone allows is a sure beginning.
    Rational good = rho_budget(*budget_.epsilon, plan_.delta_noise) / m;
    if (good.sign() <= 0) return invalid_parameter("epsilon and delta are too small for this many selections");
    Rational factor = Rational(3, 2);
    for (int step = 0; step < 8; ++step) {
      const Rational next = Rational((good * factor).to_double_down());
      if (fits(next))
        good = next;
      else
        factor = Rational(1) + (factor - Rational(1)) * Rational(1, 2);
    }
    return Rational(good.to_double_down());
  }

  [[nodiscard]] MeasurementNoise selection_noise() const {
    MeasurementNoise noise;
    noise.epsilon_per_group = plan_.kind == NoiseKind::gaussian ? root_down(Rational(8) * plan_.rho_share / groups_)
                                                                : plan_.epsilon_share / groups_;
    return noise;
  }

  [[nodiscard]] Rational spread_of(const Rational& sensitivity) const {
    if (plan_.kind == NoiseKind::laplace) return groups_ * sensitivity / plan_.epsilon_share;
    return sensitivity * root_up(groups_ / (Rational(2) * plan_.rho_share));
  }

  Result<MeasurementNoise> additive_noise(const Measurement& measurement) const {
    MeasurementNoise noise;
    if (measurement.is_constant()) return noise;
    const Rational wide = spread_of(measurement.sensitivity);
    noise.shift = std::max(0, wide.floor_log2() - kSpreadBits);
    // Rounding to the grid moves two values apart by less than a step.
    noise.sensitivity = (measurement.sensitivity * Rational::power_of_two(-noise.shift)).ceil();
    noise.spread = spread_of(noise.sensitivity);
    if (plan_.kind == NoiseKind::laplace) {
      GAUZE_TRY(auto law, DiscreteLaplaceLaw::make(noise.spread));
      noise.law = std::make_shared<const DiscreteLaplaceLaw>(std::move(law));
    } else {
      GAUZE_TRY(auto law, RoundedGaussianLaw::make(noise.spread));
      noise.law = std::make_shared<const RoundedGaussianLaw>(std::move(law));
    }
    return noise;
  }

  void find_threshold() {
    const MeasurementNoise& noise = plan_.measurements[*measurements_.naming];
    const Rational per_group = plan_.delta_threshold / groups_;
    plan_.threshold = naming_threshold(*noise.law, static_cast<Int128>(min_group_), Interval(per_group, 256));
  }

  void set_cost() {
    if (budget_.rho) {
      plan_.cost = PrivacyCost::of_rho(*budget_.rho);
      if (has_private_keys()) {
        plan_.cost.delta = plan_.delta_threshold;
        plan_.cost.rho_delta = plan_.delta_threshold;
      }
    } else {
      const bool uses_delta = plan_.kind == NoiseKind::gaussian || has_private_keys();
      plan_.cost = PrivacyCost::of_epsilon(*budget_.epsilon, uses_delta ? budget_.delta : Rational());
      if (plan_.kind == NoiseKind::gaussian) {
        plan_.cost.rho = plan_.rho_share * whole(plan_.drawn);
        if (has_private_keys()) plan_.cost.rho_delta = plan_.delta_threshold;
      }
    }
    const bool all_gaussian = plan_.kind == NoiseKind::gaussian && selections_ == 0 && !has_private_keys();
    if (all_gaussian) plan_.cost.mu = root_up(Rational(2) * plan_.rho_share * whole(plan_.drawn));
    plan_.delta_is_unused =
        budget_.delta.sign() > 0 && plan_.delta_noise.sign() == 0 && plan_.delta_threshold.sign() == 0;
  }

  const Measurements& measurements_;
  const QueryBudget& budget_;
  Rational groups_;
  std::uint64_t min_group_;
  std::size_t selections_ = 0;
  std::optional<Rational> gaussian_share_;  ///< of rho, once it is known: it takes milliseconds
  NoisePlan plan_;
};

}  // namespace

Result<NoisePlan> plan_noise(const Measurements& measurements, const QueryBudget& budget, std::uint64_t groups,
                             std::uint64_t min_group) {
  return Planner(measurements, budget, groups, min_group).plan();
}

}  // namespace gauze::query
