#include "gauze/cli/tables/undecided_text.h"

#include "gauze/anonymize/job/suppressed_rows.h"
#include "gauze/base/joined.h"
#include "gauze/base/utf8.h"

namespace gauze::cli {

tl::unexpected<Error> refuse_undecided(Invocation& invocation,
                                       const std::vector<anonymize::UndecidedColumn>& columns) {
  invocation.attach_to_error("undecided_columns", anonymize::to_json(columns));
  const bool one = columns.size() == 1;
  const bool decides = invocation.command().find_flag("drop") != nullptr;
  return make_error(ErrorCode::not_private, "{} look{} like {}, and nothing decides about {}: {}", to_text(columns),
                    one ? "s" : "", one ? "an identifier" : "identifiers", one ? "it" : "them",
                    decides ? "--drop, --pseudonym or --keep, or give it a role in a policy"
                            : "leave it out of the file, or say --keep if it tells nothing about a person");
}

void warn_of_unnamed(Invocation& invocation, const std::vector<anonymize::UndecidedColumn>& columns) {
  if (columns.empty()) return;
  std::vector<std::string> names;
  for (const anonymize::UndecidedColumn& column : columns) names.push_back("'" + column.name + "'");
  const bool one = names.size() == 1;
  invocation.warn(Warning::of_privacy(
      "unnamed_quasi_identifiers",
      fmt::format(
          "outsiders may know {} too, which {} not among the quasi-identifiers: name {} with --quasi, or with --keep or "
          "--sensitive if nobody can",
          joined(names, ", "), one ? "is" : "are", one ? "it" : "them")));
}

Result<void> check_null_tokens(const table::ReadOptions& options) {
  for (const std::string& token : options.null_tokens)
    if (trimmed(token) == anonymize::kSuppressedText)
      return invalid_parameter(
          "`*` is what suppressed cells say, and cannot mean missing too: write missing cells of the table another way");
  return {};
}

}  // namespace gauze::cli
