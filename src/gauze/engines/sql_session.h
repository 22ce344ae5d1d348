#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "gauze/base/error.h"
#include "gauze/table/row_stream.h"
#include "gauze/table/source.h"

namespace gauze::engines {

/// How one database writes what SQL leaves open.
class SqlDialect {
 public:
  virtual ~SqlDialect() = default;
  /// "duckdb"
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// A text as it stands in SQL: 'it''s'.
  [[nodiscard]] virtual std::string text(std::string_view text) const = 0;
  /// A name as it stands in SQL: "a ""name""".
  [[nodiscard]] virtual std::string identifier(std::string_view name) const = 0;
  /// SQL for the text of a stored value, by the rule of docs/formats/tables.md; NULL when missing.
  [[nodiscard]] virtual std::string as_text(const std::string& value, table::StoredType type) const = 0;
  /// SQL for a text without blanks around it, as trimmed() does it.
  [[nodiscard]] virtual std::string trimmed(const std::string& text) const = 0;
  /// SQL for floor(value * factor + 0.5), computed in doubles and taken into [low, high], as an integer of 64 bits. `value` is SQL
  /// for a double; NULL and NaN give NULL. The ends are at most 2^53 in size. For sessions of a SqlDatabase.
  [[nodiscard]] virtual std::string fixed_point(const std::string& value, double factor, std::int64_t low,
                                                std::int64_t high) const = 0;
  /// SQL for what comes in the order of md5(concat(texts)): its first 64 bits, or all of it. NULL is the empty text. `texts` is SQL
  /// for texts, with commas. For sessions of a SqlDatabase.
  [[nodiscard]] virtual std::string md5_order(const std::string& texts) const = 0;
};

/// A conversation with a database in SQL. What it may use of time and memory is said when it is opened.
///
/// Errors never quote what the database says, since that quotes cells.
/// Thread safety: one statement at a time, which ends the stream of the one before; interrupt() and progress() at any time.
class SqlSession {
 public:
  virtual ~SqlSession() = default;

  [[nodiscard]] virtual const SqlDialect& dialect() const = 0;
  /// Runs one statement; rows come while it runs. `doing` completes "cannot ..." in an error: "read 'adult.csv'".
  /// Integers come with 64 or 128 bits, floating-point numbers as reals; any other type as its text.
  [[nodiscard]] virtual Result<std::unique_ptr<table::RowStream>> run(const std::string& sql,
                                                                      const std::string& doing) = 0;
  /// The same for few rows, which may all be made and kept before the first is returned: quicker where little is computed.
  [[nodiscard]] virtual Result<std::unique_ptr<table::RowStream>> run_whole(const std::string& sql,
                                                                            const std::string& doing) {
    return run(sql, doing);
  }

  /// Ends the running statement with `interrupted`.
  virtual void interrupt() = 0;
  /// The share of the running statement that is done, or a negative number when it is not known.
  [[nodiscard]] virtual double progress() const = 0;
};

}  // namespace gauze::engines
