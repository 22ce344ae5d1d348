#include "gauze/table/rewrite.h"

#include <algorithm>

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

// "Missing" is one value in tuples, however it was written: what was written in several ways is not known.
bool Rewrite::knows_changes(std::size_t columns) const {
  if (known.tuples == nullptr || in_order) return false;
  const std::vector<std::size_t> list = written(columns);
  for (std::size_t i = 0; i < known.columns.size(); ++i) {
    const Dictionary& values = known.tuples->dictionaries[i];
    const bool is_written = std::find(list.begin(), list.end(), known.columns[i]) != list.end();
    if (is_written && values.missing && !values.missing_is_exact) return false;
  }
  return true;
}

// How often a tuple occurs is known, and not where.
bool Rewrite::knows_rows(std::size_t columns) const {
  if (!shuffle || !knows_changes(columns)) return false;
  const std::vector<std::size_t> list = written(columns);
  return std::all_of(list.begin(), list.end(), [&](std::size_t column) {
    return std::find(known.columns.begin(), known.columns.end(), column) != known.columns.end();
  });
}

Rewrite Rewrite::of_tuples() const {
  Rewrite made = *this;
  made.inputs = known.columns;
  made.rewrite = known.rewrite;
  return made;
}

}  // namespace gauze::table
