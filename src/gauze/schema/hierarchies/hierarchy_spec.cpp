#include "gauze/schema/hierarchies/hierarchy_spec.h"

#include <algorithm>

#include "gauze/schema/cleaning/cleaning_rules.h"
#include "gauze/schema/hierarchies/coverage.h"
#include "gauze/schema/hierarchies/hierarchy_builder.h"
#include "gauze/schema/hierarchies/hierarchy_file.h"
#include "gauze/schema/hierarchies/kinds/automatic.h"

namespace gauze::schema {
namespace {

template <class... Cases>
struct Visitor : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Visitor(Cases...) -> Visitor<Cases...>;

/// The error of a rule with the name of the hierarchy in front.
template <class T>
Result<T> named(const std::string& name, Result<T> result) {
  if (result) return result;
  return make_error(result.error().code, "hierarchy '{}': {}", name, result.error().message);
}

/// The row of a value that stays itself below a top of one value: "missing", or `other`, in a hierarchy that does not list it.
std::vector<std::string> row_of_itself(const std::string& token, std::size_t levels,
                                       const std::optional<std::string>& only_top) {
  std::vector<std::string> row(levels, token);
  if (levels > 1 && only_top) row.back() = *only_top;
  return row;
}

tl::unexpected<Error> name_is_taken(const std::string& name, const std::string& value) {
  return invalid_parameter(
      "hierarchy '{}' has a group called '{}', which is what values outside the bounds of the column become: give the group "
      "another name, or list '{}' in a group",
      name, value, value);
}

Result<void> add_row(HierarchyBuilder& builder, const std::vector<std::string>& row, std::size_t line) {
  const std::vector<std::string_view> texts(row.begin(), row.end());
  return builder.add(texts, line);
}

/// A value that stays itself must not meet a coarser one of the same name.
Result<void> check_not_used(const Hierarchy& hierarchy, const std::string& value) {
  for (int level = 1; level <= hierarchy.height(); ++level)
    for (std::uint32_t code = 0; code < hierarchy.value_count(level); ++code)
      if (hierarchy.text(level, code) == value) return name_is_taken(hierarchy.name(), value);
  return {};
}

Result<Hierarchy> read_csv(const CsvSpec& spec, const std::string& name, const table::Dictionary& values) {
  GAUZE_TRY(HierarchyFile file, read_hierarchy_file(spec.path, name, spec.delimiter));
  Hierarchy& hierarchy = file.hierarchy;
  std::vector<std::string> alone;
  if (values.missing && !find_missing(hierarchy, values)) alone.push_back(values.values[*values.missing]);
  if (values.outside && !hierarchy.find(values.values[*values.outside])) {
    alone.push_back(values.values[*values.outside]);
    GAUZE_TRY_VOID(check_not_used(hierarchy, alone.back()));
  }
  if (alone.empty()) return std::move(hierarchy);
  std::optional<std::string> only_top;
  if (hierarchy.value_count(hierarchy.height()) == 1) only_top = hierarchy.text(hierarchy.height(), 0);
  const auto levels = static_cast<std::size_t>(hierarchy.levels());
  std::size_t line = std::size_t{hierarchy.size()};
  HierarchyBuilder builder(std::move(hierarchy));
  for (const std::string& value : alone)
    GAUZE_TRY_VOID(add_row(builder, row_of_itself(value, levels, only_top), ++line));
  return builder.finish();
}

std::vector<std::string> usual_values(const table::Dictionary& values) {
  std::vector<std::string> result;
  result.reserve(values.values.size());
  for (std::uint32_t code = 0; code < values.values.size(); ++code) {
    if (code != values.missing && code != values.outside) result.push_back(values.values[code]);
  }
  return result;
}

Result<Hierarchy> make_from_rule(const Generaliser& rule, const std::string& name, const table::Dictionary& values,
                                 const std::vector<std::string>& present) {
  const std::optional<std::string> only_value = rule.only_value();
  const std::string top = only_value.value_or(std::string(kEverything));
  const std::size_t levels = 1 + rule.levels() + (only_value ? 0 : 1);
  HierarchyBuilder builder(name);
  builder.reserve(present.size() + 1);
  std::vector<std::string> texts;
  std::vector<std::string_view> row;
  std::size_t line = 0;
  const auto add = [&](const std::string& value) -> Result<void> {
    row.assign(1, value);
    row.insert(row.end(), texts.begin(), texts.end());
    if (!only_value) row.push_back(top);
    return builder.add(row, ++line);
  };
  bool named_other = false;
  for (const std::uint32_t place : natural_order(present, values.decimal)) {
    if (!rule.generalise(present[place], texts)) continue;
    named_other = named_other || std::find(texts.begin(), texts.end(), kOtherValue) != texts.end();
    GAUZE_TRY_VOID(add(present[place]));
  }
  if (values.missing) {
    const std::string& token = values.values[*values.missing];
    if (rule.lists_values() && rule.generalise(token, texts)) {
      GAUZE_TRY_VOID(add(token));
    } else {
      GAUZE_TRY_VOID(add_row(builder, row_of_itself(token, levels, top), ++line));
    }
  }
  if (values.outside) {
    const std::string& other = values.values[*values.outside];
    if (rule.lists_values() && rule.generalise(other, texts)) {
      GAUZE_TRY_VOID(add(other));
    } else if (named_other) {
      return name_is_taken(name, other);
    } else {
      GAUZE_TRY_VOID(add_row(builder, row_of_itself(other, levels, top), ++line));
    }
  }
  if (line == 0) {
    return make_error(ErrorCode::bad_data, "hierarchy '{}' covers none of the {} values of the column", name,
                      present.size());
  }
  return builder.finish();
}

/// The values of each level of a public rule, level 0 first (none: no list), without a top level that is added.
std::vector<std::vector<std::string>> listed_levels(const GroupsSpec& spec) {
  std::vector<std::vector<std::string>> levels(1);
  for (const GroupsSpec::Group& group : spec.levels.front()) {
    levels[0].insert(levels[0].end(), group.members.begin(), group.members.end());
  }
  for (const auto& groups : spec.levels) {
    levels.emplace_back();
    for (const GroupsSpec::Group& group : groups) levels.back().push_back(group.name);
  }
  return levels;
}

std::vector<std::vector<std::string>> listed_levels(const IntervalsSpec& spec) {
  std::vector<std::vector<std::string>> levels(1);
  for (const auto& bounds : spec.bounds) levels.push_back(interval_labels(bounds));
  return levels;
}

std::vector<std::vector<std::string>> listed_levels(const DatesSpec& spec) {
  std::vector<std::vector<std::string>> levels(1);
  for (const DatesSpec::Unit unit : spec.levels) {
    levels.emplace_back();
    for (DateSpan& span : date_spans(*spec.range, unit)) levels.back().push_back(std::move(span.text));
  }
  return levels;
}

Result<std::vector<std::string>> level_of(std::vector<std::vector<std::string>> levels, const std::string& name,
                                          int level) {
  if (levels.back().size() > 1) levels.push_back({std::string(kEverything)});
  if (level < 0 || static_cast<std::size_t>(level) >= levels.size()) {
    return invalid_parameter("hierarchy '{}' has the levels 0 to {}, not {}", name, levels.size() - 1, level);
  }
  if (levels[static_cast<std::size_t>(level)].empty()) {
    return invalid_parameter("hierarchy '{}' has no list of values at level {}: it holds values as they are written",
                             name, level);
  }
  return levels[static_cast<std::size_t>(level)];
}

}  // namespace

std::string_view kind_name(const HierarchySpec& spec) {
  return std::visit(Visitor{
                        [](const AutomaticSpec&) { return std::string_view("automatic"); },
                        [](const CsvSpec&) { return std::string_view("csv"); },
                        [](const IntervalsSpec&) { return std::string_view("intervals"); },
                        [](const WidthsSpec&) { return std::string_view("intervals"); },
                        [](const GroupsSpec&) { return std::string_view("groups"); },
                        [](const MaskSpec&) { return std::string_view("mask"); },
                        [](const DatesSpec&) { return std::string_view("dates"); },
                        [](const OrderSpec&) { return std::string_view("order"); },
                    },
                    spec);
}

Result<void> check(const HierarchySpec& spec) {
  return std::visit(Visitor{
                        [](const AutomaticSpec&) -> Result<void> { return {}; },
                        [](const CsvSpec& csv) -> Result<void> {
                          if (csv.path.empty()) return invalid_parameter("csv: the name of a file is needed");
                          return {};
                        },
                        [](const WidthsSpec& widths) -> Result<void> {
                          GAUZE_TRY(const IntervalsSpec bounds, bounds_of(widths));
                          return check(bounds);
                        },
                        [](const auto& rule) -> Result<void> { return check(rule); },
                    },
                    spec);
}

bool is_public(const HierarchySpec& spec) {
  if (const auto* dates = std::get_if<DatesSpec>(&spec)) return dates->range.has_value();
  return std::holds_alternative<CsvSpec>(spec) || std::holds_alternative<IntervalsSpec>(spec) ||
         std::holds_alternative<WidthsSpec>(spec) || std::holds_alternative<GroupsSpec>(spec);
}

std::optional<int> known_height(const HierarchySpec& spec) {
  if (std::holds_alternative<AutomaticSpec>(spec) || std::holds_alternative<CsvSpec>(spec) ||
      std::holds_alternative<MaskSpec>(spec) || std::holds_alternative<OrderSpec>(spec)) {
    return std::nullopt;
  }
  const auto rule = make_generaliser(spec, {});
  if (!rule) return std::nullopt;
  return static_cast<int>((*rule)->levels()) + ((*rule)->only_value() ? 0 : 1);
}

Result<std::vector<std::string>> domain(const HierarchySpec& spec, const std::string& name, int level) {
  GAUZE_TRY_VOID(named(name, check(spec)));
  if (const auto* groups = std::get_if<GroupsSpec>(&spec)) return level_of(listed_levels(*groups), name, level);
  if (const auto* intervals = std::get_if<IntervalsSpec>(&spec)) {
    return level_of(listed_levels(*intervals), name, level);
  }
  if (const auto* widths = std::get_if<WidthsSpec>(&spec)) {
    GAUZE_TRY(const IntervalsSpec intervals, named(name, bounds_of(*widths)));
    return level_of(listed_levels(intervals), name, level);
  }
  if (const auto* dates = std::get_if<DatesSpec>(&spec); dates != nullptr && dates->range) {
    return level_of(listed_levels(*dates), name, level);
  }
  const auto* csv = std::get_if<CsvSpec>(&spec);
  if (csv == nullptr) {
    return invalid_parameter(
        "hierarchy '{}' ({}) follows from the data; csv, intervals, groups, and dates with from and to have a public "
        "domain",
        name, kind_name(spec));
  }
  GAUZE_TRY(const HierarchyFile file, read_hierarchy_file(csv->path, name, csv->delimiter));
  const Hierarchy& hierarchy = file.hierarchy;
  if (level < 0 || level > hierarchy.height()) {
    return invalid_parameter("hierarchy '{}' has the levels 0 to {}, not {}", name, hierarchy.height(), level);
  }
  std::vector<std::string> result;
  for (std::uint32_t code = 0; code < hierarchy.value_count(level); ++code)
    result.push_back(hierarchy.text(level, code));
  return result;
}

Result<std::unique_ptr<Generaliser>> make_generaliser(const HierarchySpec& spec, std::span<const std::string> values,
                                                      table::DecimalSign decimal) {
  using Made = Result<std::unique_ptr<Generaliser>>;
  return std::visit(
      Visitor{
          [&](const AutomaticSpec&) -> Made {
            GAUZE_TRY(const HierarchySpec composed, compose_automatically(values, decimal));
            return make_generaliser(composed, values, decimal);
          },
          [](const CsvSpec&) -> Made { return invalid_parameter("a hierarchy from a file is a list, not a rule"); },
          [&](const IntervalsSpec& rule) -> Made { return make_generaliser(rule, decimal); },
          [&](const WidthsSpec& rule) -> Made {
            GAUZE_TRY(const IntervalsSpec bounds, bounds_of(rule));
            return make_generaliser(bounds, decimal);
          },
          [](const GroupsSpec& rule) -> Made { return make_generaliser(rule); },
          [&](const OrderSpec& rule) -> Made { return make_generaliser(rule, values, decimal); },
          [&](const auto& rule) -> Made { return make_generaliser(rule, values); },
      },
      spec);
}

Result<Hierarchy> materialise(const HierarchySpec& spec, const std::string& name, const table::Dictionary& values) {
  if (const auto* csv = std::get_if<CsvSpec>(&spec)) return read_csv(*csv, name, values);
  const std::vector<std::string> present = usual_values(values);
  if (present.empty() && !values.missing && !values.outside) {
    return make_error(ErrorCode::bad_data, "hierarchy '{}' cannot be made: the column has no values", name);
  }
  GAUZE_TRY(const std::unique_ptr<Generaliser> rule, named(name, make_generaliser(spec, present, values.decimal)));
  return make_from_rule(*rule, name, values, present);
}

}  // namespace gauze::schema
