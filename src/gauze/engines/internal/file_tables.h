#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/engines/duckdb/internal/duckdb_engine.h"
#include "gauze/engines/engine_options.h"
#include "gauze/engines/internal/engine_settings.h"
#include "gauze/engines/open_source.h"

namespace gauze::engines {

/// Tables in files. Text is found, read and checked by Gauze itself; DuckDB, which groups it and reads Parquet, is loaded when a table
/// needs it. Thread safety: one thread; the sources may be used at the same time, each by one thread.
class FileTables {
 public:
  explicit FileTables(const EngineOptions& options = {}) : options_(options), settings_(options) {}

  /// As open_source() and open_declared_source() say it.
  [[nodiscard]] Result<OpenedSource> open(const std::string& source, const table::ReadOptions& options);
  [[nodiscard]] Result<std::unique_ptr<table::DeclaredSource>> open_declared(
      const std::string& source, const std::vector<table::DeclaredColumn>& columns,
      const table::ReadOptions& options);

 private:
  [[nodiscard]] Result<DuckDbEngine*> engine();

  EngineOptions options_;
  EngineSettings settings_;
  std::unique_ptr<DuckDbEngine> engine_;
};

}  // namespace gauze::engines
