#include "gauze/engines/duckdb/internal/row_rewriting.h"

#include <algorithm>

namespace gauze::engines {

table::RowBatch take_batch(const std::vector<duckdb_vector>& columns, std::size_t rows,
                           const table::MissingTokens& tokens) {
  table::RowBatch batch{.rows = rows, .cells = {}};
  batch.cells.resize(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const TextVector texts(columns[i]);
    batch.cells[i].resize(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      const auto text = table::trim_blanks(texts[row]);
      batch.cells[i][row] = {text, tokens.contains(text)};
    }
  }
  return batch;
}

table::RewrittenBatch unchanged(const table::Rewrite& rewrite, std::size_t rows) {
  table::RewrittenBatch result;
  result.cells.assign(rewrite.outputs.size(), std::vector<std::optional<std::string_view>>(rows));
  result.keep.assign(rows, 1);
  return result;
}

void run_rewrite(const table::Rewrite& rewrite, const table::RowBatch& batch, table::RewrittenBatch& result) {
  if (!rewrite.rewrite) return;
  rewrite.rewrite(batch, result);
  GAUZE_CHECK(result.keep.size() == batch.rows && result.cells.size() == rewrite.outputs.size());
  for (const auto& cells : result.cells) GAUZE_CHECK(cells.size() == batch.rows);
}

std::vector<std::size_t> written_columns(const table::Rewrite& rewrite, std::size_t columns) {
  std::vector<bool> dropped(columns, false);
  for (const std::size_t column : rewrite.dropped) dropped[column] = true;
  std::vector<std::size_t> written;
  for (std::size_t column = 0; column < columns; ++column) {
    if (!dropped[column]) written.push_back(column);
  }
  return written;
}

}  // namespace gauze::engines
