#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gauze/cli/core/invocation.h"
#include "gauze/cli/flags/seeding.h"
#include "gauze/label/privacy_cost.h"
#include "gauze/mechanisms/noise/grid.h"

namespace gauze::cli {

/// A mechanism of `gauze noise`, made from the flags and ready to draw.
struct PreparedNoise {
  Json parameters = Json::object();  ///< public: never the value
  PrivacyCost cost;                  ///< of one draw; unit and neighbours are the caller's
  double variance = 0;
  std::optional<GridValue> radius95;  ///< half width of the 95 % interval; none for randomised response
  /// So many draws, one a line.
  std::function<std::string(RandomChoice&, std::size_t)> draw;
};

/// One row of the catalogue: which flags make sense for a mechanism, and how it is made.
struct NoiseEntry {
  std::string name;
  std::vector<std::string> flags;  ///< beyond those of all mechanisms
  std::function<Result<PreparedNoise>(const Invocation&)> prepare;
};

/// All mechanisms, in the order of help.
[[nodiscard]] const std::vector<NoiseEntry>& noise_catalogue();

}  // namespace gauze::cli
