#include "gauze/mechanisms/noise/laplace.h"

#include "gauze/mechanisms/internal/parameters.h"

namespace gauze {

LaplaceMechanism::LaplaceMechanism(Parts parts, Rational epsilon, Rational scale_units)
    : AdditiveMechanism(std::move(parts)), epsilon_(std::move(epsilon)), scale_units_(std::move(scale_units)) {}

Result<LaplaceMechanism> LaplaceMechanism::make(const Options& options) {
  const bool by_scale = !(options.scale == Rational(0));
  GAUZE_TRY_VOID(by_scale ? internal::check_spread("the scale", options.scale)
                          : internal::check_epsilon(options.epsilon));
  GAUZE_TRY_VOID(internal::check_sensitivity(options.l1_sensitivity));
  GAUZE_TRY_VOID(internal::check_granularity_bits(options.granularity_bits));
  GAUZE_TRY_VOID(internal::check_dimension(options.dimension));

  const Rational nominal_scale = by_scale ? options.scale : options.l1_sensitivity / options.epsilon;
  const Grid grid = Grid::finer_than(nominal_scale, options.granularity_bits);
  // Rounding moves each of several coordinates by up to half a step on either side.
  Rational sensitivity = grid.steps_up(options.l1_sensitivity);
  if (options.dimension > 1) sensitivity += Rational(options.dimension);
  const Rational scale_units = by_scale ? options.scale / grid.granularity() : sensitivity / options.epsilon;
  const Rational epsilon = by_scale ? sensitivity / scale_units : options.epsilon;

  GAUZE_TRY(DiscreteLaplaceLaw law, DiscreteLaplaceLaw::make(scale_units));
  return LaplaceMechanism({.name = "laplace",
                           .norm = NoiseEvent::Norm::l1,
                           .grid = grid,
                           .sensitivity_units = sensitivity,
                           .dimension = options.dimension,
                           .law = std::make_shared<DiscreteLaplaceLaw>(std::move(law))},
                          epsilon, scale_units);
}

}  // namespace gauze
