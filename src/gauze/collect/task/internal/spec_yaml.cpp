#include "gauze/collect/task/internal/spec_yaml.h"

#include "gauze/base/utc_date.h"
#include "gauze/label/printable_text.h"
#include "gauze/ledger/terms/dataset_terms.h"

namespace gauze::collect::internal {
namespace {

constexpr std::size_t kLongestText = 4000;

Result<std::string> read_date(const YamlNode& node, std::string_view what) {
  GAUZE_TRY(const std::string text, read_text(node, what));
  if (!parse_utc_date(text)) return yaml_error(node, "{} must be a date such as 2027-12-31", what);
  return text;
}

}  // namespace

Result<std::string> read_sentence(const YamlNode& node, std::string_view what) {
  GAUZE_TRY(std::string text, read_text(node, what));
  if (text.size() > kLongestText) return yaml_error(node, "{} has more than {} bytes", what, kLongestText);
  if (!is_printable(text)) return yaml_error(node, "{} has control characters", what);
  return text;
}

Result<std::uint64_t> read_nano(const YamlNode& node, std::string_view what) {
  GAUZE_TRY(const Rational amount, read_number(node, what));
  const Rational nano = amount * Rational(1'000'000'000);
  if (amount.sign() < 0 || amount > Rational(1'000'000) || !nano.is_integer())
    return yaml_error(node, "{} must lie between 0 and 1,000,000 and have at most nine decimals", what);
  GAUZE_TRY(const std::int64_t whole, nano.to_int64());
  return static_cast<std::uint64_t>(whole);
}

Result<std::int64_t> read_duration(const YamlNode& node, std::string_view what) {
  GAUZE_TRY(const std::string text, read_text(node, what));
  const auto seconds = parse_window(text);
  if (!seconds) return yaml_error(node, "{} must be a duration such as 1d, 12h or 4w", what);
  return *seconds;
}

Result<std::uint32_t> read_reports(const YamlNode& node, std::string_view what) {
  GAUZE_TRY(const std::uint64_t count, read_count(node, what, 1, 1'000'000));
  return static_cast<std::uint32_t>(count);
}

std::vector<YamlKey> keys_of_terms(TaskTerms& terms) {
  return {
      key_into("name", terms.name, read_text),
      key_into("users", terms.users,
               [](const YamlNode& at, std::string_view what) { return read_count(at, what, 1, 1'000'000'000'000); }),
      key_into("purpose", terms.purpose, read_sentence),
      key_into("legal_basis", terms.legal_basis, read_sentence),
      {"collection",
       [&terms](const YamlNode& node) {
         return read_keys(
             node, "collection",
             {key_into("period", terms.period_seconds, read_duration),
              key_into("validity", terms.validity, read_date), key_into("detection", terms.detection, read_sentence),
              key_into("entry", terms.entry, read_sentence), key_into("depth", terms.depth, read_sentence)});
       }},
      key_into("retention", terms.retention_seconds, read_duration),
      {"classification",
       [&terms](const YamlNode& node) {
         return read_keys(
             node, "classification",
             {key_into("source", terms.source, read_sentence), key_into("type", terms.type, read_sentence),
              key_into("importance", terms.importance, read_sentence)});
       }},
      key_into("profile", terms.profile, read_text),
      key_into("deviation", terms.deviation, read_sentence),
      key_into("justification", terms.justification, read_sentence),
      key_into("contact", terms.contact, read_sentence)};
}

Result<WrittenField> read_field(const YamlNode& node, std::string_view what) {
  WrittenField field;
  const auto number = [](std::optional<Rational>& place, std::string name) {
    return key_into(std::move(name), place, read_number);
  };
  GAUZE_TRY_VOID(
      read_keys(node, what,
                {key_into("type", field.type, read_text), key_into("values", field.values, read_texts),
                 key_into("other", field.other, read_bool), number(field.low, "low"), number(field.high, "high"),
                 key_into("places", field.places,
                          [](const YamlNode& at, std::string_view key) { return read_count(at, key, 0, 18); })}));
  if (field.type == "text") return yaml_error(node, "fields of type 'text' are not supported by this version");
  if (field.type != "category" && field.type != "integer" && field.type != "decimal")
    return yaml_error(node, "{}: type must be category, integer or decimal", what);
  return field;
}

Result<ValueList> values_of(const YamlNode& node, std::string_view what, WrittenField field) {
  if (field.low || field.high || field.places != 0)
    return yaml_error(node, "{}: a category has values, not low, high or places", what);
  if (field.other) field.values.emplace_back("other");
  auto list = ValueList::listed(std::move(field.values));
  if (!list) return yaml_error(node, "{}: {}", what, list.error().message);
  return std::move(*list);
}

Result<NumberField> number_of(const YamlNode& node, std::string_view what, const WrittenField& field, bool squares) {
  if (!field.values.empty() || field.other)
    return yaml_error(node, "{}: a number has low and high, not values", what);
  if (!field.low || !field.high) return yaml_error(node, "{}: a number needs low and high", what);
  if (field.type == "integer" && field.places != 0) return yaml_error(node, "{}: an integer has no places", what);
  const auto number = NumberField::make(*field.low, *field.high, static_cast<int>(field.places), squares);
  if (!number) return yaml_error(node, "{}: {}", what, number.error().message);
  return *number;
}

}  // namespace gauze::collect::internal
