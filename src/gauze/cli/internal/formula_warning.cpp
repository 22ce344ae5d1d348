#include "gauze/cli/internal/formula_warning.h"

namespace gauze::cli {

Json warn_of_formulas(Invocation& invocation, const std::vector<std::string>& columns) {
  Json warnings = Json::array();
  if (columns.empty()) return warnings;
  std::string names;
  for (const std::string& column : columns) names += fmt::format("{}'{}'", names.empty() ? "" : ", ", column);
  const std::string message = fmt::format(
      "a spreadsheet would run cells of {} as formulas: they begin with =, +, -, @ or a tab; `gauze anonymize "
      "--spreadsheet-safe` writes them as texts",
      names);
  invocation.note(message);
  warnings.push(Json::object({{"code", "formula_cells"}, {"message", message}}));
  return warnings;
}

}  // namespace gauze::cli
