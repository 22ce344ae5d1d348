#include "gauze/schema/hierarchies/coverage.h"

#include <algorithm>
#include <array>
#include <limits>

namespace gauze::schema {
namespace {

constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();
constexpr std::array<std::string_view, 3> kUsualTokens = {"?", "", "NULL"};

std::vector<std::uint32_t> rows_of(const Hierarchy& hierarchy, const table::Dictionary& values) {
  std::vector<std::uint32_t> rows;
  rows.reserve(values.values.size());
  for (std::uint32_t code = 0; code < values.values.size(); ++code) {
    const auto row = code == values.missing ? find_missing(hierarchy, values) : hierarchy.find(values.values[code]);
    rows.push_back(row.value_or(kNoRow));
  }
  return rows;
}

Coverage coverage_of(const std::vector<std::uint32_t>& rows) {
  Coverage result;
  for (std::uint32_t code = 0; code < rows.size(); ++code) {
    if (rows[code] == kNoRow) result.missing_codes.push_back(code);
  }
  result.covered = rows.size() - result.missing_codes.size();
  return result;
}

}  // namespace

std::optional<std::uint32_t> find_missing(const Hierarchy& hierarchy, const table::Dictionary& values) {
  if (!values.missing) return std::nullopt;
  if (const auto row = hierarchy.find(values.values[*values.missing])) return row;
  for (const std::string_view token : kUsualTokens) {
    if (std::binary_search(values.values.begin(), values.values.end(), token)) continue;
    if (const auto row = hierarchy.find(token)) return row;
  }
  return std::nullopt;
}

Coverage coverage(const Hierarchy& hierarchy, const table::Dictionary& values) {
  return coverage_of(rows_of(hierarchy, values));
}

Result<Coverage> coverage(const HierarchySpec& spec, const std::string& name, const table::Dictionary& values) {
  if (std::holds_alternative<CsvSpec>(spec)) {
    GAUZE_TRY(const Hierarchy hierarchy, materialise(spec, name, values));
    return coverage(hierarchy, values);
  }
  std::vector<std::string> present;
  for (std::uint32_t code = 0; code < values.values.size(); ++code) {
    if (code != values.missing && code != values.outside) present.push_back(values.values[code]);
  }
  const auto rule = make_generaliser(spec, present, values.decimal);
  if (!rule) return make_error(rule.error().code, "hierarchy '{}': {}", name, rule.error().message);
  std::vector<std::uint32_t> rows;
  std::vector<std::string> texts;
  for (std::uint32_t code = 0; code < values.values.size(); ++code) {
    const bool covered =
        code == values.missing || code == values.outside || (*rule)->generalise(values.values[code], texts);
    rows.push_back(covered ? code : kNoRow);
  }
  return coverage_of(rows);
}

Result<BoundHierarchy> bind_shared(std::shared_ptr<const Hierarchy> hierarchy, const table::Dictionary& values) {
  std::vector<std::uint32_t> rows = rows_of(*hierarchy, values);
  if (const auto missing = std::count(rows.begin(), rows.end(), kNoRow); missing > 0) {
    return make_error(ErrorCode::bad_data,
                      "hierarchy '{}' misses {} of the {} values of the column; 'gauze hierarchy check' lists them",
                      hierarchy->name(), missing, rows.size());
  }
  return BoundHierarchy{std::move(hierarchy), std::move(rows)};
}

Result<BoundHierarchy> bind(Hierarchy hierarchy, const table::Dictionary& values) {
  return bind_shared(std::make_shared<const Hierarchy>(std::move(hierarchy)), values);
}

Result<BoundHierarchy> materialise_and_bind(const HierarchySpec& spec, const std::string& name,
                                            const table::Dictionary& values) {
  GAUZE_TRY(Hierarchy hierarchy, materialise(spec, name, values));
  return bind(std::move(hierarchy), values);
}

}  // namespace gauze::schema
