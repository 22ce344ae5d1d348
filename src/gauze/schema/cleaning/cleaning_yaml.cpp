#include "gauze/schema/cleaning/cleaning_yaml.h"

#include "gauze/base/utf8.h"

namespace gauze::schema {
namespace {

constexpr int kExactDigits = 1000;  // more than Rational::parse reads

/// The error of a rule with the place of what broke it.
Result<void> on_line(const YamlNode& node, std::size_t line, Result<void> checked) {
  if (checked) return checked;
  return invalid_parameter("{}: {}", node.place_of_line(line), checked.error().message);
}

tl::unexpected<Error> wrong_bounds(const YamlNode& node) {
  return yaml_error(
      node,
      "valid takes two numbers or two whole days, such as [0, 120] or [1920-01-01, 2024-12-31]; what texts a "
      "column may hold is said by `values`");
}

std::string day_scalar(const Date& day) { return fmt::format("{:04}-{:02}-{:02}", day.year, day.month, day.day); }

}  // namespace

Result<std::vector<SameValues>> read_same(const YamlNode& node, std::span<const std::string> null_tokens) {
  if (!node.is_map() || node.keys.empty())
    return yaml_error(node, "same is a map: the name of a value, then a list of its other spellings");
  std::vector<SameValues> same;
  SameRules rules(null_tokens);
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    const YamlNode& item = node.items[i];
    SameValues one{.name = std::string(trimmed(node.keys[i].text))};
    GAUZE_TRY_VOID(on_line(node, node.keys[i].line, rules.add_name(one.name)));
    if (item.is_list() && item.items.empty())
      return yaml_error(item, "same: '{}' lists nothing: list the other spellings, or leave it out", one.name);
    GAUZE_TRY(const std::vector<std::string> spellings, read_texts(item, "same"));
    for (std::size_t place = 0; place < spellings.size(); ++place) {
      std::string spelling(trimmed(spellings[place]));
      const YamlNode& at = item.is_list() ? item.items[place] : item;
      GAUZE_TRY_VOID(on_line(at, at.line, rules.add_spelling(one.name, spelling)));
      one.spellings.push_back(std::move(spelling));
    }
    same.push_back(std::move(one));
  }
  return same;
}

Result<ValidBounds> read_valid(const YamlNode& node, const YamlNode* outside) {
  if (!node.is_list() || node.items.size() != 2 || !node.items[0].is_scalar() || !node.items[1].is_scalar())
    return wrong_bounds(node);
  const std::string& first = node.items[0].text;
  const std::string& second = node.items[1].text;
  ValidBounds bounds;
  const auto low = Rational::parse(first);
  const auto high = Rational::parse(second);
  const auto from = parse_date(first, {});
  const auto to = parse_date(second, {});
  if (low && high)
    bounds.range = NumberBounds{*low, *high};
  else if (from && to)
    bounds.range = DateRange{*from, *to};
  else
    return wrong_bounds(node);
  GAUZE_TRY_VOID(on_line(node, node.line, check(bounds)));
  if (outside != nullptr) {
    GAUZE_TRY(bounds.outside, read_word(*outside, "outside", kOutsideCellsWords));
  }
  return bounds;
}

std::string format_same(std::span<const SameValues> same) {
  std::string text = "{";
  for (const SameValues& one : same) {
    if (text.size() > 1) text += ", ";
    text += yaml_scalar(one.name) + ": [";
    for (const std::string& spelling : one.spellings) {
      if (text.back() != '[') text += ", ";
      text += yaml_scalar(spelling);
    }
    text += ']';
  }
  return text + "}";
}

std::string format_valid(const ValidBounds& bounds) {
  if (const auto* numbers = std::get_if<NumberBounds>(&bounds.range))
    return fmt::format("[{}, {}]", numbers->low.to_decimal(kExactDigits), numbers->high.to_decimal(kExactDigits));
  const auto& range = std::get<DateRange>(bounds.range);
  return fmt::format("[{}, {}]", day_scalar(range.from), day_scalar(range.to));
}

Json same_json(std::span<const SameValues> same) {
  Json object = Json::object();
  for (const SameValues& one : same) {
    Json spellings = Json::array();
    for (const std::string& spelling : one.spellings) spellings.push(spelling);
    object.set(one.name, std::move(spellings));
  }
  return object;
}

}  // namespace gauze::schema
