#include "gauze/engines/duckdb/internal/duckdb_session.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "gauze/base/utf8.h"
#include "gauze/engines/duckdb/internal/own_functions.h"

namespace gauze::engines {
namespace {

using table::StoredType;
using table::ValueType;

class DuckDbDialect : public SqlDialect {
 public:
  [[nodiscard]] std::string_view name() const override { return "duckdb"; }
  [[nodiscard]] std::string text(std::string_view text) const override { return sql_text(text); }
  [[nodiscard]] std::string identifier(std::string_view name) const override { return sql_name(name); }
  /// Whole numbers are written without ".0"; not-a-number is missing.
  [[nodiscard]] std::string as_text(const std::string& value, StoredType type) const override {
    if (type == StoredType::text) return value;
    std::string cast = fmt::format("TRY_CAST({} AS VARCHAR)", value);
    if (type != StoredType::real) return cast;
    return fmt::format("CASE WHEN isnan({0}) THEN NULL WHEN suffix({1}, '.0') THEN left({1}, -2) ELSE {1} END", value,
                       cast);
  }
  [[nodiscard]] std::string trimmed(const std::string& text) const override {
    return fmt::format("trim({}, {})", text, sql_text(kBlanks));
  }
  [[nodiscard]] std::string fixed_point(const std::string& value, double factor, std::int64_t low,
                                        std::int64_t high) const override {
    return fmt::format("{}({}, CAST('{}' AS DOUBLE), CAST({} AS BIGINT), CAST({} AS BIGINT))", kFixedPoint, value,
                       factor, low, high);
  }
  [[nodiscard]] std::string md5_order(const std::string& texts) const override {
    return fmt::format("{}({})", kMd5Order, texts);
  }
};

/// The type in which values of a type of DuckDB go on without being cast.
std::optional<ValueType> carried_as(duckdb_type type) {
  if (type == DUCKDB_TYPE_BOOLEAN) return ValueType::text;
  const StoredType stored = stored_type(type);
  const ValueType value = table::value_type(stored);
  if (value == ValueType::text && stored != StoredType::text) return std::nullopt;
  return value;
}

/// Ends a statement that takes too long.
class Deadline {
 public:
  Deadline(const Connection& connection, std::chrono::milliseconds limit)
      : thread_([this, &connection, end = std::chrono::steady_clock::now() + limit] {
          std::unique_lock lock(mutex_);
          if (ended_.wait_until(lock, end, [this] { return end_; })) return;
          passed_ = true;
          connection.interrupt();
        }) {}
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;
  ~Deadline() {
    {
      const std::lock_guard lock(mutex_);
      end_ = true;
    }
    ended_.notify_all();
    thread_.join();
  }
  [[nodiscard]] bool passed() const { return passed_; }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::atomic<bool> passed_{false};
  std::thread thread_;  // the last: it uses the others
};

/// What an error says when time was up.
Error by_deadline(Error error, const std::unique_ptr<Deadline>& deadline, const std::string& doing) {
  if (error.code != ErrorCode::interrupted || !deadline || !deadline->passed()) return error;
  return {ErrorCode::io, fmt::format("cannot {} within the time allowed", doing)};
}

template <class Stored, class Value>
void copy(duckdb_vector vector, std::size_t rows, std::vector<Value>& values) {
  const auto* const stored = static_cast<const Stored*>(duckdb().vector_get_data(vector));
  values.assign(stored, stored + rows);
}

void copy_wide(duckdb_vector vector, std::size_t rows, std::vector<table::Int128>& values) {
  const auto* const stored = static_cast<const duckdb_hugeint*>(duckdb().vector_get_data(vector));
  values.reserve(rows);
  for (std::size_t row = 0; row < rows; ++row)
    values.push_back(static_cast<table::Int128>(stored[row].upper) * (static_cast<table::Int128>(1) << 64) +
                     stored[row].lower);
}

void copy_texts(duckdb_vector vector, std::size_t rows, table::ValueColumn& column) {
  const auto* const stored = static_cast<const duckdb_string_t*>(duckdb().vector_get_data(vector));
  column.texts.resize(rows);
  if (column.nulls.empty()) {
    std::transform(stored, stored + rows, column.texts.begin(), text_of);
    return;
  }
  for (std::size_t row = 0; row < rows; ++row)
    if (column.nulls[row] == 0) column.texts[row] = text_of(stored[row]);
}

/// 1 where a value is NULL; nothing where none is.
std::vector<std::uint8_t> nulls_of(duckdb_vector vector, std::size_t rows) {
  const std::uint64_t* const validity = duckdb().vector_get_validity(vector);
  std::vector<std::uint8_t> nulls;
  if (validity == nullptr || std::all_of(validity, validity + rows / 64, [](auto word) { return ~word == 0; })) {
    const std::size_t rest = rows % 64;
    if (validity == nullptr || rest == 0 || (~validity[rows / 64] << (64 - rest)) == 0) return nulls;
  }
  nulls.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) nulls[row] = (validity[row / 64] >> (row % 64) & 1) == 0 ? 1 : 0;
  return nulls;
}

void copy_truths(duckdb_vector vector, std::size_t rows, table::ValueColumn& column) {
  const auto* const stored = static_cast<const bool*>(duckdb().vector_get_data(vector));
  for (std::size_t row = 0; row < rows; ++row)
    column.texts.emplace_back(column.is_null(row) ? "" : stored[row] ? "true" : "false");
}

table::ValueColumn take(duckdb_vector vector, duckdb_type type, std::size_t rows) {
  table::ValueColumn column;
  column.nulls = nulls_of(vector, rows);
  switch (type) {
    case DUCKDB_TYPE_TINYINT:
      copy<std::int8_t>(vector, rows, column.integers);
      break;
    case DUCKDB_TYPE_SMALLINT:
      copy<std::int16_t>(vector, rows, column.integers);
      break;
    case DUCKDB_TYPE_INTEGER:
      copy<std::int32_t>(vector, rows, column.integers);
      break;
    case DUCKDB_TYPE_BIGINT:
      copy<std::int64_t>(vector, rows, column.integers);
      break;
    case DUCKDB_TYPE_UTINYINT:
      copy<std::uint8_t>(vector, rows, column.integers);
      break;
    case DUCKDB_TYPE_USMALLINT:
      copy<std::uint16_t>(vector, rows, column.integers);
      break;
    case DUCKDB_TYPE_UINTEGER:
      copy<std::uint32_t>(vector, rows, column.integers);
      break;
    case DUCKDB_TYPE_UBIGINT:
      copy<std::uint64_t>(vector, rows, column.wide_integers);
      break;
    case DUCKDB_TYPE_HUGEINT:
      copy_wide(vector, rows, column.wide_integers);
      break;
    case DUCKDB_TYPE_FLOAT:
      copy<float>(vector, rows, column.reals);
      break;
    case DUCKDB_TYPE_DOUBLE:
      copy<double>(vector, rows, column.reals);
      break;
    case DUCKDB_TYPE_BOOLEAN:
      copy_truths(vector, rows, column);
      break;
    default:
      copy_texts(vector, rows, column);
  }
  return column;
}

class DuckDbRows : public table::RowStream {
 public:
  DuckDbRows(std::vector<Column> columns, ResultStream rows, std::unique_ptr<Deadline> deadline, std::string doing)
      : RowStream(std::move(columns)),
        rows_(std::move(rows)),
        deadline_(std::move(deadline)),
        doing_(std::move(doing)) {
    for (std::size_t i = 0; i < this->columns().size(); ++i) types_.push_back(rows_.column_type(i));
  }

