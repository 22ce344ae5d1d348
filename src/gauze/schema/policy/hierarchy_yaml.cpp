#include "gauze/schema/policy/hierarchy_yaml.h"

#include <array>

#include "gauze/schema/policy/criterion_text.h"

namespace gauze::schema {
namespace {

constexpr Words<MaskSpec::Side, 2> kSideWords = {{{MaskSpec::Side::left, "left"}, {MaskSpec::Side::right, "right"}}};
constexpr Words<DatesSpec::Unit, 4> kUnitWords = {{{DatesSpec::Unit::day, "day"},
                                                   {DatesSpec::Unit::month, "month"},
                                                   {DatesSpec::Unit::year, "year"},
                                                   {DatesSpec::Unit::decade, "decade"}}};
constexpr Words<DateOrder, 2> kOrderWords = {
    {{DateOrder::day_first, "day-first"}, {DateOrder::month_first, "month-first"}}};
constexpr std::string_view kKinds = "csv, intervals, groups, mask, dates or order";

Result<CsvSpec> read_csv(const YamlNode& node, const std::filesystem::path& folder) {
  CsvSpec spec;
  const YamlNode& file = *node.find("csv");
  GAUZE_TRY(const std::string path, read_text(file, "csv"));
  if (path.empty()) return yaml_error(file, "csv needs the name of a file");
  spec.path = joined_with(folder, path);
  if (const YamlNode* delimiter = node.find("delimiter")) {
    GAUZE_TRY(const std::string text, read_text(*delimiter, "delimiter"));
    if (text.size() != 1 || text == "\"" || text == "\n" || text == "\r") {
      return yaml_error(*delimiter, "delimiter must be one character, such as \";\"");
    }
    spec.delimiter = text.front();
  }
  return spec;
}

Result<std::vector<Rational>> read_numbers(const YamlNode& node, std::string_view what) {
  if (!node.is_list()) return yaml_error(node, "{} must be a list of numbers", what);
  std::vector<Rational> numbers;
  for (const YamlNode& item : node.items) {
    GAUZE_TRY(Rational number, read_number(item, what));
    numbers.push_back(std::move(number));
  }
  return numbers;
}

Result<HierarchySpec> read_intervals(const YamlNode& node) {
  if (node.is_list()) {
    IntervalsSpec spec;
    for (const YamlNode& level : node.items) {
      GAUZE_TRY(std::vector<Rational> bounds, read_numbers(level, "intervals: the bounds of a level"));
      spec.bounds.push_back(std::move(bounds));
    }
    return spec;
  }
  GAUZE_TRY_VOID(check_keys(node, {"from", "to", "width", "then"}, "intervals"));
  WidthsSpec spec;
  for (const auto& [key, figure] : {std::pair("from", &spec.from), {"to", &spec.to}, {"width", &spec.width}}) {
    const YamlNode* value = node.find(key);
    if (value == nullptr) return yaml_error(node, "intervals of equal width need from, to and width");
    GAUZE_TRY(*figure, read_number(*value, key));
  }
  if (const YamlNode* then = node.find("then")) {
    GAUZE_TRY(spec.then, read_numbers(*then, "then"));
  }
  return spec;
}

Result<GroupsSpec> read_groups(const YamlNode& node) {
  if (!node.is_list()) return yaml_error(node, "groups must be a list, one map of groups a level");
  GroupsSpec spec;
  for (const YamlNode& level : node.items) {
    if (!level.is_map())
      return yaml_error(level, "a level of groups must be a map: the name of a group, its members");
    auto& groups = spec.levels.emplace_back();
    for (std::size_t i = 0; i < level.keys.size(); ++i) {
      GAUZE_TRY(std::vector<std::string> members, read_texts(level.items[i], "the members of a group"));
      groups.push_back({level.keys[i].text, std::move(members)});
    }
  }
  return spec;
}

Result<MaskSpec> read_mask(const YamlNode& node) {
  GAUZE_TRY_VOID(check_keys(node, {"side", "steps"}, "mask"));
  MaskSpec spec;
  if (const YamlNode* side = node.find("side")) {
    GAUZE_TRY(spec.side, read_word(*side, "side", kSideWords));
  }
  const YamlNode* steps = node.find("steps");
  if (steps == nullptr || !steps->is_list()) return yaml_error(node, "mask needs steps, a list of numbers");
  for (const YamlNode& step : steps->items) {
    GAUZE_TRY(const std::uint64_t count, read_count(step, "a step of mask", 1, 1000));
    spec.steps.push_back(static_cast<std::uint32_t>(count));
  }
  return spec;
}

Result<Date> read_day(const YamlNode& node, std::string_view what) {
  GAUZE_TRY(const std::string text, read_text(node, what));
  const auto date = parse_date(text, std::nullopt);
  if (!date || date->day == 0) return yaml_error(node, "{} must be a day, such as 1920-01-01", what);
  return *date;
}

Result<DatesSpec> read_dates(const YamlNode& node) {
  DatesSpec spec;
  const YamlNode* levels = &node;
  if (!node.is_list()) {
    GAUZE_TRY_VOID(check_keys(node, {"levels", "order", "from", "to"}, "dates"));
    levels = node.find("levels");
    const YamlNode* from = node.find("from");
    const YamlNode* to = node.find("to");
    if ((from == nullptr) != (to == nullptr)) return yaml_error(node, "dates: from and to belong together");
    if (from != nullptr) {
      spec.range.emplace();
      GAUZE_TRY(spec.range->from, read_day(*from, "from"));
      GAUZE_TRY(spec.range->to, read_day(*to, "to"));
    }
    if (const YamlNode* order = node.find("order")) {
      GAUZE_TRY(spec.order, read_word(*order, "order", kOrderWords));
    }
  }
  if (levels == nullptr) return spec;
  if (!levels->is_list()) return yaml_error(*levels, "the levels of dates must be a list: day, month, year, decade");
  spec.levels.clear();
  for (const YamlNode& level : levels->items) {
    GAUZE_TRY(const DatesSpec::Unit unit, read_word(level, "a level of dates", kUnitWords));
    spec.levels.push_back(unit);
  }
  return spec;
}

Result<OrderSpec> read_order(const YamlNode& node) {
  GAUZE_TRY_VOID(check_keys(node, {"values", "fanout"}, "order"));
  OrderSpec spec;
  if (const YamlNode* values = node.find("values")) {
    GAUZE_TRY(spec.values, read_texts(*values, "values"));
    if (spec.values.empty())
      return yaml_error(*values, "values must not be empty; leave it out for the natural order");
  }
  if (const YamlNode* fanout = node.find("fanout")) {
    GAUZE_TRY(const std::uint64_t count, read_count(*fanout, "fanout", 2, 1'000'000));
    spec.fanout = static_cast<std::uint32_t>(count);
  }
  return spec;
}

Result<HierarchySpec> read_kind(const YamlNode& node, const std::filesystem::path& folder) {
  if (node.find("csv") != nullptr) return read_csv(node, folder);
  const std::string& kind = node.keys.front().text;
  const YamlNode& value = node.items.front();
  if (kind == "intervals") return read_intervals(value);
  if (kind == "groups") return read_groups(value);
  if (kind == "mask") return read_mask(value);
  if (kind == "dates") return read_dates(value);
  return read_order(value);
}

template <class Items, class Format>
std::string format_list(const Items& items, const Format& format) {
  std::string text = "[";
  for (const auto& item : items) {
    if (text.size() > 1) text += ", ";
    text += format(item);
  }
  return text + "]";
}

std::string format_groups(const std::vector<GroupsSpec::Group>& groups) {
  std::string text = "{";
  for (const GroupsSpec::Group& group : groups) {
    if (text.size() > 1) text += ", ";
    text += fmt::format("{}: {}", yaml_scalar(group.name), format_list(group.members, yaml_scalar));
  }
  return text + "}";
}

struct Formatter {
  const std::filesystem::path& folder;

