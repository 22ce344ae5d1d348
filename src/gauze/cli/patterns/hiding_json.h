#pragma once

#include "gauze/files/json.h"
#include "gauze/patterns/audit/attacks.h"
#include "gauze/patterns/audit/hiding_metrics.h"
#include "gauze/patterns/hiding/hide.h"

namespace gauze::cli {

[[nodiscard]] std::string_view word(patterns::HidingLevel level);

/// The parts of what `patterns hide`, `audit` and `compare` print. docs/formats/json-output.md
[[nodiscard]] Json patterns_json(const patterns::Database& database,
                                 const std::vector<patterns::HiddenPattern>& patterns);
[[nodiscard]] Json bands_json(const patterns::HidingMetrics& metrics);
/// misses_cost, artifactual (of both readers), dissimilarity, bands, metrics_complete: added to the object.
void add_metrics(Json& object, const patterns::HidingMetrics& metrics);
[[nodiscard]] Json attacks_json(const patterns::AttackReport& report);
[[nodiscard]] Json trace_json(const patterns::Database& database, const patterns::HidingResult& result);

/// What was said about the list of patterns: programs must see it, too.
[[nodiscard]] Json notices_json(const std::vector<std::string>& notices);

/// Share of the patterns that a reader finds to whom `?` is absent.
[[nodiscard]] double hiding_failure(const std::vector<patterns::HiddenPattern>& patterns);

}  // namespace gauze::cli
