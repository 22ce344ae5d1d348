#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gauze/patterns/hiding/hide.h"

namespace gauze::cli {

/// "A B: 29 before, 11 to 29 after, H2"
[[nodiscard]] std::string standing_text(const patterns::HiddenPattern& pattern);

/// For each level that a pattern has: its name, and what a reader can do.
[[nodiscard]] std::vector<std::pair<std::string_view, std::string>> level_texts(
    const std::vector<patterns::HiddenPattern>& patterns, bool anonymous_marks);

}  // namespace gauze::cli
