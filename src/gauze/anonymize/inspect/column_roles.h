#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gauze/schema/policy/policy.h"
#include "gauze/table/source.h"

namespace gauze::anonymize {

/// What a column seems to be, and why: a suggestion that a person must confirm.
struct SuggestedRole {
  schema::Role role = schema::Role::insensitive;
  std::string reason;
};

/// From the name of the column (English and Chinese words) and from its values: how many there are and how often they
/// repeat.
[[nodiscard]] SuggestedRole suggest_role(std::string_view name, const table::ColumnSummary& summary,
                                         std::uint64_t rows);

/// Whether the name alone speaks of an identifier: a name, a telephone number, an account.
[[nodiscard]] bool names_an_identifier(std::string_view name);

/// How easily outsiders learn the values of a column, 1 (hardly) to 5 (it stands in resumes and profiles), by the kind of
/// column its name speaks of. The scale is that of El Emam and Dankar as the thesis uses it.
[[nodiscard]] int default_availability(std::string_view name, schema::Role role);

}  // namespace gauze::anonymize
