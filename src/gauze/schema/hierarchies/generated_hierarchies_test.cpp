// What holds for every hierarchy that a rule makes, whatever the rule and the values.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "gauze/schema/hierarchies/coverage.h"
#include "gauze/schema/hierarchies/hierarchy_file.h"
#include "gauze/schema/hierarchies/hierarchy_testing.h"

namespace gauze::schema {
namespace generated_hierarchies_test {

using Texts = std::vector<std::string>;

/// Numbers, days, codes or words, all different; some of them in several ways of writing.
Texts any_values() {
  const auto places = *rc::gen::unique<std::vector<int>>(rc::gen::inRange(0, 400));
  const int kind = *rc::gen::inRange(0, 5);
  Texts values;
  for (const int place : places) {
    switch (kind) {
      case 0:
        values.push_back(std::to_string(place - 100));
        break;
      case 1:
        values.push_back(fmt::format("{}-{:02}-{:02}", 1950 + place, 1 + place % 12, 1 + place % 28));
        break;
      case 2:
        values.push_back(fmt::format("{:05}", 37 * place));
        break;
      case 3:
        values.push_back(fmt::format("{}{}", place % 2 == 0 ? "号" : "no ", place));
        break;
      default:
        values.push_back(std::string(static_cast<std::size_t>(place % 30), 'x') + fmt::format("{}.5", place));
    }
  }
  return values;
}

HierarchySpec any_rule(const Texts& values) {
  switch (*rc::gen::inRange(0, 7)) {
    case 0:
      return AutomaticSpec{};
    case 1:
      return IntervalsSpec{{{-100, 0, 50, 120, 300}, {-100, 50, 300}}};
    case 2:
      return WidthsSpec{-100, 20000, *rc::gen::inRange(1, 50), {200 * 50 * 49}};
    case 3: {
      GroupsSpec spec = {{{}}};
      for (std::size_t i = 0; i < values.size(); i += 3) {
        const auto end = std::min(i + 2, values.size());
        spec.levels[0].push_back(
            {"group " + std::to_string(i),
             {values.begin() + static_cast<std::ptrdiff_t>(i), values.begin() + static_cast<std::ptrdiff_t>(end)}});
      }
      return spec;
    }
    case 4:
      return MaskSpec{*rc::gen::element(MaskSpec::Side::left, MaskSpec::Side::right), {1, 2, 5}};
    case 5:
      return DatesSpec{};
    default:
      return OrderSpec{{}, *rc::gen::inRange<std::uint32_t>(2, 10)};
  }
}

void check_levels(const Hierarchy& hierarchy) {
  for (int level = 0; level < hierarchy.levels(); ++level) {
    std::uint32_t under = 0;
    for (std::uint32_t code = 0; code < hierarchy.value_count(level); ++code)
      under += hierarchy.rows_under(level, code);
    RC_ASSERT(under == hierarchy.size());
    if (level == 0) continue;
    RC_ASSERT(hierarchy.value_count(level) <= hierarchy.value_count(level - 1));
    std::map<std::uint32_t, std::uint32_t> parents;
    for (std::uint32_t row = 0; row < hierarchy.size(); ++row) {
      const auto [known, is_new] = parents.emplace(hierarchy.code(level - 1, row), hierarchy.code(level, row));
      RC_ASSERT(is_new || known->second == hierarchy.code(level, row));
    }
  }
}

RC_GTEST_PROP(GeneratedHierarchies, AreNestedAndEndInOneValue, ()) {
  const Texts values = any_values();
  RC_PRE(!values.empty());
  const HierarchySpec rule = any_rule(values);
  const std::optional<std::string> missing =
      *rc::gen::arbitrary<bool>() ? std::optional<std::string>("?") : std::nullopt;
  const table::Dictionary dictionary = dictionary_of(values, missing);
  RC_LOG() << kind_name(rule) << '\n';
  const auto covered = coverage(rule, "any", dictionary);
  RC_PRE(covered.has_value());
  const auto hierarchy = materialise(rule, "any", dictionary);
  if (covered->covered == 0) {
    RC_ASSERT(!hierarchy.has_value());
    return;
  }
  RC_ASSERT(hierarchy.has_value());
  RC_ASSERT(hierarchy->size() == covered->covered);
  RC_ASSERT(hierarchy->value_count(hierarchy->height()) == 1U);
  check_levels(*hierarchy);
  RC_ASSERT(coverage(*hierarchy, dictionary).missing_codes == covered->missing_codes);
  RC_ASSERT(bind(*hierarchy, dictionary).has_value() == covered->is_complete());
}

RC_GTEST_PROP(GeneratedHierarchies, SurviveAFile, ()) {
  const Texts values = any_values();
  RC_PRE(!values.empty());
  const table::Dictionary dictionary = dictionary_of(values, "?");
  const auto hierarchy = materialise(any_rule(values), "any", dictionary);
  RC_PRE(hierarchy.has_value());
  const std::string text = format_hierarchy(*hierarchy, true);
  const auto file = parse_hierarchy(text, "any");
  RC_ASSERT(file.has_value());
  RC_ASSERT(file->made_from_data);
  for (const std::string& value : dictionary.values)
    RC_ASSERT(path_of(file->hierarchy, value) == path_of(*hierarchy, value));
}

RC_GTEST_PROP(GeneratedHierarchies, DoNotDependOnTheOrderOfTheRowsOfAFile, ()) {
  const Texts values = any_values();
  RC_PRE(values.size() > 1U);
  const auto hierarchy = materialise(AutomaticSpec{}, "any", dictionary_of(values));
  RC_ASSERT(hierarchy.has_value());
  std::vector<std::string> lines;
  const std::string text = format_hierarchy(*hierarchy, false);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin) + 1;
    lines.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  const auto turn = static_cast<std::ptrdiff_t>(*rc::gen::inRange<std::size_t>(0, lines.size()));
  std::rotate(lines.begin(), lines.begin() + turn, lines.end());
  std::string turned;
  for (const std::string& line : lines) turned += line;
  const auto file = parse_hierarchy(turned, "turned");
  RC_ASSERT(file.has_value());
  for (const std::string& value : values) RC_ASSERT(path_of(file->hierarchy, value) == path_of(*hierarchy, value));
}

}  // namespace generated_hierarchies_test
}  // namespace gauze::schema
