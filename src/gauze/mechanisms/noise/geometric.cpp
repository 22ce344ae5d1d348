#include "gauze/mechanisms/noise/geometric.h"

#include "gauze/mechanisms/internal/parameters.h"

namespace gauze {

GeometricMechanism::GeometricMechanism(Parts parts, Rational epsilon, Rational scale)
    : AdditiveMechanism(std::move(parts)), epsilon_(std::move(epsilon)), scale_(std::move(scale)) {}

Result<GeometricMechanism> GeometricMechanism::make(const Options& options) {
  const bool by_scale = !(options.scale == Rational(0));
  GAUZE_TRY_VOID(by_scale ? internal::check_spread("the scale", options.scale)
                          : internal::check_epsilon(options.epsilon));
  GAUZE_TRY_VOID(internal::check_integer_sensitivity(options.l1_sensitivity));
  GAUZE_TRY_VOID(internal::check_dimension(options.dimension));
  const Rational scale = by_scale ? options.scale : options.l1_sensitivity / options.epsilon;
  const Rational epsilon = by_scale ? options.l1_sensitivity / scale : options.epsilon;
  GAUZE_TRY(DiscreteLaplaceLaw law, DiscreteLaplaceLaw::make(scale));
  return GeometricMechanism({.name = "geometric",
                             .norm = NoiseEvent::Norm::l1,
                             .grid = Grid(0),
                             .sensitivity_units = options.l1_sensitivity,
                             .dimension = options.dimension,
                             .law = std::make_shared<DiscreteLaplaceLaw>(std::move(law))},
                            epsilon, scale);
}

}  // namespace gauze
