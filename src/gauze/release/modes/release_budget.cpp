#include "gauze/release/modes/release_budget.h"

#include "gauze/accounting/conversions.h"
#include "gauze/schema/policy/criterion_text.h"

namespace gauze::release {

using namespace schema;  // the vocabulary of this file

namespace {

Result<void> check_target(const PolicyRelease& release, const ReleaseTarget& target) {
  const Rational smallest = Rational(1, 1'000'000'000);
  if (!target.epsilon.is_defined() || target.epsilon < smallest || target.epsilon > Rational(1'000'000'000))
    return invalid_parameter("epsilon must lie between 1e-9 and 1e9, but is {}", target.epsilon.to_decimal());
  const bool needs_delta = release.mode == ReleaseMode::stability || release.noise == ReleaseNoise::gaussian;
  if (!needs_delta) {
    if (!(target.delta == Rational(0)))
      return invalid_parameter("a {} release with Laplace noise is pure: leave delta out",
                               word_of(kReleaseModeWords, release.mode));
    return {};
  }
  if (release.mode == ReleaseMode::stability && release.noise == ReleaseNoise::gaussian)
    return invalid_parameter("the mode stability draws Laplace noise: gaussian is for grid and select");
  if (!(target.delta > 0) || !(target.delta < 1))
    return asking_for(
        "delta", invalid_parameter("{} needs a delta above 0 and below 1, such as 1e-6: with delta 0 {}",
                                   release.mode == ReleaseMode::stability ? "the mode stability" : "Gaussian noise",
                                   release.mode == ReleaseMode::stability ? "no class could ever be named"
                                                                          : "it promises nothing"));
  return {};
}

/// The root, rounded up.
Rational root_up(const Rational& square) { return Rational(Interval(square, 128).sqrt().high()); }

/// sqrt(l2^2 / (2 rho)), rounded up.
Rational sigma_for(const Rational& squared_l2, const Rational& rho) {
  return root_up(squared_l2 / (Rational(2) * rho));
}

Result<CountNoise> laplace_noise(const Rational& scale, const Rational& l1_sensitivity) {
  GAUZE_TRY(DiscreteLaplaceLaw law, DiscreteLaplaceLaw::make(scale));
  return CountNoise{.law = std::make_shared<const DiscreteLaplaceLaw>(std::move(law)),
                    .norm = NoiseEvent::Norm::l1,
                    .sensitivity = l1_sensitivity};
}

Result<CountNoise> gaussian_noise(const Rational& sigma, const Rational& squared_l2) {
  GAUZE_TRY(DiscreteGaussianLaw law, DiscreteGaussianLaw::make(sigma));
  return CountNoise{.law = std::make_shared<const DiscreteGaussianLaw>(std::move(law)),
                    .norm = NoiseEvent::Norm::l2,
                    .sensitivity = root_up(squared_l2)};
}

/// Integer noise is drawn up to this scale; beyond it no count would mean anything.
Result<void> check_spread(const Rational& spread) {
  if (spread <= Rational::power_of_two(50)) return {};
  return invalid_parameter(
      "epsilon is so small that counts would get noise of about {:.2g}: nothing could be told from them",
      spread.to_double());
}

Result<void> add_laplace(const PolicyRelease& release, const UnitBounds& bounds, ReleaseBudget& budget) {
  // Stability counts persons: each touches a class once.
  const std::uint64_t once = release.mode == ReleaseMode::stability ? bounds.max_classes : bounds.most_rows();
  const auto touched = Rational(static_cast<std::int64_t>(once));
  const bool replace = release.neighbours == Neighbours::replace_one;
  const Rational moved = touched * Rational(replace ? 2 : 1);
  budget.spread = moved / budget.epsilon_cells;
  GAUZE_TRY_VOID(check_spread(budget.spread));
  GAUZE_TRY(budget.cell_noise, laplace_noise(budget.spread, moved));
  if (budget.epsilon_total.sign() > 0) {
    budget.total_spread = touched / budget.epsilon_total;
    GAUZE_TRY_VOID(check_spread(budget.total_spread));
    GAUZE_TRY(budget.total_noise, laplace_noise(budget.total_spread, touched));
  }
  return {};
}

Result<void> add_gaussian(const PolicyRelease& release, const UnitBounds& bounds, ReleaseBudget& budget) {
  const Rational rho = rho_budget(budget.epsilon_cells + budget.epsilon_total, budget.delta);
  if (rho.sign() <= 0)
    return invalid_parameter("no amount of Gaussian noise gives epsilon {} at delta {}",
                             (budget.epsilon_cells + budget.epsilon_total).to_decimal(), budget.delta.to_decimal());
  budget.rho_total = rho * budget.epsilon_total / (budget.epsilon_cells + budget.epsilon_total);
  budget.rho_cells = rho - budget.rho_total;
  const auto classes = Rational(static_cast<std::int64_t>(bounds.max_classes));
  const auto rows = Rational(static_cast<std::int64_t>(bounds.max_rows));
  const bool replace = release.neighbours == Neighbours::replace_one;
  const Rational moved = classes * rows * rows * Rational(replace ? 2 : 1);
  budget.spread = sigma_for(moved, budget.rho_cells);
  GAUZE_TRY_VOID(check_spread(budget.spread));
  GAUZE_TRY(budget.cell_noise, gaussian_noise(budget.spread, moved));
  if (budget.rho_total.sign() > 0) {
    const Rational all = classes * classes * rows * rows;
    budget.total_spread = sigma_for(all, budget.rho_total);
    GAUZE_TRY_VOID(check_spread(budget.total_spread));
    GAUZE_TRY(budget.total_noise, gaussian_noise(budget.total_spread, all));
  }
  return {};
}

}  // namespace

Result<ReleaseBudget> divide_budget(const PolicyRelease& release, const UnitBounds& bounds,
                                    const ReleaseTarget& target) {
  GAUZE_TRY_VOID(check_target(release, target));
  ReleaseBudget budget;
  budget.epsilon = target.epsilon;
  budget.delta = target.delta;
  if (release.mode == ReleaseMode::select) budget.epsilon_select = target.epsilon * release.select_share;
  // Under replace-one the number of rows is public: the total needs no noise and no share. That of persons' rows is not:
  // whoever replaces a person may bring more or fewer.
  if (release.neighbours == Neighbours::add_remove || release.unit)
    budget.epsilon_total = target.epsilon * release.total_share;
  budget.epsilon_cells = target.epsilon - budget.epsilon_select - budget.epsilon_total;
  GAUZE_TRY_VOID(release.noise == ReleaseNoise::laplace ? add_laplace(release, bounds, budget)
                                                        : add_gaussian(release, bounds, budget));
  return budget;
}

}  // namespace gauze::release
