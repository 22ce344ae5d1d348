#include "gauze/anonymize/job/formula_cells.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <numeric>
#include <utility>

#include "gauze/table/spreadsheet_cell.h"

namespace gauze::anonymize {

/// A written column: where the wrapped rewrite finds and leaves it; ~0 where it does not.
struct FormulaCells::Written {
  std::size_t column = 0;   ///< of the table
  std::size_t input = 0;    ///< among the inputs of the wrapping rewrite
  std::size_t output = 0;   ///< among its outputs
  std::size_t changed = 0;  ///< among the outputs of the wrapped one
};

/// One sign a column of the table; a deque, since atomics stay where they are.
struct FormulaCells::Seen {
  std::deque<std::atomic<bool>> columns;
};

namespace {

constexpr std::size_t kNone = ~std::size_t{0};

std::size_t place_of(const std::vector<std::size_t>& list, std::size_t column) {
  const auto found = std::find(list.begin(), list.end(), column);
  return found == list.end() ? kNone : static_cast<std::size_t>(found - list.begin());
}

std::size_t place_in(std::vector<std::size_t>& list, std::size_t column) {
  const std::size_t place = place_of(list, column);
  if (place != kNone) return place;
  list.push_back(column);
  return list.size() - 1;
}

}  // namespace

FormulaCells::FormulaCells(const table::Source& table) : table_(table), seen_(std::make_shared<Seen>()) {
  for (std::size_t i = 0; i < table.columns().size(); ++i) seen_->columns.emplace_back(false);
}

FormulaCells::Change FormulaCells::watching(Change inner, std::size_t inner_outputs,
                                            const std::vector<Written>& columns, bool as_text) const {
  return [inner = std::move(inner), inner_outputs, columns, as_text, seen = seen_](const table::RowBatch& batch,
                                                                                   table::RewrittenBatch& result) {
    if (inner) {
      // The wrapped rewrite sees its own columns, which come first, and leaves its own.
      const std::size_t more = result.cells.size() - inner_outputs;
      result.cells.resize(inner_outputs);
      inner(batch, result);
      result.cells.resize(inner_outputs + more, std::vector<std::optional<std::string_view>>(batch.rows));
    }
    for (const Written& one : columns) {
      if (!as_text && seen->columns[one.column].load(std::memory_order_relaxed)) continue;
      for (std::size_t row = 0; row < batch.rows; ++row) {
        if (result.keep[row] == 0) continue;
        const auto changed = one.changed == kNone ? std::nullopt : result.cells[one.changed][row];
        if (!changed && one.input == kNone) continue;
        const std::string_view text = changed ? *changed : batch.cells[one.input][row].text;
        if (!(as_text ? table::needs_text_sign(text) : table::is_formula(text))) continue;
        seen->columns[one.column].store(true, std::memory_order_relaxed);
        if (!as_text) break;
        result.storage.push_back(table::kTextSign + std::string(text));
        result.cells[one.output][row] = result.storage.back();
      }
    }
  };
}

table::Rewrite FormulaCells::watch(table::Rewrite rewrite, const std::vector<std::size_t>& others, bool as_text) {
  table::Rewrite wrapping = rewrite;
  std::vector<Written> columns;
  std::vector<Written> known;  // the same of tuples
  bool all_known = true;
  for (const std::size_t column : rewrite.written(table_.columns().size())) {
    const std::size_t changed = place_of(rewrite.outputs, column);
    const bool stays = changed == kNone;
    if (stays && std::find(others.begin(), others.end(), column) == others.end()) continue;
    Written one{.column = column, .input = place_in(wrapping.inputs, column), .output = 0, .changed = changed};
    // Columns that stay are outputs only where their cells may change after all.
    if (as_text || !stays) one.output = place_in(wrapping.outputs, column);
    columns.push_back(one);
    one.input = place_of(rewrite.known.columns, column);
    all_known = all_known && one.input != kNone;
    known.push_back(one);
  }
  wrapping.rewrite = watching(rewrite.rewrite, rewrite.outputs.size(), columns, as_text);
  if (rewrite.known.tuples == nullptr) return wrapping;
  wrapping.known.rewrite = watching(rewrite.known.rewrite, rewrite.outputs.size(), known, as_text);
  // Texts are made of cells one by one: of other columns than those of the tuples too.
  if (as_text && !all_known) wrapping.known = {};
  if (as_text) return wrapping;
  wrapping.known.look = [seen = seen_](std::size_t column, std::span<const std::string_view> texts) {
    std::atomic<bool>& found = seen->columns[column];
    if (!found.load(std::memory_order_relaxed) && std::any_of(texts.begin(), texts.end(), table::is_formula))
      found.store(true, std::memory_order_relaxed);
  };
  return wrapping;
}

std::vector<std::size_t> FormulaCells::found() const {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < seen_->columns.size(); ++i)
    if (seen_->columns[i]) columns.push_back(i);
  return columns;
}

Result<std::vector<std::size_t>> formula_columns(table::Source& table, Progress& progress) {
  std::vector<std::size_t> all(table.columns().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  GAUZE_TRY(const std::uint64_t rows, table.row_count());
  progress.begin("reading", rows);
  GAUZE_TRY(const auto stream, table.scan(all, table::Cells::text, progress));
  std::vector<bool> found(all.size(), false);
  for (;;) {
    GAUZE_TRY(const auto batch, stream->next());
    if (!batch) break;
    for (const std::size_t column : all) {
      const auto& texts = batch->columns[column].texts;
      if (!found[column]) found[column] = std::any_of(texts.begin(), texts.end(), table::is_formula);
    }
    progress.advance(batch->rows);
    GAUZE_TRY_VOID(progress.check());
  }
  std::erase_if(all, [&](std::size_t column) { return !found[column]; });
  return all;
}

std::vector<std::string> formula_names(const table::Source& table, const std::vector<std::size_t>& dropped) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < table.columns().size(); ++i)
    if (table::is_formula(table.columns()[i]) && std::find(dropped.begin(), dropped.end(), i) == dropped.end())
      names.push_back(table.columns()[i]);
  return names;
}

Warning formula_warning(const table::Source& table, const std::vector<std::size_t>& columns) {
  std::string names;
  for (const std::size_t column : columns)
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", table.columns()[column]);
  return {"formula_cells",
          fmt::format("a spreadsheet would run cells of {} as formulas: they begin with =, +, -, @ or a tab; a "
                      "spreadsheet-safe output has them as texts",
                      names)};
}

}  // namespace gauze::anonymize
