#pragma once

#include <span>
#include <string>

#include "gauze/base/error.h"
#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"

namespace gauze::cli {

/// A command line that fits the registry.
struct ParsedLine {
  const Command* command = nullptr;
  Arguments arguments;
};

/// Reads the arguments after the program's name.
///
/// Global flags may stand anywhere, a command's flags anywhere after its name. A flag's value is the next argument
/// whatever it begins with, except two dashes or a flag the command has: `--value -3` works, `--value --json` lacks a
/// value. `--` ends the flags; the command line of another program must stand behind it. No arguments and `-h` become the command `help`, `--version` becomes `version`.
/// Every refusal is a `usage` error; none quotes an argument that may be data.
[[nodiscard]] Result<ParsedLine> parse_command_line(const Registry& registry, std::span<const std::string> args);

/// Whether --json was asked for, also where the rest cannot be parsed.
[[nodiscard]] bool wants_json(std::span<const std::string> args);

}  // namespace gauze::cli
