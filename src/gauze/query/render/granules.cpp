#include "gauze/query/render/granules.h"

#include <algorithm>

#include "gauze/base/ascii.h"

namespace gauze::query {
namespace {

using schema::ColumnSchema;
using schema::DeclaredType;

constexpr std::string_view kSuffix = " in granules";
/// Above all numbers of columns that a question can have.
constexpr ColumnId kFirstGranules = 100'000'000;

bool ends_like_granules(const std::string& name) {
  if (name.size() < kSuffix.size()) return false;
  return std::equal(kSuffix.begin(), kSuffix.end(), name.end() - static_cast<std::ptrdiff_t>(kSuffix.size()),
                    [](char a, char b) { return a == ascii_lower(b); });
}

/// The scan that gives a column, if only filters and joins lie between.
const Relation* scan_of(const Relation& relation, ColumnId id) {
  if (relation.find(id) == nullptr) return nullptr;
  switch (relation.kind) {
    case Relation::Kind::scan:
      return &relation;
    case Relation::Kind::filter:
    case Relation::Kind::join:
      for (const RelationPtr& side : {relation.left, relation.right})
        if (side)
          if (const Relation* const scan = scan_of(*side, id)) return scan;
      return nullptr;
    default:
      return nullptr;
  }
}

/// The relation with one more column of the scan that gives `beside`.
RelationPtr carrying(const RelationPtr& relation, ColumnId beside, const RelationColumn& more) {
  if (!relation || relation->find(beside) == nullptr) return relation;
  auto copy = std::make_shared<Relation>(*relation);
  if (relation->find(more.id) == nullptr) copy->columns.push_back(more);
  if (relation->kind == Relation::Kind::scan) return copy;
  copy->left = carrying(relation->left, beside, more);
  copy->right = carrying(relation->right, beside, more);
  return copy;
}

}  // namespace

std::string granules_name(const std::string& column) { return column + std::string(kSuffix); }

std::optional<FixedPointRange> scanned_granules(const schema::TableSchema& table, const ColumnSchema& column) {
  if (column.type != DeclaredType::real || !column.bounds) return std::nullopt;
  for (const ColumnSchema& other : table.columns)
    if (ends_like_granules(other.name)) return std::nullopt;
  Shape shape{.type = Type::real};
  shape.range = {.low = column.bounds->low, .high = column.bounds->high};
  const auto fixed = fixed_point_range(shape, {});
  if (!fixed || !fixed->from_real) return std::nullopt;
  // What the scan takes to 0, below 2^-200, must be far below a granule.
  if (fixed->granule < Rational::power_of_two(-190)) return std::nullopt;
  if (Rational(fixed->low) * fixed->granule != column.bounds->low) return std::nullopt;
  if (Rational(fixed->high) * fixed->granule != column.bounds->high) return std::nullopt;
  return *fixed;
}

std::optional<ColumnId> granules_column(RelationPtr& relation, const Expression& argument,
                                        const FixedPointRange& fixed) {
  if (argument.operation != Operation::column) return std::nullopt;
  const Relation* const scan = scan_of(*relation, argument.column);
  if (scan == nullptr) return std::nullopt;
  const ColumnSchema& column = *scan->find(argument.column)->declared;
  if (!fixed.from_real) {
    if (!column.bounds || !column.values.empty() || column.type == DeclaredType::real) return std::nullopt;
    const Rational steps = power_of_ten(column.scale);
    const bool is_clamped = (column.bounds->low * steps).ceil() == Rational(fixed.low) &&
                            (column.bounds->high * steps).floor() == Rational(fixed.high);
    return is_clamped ? std::optional(argument.column) : std::nullopt;
  }
  const auto scanned = scanned_granules(*scan->table, column);
  if (!scanned || scanned->granule != fixed.granule || scanned->low != fixed.low || scanned->high != fixed.high)
    return std::nullopt;
  RelationColumn more{.id = kFirstGranules + argument.column, .shape = {.type = Type::integer}};
  more.origin_column = granules_name(column.name);
  relation = carrying(relation, argument.column, more);
  return more.id;
}

}  // namespace gauze::query
