#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "gauze/engines/duckdb/internal/connection.h"
#include "gauze/engines/sql_session.h"

namespace gauze::engines {

[[nodiscard]] const SqlDialect& duckdb_dialect();

/// How DuckDB's types are stored, as sources see them.
[[nodiscard]] table::StoredType stored_type(duckdb_type type);

/// A connection to DuckDB as a session.
class DuckDbSession : public SqlSession {
 public:
  using Time = std::optional<std::chrono::milliseconds>;
  /// `engine` lives as long as the session. No statement takes longer than `time_limit`, the reading of its rows included.
  DuckDbSession(std::shared_ptr<const void> engine, Connection connection, int threads, Time time_limit)
      : engine_(std::move(engine)), connection_(std::move(connection)), threads_(threads), time_limit_(time_limit) {}

  [[nodiscard]] const SqlDialect& dialect() const override { return duckdb_dialect(); }
  [[nodiscard]] Result<std::unique_ptr<table::RowStream>> run(const std::string& sql,
                                                              const std::string& doing) override;
  /// Without a prepared statement: what reads files DuckDB plans once more before it runs what it has prepared.
  [[nodiscard]] Result<std::unique_ptr<table::RowStream>> run_whole(const std::string& sql,
                                                                    const std::string& doing) override;
  void interrupt() override { connection_.interrupt(); }
  [[nodiscard]] double progress() const override { return connection_.progress() / 100; }

  [[nodiscard]] Connection& connection() { return connection_; }
  [[nodiscard]] int threads() const { return threads_; }

 private:
  std::shared_ptr<const void> engine_;
  Connection connection_;
  int threads_;
  Time time_limit_;
};

}  // namespace gauze::engines
