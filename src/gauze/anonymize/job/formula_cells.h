#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gauze/label/warning.h"
#include "gauze/table/rewrite.h"
#include "gauze/table/source.h"

namespace gauze::anonymize {

/// Finds the cells that a spreadsheet would run among those that leave a rewrite, and makes texts of them if wanted.
///
/// Thread safety: rewrites that were wrapped may run on several threads at once; found() is for afterwards.
class FormulaCells {
 public:
  explicit FormulaCells(const table::Source& table);

  /// The same rewrite with the columns that it makes looked at, as they come out of it, and those of `others` that are
  /// written as they are; with `as_text` cells that would be run get an apostrophe before them.
  [[nodiscard]] table::Rewrite watch(table::Rewrite rewrite, const std::vector<std::size_t>& others, bool as_text);

  /// The columns in which there were such cells, in the order of the table.
  [[nodiscard]] std::vector<std::size_t> found() const;

 private:
  struct Seen;
  struct Written;
  using Change = std::function<void(const table::RowBatch& batch, table::RewrittenBatch& result)>;
  /// The change, and a look at what comes out of it.
  [[nodiscard]] Change watching(Change inner, std::size_t inner_outputs, const std::vector<Written>& columns,
                                bool as_text) const;
  const table::Source& table_;
  std::shared_ptr<Seen> seen_;
};

/// The columns of a table in which a spreadsheet would run cells, by one pass over it.
[[nodiscard]] Result<std::vector<std::size_t>> formula_columns(table::Source& table, Progress& progress);

/// Says that a spreadsheet would run cells of these columns.
[[nodiscard]] Warning formula_warning(const table::Source& table, const std::vector<std::size_t>& columns);

/// The columns whose names would be run themselves.
[[nodiscard]] std::vector<std::string> formula_names(const table::Source& table,
                                                     const std::vector<std::size_t>& dropped);

}  // namespace gauze::anonymize
