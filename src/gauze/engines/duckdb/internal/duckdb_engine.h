#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/engines/engine_options.h"
#include "gauze/engines/internal/input_file.h"
#include "gauze/engines/internal/sql_source.h"
#include "gauze/engines/internal/text_table.h"
#include "gauze/engines/sql_database.h"
#include "gauze/table/declared_source.h"
#include "gauze/table/read_options.h"
#include "gauze/table/source.h"

namespace gauze::engines {

class DuckDbSession;

/// DuckDB inside the process: reads Parquet and the sound CSV that Gauze makes of text, groups in parallel, and puts what does not
/// fit into memory on the disk.
///
/// Nothing of DuckDB's reading is left to its guesses: Gauze finds out how a text file is written and checks every
/// record (`internal/file_tables.h`, docs/formats/tables.md), and compares the number of rows that DuckDB returns with its own count. Texts of
/// DuckDB's errors are never passed on, since they quote cells. No extension is loaded, and nothing is written outside
/// the temporary folder and the target. Thread safety: sources may be used at the same time, each by one thread.
class DuckDbEngine {
 public:
  /// Loads DuckDB; fails with `io` when its library is not there.
  [[nodiscard]] static Result<std::unique_ptr<DuckDbEngine>> make(const EngineOptions& options = {});
  ~DuckDbEngine();

  /// Text that has been read once, and is grouped and scanned from now on.
  [[nodiscard]] Result<std::unique_ptr<table::Source>> open_text(TextTable text, const table::ReadOptions& options);
  [[nodiscard]] Result<std::unique_ptr<table::Source>> open_parquet(std::vector<InputFile> files,
                                                                    const table::ReadOptions& options);
  [[nodiscard]] Result<std::unique_ptr<table::DeclaredSource>> open_declared_parquet(
      std::vector<InputFile> files, const std::vector<table::DeclaredColumn>& columns,
      const table::ReadOptions& options);
  [[nodiscard]] Result<std::unique_ptr<DuckDbSession>> open_session(
      std::optional<std::chrono::milliseconds> time_limit = {});
  /// As the function of that name says it; one engine for one database, which is shut when it is loaded.
  [[nodiscard]] Result<std::unique_ptr<SqlDatabase>> open_database(
      const std::vector<DatabaseTable>& tables, std::optional<std::chrono::milliseconds> time_limit);

 private:
  struct State;
  explicit DuckDbEngine(std::shared_ptr<State> state);
  [[nodiscard]] const std::filesystem::path& temporary() const;
  [[nodiscard]] std::unique_ptr<SqlSource> source_of(std::unique_ptr<DuckDbSession> session, SqlRelation relation,
                                                     const table::ReadOptions& options,
                                                     table::DecimalSign decimal) const;
  std::shared_ptr<State> state_;  // shared with sources and sessions, which may outlive the engine
};

}  // namespace gauze::engines
