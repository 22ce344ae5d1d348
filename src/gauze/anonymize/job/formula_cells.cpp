#include "gauze/anonymize/job/formula_cells.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <numeric>
#include <utility>

#include "gauze/table/spreadsheet_cell.h"

namespace gauze::anonymize {

/// One sign a column of the table; a deque, since atomics stay where they are.
struct FormulaCells::Seen {
  std::deque<std::atomic<bool>> columns;
};

namespace {

constexpr std::size_t kNotChanged = ~std::size_t{0};

/// A written column: where the wrapped rewrite finds and leaves it.
struct Written {
  std::size_t column = 0;             ///< of the table
  std::size_t input = 0;              ///< among the inputs of the wrapping rewrite
  std::size_t output = 0;             ///< among its outputs
  std::size_t changed = kNotChanged;  ///< among the outputs of the wrapped one
};

std::vector<std::size_t> written_columns(const table::Rewrite& rewrite, std::size_t columns) {
  std::vector<std::size_t> written;
  for (std::size_t column = 0; column < columns; ++column)
    if (std::find(rewrite.dropped.begin(), rewrite.dropped.end(), column) == rewrite.dropped.end())
      written.push_back(column);
  return written;
}

std::size_t place_in(std::vector<std::size_t>& list, std::size_t column) {
  const auto found = std::find(list.begin(), list.end(), column);
  if (found != list.end()) return static_cast<std::size_t>(found - list.begin());
  list.push_back(column);
  return list.size() - 1;
}

}  // namespace

FormulaCells::FormulaCells(const table::Table& table) : table_(table), seen_(std::make_shared<Seen>()) {
  for (std::size_t i = 0; i < table.columns().size(); ++i) seen_->columns.emplace_back(false);
}

table::Rewrite FormulaCells::watch(table::Rewrite rewrite, const std::vector<std::size_t>& others, bool as_text) {
  table::Rewrite wrapping = rewrite;
  std::vector<Written> columns;
  for (const std::size_t column : written_columns(rewrite, table_.columns().size())) {
    const auto changed = std::find(rewrite.outputs.begin(), rewrite.outputs.end(), column);
    const bool stays = changed == rewrite.outputs.end();
    if (stays && std::find(others.begin(), others.end(), column) == others.end()) continue;
    Written one{.column = column, .input = place_in(wrapping.inputs, column), .output = 0};
    if (!stays) one.changed = static_cast<std::size_t>(changed - rewrite.outputs.begin());
    // Columns that stay are outputs only where their cells may change after all.
    if (as_text || !stays) one.output = place_in(wrapping.outputs, column);
    columns.push_back(one);
  }
  wrapping.rewrite = [inner = std::move(rewrite), columns, as_text, seen = seen_](const table::RowBatch& batch,
                                                                                  table::RewrittenBatch& result) {
    if (inner.rewrite) {
      // The wrapped rewrite sees its own columns, which come first, and leaves its own.
      const std::size_t more = result.cells.size() - inner.outputs.size();
      result.cells.resize(inner.outputs.size());
      inner.rewrite(batch, result);
      result.cells.resize(inner.outputs.size() + more, std::vector<std::optional<std::string_view>>(batch.rows));
    }
    for (const Written& one : columns) {
      if (!as_text && seen->columns[one.column].load(std::memory_order_relaxed)) continue;
      const auto& read = batch.cells[one.input];
      for (std::size_t row = 0; row < batch.rows; ++row) {
        if (result.keep[row] == 0) continue;
        const auto changed = one.changed == kNotChanged ? std::nullopt : result.cells[one.changed][row];
        const std::string_view text = changed ? *changed : read[row].text;
        if (!table::is_formula(text)) continue;
        seen->columns[one.column].store(true, std::memory_order_relaxed);
        if (!as_text) break;
        result.storage.push_back(table::kTextSign + std::string(text));
        result.cells[one.output][row] = result.storage.back();
      }
    }
  };
  return wrapping;
}

std::vector<std::size_t> FormulaCells::found() const {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < seen_->columns.size(); ++i)
    if (seen_->columns[i]) columns.push_back(i);
  return columns;
}

Result<std::vector<std::size_t>> formula_columns(table::Table& table, Progress& progress) {
  FormulaCells cells(table);
  table::Rewrite look = cells.watch({}, written_columns({}, table.columns().size()), false);
  // Nothing is kept: the rows are read for what is in them alone.
  look.rewrite = [watch = std::move(look.rewrite)](const table::RowBatch& batch, table::RewrittenBatch& result) {
    watch(batch, result);
    std::fill(result.keep.begin(), result.keep.end(), std::uint8_t{0});
  };
  GAUZE_TRY_VOID(table.write(look, "/dev/null", {}, progress));
  return cells.found();
}

std::vector<std::string> formula_names(const table::Table& table, const std::vector<std::size_t>& dropped) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < table.columns().size(); ++i)
    if (table::is_formula(table.columns()[i]) && std::find(dropped.begin(), dropped.end(), i) == dropped.end())
      names.push_back(table.columns()[i]);
  return names;
}

}  // namespace gauze::anonymize
