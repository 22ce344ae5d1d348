#pragma once

#include <vector>

#include "gauze/files/json.h"
#include "gauze/patterns/hiding/hide.h"

namespace gauze::patterns {

// What was hidden, for programs: docs/formats/json-output.md. All of it is the owner's.

/// `items`, `before`, `after`, `min_count`, `level`, and `if` of a rule, for each pattern.
[[nodiscard]] Json to_json(const Database& database, const std::vector<HiddenPattern>& patterns);
/// Why each change was made.
[[nodiscard]] Json trace_json(const Database& database, const HidingResult& result);

/// Share of the patterns that a reader finds to whom `?` is absent.
[[nodiscard]] double hiding_failure(const std::vector<HiddenPattern>& patterns);

}  // namespace gauze::patterns
