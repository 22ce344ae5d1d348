#pragma once

#include <string>

#include "gauze/cli/core/command_registry.h"

namespace gauze::cli {

// Completion scripts for commands, flags, choices and files, generated from the registry.

[[nodiscard]] std::string bash_completions(const Registry& registry);
[[nodiscard]] std::string zsh_completions(const Registry& registry);
[[nodiscard]] std::string fish_completions(const Registry& registry);

}  // namespace gauze::cli
