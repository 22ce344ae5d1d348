#include "gauze/cli/tables/undecided_text.h"

#include "gauze/anonymize/inspect/undecided_text.h"
#include "gauze/anonymize/job/suppressed_rows.h"
#include "gauze/base/utf8.h"

namespace gauze::cli {

tl::unexpected<Error> refuse_undecided(Invocation& invocation,
                                       const std::vector<anonymize::UndecidedColumn>& columns) {
  invocation.attach_to_error("undecided_columns", anonymize::to_json(columns));
  const bool decides = invocation.command().find_flag("drop") != nullptr;
  return anonymize::refuse_undecided(
      columns, decides ? "--drop, --pseudonym or --keep, or give it a role in a policy"
                       : "leave it out of the file, or say --keep if it tells nothing about a person");
}

Result<void> check_null_tokens(const table::ReadOptions& options) {
  for (const std::string& token : options.null_tokens)
    if (trimmed(token) == anonymize::kSuppressedText)
      return invalid_parameter(
          "`*` is what suppressed cells say, and cannot mean missing too: write missing cells of the table another way");
  return {};
}

}  // namespace gauze::cli
