// Parquet of DuckDB's own sources: the rewrite is a function inside its query.
#include "gauze/engines/duckdb/internal/parquet_writing.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

#include "gauze/base/utf8.h"
#include "gauze/engines/query_watch.h"
#include "gauze/files/atomic_file.h"

namespace gauze::engines {
namespace {

/// What the function inside the query works with. DuckDB frees it with the database, long after the query.
struct RewriteCall {
  const table::Rewrite* rewrite = nullptr;
  const table::MissingTokens* tokens = nullptr;
  Progress* progress = nullptr;
  std::atomic<std::uint64_t> rows{0};
  std::mutex shuffling{};
};

/// Behind "keep": two random numbers by which rows are sorted, then the rewritten cells.
constexpr std::size_t kBeforeCells = 1 + kSortKeys;

/// The cells of some columns of a chunk, without blanks around them.
table::RowBatch take_batch(const std::vector<duckdb_vector>& columns, std::size_t rows,
                           const table::MissingTokens& tokens) {
  table::RowBatch batch;
  batch.rows = rows;
  batch.cells.resize(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const TextVector texts(columns[i]);
    batch.cells[i].resize(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      const auto text = trimmed(texts[row]);
      batch.cells[i][row] = {text, tokens.contains(text)};
    }
  }
  return batch;
}

/// 126 random bits for each row: no two are the same but with a chance of one in 1e19 for a billion rows.
void fill_keys(RewriteCall& call, duckdb_vector record, std::size_t rows) {
  const std::lock_guard lock(call.shuffling);
  for (std::size_t key = 0; key < kSortKeys; ++key) {
    auto* const numbers =
        static_cast<std::uint64_t*>(duckdb().vector_get_data(duckdb().struct_vector_get_child(record, 1 + key)));
    for (std::size_t row = 0; row < rows; ++row)
      numbers[row] = call.rewrite->shuffle ? call.rewrite->shuffle(std::uint64_t{1} << 63) : 0;
  }
}

void fill_texts(duckdb_vector column, const std::vector<std::optional<std::string_view>>& cells) {
  duckdb().vector_ensure_validity_writable(column);
  std::uint64_t* const validity = duckdb().vector_get_validity(column);
  for (std::size_t row = 0; row < cells.size(); ++row) {
    if (cells[row]) {
      duckdb().vector_assign_string_element_len(column, row, cells[row]->data(), cells[row]->size());
    } else {
      validity[row / 64] &= ~(std::uint64_t{1} << (row % 64));
    }
  }
}

/// Called by DuckDB with a chunk of inputs; returns a record of "keep" and the rewritten cells, NULL for "as it was".
void rewrite_chunk(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  auto& call = *static_cast<RewriteCall*>(duckdb().scalar_function_get_extra_info(info));
  const std::size_t rows = duckdb().data_chunk_get_size(input);
  std::vector<duckdb_vector> vectors;
  for (std::size_t i = 0; i < call.rewrite->inputs.size(); ++i)
    vectors.push_back(duckdb().data_chunk_get_vector(input, i));
  const table::RowBatch batch = take_batch(vectors, rows, *call.tokens);
  table::RewrittenBatch result = call.rewrite->unchanged(rows);
  call.rewrite->run(batch, result);
  auto* const keep = static_cast<bool*>(duckdb().vector_get_data(duckdb().struct_vector_get_child(output, 0)));
  for (std::size_t row = 0; row < rows; ++row) keep[row] = result.keep[row] != 0;
  fill_keys(call, output, rows);
  for (std::size_t i = 0; i < result.cells.size(); ++i)
    fill_texts(duckdb().struct_vector_get_child(output, i + kBeforeCells), result.cells[i]);
  call.rows += rows;
  call.progress->advance(rows);
}

/// Makes the rewrite known to DuckDB under a new name. It is volatile: DuckDB calls it once a row, where it stands.
Result<std::string> register_rewrite(const Connection& connection, RewriteCall* call) {
  static std::atomic<unsigned> counter{0};
  const std::string name = fmt::format("gauze_rewrite_{}", counter++);
  const DuckDbLibrary& library = duckdb();
  const std::size_t members = call->rewrite->outputs.size() + kBeforeCells;
  duckdb_logical_type text = library.create_logical_type(DUCKDB_TYPE_VARCHAR);
  duckdb_logical_type truth = library.create_logical_type(DUCKDB_TYPE_BOOLEAN);
  duckdb_logical_type number = library.create_logical_type(DUCKDB_TYPE_UBIGINT);
  std::vector<duckdb_logical_type> types(members, text);
  types[0] = truth;
  types[1] = types[2] = number;
  std::vector<std::string> names = {"keep", "k0", "k1"};
  for (std::size_t i = kBeforeCells; i < members; ++i) names.push_back(fmt::format("o{}", i - kBeforeCells));
  std::vector<const char*> name_pointers;
  for (const auto& member : names) name_pointers.push_back(member.c_str());
  duckdb_logical_type record = library.create_struct_type(types.data(), name_pointers.data(), members);

  duckdb_scalar_function function = library.create_scalar_function();
  library.scalar_function_set_name(function, name.c_str());
  library.scalar_function_set_varargs(function, text);
  library.scalar_function_set_special_handling(function);  // missing cells are rewritten too
  library.scalar_function_set_volatile(function);
  library.scalar_function_set_return_type(function, record);
  library.scalar_function_set_extra_info(function, call, [](void* data) { delete static_cast<RewriteCall*>(data); });
  library.scalar_function_set_function(function, rewrite_chunk);
  const auto state = library.register_scalar_function(connection.get(), function);
  library.destroy_scalar_function(&function);
  for (auto* type : {&record, &text, &truth, &number}) library.destroy_logical_type(type);
  if (state != DuckDBSuccess) return make_error(ErrorCode::internal, "DuckDB does not take the rewrite");
  return name;
}

/// The SELECT whose rows are written.
std::string rewritten_rows(const SqlSource& source, const table::Rewrite& rewrite, const std::string& function) {
  const SqlRelation& relation = source.relation();
  const SqlDialect& dialect = duckdb_dialect();
  std::string arguments;
  for (const std::size_t column : rewrite.inputs) arguments += (arguments.empty() ? "" : ", ") + source.text(column);
  if (arguments.empty()) arguments = source.text(0);  // a function without arguments sees no rows
  std::vector<std::optional<std::size_t>> output_of(relation.columns.size());
  for (std::size_t i = 0; i < rewrite.outputs.size(); ++i) output_of[rewrite.outputs[i]] = i;
  std::string inner;
  std::string outer;
  for (const std::size_t column : rewrite.written(relation.columns.size())) {
    const auto& [name, stored, type] = relation.columns[column];
    const auto& output = output_of[column];
    const bool as_text = output || type == table::StoredType::text;
    fmt::format_to(std::back_inserter(inner), "{} AS w{}, ", as_text ? dialect.trimmed(source.text(column)) : stored,
                   column);
    const std::string value =
        output ? fmt::format("coalesce(r.o{}, w{})", *output, column) : fmt::format("w{}", column);
    fmt::format_to(std::back_inserter(outer), "{}{} AS {}", outer.empty() ? "" : ", ", value,
                   dialect.identifier(name));
  }
  return fmt::format("SELECT {} FROM (SELECT {}{}({}) AS r FROM {}) WHERE r.keep{}", outer, inner, function,
                     arguments, relation.from, rewrite.shuffle ? " ORDER BY r.k0, r.k1" : "");
}

/// One query at a time whose rows must come in order: the number of threads is that of the whole database.
class InOrder {
 public:
  InOrder(Connection& connection, int threads) : connection_(connection), threads_(threads), lock_(mutex()) {}
  InOrder(const InOrder&) = delete;
  InOrder& operator=(const InOrder&) = delete;
  ~InOrder() { static_cast<void>(set(threads_)); }
  [[nodiscard]] Result<void> begin() { return set(1); }

