#include "gauze/cli/tables/hierarchy_flags.h"

#include <algorithm>
#include <array>

#include "gauze/schema/policy/hierarchy_yaml.h"

namespace gauze::cli {
namespace {

using namespace schema;  // the vocabulary of this file

constexpr std::size_t kLargestFile = std::size_t{512} << 20;

/// A flag that only one kind has.
struct KindFlag {
  std::string_view flag;
  std::string_view kind;
};
constexpr std::array<KindFlag, 12> kKindFlags = {{{"bounds", "intervals"},
                                                  {"from", "widths"},
                                                  {"to", "widths"},
                                                  {"width", "widths"},
                                                  {"then", "widths"},
                                                  {"group", "groups"},
                                                  {"steps", "mask"},
                                                  {"side", "mask"},
                                                  {"levels", "dates"},
                                                  {"date-order", "dates"},
                                                  {"values", "order"},
                                                  {"fanout", "order"}}};

/// The kind that is asked for, by name or by its flags.
Result<std::string> kind_of(const Invocation& invocation) {
  std::optional<std::string> kind = invocation.optional_text("kind");
  std::string_view by;
  for (const KindFlag& one : kKindFlags) {
    if (!invocation.has(one.flag)) continue;
    if (kind && *kind != one.kind) {
      const std::string other = by.empty() ? fmt::format("--kind {}", *kind) : fmt::format("--{}", by);
      return make_error(ErrorCode::usage, "--{} belongs to --kind {}, not beside {}", one.flag, one.kind, other);
    }
    if (!kind) {
      kind = one.kind;
      by = one.flag;
    }
  }
  return kind.value_or("automatic");
}

Result<std::vector<Rational>> numbers(std::string_view flag, std::string_view text) {
  std::vector<Rational> found;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    auto number = Rational::parse(text.substr(begin, end - begin));
    if (!number) return invalid_parameter("--{} must be numbers with commas between them, but is '{}'", flag, text);
    found.push_back(*std::move(number));
    begin = end + 1;
  }
  return found;
}

Result<HierarchySpec> intervals_of(const Invocation& invocation) {
  if (!invocation.has("bounds"))
    return make_error(ErrorCode::usage,
                      "intervals need --bounds, once a level: --bounds 0,18,65,120 --bounds 0,65,120");
  IntervalsSpec spec;
  for (const std::string& text : invocation.texts("bounds")) {
    GAUZE_TRY(std::vector<Rational> bounds, numbers("bounds", text));
    spec.bounds.push_back(std::move(bounds));
  }
  return spec;
}

Result<HierarchySpec> widths_of(const Invocation& invocation) {
  WidthsSpec spec;
  for (const auto& [flag, figure] : {std::pair("from", &spec.from), {"to", &spec.to}, {"width", &spec.width}}) {
    if (!invocation.has(flag))
      return make_error(ErrorCode::usage,
                        "widths need --from, --to and --width: --from 0 --to 120 --width 5 --then 10,40");
    GAUZE_TRY(*figure, invocation.rational(flag));
  }
  if (const auto then = invocation.optional_text("then")) {
    GAUZE_TRY(spec.then, numbers("then", *then));
  }
  return spec;
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> pieces;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    pieces.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return pieces;
}

/// One level of groups; more of them need --spec.
Result<HierarchySpec> groups_of(const Invocation& invocation) {
  if (!invocation.has("group"))
    return make_error(ErrorCode::usage,
                      "groups need --group NAME=A,B, once a group; several levels of them need "
                      "--spec '{{groups: [{{north: [A, B]}}, {{country: [north]}}]}}'");
  GroupsSpec spec;
  auto& groups = spec.levels.emplace_back();
  for (const std::string& text : invocation.texts("group")) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      return invalid_parameter("--group must be NAME=A,B: the name of a group and its members");
    groups.push_back({text.substr(0, equals), split(std::string_view(text).substr(equals + 1))});
  }
  return spec;
}

Result<HierarchySpec> mask_of(const Invocation& invocation) {
  if (!invocation.has("steps"))
    return make_error(ErrorCode::usage, "a mask needs --steps, how many characters each level hides: --steps 1,3");
  MaskSpec spec;
  if (invocation.optional_text("side") == "left") spec.side = MaskSpec::Side::left;
  GAUZE_TRY(const std::string text, invocation.text("steps"));
  GAUZE_TRY(const std::vector<Rational> steps, numbers("steps", text));
  for (const Rational& step : steps) {
    if (step < Rational(1) || step > Rational(1000) || !step.is_integer())
      return invalid_parameter("--steps must be whole numbers from 1 to 1000, but is '{}'", text);
    spec.steps.push_back(static_cast<std::uint32_t>(step.to_double()));
  }
  return spec;
}

Result<HierarchySpec> dates_of(const Invocation& invocation) {
  DatesSpec spec;
  if (invocation.has("levels")) {
    constexpr std::array<std::string_view, 4> kUnits = {"day", "month", "year", "decade"};
    spec.levels.clear();
    GAUZE_TRY(const std::vector<std::string> units, invocation.list("levels"));
    for (const std::string& unit : units) {
      const auto place = std::find(kUnits.begin(), kUnits.end(), unit);
      if (place == kUnits.end())
        return invalid_parameter("--levels must be some of day, month, year, decade, but has '{}'", unit);
      spec.levels.push_back(static_cast<DatesSpec::Unit>(place - kUnits.begin()));
    }
  }
  if (const auto order = invocation.optional_text("date-order"))
    spec.order = *order == "day-first" ? DateOrder::day_first : DateOrder::month_first;
  return spec;
}

