#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gauze/schema/hierarchies/hierarchy.h"
#include "gauze/schema/hierarchies/kinds/dates.h"
#include "gauze/schema/hierarchies/kinds/generaliser.h"
#include "gauze/schema/hierarchies/kinds/groups.h"
#include "gauze/schema/hierarchies/kinds/intervals.h"
#include "gauze/schema/hierarchies/kinds/masking.h"
#include "gauze/schema/hierarchies/kinds/ordering.h"
#include "gauze/table/dictionary.h"

namespace gauze::schema {

/// A file in the style of ARX; see hierarchy_file.h.
struct CsvSpec {
  std::filesystem::path path;
  std::optional<char> delimiter;  ///< found out unless given
  friend bool operator==(const CsvSpec&, const CsvSpec&) = default;
};

/// Composed from what the column holds; see kinds/automatic.h.
struct AutomaticSpec {
  friend bool operator==(const AutomaticSpec&, const AutomaticSpec&) = default;
};

/// Where the hierarchy of a column comes from: a file, or a rule that makes it from the column's values.
using HierarchySpec =
    std::variant<AutomaticSpec, CsvSpec, IntervalsSpec, WidthsSpec, GroupsSpec, MaskSpec, DatesSpec, OrderSpec>;

/// "csv", "intervals", "groups", "mask", "dates", "order", "automatic".
[[nodiscard]] std::string_view kind_name(const HierarchySpec& spec);

/// Refuses a rule that is wrong whatever the data: bounds that do not rise, a value in two groups. Reads no files.
[[nodiscard]] Result<void> check(const HierarchySpec& spec);

/// Whether the values of all levels above the ground follow from the spec alone: files, intervals, groups, and dates with
/// a range. Whether a file was itself made from data, only the file tells.
[[nodiscard]] bool is_public(const HierarchySpec& spec);

/// The number of the top level, where it follows from the spec alone: intervals, groups and dates.
[[nodiscard]] std::optional<int> known_height(const HierarchySpec& spec);

/// The values of one level without looking at data, for public kinds. Level 0 is that of a file's or the groups' ground
/// values; intervals and dates have no list there. A level beyond the top is refused. "Missing" is not among them unless the spec
/// lists it.
[[nodiscard]] Result<std::vector<std::string>> domain(const HierarchySpec& spec, const std::string& name, int level);

/// The rule of a spec that is not a file; `values` are the column's values without "missing", whose numbers are written with `decimal`.
[[nodiscard]] Result<std::unique_ptr<Generaliser>> make_generaliser(
    const HierarchySpec& spec, std::span<const std::string> values,
    table::DecimalSign decimal = table::DecimalSign::point);

/// The hierarchy of a column. A file is taken row by row as it is. A rule gives one row for every value of the column it
/// covers, in natural order, and a top level `*` unless its last level has a single value anyway; what it does not cover
/// is left out, for coverage() to find.
///
/// "Missing", where the column has it, is the row the file or the groups list for it; else it gets a row of its own that
/// keeps its text at every level but a top level of one value. So does `other`, where the bounds of the column made it
/// (`outside` of the dictionary); a hierarchy that calls a group so and does not list it is refused.
/// Errors name the hierarchy.
[[nodiscard]] Result<Hierarchy> materialise(const HierarchySpec& spec, const std::string& name,
                                            const table::Dictionary& values);

}  // namespace gauze::schema
