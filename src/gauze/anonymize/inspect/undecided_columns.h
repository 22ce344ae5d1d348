#pragma once

#include <string>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/files/json.h"
#include "gauze/table/source.h"

namespace gauze::anonymize {

/// A column about which nobody has decided, and why it may tell who a row is.
struct UndecidedColumn {
  std::string name;
  std::string reason;
};

/// Those of some columns that somebody should decide about, by the rule of `inspect`.
struct UndecidedColumns {
  std::vector<UndecidedColumn> identifiers;
  std::vector<UndecidedColumn> quasi;  ///< what outsiders may know
};

/// Looks at all cells of the columns; for the owner's own eyes.
[[nodiscard]] Result<UndecidedColumns> find_undecided(table::Source& table, const std::vector<std::size_t>& columns,
                                                      Progress& progress);

/// Those of the columns, which should hold pseudonyms, that have cells of another form, missing and suppressed ones apart.
[[nodiscard]] Result<std::vector<UndecidedColumn>> find_without_pseudonyms(table::Source& table,
                                                                           const std::vector<std::size_t>& columns,
                                                                           Progress& progress);

/// "'name' (its name says 'name'), 'card' (...)".
[[nodiscard]] std::string to_text(const std::vector<UndecidedColumn>& columns);
[[nodiscard]] Json to_json(const std::vector<UndecidedColumn>& columns);

}  // namespace gauze::anonymize
