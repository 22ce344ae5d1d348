#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/engines/internal/input_file.h"
#include "gauze/engines/open_source.h"
#include "gauze/engines/sql_database.h"

namespace gauze::engines {

class DuckDbSession;

/// DuckDB inside the process: reads CSV, Parquet and JSON lines, groups in parallel, and puts what does not fit into
/// memory on the disk.
///
/// Nothing of DuckDB's reading is left to its guesses: Gauze finds out how a text file is written and checks every
/// record (docs/formats/tables.md), and compares the number of rows that DuckDB returns with its own count. Texts of
/// DuckDB's errors are never passed on, since they quote cells. No extension is loaded, and nothing is written outside
/// the temporary folder and the target. Thread safety: sources may be used at the same time, each by one thread.
class DuckDbEngine {
 public:
  /// Loads DuckDB; fails with `io` when its library is not there.
  [[nodiscard]] static Result<std::unique_ptr<DuckDbEngine>> make(const EngineOptions& options = {});
  ~DuckDbEngine();

  /// As open_source() and open_declared_source() say it, for files.
  [[nodiscard]] Result<OpenedSource> open(const std::string& source, const table::ReadOptions& options);
  [[nodiscard]] Result<std::unique_ptr<table::DeclaredSource>> open_declared(
      const std::string& source, const std::vector<table::DeclaredColumn>& columns,
      const table::ReadOptions& options);
  [[nodiscard]] Result<std::unique_ptr<DuckDbSession>> open_session(
      std::optional<std::chrono::milliseconds> time_limit = {});
  /// As the function of that name says it; one engine for one database, which is shut when it is loaded.
  [[nodiscard]] Result<std::unique_ptr<SqlDatabase>> open_database(
      const std::vector<DatabaseTable>& tables, std::optional<std::chrono::milliseconds> time_limit);
  /// The files that a declared source names, by names alone.
  [[nodiscard]] Result<std::vector<InputFile>> open_declared_files(const std::string& source,
                                                                   const table::ReadOptions& options) const;

 private:
  struct State;
  explicit DuckDbEngine(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;  // shared with sources and sessions, which may outlive the engine
};

}  // namespace gauze::engines
