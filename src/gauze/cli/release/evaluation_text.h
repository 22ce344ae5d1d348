#pragma once

#include <string>

#include "gauze/assess/evaluation/evaluation.h"
#include "gauze/cli/core/output_writer.h"

namespace gauze::cli {

/// The sweep as a table, with the recommendation.
[[nodiscard]] std::string sweep_text(const assess::Evaluation& evaluation, Style style);
/// The comparison of methods as a table.
[[nodiscard]] std::string comparison_text(const assess::Evaluation& evaluation, Style style);

}  // namespace gauze::cli