Result<HierarchySpec> order_of(const Invocation& invocation) {
  OrderSpec spec;
  if (invocation.has("values")) {
    GAUZE_TRY(spec.values, invocation.list("values"));
  }
  GAUZE_TRY(const std::int64_t fanout, invocation.integer("fanout", 2, 1'000'000));
  spec.fanout = static_cast<std::uint32_t>(fanout);
  return spec;
}

Result<HierarchySpec> rule_of_kind(const Invocation& invocation, std::string_view kind) {
  if (kind == "intervals") return intervals_of(invocation);
  if (kind == "widths") return widths_of(invocation);
  if (kind == "groups") return groups_of(invocation);
  if (kind == "mask") return mask_of(invocation);
  if (kind == "dates") return dates_of(invocation);
  if (kind == "order") return order_of(invocation);
  return HierarchySpec(AutomaticSpec{});
}

Result<HierarchySpec> rule_of_spec(const Invocation& invocation, const std::string& text) {
  for (const KindFlag& one : kKindFlags)
    if (invocation.has(one.flag))
      return make_error(ErrorCode::usage, "--{} and --spec say the same thing twice: give one of them", one.flag);
  if (invocation.has("kind"))
    return make_error(ErrorCode::usage, "--kind and --spec say the same thing twice: give one of them");
  GAUZE_TRY(HierarchySpec spec, parse_hierarchy_spec(text));
  if (std::holds_alternative<CsvSpec>(spec))
    return invalid_parameter(
        "--spec names a file, and there is nothing to build: 'gauze hierarchy show' looks into it");
  return spec;
}

}  // namespace

std::vector<Flag> hierarchy_rule_flags() {
  return {
      {.name = "kind",
       .placeholder = "KIND",
       .help = "the rule; follows from the flags below where it is not given, else from what the column holds",
       .choices = {"automatic", "intervals", "widths", "groups", "mask", "dates", "order"}},
      {.name = "spec",
       .placeholder = "YAML",
       .help = "the rule as a policy writes it: '{mask: {side: right, steps: [1, 3]}}'"},
      {.name = "bounds", .placeholder = "A,B,...", .help = "intervals: the bounds, once a level", .repeatable = true},
      {.name = "from", .placeholder = "X", .help = "widths: where the first interval begins"},
      {.name = "to", .placeholder = "X", .help = "widths: where the last interval ends"},
      {.name = "width", .placeholder = "W", .help = "widths: how wide the intervals of the first level are"},
      {.name = "then",
       .placeholder = "W,W,...",
       .help = "widths: those of the levels above, each a multiple of the last"},
      {.name = "group",
       .placeholder = "NAME=A,B,...",
       .help = "groups: a group and its members, once a group",
       .repeatable = true,
       .carries_data = true},
      {.name = "steps", .placeholder = "N,N,...", .help = "mask: how many characters each level hides"},
      {.name = "side",
       .placeholder = "SIDE",
       .help = "mask: where hiding begins",
       .default_text = "right",
       .choices = {"left", "right"}},
      {.name = "levels", .placeholder = "UNIT,...", .help = "dates: some of day, month, year, decade"},
      {.name = "date-order",
       .placeholder = "ORDER",
       .help = "dates: how 03/04/2024 is meant, where the values do not tell",
       .choices = {"day-first", "month-first"}},
      {.name = "values",
       .placeholder = "A,B,...",
       .help = "order: the values in their order; default: the natural one",
       .carries_data = true},
      {.name = "fanout", .placeholder = "N", .help = "order: how many neighbours make a group", .default_text = "2"},
  };
}

Result<HierarchySpec> hierarchy_rule_of(const Invocation& invocation) {
  if (const auto text = invocation.optional_text("spec")) return rule_of_spec(invocation, *text);
  GAUZE_TRY(const std::string kind, kind_of(invocation));
  GAUZE_TRY(HierarchySpec spec, rule_of_kind(invocation, kind));
  GAUZE_TRY_VOID(schema::check(spec));
  return spec;
}

std::optional<std::vector<std::string>> listed_values(const HierarchySpec& spec) {
  if (const auto* order = std::get_if<OrderSpec>(&spec); order != nullptr && !order->values.empty())
    return order->values;
  const auto* groups = std::get_if<GroupsSpec>(&spec);
  if (groups == nullptr) return std::nullopt;
  std::vector<std::string> values;
  for (const GroupsSpec::Group& group : groups->levels.front())
    values.insert(values.end(), group.members.begin(), group.members.end());
  return values;
}

Flag hierarchy_delimiter_flag() {
  return {.name = "hierarchy-delimiter",
          .placeholder = "C",
          .help = "what separates the levels in the hierarchy file; found out unless given; `tab` is a tabulator"};
}

Result<HierarchyFile> load_hierarchy(const Invocation& invocation, const std::string& path, const std::string& name) {
  std::optional<char> delimiter;
  if (const auto given = invocation.optional_text("hierarchy-delimiter")) {
    const std::string character = *given == "tab" ? "\t" : *given;
    if (character.size() != 1)
      return invalid_parameter("--hierarchy-delimiter must be one character or `tab`, but is '{}'", *given);
    delimiter = character.front();
  }
  if (path != "-") return read_hierarchy_file(path, name, delimiter);
  GAUZE_TRY(const std::string text, invocation.read_input(path, kLargestFile));
  return parse_hierarchy(text, name, delimiter);
}

Result<table::TupleCounts> count_values(table::Source& table, const std::string& column, Progress& progress) {
  GAUZE_TRY(const std::size_t place, table.column(column));
  GAUZE_TRY(table::TupleCounts found, table.group(std::array{place}, progress));
  if (found.size() == 0) return make_error(ErrorCode::bad_data, "the table has no rows");
  return found;
}

}  // namespace gauze::cli
