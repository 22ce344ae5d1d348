#include "gauze/anonymize/inspect/column_roles.h"

#include <fmt/format.h>

#include <algorithm>

#include "gauze/anonymize/inspect/column_words.h"

namespace gauze::anonymize {

using namespace schema;  // the vocabulary of this file

namespace {

constexpr std::uint64_t kFew = 20;  // in a tiny table everything is unique

/// A column whose values repeat that much tells groups apart, not people, whatever its name says.
bool tells_groups(std::uint64_t distinct, std::uint64_t present) {
  constexpr std::uint64_t kGroups = 100;
  return distinct <= kGroups && distinct * 50 < present;
}

/// "email_opt_in", "phone_type": few values, each in several rows, under a name that holds the word of an identifier; or two
/// values among many rows, whatever the name.
bool tells_an_aspect(std::string_view name, std::uint64_t distinct, std::uint64_t present) {
  if (speaks_of_an_aspect(name)) return distinct <= kFew && distinct * 2 <= present;
  return distinct <= 2 && present > kFew;
}

std::string named(const ColumnWord& word) {
  std::string_view text = word.text;
  if (text.ends_with('*')) text.remove_suffix(1);
  return fmt::format("its name says '{}'", text);
}

}  // namespace

std::optional<std::string> why_identifier(std::string_view name, const table::ColumnSummary& summary,
                                          const IdentifierEvidence& evidence, std::uint64_t rows) {
  const std::uint64_t present = rows - std::min(rows, summary.missing + evidence.stars());
  const std::uint64_t distinct = summary.distinct - (evidence.stars() > 0 ? 1 : 0);
  if (distinct == 0) return std::nullopt;
  const ColumnWord* const word = find_word(name);
  if (const auto kind = evidence.kind(distinct)) {
    // Cities and illnesses are written like names: 石家庄 begins with a surname.
    const bool like_names = *kind == IdentifierKind::person_name && !evidence.has_known_names();
    if (!like_names || word == nullptr || word->role == Role::identifier)
      return fmt::format("its cells are {}", to_string(*kind));
  }
  if (word != nullptr && word->role == Role::identifier && tells_an_aspect(name, distinct, present))
    return std::nullopt;
  if (word != nullptr && word->always) return named(*word);
  const bool is_area = word != nullptr && word->role == Role::quasi;  // a zip code is none of a person
  const auto numbering = numbering_word(name);
  if (numbering && !(is_area && *numbering == "code") && present > 1 && distinct * 2 > present)
    return fmt::format("its name ends in '{}', and most rows have a value of their own", *numbering);
  if (distinct <= 1 || (word != nullptr && word->role != Role::identifier)) return std::nullopt;
  const bool nearly_unique = present > kFew && distinct * 10 >= present * 9;
  const table::ColumnType type = evidence.stars() > 0 ? evidence.type() : summary.type;
  const bool amount =
      type == table::ColumnType::number || type == table::ColumnType::integer || type == table::ColumnType::date;
  if (nearly_unique && !amount) return "nearly every row has a value of its own";
  const bool number = type == table::ColumnType::integer || type == table::ColumnType::number;
  if (present > kFew && number && !speaks_of_an_amount(name) && evidence.numbers_records(distinct))
    return "it numbers the rows";
  if (word != nullptr && !tells_groups(distinct, present)) return named(*word);
  return std::nullopt;
}

SuggestedRole suggest_role(std::string_view name, const table::ColumnSummary& summary,
                           const IdentifierEvidence& evidence, std::uint64_t rows) {
  const std::uint64_t present = rows - std::min(rows, summary.missing);
  if (auto why = why_identifier(name, summary, evidence, rows)) return {Role::identifier, *std::move(why)};
  if (summary.distinct <= 1) return {Role::insensitive, "it has at most one value"};
  const ColumnWord* const word = find_word(name);
  if (word != nullptr && word->role == Role::sensitive) return {Role::sensitive, named(*word)};
  if (word != nullptr && word->role == Role::quasi) return {Role::quasi, named(*word) + ", which outsiders may know"};
  if (present > kFew && summary.distinct * 10 >= present * 9)
    return {Role::quasi, "nearly every row has a value of its own: whoever knows it finds the row"};
  const bool is_amount = summary.type == table::ColumnType::number || summary.type == table::ColumnType::integer;
  if (present > kFew && summary.distinct * 2 > present && is_amount)
    return {Role::insensitive, "most rows have a value of their own; round or drop it if outsiders may know it"};
  if (present > kFew && summary.distinct * 2 > present)
    return {Role::quasi, "most rows have a value of their own: whoever knows it finds the row"};
  if (summary.type == table::ColumnType::date) return {Role::quasi, "dates link to events that outsiders know of"};
  if (summary.type == table::ColumnType::number) return {Role::insensitive, "measurements are seldom known outside"};
  return {Role::quasi, "its values repeat, so that together with others they single out people"};
}

int default_availability(std::string_view name, Role role) {
  if (const ColumnWord* const word = find_word(name)) return word->availability;
  switch (role) {
    case Role::identifier:
      return 3;
    case Role::sensitive:
    case Role::target:
      return 1;
    default:
      return 2;
  }
}

}  // namespace gauze::anonymize
