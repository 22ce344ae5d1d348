#include "gauze/schema/cleaning/cleaning_rules.h"

#include <algorithm>
#include <tuple>

#include "gauze/base/utf8.h"
#include "gauze/table/missing_tokens.h"

namespace gauze::schema {
namespace {

std::string day_text(const Date& date) { return fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day); }

Result<void> check_rising(const NumberBounds& bounds) {
  if (bounds.low <= bounds.high) return {};
  return invalid_parameter("valid: the lower bound comes first, but {} stands before {}", bounds.low.to_decimal(),
                           bounds.high.to_decimal());
}

Result<void> check_rising(const DateRange& range) {
  const auto day = [](const Date& date) { return std::tuple(date.year, date.month, date.day); };
  if (range.from.day == 0 || range.to.day == 0)
    return invalid_parameter("valid: a bound of dates is a whole day, such as 1920-01-01");
  if (day(range.from) <= day(range.to)) return {};
  return invalid_parameter("valid: the first day comes first, but {} stands before {}", day_text(range.from),
                           day_text(range.to));
}

}  // namespace

SameRules::SameRules(std::span<const std::string> null_tokens) {
  for (const std::string& token : table::MissingTokens({null_tokens.begin(), null_tokens.end()}).all())
    missing_.insert(token);
}

Result<void> SameRules::check_text(const std::string& text) const {
  if (trimmed(text) != text)
    return invalid_parameter("same: '{}' has blanks around it, which cells are read without", text);
  if (text.empty()) return invalid_parameter("same: an empty text means missing and cannot be listed");
  if (missing_.contains(text))
    return invalid_parameter(
        "same: '{}' means missing, which is decided before: what else means missing belongs to `input: {{null: [...]}}`",
        text);
  return {};
}

Result<void> SameRules::add_name(const std::string& name) {
  GAUZE_TRY_VOID(check_text(name));
  if (const auto found = name_of_.find(name); found != name_of_.end() && found->second != name)
    return invalid_parameter("same: '{}' is a name, and is listed under '{}': one of the two must go", name,
                             found->second);
  if (!names_.insert(name).second) return invalid_parameter("same: the name '{}' is there twice", name);
  return {};
}

Result<void> SameRules::add_spelling(const std::string& name, const std::string& spelling) {
  GAUZE_TRY_VOID(check_text(spelling));
  if (spelling != name && names_.contains(spelling))
    return invalid_parameter("same: '{}' is a name, and is listed under '{}': one of the two must go", spelling,
                             name);
  const auto [found, is_new] = name_of_.emplace(spelling, name);
  if (is_new) return {};
  if (found->second == name) return invalid_parameter("same: '{}' is listed twice under '{}'", spelling, name);
  return invalid_parameter("same: '{}' is listed under '{}' and under '{}': one of the two must go", spelling,
                           found->second, name);
}

Result<void> check(std::span<const SameValues> same, std::span<const std::string> null_tokens) {
  SameRules rules(null_tokens);
  for (const SameValues& one : same) {
    GAUZE_TRY_VOID(rules.add_name(one.name));
    if (one.spellings.empty())
      return invalid_parameter("same: '{}' lists nothing: list the other spellings, or leave it out", one.name);
    for (const std::string& spelling : one.spellings) GAUZE_TRY_VOID(rules.add_spelling(one.name, spelling));
  }
  return {};
}

Result<void> check(const ValidBounds& bounds) {
  return std::visit([](const auto& range) { return check_rising(range); }, bounds.range);
}

const std::string* name_of(std::span<const SameValues> same, std::string_view text) {
  for (const SameValues& one : same)
    if (one.name != text && std::find(one.spellings.begin(), one.spellings.end(), text) != one.spellings.end())
      return &one.name;
  return nullptr;
}

}  // namespace gauze::schema
