#pragma once

#include <string>

#include "gauze/cli/core/output_writer.h"
#include "gauze/collect/job/collected_result.h"
#include "gauze/collect/simulate/simulation.h"

namespace gauze::cli {

/// Estimates as a table for people: shares in percent that add up, with intervals; sums, comparisons, the mean.
[[nodiscard]] std::string result_text(const collect::CollectedResult& result, Style style);
/// One line a mechanism.
[[nodiscard]] std::string simulation_text(const std::vector<collect::SimulatedMechanism>& results, Style style);

}  // namespace gauze::cli
