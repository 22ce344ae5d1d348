#include "gauze/cli/tables/formula_warning.h"

namespace gauze::cli {

Json warn_of_formulas(Invocation& invocation, const table::Source& table, const std::vector<std::size_t>& columns) {
  Json warnings = Json::array();
  if (columns.empty()) return warnings;
  std::string names;
  for (const std::size_t column : columns)
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", table.columns()[column]);
  const std::string message = fmt::format(
      "a spreadsheet would run cells of {} as formulas: they begin with =, +, -, @ or a tab; `gauze anonymize "
      "--spreadsheet-safe` writes them as texts",
      names);
  invocation.note(message);
  warnings.push(Json::object({{"code", "formula_cells"}, {"message", message}}));
  return warnings;
}

}  // namespace gauze::cli
