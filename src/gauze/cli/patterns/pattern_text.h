#pragma once

#include <string>

#include "gauze/patterns/hiding/hide.h"

namespace gauze::cli {

/// "A B: 29 before, 11 to 29 after, H2"
[[nodiscard]] std::string standing_text(const patterns::HiddenPattern& pattern);

}  // namespace gauze::cli
