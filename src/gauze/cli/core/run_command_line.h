#pragma once

#include <span>
#include <string>

#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/streams.h"

namespace gauze::cli {

/// Runs one command line (without the program's name) and returns the exit status.
///
/// An error is printed as `gauze: <message>` on stderr or, with --json, as {"error":{"code","message"}} on stdout.
/// Foreign exceptions end here, as an `internal` error that does not quote them: their messages may hold data.
[[nodiscard]] int run_command_line(const Registry& registry, std::span<const std::string> args, Streams& streams);

/// The same with all commands of Gauze.
[[nodiscard]] int run_command_line(std::span<const std::string> args, Streams& streams);

}  // namespace gauze::cli
