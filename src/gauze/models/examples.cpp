#include "gauze/models/examples.h"

#include <cmath>

namespace gauze::models {

Result<void> check_weights(std::span<const double> positive, std::span<const double> negative) {
  GAUZE_CHECK(positive.size() == negative.size());
  double total = 0;
  for (std::size_t i = 0; i < positive.size(); ++i) {
    if (!(positive[i] >= 0) || !(negative[i] >= 0)) {
      return invalid_parameter("weights of examples must not be negative or NaN; clamp noisy counts at zero first");
    }
    total += positive[i] + negative[i];
  }
  if (!std::isfinite(total)) return invalid_parameter("the weights of all examples together must be finite");
  return {};
}

}  // namespace gauze::models
