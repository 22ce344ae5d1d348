#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/engines/engine_options.h"
#include "gauze/engines/sql_session.h"
#include "gauze/table/declared_source.h"
#include "gauze/table/read_options.h"
#include "gauze/table/source.h"
#include "gauze/table/table_writer.h"
#include "gauze/table/text_form.h"

namespace gauze::engines {

/// A source, and how it was written, so that output can look like it.
struct OpenedSource {
  std::unique_ptr<table::Source> source;
  std::optional<table::FileFormat> format = {};  ///< of files
  table::TextForm form = {};                     ///< of CSV files
};

/// Opens what a URI names by the engine for its scheme: without one, a file, a glob, or "-" for the standard input. A
/// scheme that this build does not read is `unsupported`. Errors name the file and the rule, never a cell.
[[nodiscard]] Result<OpenedSource> open_source(const std::string& uri, const table::ReadOptions& options,
                                               const EngineOptions& engine = {});

/// The same for a release, by names and options alone: what the options do not say is the usual (UTF-8, a header, double
/// quotes, the delimiter that divides the header into the declared names). `unknown_column` when the file does not
/// have a declared column, `invalid_parameter` when it cannot be known without looking at rows.
[[nodiscard]] Result<std::unique_ptr<table::DeclaredSource>> open_declared_source(
    const std::string& uri, const std::vector<table::DeclaredColumn>& columns, const table::ReadOptions& options,
    const EngineOptions& engine = {});

/// A session of the engine that reads files. Its memory is that of the options; no statement takes longer than `time_limit`.
[[nodiscard]] Result<std::unique_ptr<SqlSession>> open_session(
    const EngineOptions& engine = {}, std::optional<std::chrono::milliseconds> time_limit = {});

/// A writer of CSV, Parquet and compressed CSV.
[[nodiscard]] std::unique_ptr<table::TableWriter> make_table_writer(const EngineOptions& engine = {});

}  // namespace gauze::engines
