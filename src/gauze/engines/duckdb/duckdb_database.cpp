// Several tables in one DuckDB, closed to the outside before the first question.
#include <algorithm>
#include <utility>

#include "gauze/base/utf8.h"
#include "gauze/engines/duckdb/internal/duckdb_engine.h"
#include "gauze/engines/duckdb/internal/duckdb_session.h"
#include "gauze/engines/duckdb/internal/own_functions.h"
#include "gauze/engines/duckdb/internal/relation.h"
#include "gauze/engines/internal/declared_text.h"
#include "gauze/engines/internal/input_bytes.h"
#include "gauze/engines/internal/named_files.h"
#include "gauze/engines/query_watch.h"
#include "gauze/engines/sql_database.h"
#include "gauze/table/missing_tokens.h"

namespace gauze::engines {
namespace {

using table::ValueType;

duckdb_type stored_as(ValueType type) {
  switch (type) {
    case ValueType::integer:
      return DUCKDB_TYPE_BIGINT;
    case ValueType::wide_integer:
      return DUCKDB_TYPE_HUGEINT;
    case ValueType::real:
      return DUCKDB_TYPE_DOUBLE;
    case ValueType::text:
      return DUCKDB_TYPE_VARCHAR;
  }
  return DUCKDB_TYPE_VARCHAR;
}

std::string_view sql_type(ValueType type) {
  switch (type) {
    case ValueType::integer:
      return "BIGINT";
    case ValueType::wide_integer:
      return "HUGEINT";
    case ValueType::real:
      return "DOUBLE";
    case ValueType::text:
      return "VARCHAR";
  }
  return "VARCHAR";
}

/// Puts rows into a table, a chunk at a time.
class TableFiller {
 public:
  [[nodiscard]] static Result<std::unique_ptr<TableFiller>> make(
      Connection& connection, const std::string& name, const std::vector<table::RowStream::Column>& columns) {
    std::string list;
    for (const auto& column : columns)
      list += fmt::format("{}{} {}", list.empty() ? "" : ", ", sql_name(column.name), sql_type(column.type));
    GAUZE_TRY_VOID(connection.execute(fmt::format("CREATE TABLE {} ({})", sql_name(name), list), "make a table"));
    std::unique_ptr<TableFiller> filler(new TableFiller);
    if (duckdb().appender_create(connection.get(), nullptr, name.c_str(), &filler->appender_) != DuckDBSuccess)
      return make_error(ErrorCode::internal, "DuckDB takes no rows");
    for (const auto& column : columns) filler->types_.push_back(duckdb().create_logical_type(stored_as(column.type)));
    filler->chunk_ = duckdb().create_data_chunk(filler->types_.data(), filler->types_.size());
    filler->capacity_ = duckdb().vector_size();
    filler->start_chunk();
    return filler;
  }
  TableFiller(const TableFiller&) = delete;
  TableFiller& operator=(const TableFiller&) = delete;
  ~TableFiller() {
    if (chunk_ != nullptr) duckdb().destroy_data_chunk(&chunk_);
    for (duckdb_logical_type& type : types_) duckdb().destroy_logical_type(&type);
    if (appender_ != nullptr) duckdb().appender_destroy(&appender_);
  }

  void set_text(std::size_t column, std::string_view text) {
    duckdb().vector_assign_string_element_len(vector(column), rows_, text.data(), text.size());
  }
  template <class Value>
  void set(std::size_t column, Value value) {
    static_cast<Value*>(duckdb().vector_get_data(vector(column)))[rows_] = value;
  }
  void set_null(std::size_t column) { validity_[column][rows_ / 64] &= ~(std::uint64_t{1} << (rows_ % 64)); }
  [[nodiscard]] bool end_row() { return ++rows_ < capacity_ || flush(); }
  /// Hands over what is left; nothing may be set afterwards.
  [[nodiscard]] bool finish() {
    const bool done = rows_ == 0 || flush();
    return duckdb().appender_destroy(&appender_) == DuckDBSuccess && done;
  }

