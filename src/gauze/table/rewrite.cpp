#include "gauze/table/rewrite.h"

#include "gauze/base/error.h"

namespace gauze::table {

RewrittenBatch Rewrite::unchanged(std::size_t rows) const {
  RewrittenBatch result;
  result.cells.assign(outputs.size(), std::vector<std::optional<std::string_view>>(rows));
  result.keep.assign(rows, 1);
  return result;
}

void Rewrite::run(const RowBatch& batch, RewrittenBatch& result) const {
  if (!rewrite) return;
  rewrite(batch, result);
  GAUZE_CHECK(result.keep.size() == batch.rows && result.cells.size() == outputs.size());
  for (const auto& cells : result.cells) GAUZE_CHECK(cells.size() == batch.rows);
}

std::vector<std::size_t> Rewrite::written(std::size_t columns) const {
  std::vector<bool> left_out(columns, false);
  for (const std::size_t column : dropped) left_out[column] = true;
  std::vector<std::size_t> list;
  for (std::size_t column = 0; column < columns; ++column)
    if (!left_out[column]) list.push_back(column);
  return list;
}

}  // namespace gauze::table
