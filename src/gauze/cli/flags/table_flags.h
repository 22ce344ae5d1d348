#pragma once

#include <memory>
#include <vector>

#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/table/table.h"

namespace gauze::cli {

/// Flags of every command that reads a table: --delimiter, --quote, --no-header, --names, --null, --encoding.
[[nodiscard]] std::vector<Flag> table_flags();

/// What these flags say, on top of what a policy says.
[[nodiscard]] Result<table::ReadOptions> read_options(const Invocation& invocation, table::ReadOptions options = {});

/// FILE: a table.
[[nodiscard]] Positional table_positional();

/// An engine and the table that was opened with it.
struct OpenTable {
  std::unique_ptr<table::Engine> engine;
  std::unique_ptr<table::Table> table;
};
/// An engine and an input opened with it whose rows are read by total rules.
struct DeclaredTable {
  std::unique_ptr<table::Engine> engine;
  std::unique_ptr<table::DeclaredSource> source;
};
[[nodiscard]] Result<DeclaredTable> open_declared_table(const std::string& source,
                                                        const std::vector<table::DeclaredColumn>& columns,
                                                        const table::ReadOptions& options);
[[nodiscard]] Result<OpenTable> open_table(const std::string& source, const table::ReadOptions& options);

}  // namespace gauze::cli
