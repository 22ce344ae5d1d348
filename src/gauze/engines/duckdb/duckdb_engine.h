#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "gauze/base/error.h"
#include "gauze/table/table.h"

namespace gauze::engines {

/// DuckDB inside the process: reads CSV, Parquet and JSON lines, groups in parallel, and puts what does not fit into
/// memory on the disk.
///
/// Nothing of DuckDB's reading is left to its guesses: Gauze finds out how a text file is written and checks every
/// record (docs/formats/tables.md), and compares the number of rows that DuckDB returns with its own count. Texts of
/// DuckDB's errors are never passed on, since they quote cells. No extension is loaded, and nothing is written outside
/// the temporary folder and the target. Thread safety: tables may be used at the same time, each by one thread.
class DuckDbEngine : public table::Engine {
 public:
  struct Options {
    int threads = 0;                                 ///< 0: gauze::thread_count()
    std::optional<std::uint64_t> memory_limit = {};  ///< bytes; default: 60 % of the machine's, or of what it may use
    std::optional<std::filesystem::path> temporary = {};  ///< folder for temporary files; default: TMPDIR, else /tmp
    std::size_t values_in_memory = 20'000'000;            ///< that the summaries of all columns together keep
  };
  /// Loads DuckDB; fails with `io` when its library is not there.
  [[nodiscard]] static Result<std::unique_ptr<DuckDbEngine>> make(const Options& options);
  [[nodiscard]] static Result<std::unique_ptr<DuckDbEngine>> make() { return make(Options{}); }
  ~DuckDbEngine() override;

  [[nodiscard]] Result<std::unique_ptr<table::Table>> open(const std::string& source,
                                                           const table::ReadOptions& options) override;
  [[nodiscard]] Result<std::unique_ptr<table::DeclaredSource>> open_declared(
      const std::string& source, const std::vector<table::DeclaredColumn>& columns,
      const table::ReadOptions& options) override;

 private:
  struct State;
  explicit DuckDbEngine(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;  // shared with the tables, which may outlive the engine
};

}  // namespace gauze::engines
