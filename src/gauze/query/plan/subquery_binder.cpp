// EXISTS, IN and single values.
#include "gauze/query/plan/internal/question_binder.h"
#include "gauze/query/sql/parse_sql.h"

namespace gauze::query {
namespace {

/// Whether the filters on top of a relation say that its unit is the one around it.
bool is_linked(const Relation& inner, const Relation& around) {
  bool linked = false;
  for (const Relation* step = &inner; step != nullptr; step = step->left.get()) {
    if (step->kind == Relation::Kind::filter)
      for_each_equality(step->condition, [&](const Expression& a, const Expression& b) {
        if (a.operation != Operation::column || b.operation != Operation::column) return;
        const auto is_unit = [](const Relation& relation, const Expression& column) {
          const RelationColumn* found = relation.find(column.column);
          return found != nullptr && found->is_unit;
        };
        linked = linked || (is_unit(*step, a) && is_unit(around, b)) || (is_unit(*step, b) && is_unit(around, a));
      });
    if (step->kind != Relation::Kind::filter && step->kind != Relation::Kind::project) break;
  }
  return linked;
}

}  // namespace

Result<ExpressionPtr> QuestionBinder::bind_subquery(const Syntax& syntax, ExpressionBinder& binder,
                                                    const Relation& around) {
  if (around.side == Relation::Side::answer_rows)
    return refused_at(ErrorCode::unsupported, syntax.span, "a subquery beside the answer is not answered",
                      "ask two questions");
  if (syntax.kind == Syntax::Kind::scalar_select) return bind_single_value(syntax, binder.scope());
  const bool had_answer = answer_.has_value();
  GAUZE_TRY(std::shared_ptr<Relation> inner, bind_select(*syntax.select, &binder.scope(), false));
  if (inner->side == Relation::Side::answer_rows || answer_.has_value() != had_answer)
    return refused_at(ErrorCode::unsupported, syntax.span,
                      "a subquery that aggregates over units is not answered here",
                      "group it by the unit, and compare the unit");
  ExpressionPtr what;
  if (syntax.kind == Syntax::Kind::in_select) {
    if (inner->columns.size() != 1)
      return refused_at(ErrorCode::invalid_parameter, syntax.span, "IN (SELECT ...) selects one column");
    GAUZE_TRY(what, binder.bind(*syntax.arguments[0]));
  }
  if (inner->is_private()) {
    const RelationColumn* own = what && what->operation == Operation::column ? around.find(what->column) : nullptr;
    const bool by_unit = own != nullptr && own->is_unit && inner->columns[0].is_unit;
    if (!around.is_private() || unit_is_row() || (!by_unit && !is_linked(*inner, around)))
      return refused_at(ErrorCode::unsupported, syntax.span, "this subquery asks about rows of other units",
                        "link it by the unit's key: WHERE inner.key = outer.key, or key IN (SELECT key ...)");
  }
  auto exists = std::make_shared<Expression>();
  exists->operation = Operation::exists;
  exists->shape = {.type = Type::boolean, .nullable = static_cast<bool>(what)};
  exists->span = syntax.span;
  exists->relation = inner;
  if (inner->is_private()) exists->column = around.unit;  // compared with the unit inside
  if (what) {
    std::vector<ExpressionPtr> both{what, make_column(inner->columns[0].id, inner->columns[0].shape, syntax.span)};
    GAUZE_TRY_VOID(binder.operators().unify(both, syntax.span));
    exists->arguments = std::move(both);
  }
  return exists;
}

Result<ExpressionPtr> QuestionBinder::bind_single_value(const Syntax& syntax, const Scope& around) {
  const bool had_answer = answer_.has_value();
  auto bound = bind_select(*syntax.select, nullptr, false);
  if (!bound) {
    // A name that is known around it alone: then it is another value for each row.
    const bool is_unknown = bound.error().code == ErrorCode::unknown_column;
    const auto beside = is_unknown ? bind_select(*syntax.select, &around, false) : bound;
    if (is_unknown && (beside || beside.error().code != ErrorCode::unknown_column))
      return refused_at(ErrorCode::unsupported, syntax.span,
                        "a single value that depends on the row around it is not computed",
                        "join the tables, or a subquery that is grouped by what is compared");
    return tl::unexpected<Error>(bound.error());
  }
  const std::shared_ptr<Relation> inner = *bound;
  if (inner->side != Relation::Side::public_rows || answer_.has_value() != had_answer)
    return refused_at(ErrorCode::unsupported, syntax.span,
                      "a single value of private tables is not computed without noise",
                      "ask for it in a question of its own, and write the number");
  if (inner->columns.size() != 1)
    return refused_at(ErrorCode::invalid_parameter, syntax.span, "a subquery for a single value selects one column");
  GAUZE_TRY(const auto rows, data_.rows(*inner, 1));
  const Shape& shape = inner->columns[0].shape;
  if (rows.empty() || !rows[0][0])
    return Operators(true).cast(make_null(syntax.span), shape.type, shape.scale, syntax.span);
  // What stands in a public table is a constant to the rest of the question.
  const ExpressionPtr text = make_text(*rows[0][0], syntax.span);
  if (shape.type == Type::text) return text;
  return Operators(true).cast(text, shape.type, shape.scale, syntax.span);
}

}  // namespace gauze::query
