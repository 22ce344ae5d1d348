// The specification in YAML.
#include <algorithm>
#include <functional>

#include "gauze/collect/plan/planner.h"
#include "gauze/collect/task/task_spec.h"
#include "gauze/files/yaml_reader.h"
#include "gauze/label/printable_text.h"
#include "gauze/ledger/terms/dataset_terms.h"

namespace gauze::collect {
namespace {

/// A million values take a file of some ten megabytes.
constexpr YamlLimits kLimits = {.bytes = std::size_t{256} << 20, .depth = 32, .nodes = 20'000'000};
constexpr std::size_t kLongestText = 4000;

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

Result<std::string> read_date(const YamlNode& node, std::string_view what) {
  GAUZE_TRY(const std::string text, read_text(node, what));
  const auto is_digit = [&](std::size_t i) { return text[i] >= '0' && text[i] <= '9'; };
  bool is_date = text.size() == 10 && text[4] == '-' && text[7] == '-';
  for (const std::size_t i : {0, 1, 2, 3, 5, 6, 8, 9}) is_date = is_date && is_digit(i);
  if (is_date) {
    const int year = std::stoi(text.substr(0, 4));
    const int month = std::stoi(text.substr(5, 2));
    const int day = std::stoi(text.substr(8, 2));
    constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    is_date = month >= 1 && month <= 12 && day >= 1 && day <= kDays[month - 1] + (month == 2 && leap ? 1 : 0);
  }
  if (!is_date) return yaml_error(node, "{} must be a date such as 2027-12-31", what);
  return text;
}

/// Keys of a map and what reads each; all may be absent.
struct Key {
  std::string name;
  std::function<Result<void>(const YamlNode&)> read;
};

Result<void> read_map(const YamlNode& node, std::string_view what, const std::vector<Key>& keys) {
  std::vector<std::string> names;
  for (const Key& key : keys) names.push_back(key.name);
  GAUZE_TRY_VOID(check_keys(node, names, what));
  for (const Key& key : keys)
    if (const YamlNode* value = node.find(key.name); value != nullptr && value->kind != YamlNode::Kind::null)
      GAUZE_TRY_VOID(key.read(*value));
  return {};
}

template <class Value, class Read>
Key into(std::string name, Value& place, Read read) {
  return {name, [&place, read, name](const YamlNode& node) -> Result<void> {
            GAUZE_TRY(place, read(node, name));
            return {};
          }};
}

/// The words of what later versions understand get an answer of their own.
Result<void> refuse_later(const YamlNode& node, std::string_view what, const std::vector<std::string>& later) {
  if (node.is_scalar() && std::find(later.begin(), later.end(), node.text) != later.end())
    return yaml_error(node, "{} '{}' is not supported by this version", what, node.text);
  return {};
}

Result<void> read_field(const YamlNode& node, TaskSpec& spec) {
  std::string type;
  std::vector<std::string> values;
  std::optional<Rational> low;
  std::optional<Rational> high;
  std::uint64_t places = 0;
  const auto number = [](std::optional<Rational>& place, std::string name) {
    return into(std::move(name), place, read_number);
  };
  GAUZE_TRY_VOID(read_map(node, "field",
                          {into("type", type, read_text), into("values", values, read_texts),
                           into("other", spec.other, read_bool), number(low, "low"), number(high, "high"),
                           into("places", places, [](const YamlNode& at, std::string_view what) {
                             return read_count(at, what, 0, 18);
                           })}));
  if (type == "text") return yaml_error(node, "fields of type 'text' are not supported by this version");
  if (type != "category" && type != "integer" && type != "decimal")
    return yaml_error(node, "field: type must be category, integer or decimal");
  const bool is_category = type == "category";
  if (is_category != (spec.question == Question::frequency))
    return yaml_error(node, "a {} is asked of {}", word_of(kQuestionWords, spec.question),
                      is_category ? "a number: integer or decimal" : "a category");
  if (is_category) {
    if (low || high || places != 0) return yaml_error(node, "field: a category has values, not low, high or places");
    if (spec.other) values.emplace_back("other");
    auto list = ValueList::listed(std::move(values));
    if (!list) return yaml_error(node, "field: {}", list.error().message);
    spec.values = std::move(*list);
    return {};
  }
  if (!values.empty() || spec.other) return yaml_error(node, "field: a number has low and high, not values");
  if (!low || !high) return yaml_error(node, "field: a number needs low and high");
  if (type == "integer" && places != 0) return yaml_error(node, "field: an integer has no places");
  auto field = NumberField::make(*low, *high, static_cast<int>(places), spec.variance);
  if (!field) return yaml_error(node, "field: {}", field.error().message);
  spec.number = *field;
  return {};
}

Result<void> read_limits(const YamlNode& node, TaskSpec& spec) {
  TaskLimits& limits = spec.limits;
  return read_map(
      node, "limits",
      {into("reports_per_period", limits.reports_per_period,
            [](const YamlNode& at, std::string_view what) -> Result<std::uint32_t> {
              GAUZE_TRY(const std::uint64_t count, read_count(at, what, 1, 1'000'000));
              return static_cast<std::uint32_t>(count);
            }),
       into("window", limits.window_seconds, read_duration), into("epsilon_window", limits.window_nano, read_nano),
       into("epsilon_lifetime", limits.lifetime_nano, read_nano)});
}

Result<void> read_mode(const YamlNode& node) {
  GAUZE_TRY_VOID(refuse_later(node, "mode", {"central"}));
  GAUZE_TRY(const std::string mode, read_text(node, "mode"));
  if (mode != "local") return yaml_error(node, "mode must be local");
  return {};
}

Result<void> read_memoise(const YamlNode& node) {
  if (node.is_scalar() && node.text == "none") return {};
  return yaml_error(node, "memoise: only 'none' is supported by this version");
}

}  // namespace

Result<TaskSpec> parse_task_spec(std::string_view yaml, std::string_view name) {
  GAUZE_TRY(const YamlNode root, parse_yaml(yaml, name, kLimits));
  TaskSpec spec;
  std::uint64_t version = 0;
  std::optional<Rational> epsilon;
  const YamlNode* field = nullptr;
  const std::vector<Key> keys = {
      into("version", version, [](const YamlNode& at, std::string_view what) { return read_count(at, what, 1, 1); }),
      into("name", spec.name, read_text),
      {"mode", read_mode},
      {"question",
       [&](const YamlNode& node) -> Result<void> {
         GAUZE_TRY_VOID(refuse_later(node, "question", {"quantile", "marginal", "strings"}));
         GAUZE_TRY(spec.question, read_word(node, "question", kQuestionWords));
         return {};
       }},
      {"field",
       [&](const YamlNode& node) -> Result<void> {
         field = &node;
         return {};
       }},
      {"fields",
       [](const YamlNode& node) -> Result<void> {
         return yaml_error(node, "several fields are not supported by this version");
       }},
      {"pairs",
       [](const YamlNode& node) -> Result<void> {
         return yaml_error(node, "pairs of fields are not supported by this version");
       }},
      {"mechanism",
       [&](const YamlNode& node) -> Result<void> {
         GAUZE_TRY_VOID(refuse_later(node, "mechanism", {"cms", "hcms", "rappor"}));
         GAUZE_TRY(spec.mechanism, read_text(node, "mechanism"));
         return {};
       }},
      into("epsilon", epsilon, read_number),
      {"memoise", read_memoise},
      into("variance", spec.variance, read_bool),
      {"limits", [&](const YamlNode& node) { return read_limits(node, spec); }},
      into("users", spec.users,
           [](const YamlNode& at, std::string_view what) { return read_count(at, what, 1, 1'000'000'000'000); }),
      into("purpose", spec.purpose, read_sentence),
      into("legal_basis", spec.legal_basis, read_sentence),
      {"collection",
       [&](const YamlNode& node) {
         return read_map(
             node, "collection",
             {into("period", spec.period_seconds, read_duration), into("validity", spec.validity, read_date),
              into("detection", spec.detection, read_sentence), into("entry", spec.entry, read_sentence),
              into("depth", spec.depth, read_sentence)});
       }},
      into("retention", spec.retention_seconds, read_duration),
      {"classification",
       [&](const YamlNode& node) {
         return read_map(node, "classification",
                         {into("source", spec.source, read_sentence), into("type", spec.type, read_sentence),
                          into("importance", spec.importance, read_sentence)});
       }},
      into("profile", spec.profile, read_text),
      into("deviation", spec.deviation, read_sentence),
      into("justification", spec.justification, read_sentence),
      into("contact", spec.contact, read_sentence)};
  GAUZE_TRY_VOID(read_map(root, "the task", keys));
  if (version == 0) return yaml_error(root, "the task needs 'version: 1'");
  if (spec.name.empty()) return yaml_error(root, "the task needs a name");
  if (!epsilon) return yaml_error(root, "the task needs epsilon");
  auto nano = epsilon_nano(*epsilon);
  if (!nano) return yaml_error(*root.find("epsilon"), "{}", nano.error().message);
  spec.epsilon_nano = *nano;
  if (spec.variance && spec.question != Question::mean)
    return yaml_error(*root.find("variance"), "variance is asked of means alone");
  if (field == nullptr) return yaml_error(root, "the task needs a field");
  GAUZE_TRY_VOID(read_field(*field, spec));
  GAUZE_TRY_VOID(check_task_spec(spec));
  return spec;
}

}  // namespace gauze::collect
