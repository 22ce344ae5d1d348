#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gauze/anonymize/inspect/identifier_values.h"
#include "gauze/schema/policy/policy.h"
#include "gauze/table/source.h"

namespace gauze::anonymize {

/// What a column seems to be, and why: a suggestion that a person must confirm.
struct SuggestedRole {
  schema::Role role = schema::Role::insensitive;
  std::string reason;
};

/// Why a column looks like an identifier: its cells (e-mail addresses, telephone numbers, names, ...), its name, nearly
/// every row with a value of its own, or numbers of records. Nothing when it does not. A nearly unique amount or date is
/// none: it may be known, and is then a quasi-identifier.
[[nodiscard]] std::optional<std::string> why_identifier(std::string_view name, const table::ColumnSummary& summary,
                                                        const IdentifierEvidence& evidence, std::uint64_t rows);

/// From the name of the column (English, Chinese, German and French words) and from its values: what they are, how many
/// there are and how often they repeat.
[[nodiscard]] SuggestedRole suggest_role(std::string_view name, const table::ColumnSummary& summary,
                                         const IdentifierEvidence& evidence, std::uint64_t rows);

/// How easily outsiders learn the values of a column, 1 (hardly) to 5 (it stands in resumes and profiles), by the kind of
/// column its name speaks of. The scale is that of El Emam and Dankar as the thesis uses it.
[[nodiscard]] int default_availability(std::string_view name, schema::Role role);

}  // namespace gauze::anonymize
