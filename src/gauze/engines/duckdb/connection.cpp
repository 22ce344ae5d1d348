#include "gauze/engines/duckdb/internal/connection.h"

#include <charconv>
#include <utility>

namespace gauze::engines {
namespace {

std::string doubled(std::string_view text, char quote) {
  std::string result(1, quote);
  for (const char c : text) {
    if (c == quote) result += quote;
    result += c;
  }
  return result + quote;
}

}  // namespace

std::string sql_text(std::string_view text) { return doubled(text, '\''); }
std::string sql_name(std::string_view name) { return doubled(name, '"'); }

Error translate(const char* message, std::string_view doing) {
  const std::string_view text = message == nullptr ? "" : message;
  const auto says = [&](std::string_view words) { return text.find(words) != std::string_view::npos; };
  if (text.starts_with("INTERRUPT")) return {ErrorCode::interrupted, "interrupted; nothing was written"};
  if (text.starts_with("Out of Memory") || says("failed to allocate") || says("bad_alloc"))
    return {ErrorCode::io,
            fmt::format("cannot {}: memory does not suffice; give more, or room for temporary files", doing)};
  if (says("No space left")) return {ErrorCode::io, fmt::format("cannot {}: no space is left on the disk", doing)};
  if (text.starts_with("IO Error")) return {ErrorCode::io, fmt::format("cannot {}: input or output failed", doing)};
  if (text.starts_with("Invalid Input") || text.starts_with("Conversion") || text.starts_with("Invalid type") ||
      text.starts_with("Serialization") || text.starts_with("Out of Range") || text.starts_with("Invalid Error"))
    return {ErrorCode::bad_data, fmt::format("cannot {}: the file is damaged or not of its format", doing)};
  std::string_view reason = "unknown reason";
  for (const std::string_view kind :
       {"Binder Error", "Catalog Error", "Parser Error", "Not implemented Error", "Permission Error",
        "INTERNAL Error", "FATAL Error", "TransactionContext Error"}) {
    if (text.starts_with(kind)) reason = kind;
  }
  return {ErrorCode::internal, fmt::format("cannot {}: DuckDB refuses ({})", doing, reason)};
}

Result<std::shared_ptr<Database>> Database::open(const std::vector<Setting>& settings) {
  GAUZE_TRY_VOID(load_duckdb());
  const DuckDbLibrary& library = duckdb();
  duckdb_config config = nullptr;
  if (library.create_config(&config) != DuckDBSuccess)
    return make_error(ErrorCode::internal, "DuckDB does not start");
  std::shared_ptr<Database> database(new Database);
  for (const auto& [name, value] : settings) {
    if (library.set_config(config, name, value.c_str()) == DuckDBSuccess) continue;
    library.destroy_config(&config);
    return make_error(ErrorCode::internal, "DuckDB does not know the setting {} = '{}'", name, value);
  }
  char* problem = nullptr;
  const auto state = library.open_ext(nullptr, &database->database_, config, &problem);
  library.destroy_config(&config);
  if (state != DuckDBSuccess) {
    Error error = translate(problem, "start DuckDB");
    if (error.code == ErrorCode::bad_data) error.code = ErrorCode::internal;  // no data was read: a setting is wrong
    library.free(problem);
    return tl::unexpected<Error>(error);
  }
  return database;
}

Database::~Database() {
  if (database_ != nullptr) duckdb().close(&database_);
}

ResultStream::ResultStream(ResultStream&& other) noexcept
    : doing_(std::move(other.doing_)), result_(other.result_), open_(std::exchange(other.open_, false)) {}

ResultStream::~ResultStream() {
  if (open_) duckdb().destroy_result(&result_);
}

Result<std::optional<Chunk>> ResultStream::next() {
  for (;;) {
    duckdb_data_chunk chunk = duckdb().fetch_chunk(result_);
    if (chunk == nullptr) {
      const char* const problem = duckdb().result_error(&result_);
      if (problem != nullptr && *problem != '\0') return tl::unexpected<Error>(translate(problem, doing_));
      return std::optional<Chunk>{};
    }
    Chunk rows(chunk);
    if (rows.size() > 0) return std::optional<Chunk>(std::move(rows));
  }
}

Result<Connection> Connection::open(std::shared_ptr<Database> database) {
  Connection connection(std::move(database));
  if (duckdb().connect(connection.database_->get(), &connection.connection_) != DuckDBSuccess)
    return make_error(ErrorCode::internal, "DuckDB opens no connection");
  return connection;
}

Connection::Connection(Connection&& other) noexcept
    : database_(std::move(other.database_)), connection_(std::exchange(other.connection_, nullptr)) {}

Connection::~Connection() {
  if (connection_ != nullptr) duckdb().disconnect(&connection_);
}

std::string Statement::column_name(std::size_t index) const {
  const char* const name = duckdb().prepared_statement_column_name(statement_, index);
  std::string copy(name == nullptr ? "" : name);
  duckdb().free(const_cast<char*>(name));
  return copy;
}

Result<Statement> Connection::prepare(const std::string& sql, const std::string& doing) {
  Statement statement;
  if (duckdb().prepare(connection_, sql.c_str(), &statement.statement_) != DuckDBSuccess)
    return tl::unexpected<Error>(translate(duckdb().prepare_error(statement.statement_), doing));
  return statement;
}

Result<ResultStream> Connection::stream(const std::string& sql, std::string doing) {
  GAUZE_TRY(const Statement statement, prepare(sql, doing));
  return stream(statement, std::move(doing));
}

Result<ResultStream> Connection::stream(const Statement& statement, std::string doing) {
  const DuckDbLibrary& library = duckdb();
  ResultStream stream(std::move(doing));
  duckdb_pending_result pending = nullptr;
  std::optional<Error> error;
  if (library.pending_prepared_streaming(statement.statement_, &pending) != DuckDBSuccess) {
    error = translate(library.pending_error(pending), stream.doing_);
  } else {
    stream.open_ = true;
    if (library.execute_pending(pending, &stream.result_) != DuckDBSuccess)
      error = translate(library.result_error(&stream.result_), stream.doing_);
  }
  library.destroy_pending(&pending);
  if (error) return tl::unexpected<Error>(*error);
  return stream;
}

Result<ResultStream> Connection::whole(const std::string& sql, std::string doing) {
  ResultStream rows(std::move(doing));
  rows.open_ = true;
  if (duckdb().query(connection_, sql.c_str(), &rows.result_) != DuckDBSuccess)
    return tl::unexpected<Error>(translate(duckdb().result_error(&rows.result_), rows.doing_));
  return rows;
}

Result<void> Connection::execute(const std::string& sql, std::string_view doing) {
  duckdb_result result{};
  const auto state = duckdb().query(connection_, sql.c_str(), &result);
  std::optional<Error> error;
  if (state != DuckDBSuccess) error = translate(duckdb().result_error(&result), doing);
  duckdb().destroy_result(&result);
  if (error) return tl::unexpected<Error>(*error);
  return {};
}

Result<std::uint64_t> Connection::count(const std::string& sql, std::string doing) {
  GAUZE_TRY(ResultStream rows, stream(sql, std::move(doing)));
  GAUZE_TRY(const auto chunk, rows.next());
  GAUZE_CHECK(chunk && chunk->size() == 1);
  return static_cast<std::uint64_t>(*static_cast<const std::int64_t*>(duckdb().vector_get_data(chunk->column(0))));
}

}  // namespace gauze::engines
