#include "gauze/mechanisms/noise/discrete_gaussian.h"

#include "gauze/mechanisms/internal/parameters.h"
#include "gauze/mechanisms/noise/gaussian_calibration.h"

namespace gauze {
namespace {

/// A sigma, rounded up, with sensitivity^2 / (2 sigma^2) at most rho.
Rational sigma_for_rho(const Rational& rho, const Rational& sensitivity) {
  return Rational(Interval(sensitivity * sensitivity / (Rational(2) * rho), 128).sqrt().high());
}

Result<Rational> choose_sigma(const DiscreteGaussianMechanism::Options& options) {
  if (!(options.sigma == Rational(0))) {
    GAUZE_TRY_VOID(internal::check_spread("sigma", options.sigma));
    return options.sigma;
  }
  if (!(options.rho == Rational(0))) {
    GAUZE_TRY_VOID(internal::check_spread("rho", options.rho));
    return sigma_for_rho(options.rho, options.l2_sensitivity);
  }
  GAUZE_TRY_VOID(internal::check_epsilon(options.epsilon));
  GAUZE_TRY_VOID(internal::check_delta(options.delta));
  if (options.dimension > 1) {
    return invalid_parameter(
        "the discrete Gaussian is calibrated to (epsilon, delta) for one coordinate only; give rho or sigma instead");
  }
  // Refuse what could not be drawn before summing it up.
  const Rational continuous = calibrate_gaussian(options.epsilon, options.delta) * options.l2_sensitivity;
  if (continuous > Rational::power_of_two(51)) return continuous * Rational(2);
  return calibrate_discrete_gaussian(options.epsilon, options.delta, options.l2_sensitivity);
}

}  // namespace

DiscreteGaussianMechanism::DiscreteGaussianMechanism(Parts parts, Rational sigma)
    : AdditiveMechanism(std::move(parts)), sigma_(std::move(sigma)) {}

Result<DiscreteGaussianMechanism> DiscreteGaussianMechanism::make(const Options& options) {
  GAUZE_TRY_VOID(internal::check_sensitivity(options.l2_sensitivity));
  GAUZE_TRY_VOID(internal::check_dimension(options.dimension));
  // Rounding a number to integers can turn a change of 1/2 into 1; a vector of integers can change by sqrt(2).
  if (options.dimension == 1) GAUZE_TRY_VOID(internal::check_integer_sensitivity(options.l2_sensitivity));
  GAUZE_TRY(const Rational sigma, choose_sigma(options));
  GAUZE_TRY(DiscreteGaussianLaw law, DiscreteGaussianLaw::make(sigma));
  return DiscreteGaussianMechanism({.name = "discrete-gaussian",
                                    .norm = NoiseEvent::Norm::l2,
                                    .grid = Grid(0),
                                    .sensitivity_units = options.l2_sensitivity,
                                    .dimension = options.dimension,
                                    .law = std::make_shared<DiscreteGaussianLaw>(std::move(law))},
                                   sigma);
}

Rational DiscreteGaussianMechanism::rho() const {
  const Rational ratio = sensitivity_units() / sigma_;
  return ratio * ratio / Rational(2);
}

}  // namespace gauze
