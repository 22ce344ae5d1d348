// Parquet of rows that do not come from DuckDB: a table function inside its query pulls them.
#include <atomic>
#include <optional>
#include <utility>

#include "gauze/engines/duckdb/internal/parquet_writing.h"
#include "gauze/engines/query_watch.h"

namespace gauze::engines {
namespace {

/// What the function inside the query works with. DuckDB frees it with the database, long after the query.
struct RowsCall {
  table::RowStream* rows = nullptr;
  const std::function<std::uint64_t(std::uint64_t)>* shuffle = nullptr;
  std::optional<table::ValueBatch> batch{};
  std::size_t next = 0;  // row of the batch
  std::optional<Error> error{};
};

duckdb_type type_of(table::ValueType type) {
  switch (type) {
    case table::ValueType::integer:
      return DUCKDB_TYPE_BIGINT;
    case table::ValueType::wide_integer:
      return DUCKDB_TYPE_HUGEINT;
    case table::ValueType::real:
      return DUCKDB_TYPE_DOUBLE;
    case table::ValueType::text:
      return DUCKDB_TYPE_VARCHAR;
  }
  return DUCKDB_TYPE_VARCHAR;
}

void bind_rows(duckdb_bind_info info) {
  const auto& call = *static_cast<const RowsCall*>(duckdb().bind_get_extra_info(info));
  const auto add = [&](const std::string& name, duckdb_type type) {
    duckdb_logical_type made = duckdb().create_logical_type(type);
    duckdb().bind_add_result_column(info, name.c_str(), made);
    duckdb().destroy_logical_type(&made);
  };
  const auto& columns = call.rows->columns();
  for (std::size_t i = 0; i < columns.size(); ++i) add(fmt::format("w{}", i), type_of(columns[i].type));
  for (std::size_t i = 0; *call.shuffle && i < kSortKeys; ++i) add(fmt::format("k{}", i), DUCKDB_TYPE_UBIGINT);
}

void init_rows(duckdb_init_info info) { duckdb().init_set_max_threads(info, 1); }

template <class Value>
Value* data_of(duckdb_vector vector) {
  return static_cast<Value*>(duckdb().vector_get_data(vector));
}

void fill_values(duckdb_vector vector, const table::ValueColumn& column, table::ValueType type, std::size_t begin,
                 std::size_t rows) {
  duckdb().vector_ensure_validity_writable(vector);
  std::uint64_t* const validity = duckdb().vector_get_validity(vector);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t from = begin + row;
    if (column.is_null(from)) {
      validity[row / 64] &= ~(std::uint64_t{1} << (row % 64));
      continue;
    }
    switch (type) {
      case table::ValueType::integer:
        data_of<std::int64_t>(vector)[row] = column.integers[from];
        break;
      case table::ValueType::wide_integer:
        data_of<duckdb_hugeint>(vector)[row] = {static_cast<std::uint64_t>(column.wide_integers[from]),
                                                static_cast<std::int64_t>(column.wide_integers[from] >> 64)};
        break;
      case table::ValueType::real:
        data_of<double>(vector)[row] = column.reals[from];
        break;
      case table::ValueType::text:
        duckdb().vector_assign_string_element_len(vector, row, column.texts[from].data(), column.texts[from].size());
    }
  }
}

/// Called by DuckDB for the next rows, by one thread; no rows are the end.
void pull_rows(duckdb_function_info info, duckdb_data_chunk output) {
  auto& call = *static_cast<RowsCall*>(duckdb().function_get_extra_info(info));
  duckdb().data_chunk_set_size(output, 0);
  if (!call.batch || call.next == call.batch->rows) {
    auto batch = call.rows->next();
    if (!batch) {
      call.error = batch.error();
      duckdb().function_set_error(info, "no more rows");
      return;
    }
    call.batch = std::move(*batch);
    call.next = 0;
    if (!call.batch) return;
  }
  const std::size_t rows = std::min<std::size_t>(duckdb().vector_size(), call.batch->rows - call.next);
  const auto& columns = call.rows->columns();
  for (std::size_t i = 0; i < columns.size(); ++i)
    fill_values(duckdb().data_chunk_get_vector(output, i), call.batch->columns[i], columns[i].type, call.next, rows);
  for (std::size_t key = 0; *call.shuffle && key < kSortKeys; ++key) {
    auto* const numbers = data_of<std::uint64_t>(duckdb().data_chunk_get_vector(output, columns.size() + key));
    for (std::size_t row = 0; row < rows; ++row) numbers[row] = (*call.shuffle)(std::uint64_t{1} << 63);
  }
  call.next += rows;
  duckdb().data_chunk_set_size(output, rows);
}

/// Makes the rows known to DuckDB under a new name.
Result<std::string> register_rows(const Connection& connection, RowsCall* call) {
  static std::atomic<unsigned> counter{0};
  const std::string name = fmt::format("gauze_rows_{}", counter++);
  const DuckDbLibrary& library = duckdb();
  duckdb_table_function function = library.create_table_function();
  library.table_function_set_name(function, name.c_str());
  library.table_function_set_extra_info(function, call, [](void* data) { delete static_cast<RowsCall*>(data); });
  library.table_function_set_bind(function, bind_rows);
  library.table_function_set_init(function, init_rows);
  library.table_function_set_function(function, pull_rows);
  const auto state = library.register_table_function(connection.get(), function);
  library.destroy_table_function(&function);
  if (state != DuckDBSuccess) return make_error(ErrorCode::internal, "DuckDB does not take the rows");
  return name;
}

}  // namespace

Result<void> write_parquet(table::RowStream& rows, DuckDbSession& session,
                           const std::function<std::uint64_t(std::uint64_t)>& shuffle, const ParquetFile& file,
                           Progress& progress) {
  auto* const call = new RowsCall;  // DuckDB's from here on, whatever happens
  call->rows = &rows;
  call->shuffle = &shuffle;
  GAUZE_TRY(const std::string function, register_rows(session.connection(), call));
  std::string list;
  for (std::size_t i = 0; i < rows.columns().size(); ++i) {
    const auto& [name, type] = rows.columns()[i];
    // Parquet has no integers of 128 bits; DuckDB would round them.
    const std::string value = fmt::format("w{}", i);
    fmt::format_to(std::back_inserter(list), "{}{} AS {}", i == 0 ? "" : ", ",
                   type == table::ValueType::wide_integer ? fmt::format("CAST({} AS VARCHAR)", value) : value,
                   sql_name(name));
  }
  const std::string sql = fmt::format("COPY (SELECT {} FROM {}(){}) TO {} (FORMAT parquet, USE_TMP_FILE false)", list,
                                      function, shuffle ? " ORDER BY k0, k1" : "", sql_text(file.path));
  const QueryWatch watch(session, progress, 0);
  const auto written = session.connection().execute(sql, fmt::format("write {}", file.name));
  if (call->error) return tl::unexpected<Error>(*call->error);
  return written;
}

}  // namespace gauze::engines