 private:
  TableFiller() = default;
  [[nodiscard]] duckdb_vector vector(std::size_t column) const {
    return duckdb().data_chunk_get_vector(chunk_, column);
  }
  void start_chunk() {
    rows_ = 0;
    validity_.clear();
    for (std::size_t i = 0; i < types_.size(); ++i) {
      duckdb().vector_ensure_validity_writable(vector(i));
      validity_.push_back(duckdb().vector_get_validity(vector(i)));
      std::fill_n(validity_.back(), (capacity_ + 63) / 64, ~std::uint64_t{0});
    }
  }
  [[nodiscard]] bool flush() {
    duckdb().data_chunk_set_size(chunk_, rows_);
    if (duckdb().append_data_chunk(appender_, chunk_) != DuckDBSuccess) return false;
    duckdb().data_chunk_reset(chunk_);
    start_chunk();
    return true;
  }

  duckdb_appender appender_ = nullptr;
  duckdb_data_chunk chunk_ = nullptr;
  std::vector<duckdb_logical_type> types_;
  std::vector<std::uint64_t*> validity_;
  std::size_t capacity_ = 0;
  std::size_t rows_ = 0;
};

/// Rows of text on their way into a table. What is missing or cannot be read is NULL, unless the column says what it counts as.
class TextFiller final : public table::RowSink {
 public:
  TextFiller(TableFiller& filler, const DatabaseTable& table)
      : filler_(filler), table_(table), tokens_(table.options.null_tokens) {}

  void add(std::span<const std::string_view> cells) override {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string_view cell = trimmed(cells[i]);
      if (find_invalid_utf8(cell))
        put_unreadable(i);
      else if (tokens_.contains(cell))
        filler_.set_null(i);
      else
        filler_.set_text(i, cell);
    }
    fits_ = filler_.end_row() && fits_;
  }
  void add_unreadable() override {
    for (std::size_t i = 0; i < table_.columns.size(); ++i) put_unreadable(i);
    fits_ = filler_.end_row() && fits_;
  }
  [[nodiscard]] bool fits() const { return fits_; }

 private:
  void put_unreadable(std::size_t column) {
    const std::string& text = table_.columns[column].unreadable;
    if (text.empty())
      filler_.set_null(column);
    else
      filler_.set_text(column, text);
  }
  TableFiller& filler_;
  const DatabaseTable& table_;
  table::MissingTokens tokens_;
  bool fits_ = true;
};

class DuckDbDatabase final : public SqlDatabase {
 public:
  explicit DuckDbDatabase(std::unique_ptr<DuckDbSession> session) : session_(std::move(session)) {}

  [[nodiscard]] Result<void> open(const DatabaseTable& table, const std::filesystem::path& temporary) {
    GAUZE_TRY(std::vector<InputFile> files, open_declared_files(table.uri, table.options, temporary));
    Part part{.table = table};
    if (files.front().format() == table::FileFormat::parquet) {
      GAUZE_TRY(InputBytes bytes, InputBytes::of(files));
      part.bytes = std::make_unique<InputBytes>(std::move(bytes));
      for (const InputFile& file : files) part.paths.push_back(file.descriptor().path());
      GAUZE_TRY(part.relation,
                open_parquet(session_->connection(), std::move(files), table.options.names, table.columns));
      part.assumption = "a damaged file: whoever wrote the Parquet files is trusted that their pages are whole";
    } else {
      GAUZE_TRY(part.text, open_declared_text(std::move(files), table.columns, table.options));
      part.assumption = part.text->assumption();
    }
    parts_.push_back(std::move(part));
    return {};
  }

  [[nodiscard]] SqlSession& session() override { return *session_; }
  [[nodiscard]] table::StoredType stored_type(std::size_t table, std::size_t column) const override {
    const Part& part = parts_[table];
    return part.text ? table::StoredType::text : part.relation.columns[column].type;
  }
  [[nodiscard]] std::string assumption() const override {
    for (const Part& part : parts_)
      if (!part.assumption.empty()) return part.assumption;
    return {};
  }

