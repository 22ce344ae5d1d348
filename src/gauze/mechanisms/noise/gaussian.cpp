#include "gauze/mechanisms/noise/gaussian.h"

#include <cmath>

#include "gauze/mechanisms/internal/parameters.h"
#include "gauze/mechanisms/noise/gaussian_calibration.h"

namespace gauze {

GaussianMechanism::GaussianMechanism(Parts parts, Rational sigma_units)
    : AdditiveMechanism(std::move(parts)), sigma_units_(std::move(sigma_units)) {}

Result<GaussianMechanism> GaussianMechanism::make(const Options& options) {
  const bool by_sigma = !(options.sigma == Rational(0));
  if (by_sigma) {
    GAUZE_TRY_VOID(internal::check_spread("sigma", options.sigma));
  } else {
    GAUZE_TRY_VOID(internal::check_epsilon(options.epsilon));
    GAUZE_TRY_VOID(internal::check_delta(options.delta));
  }
  GAUZE_TRY_VOID(internal::check_sensitivity(options.l2_sensitivity));
  GAUZE_TRY_VOID(internal::check_granularity_bits(options.granularity_bits));
  GAUZE_TRY_VOID(internal::check_dimension(options.dimension));

  const Rational ratio = by_sigma ? Rational(0) : calibrate_gaussian(options.epsilon, options.delta);
  const Rational nominal_sigma = by_sigma ? options.sigma : ratio * options.l2_sensitivity;
  const Grid grid = Grid::finer_than(nominal_sigma, options.granularity_bits);
  Rational sensitivity = grid.steps_up(options.l2_sensitivity);
  if (options.dimension > 1) {
    // Rounding moves each coordinate by at most one step: sqrt(dimension) more, rounded up.
    sensitivity = options.l2_sensitivity / grid.granularity() +
                  Rational(std::nextafter(std::sqrt(static_cast<double>(options.dimension)), HUGE_VAL));
  }
  const Rational sigma_units = by_sigma ? options.sigma / grid.granularity() : ratio * sensitivity;
  GAUZE_TRY(RoundedGaussianLaw law, RoundedGaussianLaw::make(sigma_units));
  return GaussianMechanism({.name = "gaussian",
                            .norm = NoiseEvent::Norm::l2,
                            .grid = grid,
                            .sensitivity_units = sensitivity,
                            .dimension = options.dimension,
                            .law = std::make_shared<RoundedGaussianLaw>(std::move(law))},
                           sigma_units);
}

Rational GaussianMechanism::rho() const {
  const Rational ratio = sensitivity_units() / sigma_units_;
  return ratio * ratio / Rational(2);
}

}  // namespace gauze
