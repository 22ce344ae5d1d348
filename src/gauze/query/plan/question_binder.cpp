#include "gauze/query/plan/internal/question_binder.h"

#include <algorithm>

#include "gauze/query/plan/internal/narrowing.h"
#include "gauze/query/sql/parse_sql.h"

namespace gauze::query {
namespace {

using Side = Relation::Side;

/// What a column is called that nobody named: after its column, its aggregate, its function.
std::string default_name(const Syntax& syntax) {
  if (syntax.kind == Syntax::Kind::column && !syntax.names.empty()) return syntax.names.back();
  if (syntax.kind == Syntax::Kind::call) return syntax.text;
  if (syntax.kind == Syntax::Kind::cast) return default_name(*syntax.arguments[0]);
  if (syntax.kind == Syntax::Kind::case_) return "case";
  return "column";
}

std::string unique_name(const std::string& name, const std::vector<RelationColumn>& others) {
  const auto taken = [&](const std::string& candidate) {
    return std::any_of(others.begin(), others.end(), [&](const auto& column) { return column.name == candidate; });
  };
  if (!taken(name)) return name;
  for (int number = 2;; ++number)
    if (std::string candidate = fmt::format("{}_{}", name, number); !taken(candidate)) return candidate;
}

}  // namespace

ExpressionPtr in_formulas(const ExpressionPtr& expression, const Relation& input) {
  if (expression->operation == Operation::column) {
    const RelationColumn* column = input.find(expression->column);
    return column == nullptr ? nullptr : column->formula;
  }
  if (expression->relation) return nullptr;
  if (expression->arguments.empty()) return expression;
  auto copy = std::make_shared<Expression>(*expression);
  for (ExpressionPtr& argument : copy->arguments)
    if (argument = in_formulas(argument, input); !argument) return nullptr;
  return copy;
}

bool is_noisy(const ExpressionPtr& expression, const Relation& input) {
  bool noisy = false;
  for_each_part(expression, [&](const Expression& part) {
    if (part.operation != Operation::column) return;
    const RelationColumn* column = input.find(part.column);
    noisy = noisy || (column != nullptr && column->is_noisy);
  });
  return noisy;
}

Result<Question> QuestionBinder::bind(std::unique_ptr<Select> statement) {
  GAUZE_TRY(std::shared_ptr<Relation> result, bind_select(*statement, nullptr, true));
  if (!answer_)
    return refused_at(ErrorCode::invalid_parameter, statement->span, "this asks for nothing private",
                      "only public tables are named: any program may read them");
  Question question;
  question.syntax = std::move(statement);
  question.answer = std::move(*answer_);
  question.result = std::move(result);
  question.columns_used = next_column_;
  return question;
}

ExpressionBinder QuestionBinder::binder_for(const Scope& scope, const Relation& relation) {
  ExpressionBinder binder(scope, Operators(!relation.is_private()), today_);
  return binder;
}

Result<std::shared_ptr<Relation>> QuestionBinder::bind_select(const Select& select, const Scope* outer, bool is_top) {
  // A table of WITH is bound each time that it is named: a few lines could name one a million times.
  constexpr int kMostSelects = 500;
  if (++selects_ > kMostSelects)
    return refused_at(
        ErrorCode::invalid_parameter, select.span,
        fmt::format("more than {} subqueries, counting those of WITH each time they are named", kMostSelects));
  std::map<std::string, const CommonTable*> own;
  for (const CommonTable& common : select.with)
    if (!own.try_emplace(common.name, &common).second)
      return refused_at(ErrorCode::invalid_parameter, common.span, "this name stands twice in WITH");
  common_tables_.push_back(std::move(own));
  auto bound = [&]() -> Made {
    if (select.union_left) return bind_union(select, outer);
    if (!select.values.empty()) return bind_values(select);
    GAUZE_TRY(Source source, bind_from(select.from));
    Scope scope(outer);
    scope.append(source.scope);
    source.scope = std::move(scope);
    if (select.where) {
      if (holds_aggregate(*select.where))
        return refused_at(ErrorCode::invalid_parameter, select.where->span, "WHERE comes before aggregates",
                          "use HAVING");
      ExpressionBinder binder = binder_for(source.scope, *source.relation);
      const auto relation = source.relation;
      binder.set_subquery([&](const Syntax& syntax, ExpressionBinder& own_binder) {
        return bind_subquery(syntax, own_binder, *relation);
      });
      GAUZE_TRY(ExpressionPtr condition, binder.bind_condition(*select.where, "WHERE"));
      source.relation = filter(source.relation, std::move(condition), &source.scope);
    }
    bool grouped = !select.group_by.empty() || (select.having != nullptr);
    for (const Target& target : select.targets) grouped = grouped || holds_aggregate(*target.expression);
    for (const SortKey& key : select.order_by) grouped = grouped || holds_aggregate(*key.expression);
    return grouped ? bind_grouped(select, std::move(source), is_top) : bind_plain(select, std::move(source), is_top);
  }();
  common_tables_.pop_back();
  return bound;
}

std::shared_ptr<Relation> QuestionBinder::filter(std::shared_ptr<Relation> input, ExpressionPtr condition,
                                                 Scope* scope) {
  auto relation = std::make_shared<Relation>();
  relation->kind = Relation::Kind::filter;
  relation->side = input->side;
  relation->columns = input->columns;
  relation->unit = input->unit;
  relation->row = input->row;
  const std::map<ColumnId, Shape> shapes = narrowed_by(*condition);
  for (RelationColumn& column : relation->columns) {
    const auto found = shapes.find(column.id);
    if (found == shapes.end()) continue;
    column.shape = found->second;
    if (scope != nullptr) scope->narrow(column.id, column.shape);
  }
  relation->left = std::move(input);
  relation->condition = std::move(condition);
  return relation;
}

Result<std::shared_ptr<Relation>> QuestionBinder::bind_union(const Select& select, const Scope* outer) {
  GAUZE_TRY(std::shared_ptr<Relation> left, bind_select(*select.union_left, outer, false));
  GAUZE_TRY(std::shared_ptr<Relation> right, bind_select(*select.union_right, outer, false));
  const bool any_private = left->is_private() || right->is_private();
  if (left->side != right->side && (left->side == Side::answer_rows || right->side == Side::answer_rows))
    return refused_at(ErrorCode::unsupported, select.span, "an answer is not united with tables",
                      "ask two questions");
  if (left->is_private() && right->is_private() && unit_is_row())
    return refused_at(ErrorCode::unsupported, select.span,
                      "UNION ALL of private rows would count one row twice, and the unit of this schema is a row",
                      "name a unit with a key in the schema, or ask two questions");
  if (any_private && left->side != right->side)
    return refused_at(ErrorCode::unsupported, select.span, "private and public rows are not united",
                      "public rows belong to nobody: ask about them apart");
  if (left->columns.size() != right->columns.size())
    return refused_at(ErrorCode::invalid_parameter, select.span,
                      "both sides of UNION ALL need the same number of columns");
  if (any_private) GAUZE_TRY_VOID(refuse_order(select));
  auto relation = std::make_shared<Relation>();
  relation->kind = Relation::Kind::union_all;
  relation->side = left->side;
  const Operators operators(!any_private);
  // Both sides are projected to common types first.
  std::shared_ptr<Relation> sides[2] = {left, right};
  std::vector<std::vector<ExpressionPtr>> expressions(2);
  for (std::size_t i = 0; i < left->columns.size(); ++i) {
    std::vector<ExpressionPtr> pair;
    for (const auto& side : sides)
      pair.push_back(make_column(side->columns[i].id, side->columns[i].shape, select.span));
    GAUZE_TRY_VOID(operators.unify(pair, select.span));
    GAUZE_TRY(const ExpressionPtr together, operators.coalesce(pair, select.span));
    RelationColumn column{.id = next_column(), .name = left->columns[i].name, .shape = together->shape};
    column.shape.nullable = pair[0]->shape.nullable || pair[1]->shape.nullable;
    column.is_unit = left->columns[i].is_unit && right->columns[i].is_unit;
    column.is_noisy = left->columns[i].is_noisy || right->columns[i].is_noisy;
    relation->columns.push_back(std::move(column));
    for (std::size_t side = 0; side < 2; ++side) expressions[side].push_back(pair[side]);
  }
  for (std::size_t side = 0; side < 2; ++side) {
    auto projected = std::make_shared<Relation>();
    projected->kind = Relation::Kind::project;
    projected->side = sides[side]->side;
    projected->unit = sides[side]->unit;
    projected->left = sides[side];
    projected->expressions = expressions[side];
    for (const ExpressionPtr& one : expressions[side])
      projected->columns.push_back({.id = next_column(), .name = {}, .shape = one->shape});
    (side == 0 ? relation->left : relation->right) = std::move(projected);
  }
  if (any_private && !unit_is_row()) relation->unit = next_column();
  if (any_private) return relation;
  std::vector<ExpressionPtr> order;
  Scope scope;
  scope.add("", relation->columns);
  ExpressionBinder binder = binder_for(scope, *relation);
  for (const SortKey& key : select.order_by) {
    GAUZE_TRY(ExpressionPtr bound, binder.bind(*key.expression));
    order.push_back(std::move(bound));
  }
  return sort(select, std::move(relation), std::move(order));
}

Result<std::shared_ptr<Relation>> QuestionBinder::bind_values(const Select& select) {
  auto relation = std::make_shared<Relation>();
  relation->kind = Relation::Kind::values;
  Scope nothing;
  ExpressionBinder binder = binder_for(nothing, *relation);
  const std::size_t width = select.values.front().size();
  for (const auto& row : select.values) {
    if (row.size() != width)
      return refused_at(ErrorCode::invalid_parameter, select.span,
                        "all rows of VALUES need the same number of values");
    GAUZE_TRY(std::vector<ExpressionPtr> cells, binder.bind_all(row));
    relation->rows.push_back(std::move(cells));
  }
  for (std::size_t i = 0; i < width; ++i) {
    std::vector<ExpressionPtr> cells;
    for (const auto& row : relation->rows) cells.push_back(row[i]);
    const TextSpan span = cells.front()->span;
    GAUZE_TRY_VOID(binder.operators().unify(cells, span));
    GAUZE_TRY(const ExpressionPtr together, binder.operators().coalesce(cells, span));
    Shape shape = together->shape;
    shape.nullable = std::any_of(cells.begin(), cells.end(), [](const auto& cell) { return cell->shape.nullable; });
    if (shape.type == Type::null) shape.type = Type::text;
    shape.weight = 1;  // they are rows, not parts of an expression
    for (std::size_t row = 0; row < cells.size(); ++row) relation->rows[row][i] = cells[row];
    relation->columns.push_back(
        {.id = next_column(), .name = fmt::format("column{}", i + 1), .shape = std::move(shape)});
  }
  return relation;
}

Result<void> QuestionBinder::refuse_order(const Select& select) const {
  for (const SortKey& key : select.order_by)
    return refused_at(ErrorCode::unsupported, key.expression->span, "private rows are not sorted",
                      "ORDER BY sorts the answer: put it behind the aggregation");
  const SyntaxPtr& limit = select.limit ? select.limit : select.offset;
  if (limit)
    return refused_at(ErrorCode::unsupported, limit->span,
                      "LIMIT on private rows would let one person push out another",
                      "LIMIT cuts the answer: put it behind the aggregation");
  return {};
}

Result<std::int64_t> QuestionBinder::row_number(const SyntaxPtr& syntax, std::string_view clause) const {
  const Scope nothing;
  ExpressionBinder binder(nothing, Operators(true), today_);
  GAUZE_TRY(const ExpressionPtr bound, binder.bind(*syntax));
  const auto number = constant_number(*bound);
  if (!number || !number->is_integer() || number->sign() < 0 || *number > Rational(1'000'000'000))
    return refused_at(ErrorCode::invalid_parameter, syntax->span,
                      fmt::format("{} takes a whole number, not negative", clause));
  return number->to_int64();
}

Result<std::shared_ptr<Relation>> QuestionBinder::sort(const Select& select, std::shared_ptr<Relation> projected,
                                                       std::vector<ExpressionPtr> order) {
  if (order.empty() && !select.limit && !select.offset) return projected;
  auto relation = std::make_shared<Relation>();
  relation->kind = Relation::Kind::sorted;
  relation->side = projected->side;
  relation->columns = projected->columns;
  relation->row = projected->row;
  for (std::size_t i = 0; i < order.size(); ++i) {
    Relation::Order one{.expression = order[i]};
    if (i < select.order_by.size()) {
      one.descending = select.order_by[i].descending;
      one.nulls_first = select.order_by[i].nulls_first;
    }
    relation->order.push_back(std::move(one));
  }
  if (select.limit && select.limit->kind != Syntax::Kind::null) {
    GAUZE_TRY(const std::int64_t limit, row_number(select.limit, "LIMIT"));
    relation->limit = limit;
  }
  if (select.offset) {
    GAUZE_TRY(relation->offset, row_number(select.offset, "OFFSET"));
  }
  relation->left = std::move(projected);
  return relation;
}

/// The list of SELECT, and on the answer's side what it is sorted by. `binder` knows keys and aggregates, if there are any.
Result<std::shared_ptr<Relation>> QuestionBinder::project(const Select& select, std::shared_ptr<Relation> input,
                                                          ExpressionBinder& binder, bool is_top) {
  auto relation = std::make_shared<Relation>();
  relation->kind = Relation::Kind::project;
  relation->side = input->side;
  relation->unit = input->unit;
  relation->row = input->row;
  const auto add = [&](ExpressionPtr expression, const std::string& name) {
    RelationColumn column{
        .id = next_column(), .name = unique_name(name, relation->columns), .shape = expression->shape};
    if (expression->operation == Operation::column)
      if (const RelationColumn* from = input->find(expression->column)) {
        column = {.id = column.id,
                  .name = column.name,
                  .shape = expression->shape,
                  .is_unit = from->is_unit,
                  .origin_table = from->origin_table,
                  .origin_column = from->origin_column,
                  .public_relation = from->public_relation,
                  .declared = from->declared};
      }
    if (input->side == Side::answer_rows) {
      column.is_noisy = is_noisy(expression, *input);
      column.formula = in_formulas(expression, *input);
    }
    relation->columns.push_back(std::move(column));
    relation->expressions.push_back(std::move(expression));
  };
  for (const Target& target : select.targets) {
    if (target.expression->kind == Syntax::Kind::star) {
      GAUZE_TRY(const auto all, binder.scope().all(target.expression->names, target.span));
      for (const RelationColumn& column : all) add(make_column(column.id, column.shape, target.span), column.name);
      continue;
    }
    GAUZE_TRY(ExpressionPtr bound, binder.bind(*target.expression));
    if (bound->is_null_constant()) {
      GAUZE_TRY(bound, binder.operators().cast(bound, Type::text, 0, target.span));
    }
    if (bound->shape.type == Type::interval)
      return refused_at(ErrorCode::unsupported, target.span, "a stretch of time is no result", "subtract two dates");
    add(std::move(bound), target.alias.empty() ? default_name(*target.expression) : target.alias);
  }
  const auto shown = relation->columns;
  std::vector<ExpressionPtr> order;
  for (const SortKey& key : select.order_by) {
    const Syntax& syntax = *key.expression;
    const RelationColumn* column = nullptr;
    if (syntax.kind == Syntax::Kind::number) {
      const auto place = Rational::parse(syntax.text);
      if (!place || !place->is_integer() || *place < Rational(1) ||
          *place > Rational(static_cast<std::int64_t>(shown.size())))
        return refused_at(ErrorCode::invalid_parameter, syntax.span,
                          "ORDER BY a place that the list of SELECT does not have");
      column = &shown[static_cast<std::size_t>(*place->to_int64()) - 1];
    } else if (syntax.kind == Syntax::Kind::column && syntax.names.size() == 1) {
      for (const RelationColumn& one : shown)
        if (same_but_case(one.name, syntax.names[0])) column = &one;
    }
    if (column != nullptr) {
      order.push_back(make_column(column->id, column->shape, syntax.span));
      continue;
    }
    GAUZE_TRY(ExpressionPtr bound, binder.bind(syntax));
    if (select.is_distinct)
      return refused_at(ErrorCode::invalid_parameter, syntax.span,
                        "with DISTINCT only what is selected can be sorted by");
    RelationColumn hidden{.id = next_column(), .name = {}, .shape = bound->shape};
    order.push_back(make_column(hidden.id, hidden.shape, syntax.span));
    relation->hidden.push_back(std::move(hidden));
    relation->expressions.push_back(std::move(bound));
  }
  if (is_top && order.empty()) {  // by key, whatever order an engine returns
    for (const RelationColumn& column : shown)
      if (!column.is_noisy) order.push_back(make_column(column.id, column.shape, select.span));
  }
  relation->left = std::move(input);
  std::shared_ptr<Relation> top = relation;
  if (select.is_distinct) {
    auto distinct = std::make_shared<Relation>();
    distinct->kind = Relation::Kind::distinct;
    distinct->side = relation->side;
    distinct->columns = relation->columns;
    distinct->unit = relation->unit;
    for (RelationColumn& column : distinct->columns) column.formula = {};
    distinct->left = std::move(top);
    top = std::move(distinct);
  }
  if (top->is_private()) return top;
  return sort(select, std::move(top), std::move(order));
}

Result<std::shared_ptr<Relation>> QuestionBinder::bind_plain(const Select& select, Source source, bool is_top) {
  Relation& input = *source.relation;
  if (input.is_private()) {
    if (is_top)
      return refused_at(ErrorCode::unsupported, select.targets.empty() ? select.span : select.targets.front().span,
                        "this would show rows of private tables as they are",
                        "ask for aggregates: COUNT, SUM, AVG, MEDIAN, ... with or without GROUP BY");
    GAUZE_TRY_VOID(refuse_order(select));
    if (select.is_distinct) {
      bool has_unit = false;
      for (const Target& target : select.targets) {
        if (target.expression->kind != Syntax::Kind::column) continue;
        const auto found = source.scope.find(target.expression->names, target.span);
        has_unit = has_unit || (found && found->column.is_unit);
      }
      if (!has_unit)
        return refused_at(ErrorCode::unsupported, select.span, "DISTINCT would merge rows of different units",
                          "select the unit's key, too, or ask for COUNT(DISTINCT ...)");
    }
  }
  ExpressionBinder binder = binder_for(source.scope, input);
  if (input.side == Side::answer_rows) {
    binder.set_special([&](const Syntax& syntax) -> Result<std::optional<ExpressionPtr>> {
      if (syntax.kind != Syntax::Kind::call || !syntax.has_window) return std::optional<ExpressionPtr>();
      if (syntax.text != "sum" || !syntax.has_empty_window || syntax.arguments.size() != 1 || syntax.filter)
        return refused_at(ErrorCode::unsupported, syntax.span, "of windows only SUM(...) OVER () is answered");
      ExpressionBinder own = binder_for(source.scope, input);
      GAUZE_TRY(ExpressionPtr argument, own.bind(*syntax.arguments[0]));
      GAUZE_TRY_VOID(own.operators().require_number(*argument, "SUM"));
      Shape shape{.type = Type::real, .range = Range::all_of(Type::real)};
      return std::optional<ExpressionPtr>(
          make_operation(Operation::window_sum, std::move(shape), {Operators::as_real(argument)}, syntax.span));
    });
  }
  const auto relation = source.relation;
  return project(select, relation, binder, is_top);
}

Result<Question> understand(std::unique_ptr<Select> statement, const schema::DatabaseSchema& schema, PublicData& data,
                            std::int64_t today) {
  return QuestionBinder(schema, data, today).bind(std::move(statement));
}

}  // namespace gauze::query