  std::string operator()(const AutomaticSpec& /*spec*/) const { return "automatic"; }
  std::string operator()(const CsvSpec& spec) const {
    std::string text = "{csv: " + yaml_scalar(relative_to(folder, spec.path));
    if (spec.delimiter) text += ", delimiter: " + yaml_scalar(std::string(1, *spec.delimiter));
    return text + "}";
  }
  std::string operator()(const IntervalsSpec& spec) const {
    const auto level = [](const std::vector<Rational>& bounds) { return format_list(bounds, exact_text); };
    return fmt::format("{{intervals: {}}}", format_list(spec.bounds, level));
  }
  std::string operator()(const WidthsSpec& spec) const {
    std::string text = fmt::format("{{intervals: {{from: {}, to: {}, width: {}", exact_text(spec.from),
                                   exact_text(spec.to), exact_text(spec.width));
    if (!spec.then.empty()) text += ", then: " + format_list(spec.then, exact_text);
    return text + "}}";
  }
  std::string operator()(const GroupsSpec& spec) const {
    return fmt::format("{{groups: {}}}", format_list(spec.levels, format_groups));
  }
  std::string operator()(const MaskSpec& spec) const {
    return fmt::format("{{mask: {{side: {}, steps: {}}}}}", word_of(kSideWords, spec.side),
                       format_list(spec.steps, [](std::uint32_t step) { return std::to_string(step); }));
  }
  std::string operator()(const DatesSpec& spec) const {
    const auto unit = [](DatesSpec::Unit level) { return std::string(word_of(kUnitWords, level)); };
    std::string text = "{dates: {";
    if (spec.range) {
      const auto day = [](const Date& date) {
        return fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day);
      };
      text += fmt::format("from: {}, to: {}, ", day(spec.range->from), day(spec.range->to));
    }
    text += "levels: " + format_list(spec.levels, unit);
    if (spec.order) text += fmt::format(", order: {}", word_of(kOrderWords, *spec.order));
    return text + "}}";
  }
  std::string operator()(const OrderSpec& spec) const {
    std::string text = "{order: {";
    if (!spec.values.empty()) text += fmt::format("values: {}, ", format_list(spec.values, yaml_scalar));
    return text + fmt::format("fanout: {}}}}}", spec.fanout);
  }
};

}  // namespace