  [[nodiscard]] Result<std::optional<table::ValueBatch>> next() override {
    auto chunk = rows_.next();
    if (!chunk) return tl::unexpected<Error>(by_deadline(chunk.error(), deadline_, doing_));
    if (!*chunk) return std::optional<table::ValueBatch>{};
    const auto memory = std::make_shared<const Chunk>(std::move(**chunk));
    table::ValueBatch batch;
    batch.rows = memory->size();
    for (std::size_t i = 0; i < types_.size(); ++i)
      batch.columns.push_back(take(memory->column(i), types_[i], batch.rows));
    batch.memory = memory;
    return std::optional<table::ValueBatch>(std::move(batch));
  }

 private:
  ResultStream rows_;
  std::unique_ptr<Deadline> deadline_;
  std::string doing_;
  std::vector<duckdb_type> types_;
};

/// The same rows with each value of a type that is not carried cast to its text.
std::string with_texts(std::string sql, const Statement& statement) {
  while (!sql.empty() && (sql.back() == ';' || sql.back() == ' ' || sql.back() == '\n')) sql.pop_back();
  std::string values;
  std::string names;
  for (std::size_t i = 0; i < statement.columns(); ++i) {
    const duckdb_type type = statement.column_type(i);
    const std::string name = fmt::format("c{}", i);
    const char* const comma = i == 0 ? "" : ", ";
    names += comma + name;
    values += comma + (carried_as(type) ? name : duckdb_dialect().as_text(name, stored_type(type)));
  }
  // The line end is for a comment at the end of the statement.
  return fmt::format("SELECT {} FROM ({}\n) AS t({})", values, sql, names);
}

}  // namespace

