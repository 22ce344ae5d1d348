// What stands in FROM: tables, subqueries, joins.
#include <algorithm>

#include "gauze/base/did_you_mean.h"
#include "gauze/query/plan/internal/question_binder.h"
#include "gauze/query/sql/parse_sql.h"

namespace gauze::query {
namespace {

using Side = Relation::Side;
using schema::ColumnSchema;

/// What a column's declaration says about its values, as the scan brings them in.
Shape shape_of(const ColumnSchema& column) {
  Shape shape{.type = type_of_column(column.type), .scale = column.scale, .nullable = column.nullable};
  shape.range = Range::all_of(shape.type, shape.scale);
  if (column.bounds) {
    shape.range.low = column.bounds->low;
    shape.range.high = column.bounds->high;
    shape.range.low_known = shape.range.high_known = true;
  }
  if (shape.type == Type::text) shape.longest = kLongestCell;
  if (!column.values.empty()) {
    std::vector<std::string> values = column.values;
    if (column.other) values.push_back(*column.other);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    shape.values = std::make_shared<const std::vector<std::string>>(std::move(values));
  }
  return shape;
}

bool is_path(const RelationColumn& column, const RelationColumn& other, const schema::DatabaseSchema& schema) {
  const schema::TableSchema* table = schema.find(column.origin_table);
  return table != nullptr && table->unit && !table->unit->table.empty() &&
         table->unit->column == column.origin_column && table->unit->table == other.origin_table &&
         table->unit->key == other.origin_column;
}

/// Calls `visit` with the two columns of every equality of a column of one relation with one of the other.
template <class Visit>
void for_each_link(const ExpressionPtr& condition, const Relation& left, const Relation& right, const Visit& visit) {
  for_each_equality(condition, [&](const Expression& a, const Expression& b) {
    if (a.operation != Operation::column || b.operation != Operation::column) return;
    const RelationColumn* of_left = left.find(a.column);
    const RelationColumn* of_right = right.find(b.column);
    if (of_left == nullptr || of_right == nullptr) {
      of_left = left.find(b.column);
      of_right = right.find(a.column);
    }
    if (of_left != nullptr && of_right != nullptr) visit(*of_left, *of_right);
  });
}

}  // namespace

Result<QuestionBinder::Source> QuestionBinder::bind_from(const std::vector<FromItem>& items) {
  if (items.empty()) {
    auto one_row = std::make_shared<Relation>();
    one_row->kind = Relation::Kind::values;
    one_row->rows.emplace_back();
    return Source{one_row, Scope()};
  }
  GAUZE_TRY(Source source, bind_item(items.front()));
  for (std::size_t i = 1; i < items.size(); ++i) {
    GAUZE_TRY(Source next, bind_item(items[i]));
    FromItem cross;
    cross.kind = FromItem::Kind::join;
    cross.join = FromItem::Join::cross;
    cross.span = items[i].span;
    GAUZE_TRY(source, join(std::move(source), std::move(next), cross));
  }
  return source;
}

Result<QuestionBinder::Source> QuestionBinder::bind_item(const FromItem& item) {
  switch (item.kind) {
    case FromItem::Kind::table:
      return bind_table(item);
    case FromItem::Kind::join:
      return bind_join(item);
    case FromItem::Kind::subquery:
      break;
  }
  GAUZE_TRY(std::shared_ptr<Relation> relation, bind_select(*item.select, nullptr, false));
  if (!item.column_aliases.empty() && item.column_aliases.size() > relation->columns.size())
    return refused_at(ErrorCode::invalid_parameter, item.span, "more names than the subquery has columns");
  return named(std::move(relation), item, "");
}

QuestionBinder::Source QuestionBinder::named(std::shared_ptr<Relation> relation, const FromItem& item,
                                             const std::string& fallback) const {
  for (std::size_t i = 0; i < std::min(item.column_aliases.size(), relation->columns.size()); ++i)
    relation->columns[i].name = item.column_aliases[i];
  Source source{relation, Scope()};
  source.scope.add(item.alias.empty() ? fallback : item.alias, relation->columns);
  return source;
}

Result<QuestionBinder::Source> QuestionBinder::bind_table(const FromItem& item) {
  for (auto level = common_tables_.rbegin(); level != common_tables_.rend(); ++level) {
    const auto found = level->find(item.table);
    if (found == level->end()) continue;
    const CommonTable& common = *found->second;
    // A common table sees those before it, and those around.
    std::vector<std::map<std::string, const CommonTable*>> around(common_tables_.begin(), level.base() - 1);
    around.emplace_back();
    for (const auto& [name, table] : *level)
      if (table < &common) around.back().emplace(name, table);
    std::swap(around, common_tables_);
    auto bound = bind_select(*common.select, nullptr, false);
    std::swap(around, common_tables_);
    if (!bound) return tl::unexpected<Error>(bound.error());
    FromItem names;
    names.alias = item.alias;
    names.column_aliases = item.column_aliases.empty() ? common.columns : item.column_aliases;
    return named(std::move(*bound), names, item.table);
  }
  const schema::TableSchema* table = schema_.find(item.table);
  std::vector<std::string> names;
  std::size_t fitting = 0;
  for (const schema::TableSchema& one : schema_.tables) {
    names.push_back(one.name);
    if (table == nullptr || !same_but_case(one.name, item.table))
      fitting += same_but_case(one.name, item.table) ? 1 : 0;
  }
  if (table == nullptr && fitting == 1)
    table = &*std::find_if(schema_.tables.begin(), schema_.tables.end(),
                           [&](const auto& one) { return same_but_case(one.name, item.table); });
  if (table == nullptr)
    return refused_at(ErrorCode::invalid_parameter, item.span,
                      fmt::format("the schema has no table '{}'{}", item.table, did_you_mean(item.table, names)));
  auto relation = scan(*table);
  if (table->is_public && !table->key.empty()) {
    std::vector<ColumnId> key;
    for (const std::string& name : table->key)
      for (const RelationColumn& column : relation->columns)
        if (column.name == name) key.push_back(column.id);
    GAUZE_TRY_VOID(check_key(relation, key, item.span));
  }
  return named(std::move(relation), item, table->name);
}

std::shared_ptr<Relation> QuestionBinder::scan(const schema::TableSchema& table) {
  auto relation = std::make_shared<Relation>();
  relation->kind = Relation::Kind::scan;
  relation->side = table.is_public ? Side::public_rows : Side::private_rows;
  relation->table = &table;
  for (const ColumnSchema& column : table.columns) {
    RelationColumn one{.id = next_column(), .name = column.name, .shape = shape_of(column)};
    one.origin_table = table.name;
    one.origin_column = column.name;
    one.declared = &column;
    one.is_unit = table.unit && table.unit->table.empty() && table.unit->column == column.name;
    relation->columns.push_back(std::move(one));
  }
  if (!table.is_public && !unit_is_row()) relation->unit = next_column();
  return relation;
}

Result<QuestionBinder::Source> QuestionBinder::bind_join(const FromItem& item) {
  GAUZE_TRY(Source left, bind_item(*item.left));
  GAUZE_TRY(Source right, bind_item(*item.right));
  if (item.join == FromItem::Join::full)
    return refused_at(ErrorCode::unsupported, item.span, "FULL JOIN is not answered",
                      "use LEFT JOIN, or two questions");
  return join(std::move(left), std::move(right), item);
}

Result<ExpressionPtr> QuestionBinder::using_condition(const FromItem& item, Source& left, Source& right,
                                                      Scope& scope) {
  std::vector<ExpressionPtr> equal;
  const Operators operators(!left.relation->is_private() && !right.relation->is_private());
  for (const std::string& name : item.using_columns) {
    GAUZE_TRY(const Scope::Found a, left.scope.find({name}, item.span));
    GAUZE_TRY(const Scope::Found b, right.scope.find({name}, item.span));
    GAUZE_TRY(ExpressionPtr one,
              operators.compare(Operation::equal, make_column(a.column.id, a.column.shape, item.span),
                                make_column(b.column.id, b.column.shape, item.span), item.span));
    equal.push_back(std::move(one));
    // The merged column is that of the side that is always there.
    scope.hide(item.join == FromItem::Join::right ? a.column.id : b.column.id);
  }
  if (equal.size() == 1) return equal.front();
  return operators.connect(Operation::and_, std::move(equal), item.span);
}

Result<QuestionBinder::Source> QuestionBinder::join(Source left, Source right, const FromItem& item) {
  for (const Source* side : {&left, &right})
    if (side->relation->side == Side::answer_rows)
      return refused_at(ErrorCode::unsupported, item.span, "an answer is not joined with anything",
                        "one private aggregation is answered at a time");
  Source joined{std::make_shared<Relation>(), Scope()};
  Relation& relation = *joined.relation;
  relation.kind = Relation::Kind::join;
  joined.scope.append(left.scope);
  joined.scope.append(right.scope);
  if (item.on) {
    Relation both;
    both.side = left.relation->is_private() || right.relation->is_private() ? Side::private_rows : Side::public_rows;
    ExpressionBinder binder = binder_for(joined.scope, both);
    GAUZE_TRY(relation.condition, binder.bind_condition(*item.on, "ON"));
  } else if (!item.using_columns.empty()) {
    GAUZE_TRY(relation.condition, using_condition(item, left, right, joined.scope));
  }
  bool outer = item.join == FromItem::Join::left || item.join == FromItem::Join::right;
  const bool turned = item.join == FromItem::Join::right;
  RelationPtr first = turned ? right.relation : left.relation;
  RelationPtr second = turned ? left.relation : right.relation;
  const bool both_private = first->is_private() && second->is_private();
  if (both_private) GAUZE_TRY_VOID(check_private_join(*left.relation, *right.relation, relation.condition, item));
  if (unit_is_row() && first->is_private() != second->is_private())
    GAUZE_TRY_VOID(check_row_join(first->is_private() ? second : first, relation.condition, item));
  // Rows of a public table without a partner belong to nobody.
  if (outer && !first->is_private() && second->is_private()) outer = false;
  relation.side = first->is_private() || second->is_private() ? Side::private_rows : Side::public_rows;
  relation.keeps_left = outer;
  relation.joins_units = both_private;
  relation.unit_is_right = !first->is_private() && second->is_private();
  relation.unit = relation.unit_is_right ? second->unit : first->unit;
  if (both_private && !outer) {
    // A join along a path is what tells the unit: it need not be looked up a second time.
    for (const bool on_right : {false, true}) {
      const RelationPtr& detail = on_right ? second : first;
      const RelationPtr& owner = on_right ? first : second;
      if (detail->kind != Relation::Kind::scan) continue;
      bool along_path = false;
      for_each_link(relation.condition, *detail, *owner,
                    [&](const RelationColumn& column, const RelationColumn& other) {
                      along_path = along_path || is_path(column, other, schema_);
                    });
      if (!along_path) continue;
      auto plain = std::make_shared<Relation>(*detail);
      plain->follows_path = false;
      plain->unit = -1;
      relation.unit = owner->unit;
      relation.unit_is_right = !on_right;
      relation.joins_units = false;
      (on_right ? second : first) = std::move(plain);
      break;
    }
  }
  const auto take = [&](const RelationPtr& side, bool may_be_absent) {
    for (RelationColumn column : side->columns) {
      if (may_be_absent) {
        column.shape.nullable = true;
        column.may_be_absent = true;
        joined.scope.narrow(column.id, column.shape);
      }
      if (relation.is_private() && !side->is_private() && !column.public_relation) column.public_relation = side;
      relation.columns.push_back(std::move(column));
    }
  };
  take(first, false);
  take(second, outer);
  relation.left = std::move(first);
  relation.right = std::move(second);
  return joined;
}

Result<void> QuestionBinder::check_private_join(const Relation& left, const Relation& right,
                                                const ExpressionPtr& condition, const FromItem& item) const {
  const TextSpan span = condition && item.on ? condition->span : item.span;
  if (unit_is_row())
    return refused_at(ErrorCode::unsupported, span, "private tables are not joined where the unit is a row",
                      "name a unit with a key in the schema");
  bool linked = false;
  std::string example;
  for_each_link(condition, left, right, [&](const RelationColumn& a, const RelationColumn& b) {
    linked = linked || (a.is_unit && b.is_unit) || is_path(a, b, schema_) || is_path(b, a, schema_);
  });
  if (linked) return {};
  const auto unit_column = [](const Relation& relation) -> std::string {
    for (const RelationColumn& column : relation.columns)
      if (column.is_unit) return column.name;
    return {};
  };
  const std::string a = unit_column(left);
  const std::string b = unit_column(right);
  if (!a.empty() && !b.empty()) example = fmt::format(" (left.{} = right.{})", a, b);
  return refused_at(
      ErrorCode::unsupported, span, fmt::format("this join connects rows of different units ({})", schema_.unit.name),
      fmt::format(
          "join private tables on the unit{} or on a path of the schema; a public table may be joined on anything",
          example));
}

Result<void> QuestionBinder::check_row_join(const RelationPtr& public_side, const ExpressionPtr& condition,
                                            const FromItem& item) {
  const TextSpan span = condition && item.on ? condition->span : item.span;
  std::vector<ColumnId> compared;
  // With something that is not of the public relation itself: each row of the other side then fits one row at most.
  const auto is_foreign = [&](const Expression& side) {
    bool foreign = true;
    for_each_part(std::make_shared<Expression>(side), [&](const Expression& part) {
      foreign = foreign && !part.relation &&
                (part.operation != Operation::column || public_side->find(part.column) == nullptr);
    });
    return foreign;
  };
  for_each_equality(condition, [&](const Expression& a, const Expression& b) {
    const auto take = [&](const Expression& side, const Expression& other) {
      const bool is_own = side.operation == Operation::column && public_side->find(side.column) != nullptr;
      if (is_own && is_foreign(other)) compared.push_back(side.column);
    };
    take(a, b);
    take(b, a);
  });
  std::sort(compared.begin(), compared.end());
  compared.erase(std::unique(compared.begin(), compared.end()), compared.end());
  const bool is_table = public_side->kind == Relation::Kind::scan;
  if (is_table) {
    const auto& key = public_side->table->key;
    const bool all = !key.empty() && std::all_of(key.begin(), key.end(), [&](const std::string& name) {
      return std::any_of(compared.begin(), compared.end(),
                         [&](ColumnId id) { return public_side->find(id)->name == name; });
    });
    if (all) return {};  // checked where the table was named
  } else if (!compared.empty()) {
    return check_key(public_side, compared, span);
  }
  return refused_at(
      ErrorCode::unsupported, span,
      "the unit of this schema is a row, so a row must stay one row: a public table is joined on its key alone",
      is_table ? "declare `key:` of the table in the schema, and compare all of it as it is"
               : "compare columns that have each value once, as they are");
}

Result<void> QuestionBinder::check_key(const RelationPtr& relation, const std::vector<ColumnId>& key, TextSpan span) {
  auto groups = std::make_shared<Relation>();
  groups->kind = Relation::Kind::groups;
  groups->left = relation;
  for (const ColumnId id : key) {
    const RelationColumn& column = *relation->find(id);
    groups->expressions.push_back(make_column(id, column.shape, span));
    groups->columns.push_back({.id = next_column(), .name = column.name, .shape = column.shape});
  }
  groups->aggregates.push_back({.kind = Aggregate::Kind::count_rows});
  const ColumnId count = next_column();
  Shape shape{.type = Type::integer, .nullable = false, .range = Range::all_of(Type::integer)};
  groups->columns.push_back({.id = count, .name = "count", .shape = shape});
  auto repeated = std::make_shared<Relation>();
  repeated->kind = Relation::Kind::filter;
  repeated->left = groups;
  repeated->columns = groups->columns;
  // NULL is equal to nothing: rows without a key join nowhere.
  std::vector<ExpressionPtr> conditions{make_operation(
      Operation::greater, {.type = Type::boolean}, {make_column(count, shape, span), make_integer(1, span)}, span)};
  const Operators operators(true);
  for (std::size_t i = 0; i < key.size(); ++i) {
    GAUZE_TRY(ExpressionPtr there,
              operators.is_null(make_column(groups->columns[i].id, groups->columns[i].shape, span), true, span));
    conditions.push_back(std::move(there));
  }
  GAUZE_TRY(repeated->condition, operators.connect(Operation::and_, std::move(conditions), span));
  auto first = std::make_shared<Relation>();
  first->kind = Relation::Kind::sorted;
  first->limit = 1;
  first->columns = repeated->columns;
  first->left = repeated;
  GAUZE_TRY(const auto rows, data_.rows(*first, 1));
  if (rows.empty()) return {};
  const bool declared = relation->kind == Relation::Kind::scan;
  return refused_at(ErrorCode::invalid_parameter, span,
                    declared ? fmt::format("the key of the public table '{}' is not unique", relation->table->name)
                             : "the compared columns of this public relation have a value more than once",
                    declared ? "correct the table, or its key in the schema" : "select each key once");
}

}  // namespace gauze::query