  [[nodiscard]] Result<void> load(Progress& progress, const Witnesses& witnesses) override {
    std::string allowed;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      Part& part = parts_[i];
      const ByteWitness witness = witnesses ? witnesses(i) : ByteWitness();
      if (part.text) {
        GAUZE_TRY_VOID(load_text(part, progress, witness));
        continue;
      }
      if (witness) GAUZE_TRY_VOID(part.bytes->hand_over(witness));
      for (const std::string& path : part.paths) allowed += (allowed.empty() ? "" : ", ") + sql_text(path);
      std::string list;
      for (const SqlRelation::Column& column : part.relation.columns)
        list += fmt::format("{}{} AS {}", list.empty() ? "" : ", ", column.value, sql_name(column.name));
      GAUZE_TRY_VOID(session_->connection().execute(
          fmt::format("CREATE VIEW {} AS SELECT {} FROM {}", sql_name(part.table.name), list, part.relation.from),
          fmt::format("read {}", part.relation.name)));
    }
    // The order matters: what is allowed must be said before the door is shut, and nothing can be said afterwards.
    if (!allowed.empty())
      GAUZE_TRY_VOID(
          session_->connection().execute(fmt::format("SET allowed_paths = [{}]", allowed), "set up DuckDB"));
    return session_->connection().execute("SET enable_external_access = false; SET lock_configuration = true",
                                          "set up DuckDB");
  }

  [[nodiscard]] Result<void> add(const std::string& name, table::RowStream& rows) override {
    GAUZE_TRY(const auto filler, TableFiller::make(session_->connection(), name, rows.columns()));
    for (;;) {
      GAUZE_TRY(const auto batch, rows.next());
      if (!batch) break;
      for (std::size_t row = 0; row < batch->rows; ++row) {
        for (std::size_t i = 0; i < rows.columns().size(); ++i)
          put(*filler, i, rows.columns()[i].type, batch->columns[i], row);
        if (!filler->end_row()) return make_error(ErrorCode::io, "DuckDB has no room for the rows");
      }
    }
    if (!filler->finish()) return make_error(ErrorCode::io, "DuckDB has no room for the rows");
    return {};
  }

  [[nodiscard]] Result<void> check_unchanged() const override {
    for (const Part& part : parts_)
      if (part.bytes) GAUZE_TRY_VOID(part.bytes->check_unchanged());
    return {};
  }

 private:
  struct Part {
    DatabaseTable table;
    std::unique_ptr<table::DeclaredSource> text = {};
    SqlRelation relation = {};
    std::unique_ptr<InputBytes> bytes = {};
    std::vector<std::string> paths = {};
    std::string assumption = {};
  };

  [[nodiscard]] Result<void> load_text(Part& part, Progress& progress, const ByteWitness& witness) {
    std::vector<table::RowStream::Column> columns;
    for (const auto& column : part.table.columns) columns.push_back({column.name, ValueType::text});
    GAUZE_TRY(const auto filler, TableFiller::make(session_->connection(), part.table.name, columns));
    TextFiller rows(*filler, part.table);
    GAUZE_TRY_VOID(part.text->read(rows, progress, witness));
    if (!rows.fits() || !filler->finish()) return make_error(ErrorCode::io, "DuckDB has no room for the rows");
    return {};
  }

  static void put(TableFiller& filler, std::size_t place, ValueType type, const table::ValueColumn& column,
                  std::size_t row) {
    if (column.is_null(row)) return filler.set_null(place);
    switch (type) {
      case ValueType::integer:
        return filler.set(place, column.integers[row]);
      case ValueType::wide_integer:
        return filler.set(place, duckdb_hugeint{static_cast<std::uint64_t>(column.wide_integers[row]),
                                                static_cast<std::int64_t>(column.wide_integers[row] >> 64)});
      case ValueType::real:
        return filler.set(place, column.reals[row]);
      case ValueType::text:
        return filler.set_text(place, column.texts[row]);
    }
  }

  std::vector<Part> parts_;  // before the session: its files outlive every statement
  std::unique_ptr<DuckDbSession> session_;
};

}  // namespace

Result<std::unique_ptr<SqlDatabase>> DuckDbEngine::open_database(
    const std::vector<DatabaseTable>& tables, std::optional<std::chrono::milliseconds> time_limit) {
  GAUZE_TRY(auto session, open_session(time_limit));
  GAUZE_TRY_VOID(register_fixed_point(session->connection()));
  GAUZE_TRY_VOID(register_md5_order(session->connection()));
  auto database = std::make_unique<DuckDbDatabase>(std::move(session));
  for (const DatabaseTable& table : tables) GAUZE_TRY_VOID(database->open(table, temporary()));
  return database;
}

}  // namespace gauze::engines
