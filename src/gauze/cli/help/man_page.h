#pragma once

#include <string>

#include "gauze/cli/core/command_registry.h"

namespace gauze::cli {

/// The manual page gauze(1) in roff: commands with examples and flags, then the topics.
[[nodiscard]] std::string man_page(const Registry& registry);

}  // namespace gauze::cli
