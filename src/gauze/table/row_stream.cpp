#include "gauze/table/row_stream.h"

#include <utility>

namespace gauze::table {
namespace {

constexpr std::size_t kRowsAtOnce = 2048;

std::vector<RowStream::Column> texts_of(const std::vector<std::string>& names) {
  std::vector<RowStream::Column> columns;
  for (const std::string& name : names) columns.push_back({name, ValueType::text});
  return columns;
}

}  // namespace

MadeRows::MadeRows(const std::vector<std::string>& names, Next next)
    : RowStream(texts_of(names)), next_(std::move(next)), cells_(names.size()) {}

Result<std::optional<ValueBatch>> MadeRows::next() {
  ValueBatch batch;
  const auto memory = std::make_shared<std::string>();
  std::vector<std::size_t> ends;  // of each cell, row by row: the texts move while they grow
  while (!ended_ && batch.rows < kRowsAtOnce) {
    GAUZE_TRY(const bool more, next_(cells_));
    ended_ = !more;
    if (ended_) break;
    for (const std::string_view cell : cells_) {
      *memory += cell;
      ends.push_back(memory->size());
    }
    ++batch.rows;
  }
  if (batch.rows == 0) return std::optional<ValueBatch>{};
  batch.columns.resize(cells_.size());
  for (ValueColumn& column : batch.columns) {
    column.texts.reserve(batch.rows);
    column.nulls.reserve(batch.rows);
  }
  std::size_t begin = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    ValueColumn& column = batch.columns[i % cells_.size()];
    column.texts.push_back(std::string_view(*memory).substr(begin, ends[i] - begin));
    column.nulls.push_back(ends[i] == begin ? 1 : 0);
    begin = ends[i];
  }
  batch.memory = memory;
  return std::optional<ValueBatch>(std::move(batch));
}

}  // namespace gauze::table
