#include "gauze/engines/duckdb/internal/duckdb_table.h"

#include <algorithm>
#include <utility>

#include "gauze/engines/duckdb/internal/query_watch.h"
#include "gauze/table/tuple_encoder.h"

namespace gauze::engines {

DuckDbTable::DuckDbTable(std::shared_ptr<const void> engine, EngineSettings settings, Connection connection,
                         Relation relation, const std::vector<std::string>& null_tokens)
    : engine_(std::move(engine)),
      settings_(std::move(settings)),
      relation_(std::move(relation)),
      connection_(std::move(connection)),
      tokens_(null_tokens) {
  for (const auto& column : relation_.columns) names_.push_back(column.name);
}

Result<void> DuckDbTable::check_columns(std::span<const std::size_t> columns) const {
  for (const std::size_t column : columns) {
    if (column >= names_.size())
      return make_error(ErrorCode::unknown_column, "there is no column number {}; the table has {}", column,
                        names_.size());
  }
  return {};
}

Result<void> DuckDbTable::check_rows(std::uint64_t rows) const {
  if (rows == relation_.rows) return {};
  return make_error(ErrorCode::io, "{} changed while it was being read", relation_.name);
}

std::string DuckDbTable::select_texts(std::span<const std::size_t> columns) const {
  std::string list;
  for (const std::size_t column : columns) list += (list.empty() ? "" : ", ") + relation_.columns[column].text();
  return fmt::format("SELECT {} FROM {}", list.empty() ? "''" : list, relation_.from);
}

Result<table::TupleCounts> DuckDbTable::group(std::span<const std::size_t> columns, Progress& progress) {
  GAUZE_TRY_VOID(check_columns(columns));
  GAUZE_TRY_VOID(progress.check());
  table::TupleEncoder encoder(columns.size(), tokens_);
  if (columns.empty()) {
    if (relation_.rows > 0) encoder.counts().push_back(relation_.rows);
    return encoder.finish();
  }
  // Stored values are grouped first; their texts are needed only once a distinct tuple.
  std::string keys;
  std::string texts;
  std::string places;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto& column = relation_.columns[columns[i]];
    const std::string key = fmt::format("k{}", i);
    fmt::format_to(std::back_inserter(keys), "{} AS {}, ", column.raw, key);
    texts += column.text_of(key) + ", ";
    fmt::format_to(std::back_inserter(places), "{}{}", i == 0 ? "" : ", ", i + 1);
  }
  const std::string sql = fmt::format("SELECT {}n FROM (SELECT {}count(*) AS n FROM {} GROUP BY {})", texts, keys,
                                      relation_.from, places);
  progress.begin("reading", relation_.rows);
  const QueryWatch watch(connection_, progress, relation_.rows);
  GAUZE_TRY(ResultStream stream, connection_.stream(sql, doing()));
  std::uint64_t rows = 0;
  for (;;) {
    GAUZE_TRY(const auto chunk, stream.next());
    if (!chunk) break;
    const std::size_t size = chunk->size();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const TextVector cells(chunk->column(i));
      auto& codes = encoder.codes(i);
      for (std::size_t row = 0; row < size; ++row) codes.push_back(encoder.intern(i, cells[row]));
    }
    const auto* const counts =
        static_cast<const std::int64_t*>(duckdb().vector_get_data(chunk->column(columns.size())));
    for (std::size_t row = 0; row < size; ++row) {
      encoder.counts().push_back(static_cast<std::uint64_t>(counts[row]));
      rows += static_cast<std::uint64_t>(counts[row]);
    }
    GAUZE_TRY_VOID(progress.check());
  }
  GAUZE_TRY_VOID(check_rows(rows));
  return encoder.finish();
}

Result<void> DuckDbTable::write(const table::Rewrite& rewrite, const std::filesystem::path& target,
                                const table::WriteOptions& options, Progress& progress) {
  for (const auto* const columns : {&rewrite.inputs, &rewrite.outputs, &rewrite.dropped})
    GAUZE_TRY_VOID(check_columns(*columns));
  GAUZE_TRY_VOID(progress.check());
  const auto by_name = target.extension() == ".parquet" ? table::FileFormat::parquet : table::FileFormat::csv;
  switch (options.format.value_or(by_name)) {
    case table::FileFormat::parquet:
      return write_parquet(rewrite, target, progress);
    case table::FileFormat::json_lines:
      return make_error(ErrorCode::unsupported, "tables are written as CSV or Parquet, not as JSON lines");
    case table::FileFormat::csv:
      break;
  }
  if (options.delimiter.size() != 1 || options.delimiter.find_first_of("\"\n\r") != std::string::npos)
    return invalid_parameter("delimiter must be one character other than a quote, but is '{}'", options.delimiter);
  return write_csv(rewrite, target, options.delimiter.front(), progress);
}

}  // namespace gauze::engines
