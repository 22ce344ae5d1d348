#include "gauze/cli/tables/formula_warning.h"

namespace gauze::cli {

void warn_of_formulas(Invocation& invocation, const table::Source& table, const std::vector<std::size_t>& columns) {
  if (columns.empty()) return;
  std::string names;
  for (const std::size_t column : columns)
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", table.columns()[column]);
  invocation.warn(
      {"formula_cells",
       fmt::format(
           "a spreadsheet would run cells of {} as formulas: they begin with =, +, -, @ or a tab; `gauze anonymize "
           "--spreadsheet-safe` writes them as texts",
           names)});
}

}  // namespace gauze::cli
