#pragma once

#include <string>

#include "gauze/cli/core/output_writer.h"
#include "gauze/text/utility/utility_curves.h"

namespace gauze::cli {

/// The results of `text utility` for people: baselines, then a table.
[[nodiscard]] std::string utility_text(const text::ClassificationCurve& curve, Style style);
[[nodiscard]] std::string utility_text(const text::RankingCurve& curve, Style style);

}  // namespace gauze::cli