 private:
  static std::mutex& mutex() {
    static std::mutex one_at_a_time;
    return one_at_a_time;
  }
  [[nodiscard]] Result<void> set(int threads) {
    return connection_.execute(fmt::format("SET threads = {}", threads), "set the number of threads");
  }

  Connection& connection_;
  int threads_;
  std::lock_guard<std::mutex> lock_;
};

}  // namespace

Result<void> write_parquet(SqlSource& source, DuckDbSession& session, const table::Rewrite& rewrite,
                           const ParquetFile& file, Progress& progress) {
  Connection& connection = session.connection();
  // Ends what a stream that was not read to its end has left open; the function would go away with it.
  GAUZE_TRY_VOID(connection.execute("SELECT 1", source.doing()));
  auto* const call = new RewriteCall;  // DuckDB's from here on, whatever happens
  call->rewrite = &rewrite;
  call->tokens = &source.missing();
  call->progress = &progress;
  GAUZE_TRY(const std::string function, register_rewrite(connection, call));
  const std::string sql = fmt::format("COPY ({}) TO {} (FORMAT parquet, USE_TMP_FILE false)",
                                      rewritten_rows(source, rewrite, function), sql_text(file.path));
  const QueryWatch watch(session, progress, 0);
  std::optional<InOrder> in_order;
  if (rewrite.in_order) {
    in_order.emplace(connection, session.threads());
    GAUZE_TRY_VOID(in_order->begin());
  }
  GAUZE_TRY_VOID(connection.execute(sql, fmt::format("write {} from {}", file.name, source.relation().name)));
  return source.check_rows(call->rows);
}

}  // namespace gauze::engines