const SqlDialect& duckdb_dialect() {
  static const DuckDbDialect dialect;
  return dialect;
}

StoredType stored_type(duckdb_type type) {
  switch (type) {
    case DUCKDB_TYPE_VARCHAR:
      return StoredType::text;
    case DUCKDB_TYPE_TINYINT:
    case DUCKDB_TYPE_SMALLINT:
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_BIGINT:
    case DUCKDB_TYPE_UTINYINT:
    case DUCKDB_TYPE_USMALLINT:
    case DUCKDB_TYPE_UINTEGER:
      return StoredType::integer;
    case DUCKDB_TYPE_UBIGINT:
    case DUCKDB_TYPE_HUGEINT:
      return StoredType::wide_integer;
    case DUCKDB_TYPE_DECIMAL:
      return StoredType::decimal;
    case DUCKDB_TYPE_FLOAT:
    case DUCKDB_TYPE_DOUBLE:
      return StoredType::real;
    case DUCKDB_TYPE_BOOLEAN:
      return StoredType::boolean;
    case DUCKDB_TYPE_DATE:
      return StoredType::date;
    case DUCKDB_TYPE_TIME:
    case DUCKDB_TYPE_TIME_TZ:
      return StoredType::time;
    case DUCKDB_TYPE_TIMESTAMP:
    case DUCKDB_TYPE_TIMESTAMP_S:
    case DUCKDB_TYPE_TIMESTAMP_MS:
    case DUCKDB_TYPE_TIMESTAMP_NS:
    case DUCKDB_TYPE_TIMESTAMP_TZ:
      return StoredType::timestamp;
    default:
      return StoredType::other;
  }
}

Result<std::unique_ptr<table::RowStream>> DuckDbSession::run(const std::string& sql, const std::string& doing) {
  std::unique_ptr<Deadline> deadline;
  if (time_limit_) deadline = std::make_unique<Deadline>(connection_, *time_limit_);
  GAUZE_TRY(Statement prepared, connection_.prepare(sql, doing));
  std::optional<Statement> statement(std::move(prepared));
  std::vector<table::RowStream::Column> columns;
  bool all_carried = true;
  for (std::size_t i = 0; i < statement->columns(); ++i) {
    const auto type = carried_as(statement->column_type(i));
    all_carried = all_carried && type.has_value();
    columns.push_back({statement->column_name(i), type.value_or(ValueType::text)});
  }
  if (!all_carried) {
    if (!statement->is_select())
      return make_error(ErrorCode::unsupported, "cannot {}: a statement other than SELECT returns no values here",
                        doing);
    const std::string cast = with_texts(sql, *statement);
    statement.reset();
    GAUZE_TRY(Statement casting, connection_.prepare(cast, doing));
    statement.emplace(std::move(casting));
  }
  auto rows = connection_.stream(*statement, doing);
  if (!rows) return tl::unexpected<Error>(by_deadline(rows.error(), deadline, doing));
  return std::make_unique<DuckDbRows>(std::move(columns), std::move(*rows), std::move(deadline), doing);
}

Result<std::unique_ptr<table::RowStream>> DuckDbSession::run_whole(const std::string& sql, const std::string& doing) {
  std::unique_ptr<Deadline> deadline;
  if (time_limit_) deadline = std::make_unique<Deadline>(connection_, *time_limit_);
  auto rows = connection_.whole(sql, doing);
  if (!rows) return tl::unexpected<Error>(by_deadline(rows.error(), deadline, doing));
  std::vector<table::RowStream::Column> columns;
  for (std::size_t i = 0; i < rows->columns(); ++i) {
    const auto type = carried_as(rows->column_type(i));
    if (!type) return run(sql, doing);  // with texts in the place of such values
    columns.push_back({rows->column_name(i), *type});
  }
  return std::make_unique<DuckDbRows>(std::move(columns), std::move(*rows), std::move(deadline), doing);
}

}  // namespace gauze::engines
