#include "gauze/query/plan/group_keys.h"

#include <algorithm>
#include <map>
#include <set>

#include "gauze/query/plan/operators.h"
#include "gauze/query/sql/parse_sql.h"
#include "gauze/schema/database/value_text.h"

namespace gauze::query {
namespace {

/// More combinations of values are not tried out to see what a key makes of them.
constexpr std::int64_t kMostTried = 100'000;

using Rows = std::vector<std::vector<CellValue>>;

/// Keys that vary together, and the tuples they can be.
struct Factor {
  std::vector<std::size_t> keys;
  Rows tuples;
};

std::set<ColumnId> columns_of(const ExpressionPtr& expression) {
  std::set<ColumnId> columns;
  for_each_part(expression, [&](const Expression& part) {
    if (part.operation == Operation::column) columns.insert(part.column);
  });
  return columns;
}

/// The public relation that all columns of a key come from, if there is one.
RelationPtr public_source(const ExpressionPtr& key, const Relation& input) {
  RelationPtr source;
  bool all = false;
  for (const ColumnId id : columns_of(key)) {
    const RelationColumn* column = input.find(id);
    if (column == nullptr || !column->public_relation || (source && source != column->public_relation))
      return nullptr;
    source = column->public_relation;
    all = true;
  }
  return all ? source : nullptr;
}

std::shared_ptr<Relation> distinct_of(const RelationPtr& input, const std::vector<ExpressionPtr>& expressions) {
  auto projected = std::make_shared<Relation>();
  projected->kind = Relation::Kind::project;
  projected->left = input;
  projected->expressions = expressions;
  for (std::size_t i = 0; i < expressions.size(); ++i)
    projected->columns.push_back({.id = -2 - static_cast<ColumnId>(i), .name = {}, .shape = expressions[i]->shape});
  auto distinct = std::make_shared<Relation>();
  distinct->kind = Relation::Kind::distinct;
  distinct->columns = projected->columns;
  distinct->left = projected;
  return distinct;
}

/// A relation of listed constants under numbers of columns that stand elsewhere.
std::shared_ptr<Relation> constants(const std::vector<RelationColumn>& columns, const Rows& rows) {
  auto relation = std::make_shared<Relation>();
  relation->kind = Relation::Kind::values;
  relation->columns = columns;
  const Operators operators(true);
  for (const auto& row : rows) {
    std::vector<ExpressionPtr> cells;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const Shape& shape = columns[i].shape;
      const ExpressionPtr text = row[i] ? make_text(*row[i], {}) : make_null({});
      auto cell = operators.cast(text, shape.type, shape.scale, {});
      cells.push_back(cell ? *cell : make_null({}));
    }
    relation->rows.push_back(std::move(cells));
  }
  return relation;
}

/// What an expression makes of all values of its columns.
Result<std::optional<Rows>> tried_out(const ExpressionPtr& key, const Relation& input, PublicData& data,
                                      std::uint64_t most) {
  std::vector<RelationColumn> columns;
  std::vector<std::vector<CellValue>> values;
  Rational combinations = 1;
  for (const ColumnId id : columns_of(key)) {
    const RelationColumn* column = input.find(id);
    if (column == nullptr) return std::optional<Rows>();
    const auto count = column->shape.count();
    if (!count) return std::optional<Rows>();
    combinations *= *count + Rational(1);
    if (combinations > Rational(kMostTried)) return std::optional<Rows>();
    const auto listed = listed_values(column->shape, kMostTried);
    if (!listed) return std::optional<Rows>();
    values.emplace_back(listed->begin(), listed->end());
    if (column->shape.nullable) values.back().emplace_back();
    columns.push_back(*column);
  }
  Rows rows(1);
  for (const auto& list : values) {
    Rows longer;
    for (const auto& row : rows)
      for (const CellValue& value : list) {
        longer.push_back(row);
        longer.back().push_back(value);
      }
    rows = std::move(longer);
  }
  if (rows.empty()) return std::optional<Rows>(Rows());
  GAUZE_TRY(Rows made, data.rows(*distinct_of(constants(columns, rows), {key}), most));
  return std::optional<Rows>(std::move(made));
}

/// Whether the shape says all there is to say: nothing is gained by trying.
bool says_enough(const Expression& key) {
  if (key.operation == Operation::column || key.shape.values || key.shape.type == Type::boolean) return true;
  return key.operation == Operation::function && (key.name == "extract" || key.name == "width_bucket");
}

tl::unexpected<Error> too_many(const Answer& answer, std::uint64_t most, const std::string& count) {
  return refused_at(
      ErrorCode::invalid_parameter, answer.keys.front()->span,
      fmt::format("the keys have {} possible groups, and all of them are shown; at most {} may be", count, most),
      "group by fewer or coarser keys, or raise the largest number of groups");
}

/// The values of one key by itself; nothing where they are not finitely many.
Result<std::optional<Rows>> own_values(const ExpressionPtr& key, const Answer& answer, std::uint64_t most,
                                       PublicData& data) {
  if (!says_enough(*key)) {
    GAUZE_TRY(auto made, tried_out(key, *answer.input, data, most));
    if (made) return made;
  }
  const auto count = key->shape.count();
  if (!count) return std::optional<Rows>();
  if (*count > Rational(static_cast<std::int64_t>(most))) return too_many(answer, most, count->to_decimal());
  const auto listed = listed_values(key->shape, most);
  if (!listed) return std::optional<Rows>();
  Rows rows;
  for (const std::string& value : *listed) rows.push_back({value});
  if (key->shape.nullable) rows.push_back({CellValue()});
  return std::optional<Rows>(std::move(rows));
}

/// The tuples of keys that are columns of one public relation.
Result<Rows> public_tuples(const RelationPtr& source, const std::vector<ExpressionPtr>& keys, const Relation& input,
                           PublicData& data, std::uint64_t most) {
  GAUZE_TRY(Rows rows, data.rows(*distinct_of(source, keys), most));
  bool may_be_absent = false;
  for (const ExpressionPtr& key : keys)
    for (const ColumnId id : columns_of(key)) may_be_absent = may_be_absent || input.find(id)->may_be_absent;
  if (may_be_absent) {
    const Rows nothing(1, std::vector<CellValue>(source->columns.size()));
    GAUZE_TRY(Rows absent, data.rows(*distinct_of(constants(source->columns, nothing), keys), 1));
    rows.insert(rows.end(), absent.begin(), absent.end());
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

}  // namespace

std::string decimal_text(std::int64_t value, int scale) {
  const bool negative = value < 0;
  std::string digits =
      std::to_string(negative ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value));
  if (scale > 0) {
    if (digits.size() <= static_cast<std::size_t>(scale))
      digits.insert(0, static_cast<std::size_t>(scale) + 1 - digits.size(), '0');
    digits.insert(digits.size() - static_cast<std::size_t>(scale), ".");
  }
  return negative ? "-" + digits : digits;
}

std::optional<std::vector<std::string>> listed_values(const Shape& shape, std::uint64_t most) {
  if (shape.type == Type::boolean && !shape.values) return std::vector<std::string>{"false", "true"};
  if (shape.type == Type::null) return std::vector<std::string>();
  const auto count = shape.count();
  if (!count || *count > Rational(static_cast<std::int64_t>(most))) return std::nullopt;
  if (shape.values) return *shape.values;
  std::vector<std::string> values;
  if (shape.range.is_empty()) return values;
  const Rational steps = shape.type == Type::decimal ? power_of_ten(shape.scale) : Rational(1);
  const auto low = (shape.range.low * steps).ceil().to_int64();
  const auto high = (shape.range.high * steps).floor().to_int64();
  if (!low || !high) return std::nullopt;
  for (std::int64_t value = *low; value <= *high; ++value)
    values.push_back(shape.type == Type::date      ? schema::day_text(value)
                     : shape.type == Type::decimal ? decimal_text(value, shape.scale)
                                                   : std::to_string(value));
  return values;
}

bool comes_before(const CellValue& a, const CellValue& b, Type type) {
  if (!a || !b) return a && !b;
  if (!is_number(type)) return *a < *b;
  const auto x = Rational::parse(*a);
  const auto y = Rational::parse(*b);
  return x && y ? *x < *y : *a < *b;
}

Result<GroupKeys> find_group_keys(const Answer& answer, std::uint64_t most, PublicData& data) {
  std::vector<Factor> factors;
  std::map<RelationPtr, std::vector<std::size_t>> by_source;
  GroupKeys found;
  for (std::size_t i = 0; i < answer.keys.size(); ++i) {
    if (const RelationPtr source = public_source(answer.keys[i], *answer.input)) {
      by_source[source].push_back(i);
      continue;
    }
    GAUZE_TRY(auto rows, own_values(answer.keys[i], answer, most, data));
    if (!rows) {
      found.are_public = false;
      return found;
    }
    factors.push_back({{i}, std::move(*rows)});
  }
  for (const auto& [source, keys] : by_source) {
    std::vector<ExpressionPtr> expressions;
    for (const std::size_t key : keys) expressions.push_back(answer.keys[key]);
    GAUZE_TRY(Rows tuples, public_tuples(source, expressions, *answer.input, data, most));
    factors.push_back({keys, std::move(tuples)});
  }
  Rational count = 1;
  for (const Factor& factor : factors) count *= Rational(static_cast<std::int64_t>(factor.tuples.size()));
  if (count > Rational(static_cast<std::int64_t>(most))) return too_many(answer, most, count.to_decimal());
  found.cells.assign(1, std::vector<CellValue>(answer.keys.size()));
  for (const Factor& factor : factors) {
    Rows longer;
    longer.reserve(found.cells.size() * factor.tuples.size());
    for (const auto& cell : found.cells)
      for (const auto& tuple : factor.tuples) {
        longer.push_back(cell);
        for (std::size_t i = 0; i < factor.keys.size(); ++i) longer.back()[factor.keys[i]] = tuple[i];
      }
    found.cells = std::move(longer);
  }
  std::vector<Type> types;
  for (const ExpressionPtr& key : answer.keys) types.push_back(key->shape.type);
  std::sort(found.cells.begin(), found.cells.end(), [&](const auto& a, const auto& b) {
    for (std::size_t i = 0; i < types.size(); ++i) {
      if (comes_before(a[i], b[i], types[i])) return true;
      if (comes_before(b[i], a[i], types[i])) return false;
    }
    return false;
  });
  return found;
}

}  // namespace gauze::query
