#include "gauze/collect/encode/field_value.h"

#include <limits>

#include "gauze/base/rational.h"

namespace gauze::collect {
namespace {

gauze_value in_units(std::int64_t units) { return {1, units, nullptr, 0}; }

/// A whole number of at most 18 digits, which nearly all are.
std::optional<std::int64_t> plain_integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.size() > 18) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + (c - '0');
  }
  return negative ? -value : value;
}

gauze_value number_of(const NumberField& field, std::string_view text) {
  if (field.places == 0)
    if (const auto whole = plain_integer(text)) return in_units(*whole);
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto number = Rational::parse(text);
  if (!number) return kNoValue;
  Rational units = *number;
  for (int i = 0; i < field.places; ++i) units *= Rational(10);
  units = (units + Rational(1, 2)).floor();
  if (const auto whole = units.to_int64()) return in_units(*whole);
  return in_units(units.sign() < 0 ? std::numeric_limits<std::int64_t>::min()
                                   : std::numeric_limits<std::int64_t>::max());
}

gauze_value category_of(const ValueList& values, std::string_view text) {
  const auto found = values.find(text);
  return found ? gauze_value{0, *found, nullptr, 0} : kNoValue;
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

}  // namespace

gauze_value value_of_text(const TaskSpec& spec, std::string_view text) {
  text = without_blanks(text);
  return spec.question == Question::mean ? number_of(spec.number, text) : category_of(spec.values, text);
}

gauze_value value_of_text(const RecordField& field, std::string_view text) {
  text = without_blanks(text);
  return field.is_category() ? category_of(field.values, text) : number_of(field.number, text);
}

}  // namespace gauze::collect