Result<HierarchySpec> read_hierarchy_spec(const YamlNode& node, const std::filesystem::path& folder) {
  if (node.is_scalar() && node.text == "automatic") return AutomaticSpec{};
  if (!node.is_map()) return yaml_error(node, "a hierarchy must be automatic, or a map of one kind: {}", kKinds);
  GAUZE_TRY_VOID(
      check_keys(node, {"csv", "delimiter", "intervals", "groups", "mask", "dates", "order"}, "the hierarchy"));
  if (node.find("csv") == nullptr ? node.keys.size() != 1 || node.find("delimiter") != nullptr
                                  : node.keys.size() != (node.find("delimiter") == nullptr ? 1U : 2U)) {
    return yaml_error(node, "a hierarchy has one kind: {}; delimiter belongs to csv", kKinds);
  }
  GAUZE_TRY(HierarchySpec spec, read_kind(node, folder));
  if (const auto checked = check(spec); !checked) return yaml_error(node, "{}", checked.error().message);
  return spec;
}

Result<HierarchySpec> parse_hierarchy_spec(std::string_view text, const std::filesystem::path& folder) {
  GAUZE_TRY(const YamlNode node, parse_yaml(text));
  return read_hierarchy_spec(node, folder);
}

std::string format_hierarchy_spec(const HierarchySpec& spec, const std::filesystem::path& folder) {
  return std::visit(Formatter{folder}, spec);
}

std::filesystem::path joined_with(const std::filesystem::path& folder, std::string_view path) {
  return (folder / std::filesystem::path(path)).lexically_normal();
}

std::string relative_to(const std::filesystem::path& folder, const std::filesystem::path& path) {
  if (path.is_absolute() || folder.empty()) return path.string();
  std::error_code failure;
  const auto from = std::filesystem::absolute(folder, failure).lexically_normal();
  const auto to = std::filesystem::absolute(path, failure).lexically_normal();
  const auto relative = to.lexically_relative(from);
  return failure || relative.empty() ? path.string() : relative.string();
}

}  // namespace gauze::schema
