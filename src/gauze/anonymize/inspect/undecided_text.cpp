#include "gauze/anonymize/inspect/undecided_text.h"

#include <fmt/core.h>

#include "gauze/base/joined.h"

namespace gauze::anonymize {

tl::unexpected<Error> refuse_undecided(const std::vector<UndecidedColumn>& columns, std::string_view remedy) {
  const bool one = columns.size() == 1;
  return make_error(ErrorCode::not_private, "{} look{} like {}, and nothing decides about {}: {}", to_text(columns),
                    one ? "s" : "", one ? "an identifier" : "identifiers", one ? "it" : "them", remedy);
}

Warning unnamed_quasi_identifiers(const std::vector<UndecidedColumn>& columns) {
  std::vector<std::string> names;
  for (const UndecidedColumn& column : columns) names.push_back("'" + column.name + "'");
  const bool one = names.size() == 1;
  return Warning::of_privacy(
      "unnamed_quasi_identifiers",
      fmt::format("outsiders may know {} too, which {} not among the quasi-identifiers: name {} there, or "
                  "as sensitive or kept if nobody can",
                  joined(names, ", "), one ? "is" : "are", one ? "it" : "them"));
}

}  // namespace gauze::anonymize
