#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gauze/patterns/audit/hiding_metrics.h"
#include "gauze/patterns/hiding/hide.h"

namespace gauze::cli {

/// "A B: 29 before, 11 to 29 after, H2"
[[nodiscard]] std::string standing_text(const patterns::HiddenPattern& pattern);

/// "3 of 120"; "about 1.2 % (1 to 1.5 %) of 120" where it is an estimate; "unknown how many of 120".
[[nodiscard]] std::string part_text(const patterns::SetShare& share);

/// For each level that a pattern has: its name, and what a reader can do.
[[nodiscard]] std::vector<std::pair<std::string_view, std::string>> level_texts(
    const std::vector<patterns::HiddenPattern>& patterns, bool anonymous_marks);

}  // namespace gauze::cli
