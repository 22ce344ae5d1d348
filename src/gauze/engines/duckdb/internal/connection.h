#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/engines/duckdb/internal/library.h"

namespace gauze::engines {

/// A text as it stands in SQL: 'it''s'.
[[nodiscard]] std::string sql_text(std::string_view text);
/// A name as it stands in SQL: "a ""name""".
[[nodiscard]] std::string sql_name(std::string_view name);

/// A database in memory.
class Database {
 public:
  struct Setting {
    const char* name;
    std::string value;
  };
  [[nodiscard]] static Result<std::shared_ptr<Database>> open(const std::vector<Setting>& settings);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  [[nodiscard]] duckdb_database get() const { return database_; }

 private:
  Database() = default;
  duckdb_database database_ = nullptr;
};

/// Some rows of a result.
class Chunk {
 public:
  explicit Chunk(duckdb_data_chunk chunk) : chunk_(chunk) {}
  Chunk(Chunk&& other) noexcept : chunk_(std::exchange(other.chunk_, nullptr)) {}
  Chunk& operator=(Chunk&& other) noexcept {
    std::swap(chunk_, other.chunk_);
    return *this;
  }
  ~Chunk() {
    if (chunk_ != nullptr) duckdb().destroy_data_chunk(&chunk_);
  }

  [[nodiscard]] std::size_t size() const { return duckdb().data_chunk_get_size(chunk_); }
  [[nodiscard]] duckdb_vector column(std::size_t index) const {
    return duckdb().data_chunk_get_vector(chunk_, index);
  }

 private:
  duckdb_data_chunk chunk_;
};

/// A text as DuckDB stores it.
[[nodiscard]] inline std::string_view text_of(const duckdb_string_t& stored) {
  const auto& text = stored.value;
  const std::uint32_t length = text.inlined.length;
  return {length <= sizeof(text.inlined.inlined) ? text.inlined.inlined : text.pointer.ptr, length};
}

/// The texts of a vector of type VARCHAR.
class TextVector {
 public:
  explicit TextVector(duckdb_vector vector)
      : texts_(static_cast<const duckdb_string_t*>(duckdb().vector_get_data(vector))),
        validity_(duckdb().vector_get_validity(vector)) {}

  /// NULL is the empty text: both are missing.
  [[nodiscard]] std::string_view operator[](std::size_t row) const {
    return is_null(row) ? std::string_view() : text_of(texts_[row]);
  }
  [[nodiscard]] bool is_null(std::size_t row) const {
    return validity_ != nullptr && (validity_[row / 64] >> (row % 64) & 1) == 0;
  }

 private:
  const duckdb_string_t* texts_;
  const std::uint64_t* validity_;
};

/// What a failed query says. DuckDB's own text quotes cells and is never shown: only what kind of failure it is leaves
/// this class.
[[nodiscard]] Error translate(const char* message, std::string_view doing);

/// The rows of a query, chunk by chunk, while it runs.
class ResultStream {
 public:
  ResultStream(ResultStream&& other) noexcept;
  ResultStream& operator=(ResultStream&&) = delete;
  ~ResultStream();

  /// The next rows, or nothing at the end.
  [[nodiscard]] Result<std::optional<Chunk>> next();
  [[nodiscard]] std::size_t columns() { return duckdb().column_count(&result_); }
  [[nodiscard]] std::string column_name(std::size_t index) { return duckdb().column_name(&result_, index); }
  [[nodiscard]] duckdb_type column_type(std::size_t index) { return duckdb().column_type(&result_, index); }

 private:
  friend class Connection;
  explicit ResultStream(std::string doing) : doing_(std::move(doing)) {}

  std::string doing_;
  duckdb_result result_{};
  bool open_ = false;
};

/// A statement that DuckDB has understood, and what it will return.
class Statement {
 public:
  Statement(Statement&& other) noexcept : statement_(std::exchange(other.statement_, nullptr)) {}
  Statement& operator=(Statement&&) = delete;
  ~Statement() { duckdb().destroy_prepare(&statement_); }

  [[nodiscard]] bool is_select() const {
    return duckdb().prepared_statement_type(statement_) == DUCKDB_STATEMENT_TYPE_SELECT;
  }
  [[nodiscard]] std::size_t columns() const { return duckdb().prepared_statement_column_count(statement_); }
  [[nodiscard]] std::string column_name(std::size_t index) const;
  [[nodiscard]] duckdb_type column_type(std::size_t index) const {
    return duckdb().prepared_statement_column_type(statement_, index);
  }

 private:
  friend class Connection;
  Statement() = default;
  duckdb_prepared_statement statement_ = nullptr;
};

/// One connection. Thread safety: one query at a time; interrupt() and progress() at any time.
class Connection {
 public:
  [[nodiscard]] static Result<Connection> open(std::shared_ptr<Database> database);
  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&&) = delete;
  ~Connection();

  /// `doing` completes "cannot ..." in an error: "read 'adult.csv'".
  [[nodiscard]] Result<Statement> prepare(const std::string& sql, const std::string& doing);
  [[nodiscard]] Result<ResultStream> stream(const Statement& statement, std::string doing);
  [[nodiscard]] Result<ResultStream> stream(const std::string& sql, std::string doing);
  [[nodiscard]] Result<void> execute(const std::string& sql, std::string_view doing);
  /// Runs one statement to its end and keeps its rows.
  [[nodiscard]] Result<ResultStream> whole(const std::string& sql, std::string doing);
  /// The single number that a query returns.
  [[nodiscard]] Result<std::uint64_t> count(const std::string& sql, std::string doing);

  void interrupt() const { duckdb().interrupt(connection_); }
  /// Percent of the running query, or a negative number when it is not known.
  [[nodiscard]] double progress() const { return duckdb().query_progress(connection_).percentage; }
  [[nodiscard]] duckdb_connection get() const { return connection_; }

 private:
  explicit Connection(std::shared_ptr<Database> database) : database_(std::move(database)) {}

  std::shared_ptr<Database> database_;
  duckdb_connection connection_ = nullptr;
};

}  // namespace gauze::engines
