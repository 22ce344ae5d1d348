#pragma once

#include <vector>

#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/table/read_options.h"

namespace gauze::cli {

/// Flags of every command that reads a table: --delimiter, --quote, --no-header, --names, --null, --encoding, --decimal.
[[nodiscard]] std::vector<Flag> table_flags();

/// What these flags say, on top of what a policy says.
[[nodiscard]] Result<table::ReadOptions> read_options(const Invocation& invocation, table::ReadOptions options = {});

/// FILE: a table.
[[nodiscard]] Positional table_positional();

}  // namespace gauze::cli
