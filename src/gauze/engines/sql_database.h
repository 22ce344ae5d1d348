#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/progress.h"
#include "gauze/engines/engine_options.h"
#include "gauze/engines/sql_session.h"
#include "gauze/files/byte_source.h"
#include "gauze/table/declared_source.h"
#include "gauze/table/read_options.h"
#include "gauze/table/row_stream.h"

namespace gauze::engines {

/// A table of which everything but its rows is known, and how SQL calls it.
struct DatabaseTable {
  std::string name = {};
  std::string uri = {};
  std::vector<table::DeclaredColumn> columns = {};
  table::ReadOptions options = {};
};

/// Several tables behind one session, for questions in SQL about all of them.
///
/// Opening one looks at nothing that rows decide. Each table has its declared columns under their own names, as they are stored:
/// what was CSV or JSON is text, without blanks around it, NULL where it is missing or cannot be read. No statement reads any
/// other file, writes one, or changes a setting.
class SqlDatabase {
 public:
  /// For each table, by its place: what its bytes are shown to; none: nobody.
  using Witnesses = std::function<ByteWitness(std::size_t table)>;
  virtual ~SqlDatabase() = default;

  [[nodiscard]] virtual SqlSession& session() = 0;
  [[nodiscard]] virtual table::StoredType stored_type(std::size_t table, std::size_t column) const = 0;
  /// What is taken for granted about whoever wrote the files, for labels; empty when nothing is.
  [[nodiscard]] virtual std::string assumption() const = 0;

  /// Reads what the engine cannot read where it lies, then shuts the door: from here on no file can be named. Fails as
  /// DeclaredSource::group() does. Once, before the first statement.
  [[nodiscard]] virtual Result<void> load(Progress& progress, const Witnesses& witnesses = {}) = 0;
  /// Makes a table of rows that were made; its columns are called as the stream's. After load().
  [[nodiscard]] virtual Result<void> add(const std::string& name, table::RowStream& rows) = 0;
  /// Whether files that were shown to a witness are still what they were.
  [[nodiscard]] virtual Result<void> check_unchanged() const = 0;
};

/// A database of tables that are files, patterns for files, or (with a scheme) tables of a server. No table at all is one for
/// computations on made rows. No statement takes longer than `time_limit`.
[[nodiscard]] Result<std::unique_ptr<SqlDatabase>> open_database(
    const std::vector<DatabaseTable>& tables, const EngineOptions& engine = {},
    std::optional<std::chrono::milliseconds> time_limit = {});

}  // namespace gauze::engines
