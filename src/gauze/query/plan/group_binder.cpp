// GROUP BY and aggregates.
#include <algorithm>
#include <set>

#include "gauze/query/plan/internal/question_binder.h"
#include "gauze/query/sql/parse_sql.h"

namespace gauze::query {
namespace {

using Side = Relation::Side;
using Asked = Aggregate::Kind;

const std::map<std::string, Asked>& aggregate_kinds() {
  static const std::map<std::string, Asked> kKinds = {{"count", Asked::count},
                                                      {"sum", Asked::sum},
                                                      {"avg", Asked::average},
                                                      {"variance", Asked::var_samp},
                                                      {"var_pop", Asked::var_pop},
                                                      {"var_samp", Asked::var_samp},
                                                      {"stddev", Asked::stddev_samp},
                                                      {"stddev_pop", Asked::stddev_pop},
                                                      {"stddev_samp", Asked::stddev_samp},
                                                      {"min", Asked::minimum},
                                                      {"max", Asked::maximum},
                                                      {"median", Asked::quantile},
                                                      {"percentile_cont", Asked::quantile},
                                                      {"percentile_disc", Asked::quantile},
                                                      {"mode", Asked::mode}};
  return kKinds;
}

std::string fingerprint_of(const Aggregate& aggregate) {
  std::string text = aggregate.function;
  text += aggregate.kind == Asked::count_units ? "u" : aggregate.kind == Asked::count_distinct ? "d" : "";
  if (aggregate.argument) text += '(' + fingerprint(*aggregate.argument) + ')';
  if (aggregate.filter) text += '?' + fingerprint(*aggregate.filter);
  for (const Rational& fraction : aggregate.fractions) text += ' ' + fraction.to_decimal();
  if (aggregate.is_list) text += "[]";
  if (aggregate.descending) text += '-';
  return text;
}

Shape number_shape(Type type, bool nullable) {
  return {.type = type, .nullable = nullable, .range = Range::all_of(type)};
}

}  // namespace

bool is_aggregate(const Syntax& syntax) {
  return syntax.kind == Syntax::Kind::call && !syntax.has_window && aggregate_kinds().contains(syntax.text);
}

bool holds_aggregate(const Syntax& syntax) {
  if (is_aggregate(syntax)) return true;
  const auto holds = [](const SyntaxPtr& part) { return part && holds_aggregate(*part); };
  return std::any_of(syntax.arguments.begin(), syntax.arguments.end(), holds) || holds(syntax.operand) ||
         holds(syntax.otherwise);
}

Result<void> QuestionBinder::read_quantile(const Syntax& call, Aggregate& aggregate, ExpressionBinder& inner) const {
  if (call.text == "median") {
    aggregate.fractions = {Rational(1, 2)};
    return {};
  }
  if (call.within_group.size() != 1)
    return refused_at(ErrorCode::invalid_parameter, call.span,
                      fmt::format("{} needs WITHIN GROUP (ORDER BY x)", call.text));
  if (call.text == "mode") return {};
  if (call.arguments.size() != 1)
    return refused_at(ErrorCode::invalid_parameter, call.span, fmt::format("{} takes one fraction", call.text));
  aggregate.discrete = call.text == "percentile_disc";
  aggregate.is_list = call.arguments[0]->kind == Syntax::Kind::array;
  std::vector<const Syntax*> fractions;
  if (aggregate.is_list)
    for (const SyntaxPtr& one : call.arguments[0]->arguments) fractions.push_back(one.get());
  else
    fractions.push_back(call.arguments[0].get());
  for (const Syntax* one : fractions) {
    GAUZE_TRY(const ExpressionPtr bound, inner.bind(*one));
    const auto fraction = constant_number(*bound);
    if (!fraction || *fraction < Rational(0) || *fraction > Rational(1))
      return refused_at(ErrorCode::invalid_parameter, one->span, "a fraction is a constant between 0 and 1");
    aggregate.fractions.push_back(*fraction);
  }
  if (aggregate.fractions.empty())
    return refused_at(ErrorCode::invalid_parameter, call.span, "at least one fraction is needed");
  return {};
}

Result<Aggregate> QuestionBinder::bind_aggregate(const Syntax& call, ExpressionBinder& inner, const Relation& input) {
  Aggregate aggregate{.kind = aggregate_kinds().at(call.text), .function = call.text, .span = call.span};
  if (call.ordered_arguments)
    return refused_at(ErrorCode::unsupported, *call.ordered_arguments, "an aggregate's arguments are not sorted",
                      "leave out ORDER BY");
  if (call.filter) {
    if (holds_aggregate(*call.filter))
      return refused_at(ErrorCode::invalid_parameter, call.filter->span, "aggregates are not nested");
    GAUZE_TRY(aggregate.filter, inner.bind_condition(*call.filter, "FILTER"));
  }
  const bool ordered = aggregate.kind == Asked::mode || call.text.starts_with("percentile");
  if (ordered || aggregate.kind == Asked::quantile) GAUZE_TRY_VOID(read_quantile(call, aggregate, inner));
  if (call.has_star) {
    if (aggregate.kind != Asked::count)
      return refused_at(ErrorCode::invalid_parameter, call.span, "only COUNT takes *");
    aggregate.kind = Asked::count_rows;
    return aggregate;
  }
  const std::size_t wanted = call.text == "mode" ? 0 : 1;
  if (call.arguments.size() != wanted)
    return refused_at(ErrorCode::invalid_parameter, call.span,
                      fmt::format("{} takes {} argument{}", call.text, wanted, wanted == 1 ? "" : "s"));
  const Syntax& argument = ordered ? *call.within_group[0].expression : *call.arguments[0];
  aggregate.descending = ordered && call.within_group[0].descending;
  if (holds_aggregate(argument))
    return refused_at(ErrorCode::invalid_parameter, argument.span, "aggregates are not nested",
                      "put the inner one into a subquery that groups by the unit");
  GAUZE_TRY(aggregate.argument, inner.bind(argument));
  if (aggregate.argument->is_null_constant()) {
    GAUZE_TRY(aggregate.argument, inner.operators().cast(aggregate.argument, Type::real, 0, argument.span));
  }
  if (aggregate.kind == Asked::count) {
    const RelationColumn* column =
        aggregate.argument->operation == Operation::column ? input.find(aggregate.argument->column) : nullptr;
    if (call.is_distinct)
      aggregate.kind =
          column != nullptr && column->is_unit && !aggregate.filter ? Asked::count_units : Asked::count_distinct;
    else if (!aggregate.argument->shape.nullable)
      aggregate.kind = Asked::count_rows;
    if (aggregate.kind == Asked::count_rows) aggregate.argument = {};
    return aggregate;
  }
  if (call.is_distinct && aggregate.kind != Asked::minimum && aggregate.kind != Asked::maximum)
    return refused_at(ErrorCode::unsupported, call.span, fmt::format("{}(DISTINCT ...) is not answered", call.text),
                      "COUNT(DISTINCT ...) is");
  const bool needs_number = aggregate.kind == Asked::sum || aggregate.kind == Asked::average ||
                            aggregate.kind == Asked::var_pop || aggregate.kind == Asked::var_samp ||
                            aggregate.kind == Asked::stddev_pop || aggregate.kind == Asked::stddev_samp;
  if (needs_number) GAUZE_TRY_VOID(inner.operators().require_number(*aggregate.argument, call.text));
  return aggregate;
}

Result<void> QuestionBinder::check_aggregate(const Aggregate& aggregate, const Relation& input, bool by_unit) const {
  if (!input.is_private()) {
    const bool known = aggregate.kind != Asked::quantile && aggregate.kind != Asked::mode;
    if (known) return {};
    return refused_at(ErrorCode::unsupported, aggregate.span,
                      fmt::format("{} is not computed here", aggregate.function),
                      "COUNT, SUM, AVG, MIN, MAX and variances are");
  }
  const bool is_sum = aggregate.argument && aggregate.kind != Asked::count &&
                      aggregate.kind != Asked::count_distinct && aggregate.kind != Asked::count_units &&
                      aggregate.kind != Asked::mode;
  if (by_unit) {
    const bool known = aggregate.kind == Asked::count_rows || aggregate.kind == Asked::count ||
                       aggregate.kind == Asked::count_distinct || aggregate.kind == Asked::count_units ||
                       aggregate.kind == Asked::sum || aggregate.kind == Asked::average ||
                       aggregate.kind == Asked::minimum || aggregate.kind == Asked::maximum;
    if (!known)
      return refused_at(
          ErrorCode::unsupported, aggregate.span,
          fmt::format("{} is not computed for each unit: it depends on the order of rows", aggregate.function),
          "COUNT, COUNT(DISTINCT), SUM, AVG, MIN and MAX are");
    const bool sums_reals = (aggregate.kind == Asked::sum || aggregate.kind == Asked::average) &&
                            aggregate.argument->shape.type == Type::real;
    if (!sums_reals) return {};
  }
  if (aggregate.kind == Asked::mode) {
    if (aggregate.argument->shape.count()) return {};
    return refused_at(ErrorCode::invalid_parameter, aggregate.argument->span,
                      "MODE needs to know all values beforehand",
                      "list them in the schema (`values`), or bound the column");
  }
  const bool is_order =
      aggregate.kind == Asked::minimum || aggregate.kind == Asked::maximum || aggregate.kind == Asked::quantile;
  if (is_order && !is_number(aggregate.argument->shape.type) && aggregate.argument->shape.type != Type::date)
    return refused_at(ErrorCode::unsupported, aggregate.argument->span,
                      fmt::format("{} is that of numbers and dates, not of {}", aggregate.function,
                                  aggregate.argument->shape.describe()));
  if (!is_sum || aggregate.argument->shape.range.is_known()) return {};
  return refused_at(ErrorCode::invalid_parameter, aggregate.argument->span,
                    fmt::format("{} needs to know between which bounds this lies", aggregate.function),
                    aggregate.argument->operation == Operation::column
                        ? "give the column `bounds` in the schema, or write GREATEST(LEAST(x, 100), 0)"
                        : "bound it: GREATEST(LEAST(x, 100), 0)");
}

Shape QuestionBinder::aggregate_shape(const Aggregate& aggregate, bool by_unit) const {
  const bool nullable = !aggregate.argument || aggregate.argument->shape.nullable || aggregate.filter;
  switch (aggregate.kind) {
    case Asked::count_rows:
    case Asked::count:
    case Asked::count_distinct:
    case Asked::count_units: {
      Shape shape = number_shape(Type::integer, false);
      if (by_unit) {
        shape.range.low = 0;
        shape.range.low_known = true;
      }
      return shape;
    }
    case Asked::sum: {
      if (!by_unit) return number_shape(Type::real, true);
      Shape shape = number_shape(aggregate.argument->shape.type, nullable);
      shape.scale = aggregate.argument->shape.scale;
      shape.range = Range::all_of(shape.type, shape.scale);
      shape.range.least = aggregate.argument->shape.range.least * Rational::power_of_two(-60);
      if (shape.type != Type::real) shape.range.least = Rational(1) / power_of_ten(shape.scale);
      const Range& own = aggregate.argument->shape.range;
      if (own.low_known && own.low.sign() >= 0) {
        shape.range.low = 0;
        shape.range.low_known = true;
      }
      if (own.high_known && own.high.sign() <= 0) {
        shape.range.high = 0;
        shape.range.high_known = true;
      }
      return shape;
    }
    case Asked::average: {
      Shape shape = number_shape(Type::real, nullable);
      if (by_unit) {
        shape.range = aggregate.argument->shape.range;
        shape.range.least = Rational::power_of_two(-400);
      }
      return shape;
    }
    case Asked::minimum:
    case Asked::maximum:
    case Asked::mode: {
      Shape shape = aggregate.argument->shape;
      shape.nullable = nullable || !by_unit;
      return shape;
    }
    case Asked::quantile: {
      if (aggregate.is_list) return {.type = Type::text};
      Shape shape = aggregate.argument->shape;
      shape.nullable = true;
      if (!aggregate.discrete && is_number(shape.type)) shape = number_shape(Type::real, true);
      return shape;
    }
    default:
      return number_shape(Type::real, true);
  }
}

Result<void> QuestionBinder::refuse_key(const Expression& key, const Relation& input, bool is_top) const {
  if (!input.is_private()) return {};
  const RelationColumn* column = key.operation == Operation::column ? input.find(key.column) : nullptr;
  if (column != nullptr && column->is_unit && is_top)
    return refused_at(ErrorCode::unsupported, key.span, "this would name every unit, one a row",
                      "group by the unit in a subquery, and aggregate over it");
  if (key.shape.type == Type::real && !key.shape.whole)
    return refused_at(ErrorCode::unsupported, key.span, "real numbers are no keys: nearly every one is another group",
                      "round(x), width_bucket(x, 0, 100, 10) or CAST(x AS integer)");
  if (key.shape.type == Type::real && !fits_64_bits(key.shape.range))
    return refused_at(ErrorCode::invalid_parameter, key.span, "this number may be too large for a key",
                      "bound it: GREATEST(LEAST(x, 1000), 0)");
  return {};
}

Result<QuestionBinder::Grouping> QuestionBinder::bind_keys(const Select& select, const Source& source,
                                                           ExpressionBinder& inner) {
  Grouping grouping;
  for (const SyntaxPtr& one : select.group_by) {
    const Syntax* syntax = one.get();
    if (syntax->kind == Syntax::Kind::number) {
      const auto place = Rational::parse(syntax->text);
      if (!place || !place->is_integer() || *place < Rational(1) ||
          *place > Rational(static_cast<std::int64_t>(select.targets.size())))
        return refused_at(ErrorCode::invalid_parameter, syntax->span,
                          "GROUP BY a place that the list of SELECT does not have");
      syntax = select.targets[static_cast<std::size_t>(*place->to_int64()) - 1].expression.get();
    } else if (syntax->kind == Syntax::Kind::column && syntax->names.size() == 1 &&
               !source.scope.find(syntax->names, syntax->span)) {
      const std::string name = syntax->names[0];
      for (const Target& target : select.targets)
        if (same_but_case(target.alias, name)) syntax = target.expression.get();
    }
    if (holds_aggregate(*syntax))
      return refused_at(ErrorCode::invalid_parameter, syntax->span, "aggregates are no group keys");
    GAUZE_TRY(ExpressionPtr key, inner.bind(*syntax));
    if (key->is_null_constant()) {
      GAUZE_TRY(key, inner.operators().cast(key, Type::text, 0, key->span));
    }
    std::string own = fingerprint(*key);
    if (std::find(grouping.fingerprints.begin(), grouping.fingerprints.end(), own) != grouping.fingerprints.end())
      continue;
    const RelationColumn* column = key->operation == Operation::column ? source.relation->find(key->column) : nullptr;
    grouping.holds_unit = grouping.holds_unit || (column != nullptr && column->is_unit);
    grouping.fingerprints.push_back(std::move(own));
    grouping.keys.push_back(std::move(key));
  }
  return grouping;
}

Result<std::size_t> QuestionBinder::aggregate_index(const Syntax& call, ExpressionBinder& inner,
                                                    const Relation& input, Grouping& grouping) {
  GAUZE_TRY(Aggregate aggregate, bind_aggregate(call, inner, input));
  const bool by_unit = input.is_private() && grouping.holds_unit;
  GAUZE_TRY_VOID(check_aggregate(aggregate, input, by_unit));
  std::string own = fingerprint_of(aggregate);
  const auto& known = grouping.aggregate_fingerprints;
  const auto found = std::find(known.begin(), known.end(), own);
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  RelationColumn column{
      .id = next_column(), .name = aggregate.function, .shape = aggregate_shape(aggregate, by_unit)};
  column.is_noisy = input.side != Side::public_rows && !by_unit;
  grouping.aggregate_columns.push_back(std::move(column));
  grouping.aggregates.push_back(std::move(aggregate));
  grouping.aggregate_fingerprints.push_back(std::move(own));
  return grouping.aggregates.size() - 1;
}

/// The relation that groups make: by unit, of public rows, or the noisy table. Its columns are filled in when all aggregates
/// are known.
std::shared_ptr<Relation> QuestionBinder::grouped_relation(const Select& select, std::shared_ptr<Relation> input,
                                                           Grouping& grouping) {
  auto relation = std::make_shared<Relation>();
  relation->columns = grouping.key_columns;
  relation->columns.insert(relation->columns.end(), grouping.aggregate_columns.begin(),
                           grouping.aggregate_columns.end());
  if (input->is_private() && !grouping.holds_unit) {
    relation->kind = Relation::Kind::answer;
    relation->side = Side::answer_rows;
    relation->row = next_column();
    for (RelationColumn& column : relation->columns)
      column.formula = make_column(column.id, column.shape, select.span);
    answer_ = Answer{.input = std::move(input),
                     .keys = grouping.keys,
                     .aggregates = grouping.aggregates,
                     .table = relation,
                     .span = select.span};
    return relation;
  }
  relation->kind = input->is_private() ? Relation::Kind::unit_groups : Relation::Kind::groups;
  relation->side = input->side;
  relation->unit = input->unit;
  relation->expressions = grouping.keys;
  relation->aggregates = grouping.aggregates;
  relation->left = std::move(input);
  return relation;
}

Result<std::shared_ptr<Relation>> QuestionBinder::bind_grouped(const Select& select, Source source, bool is_top) {
  const std::shared_ptr<Relation> input = source.relation;
  ExpressionBinder inner = binder_for(source.scope, *input);
  GAUZE_TRY(Grouping grouping, bind_keys(select, source, inner));
  const bool makes_answer = input->is_private() && (!grouping.holds_unit || is_top);
  for (const ExpressionPtr& key : grouping.keys) GAUZE_TRY_VOID(refuse_key(*key, *input, makes_answer));
  if (makes_answer && answer_)
    return refused_at(ErrorCode::unsupported, select.span, "one private aggregation is answered at a time",
                      "ask two questions, or aggregate by unit in the subquery");
  if (input->is_private() && !makes_answer) GAUZE_TRY_VOID(refuse_order(select));
  for (std::size_t i = 0; i < grouping.keys.size(); ++i) {
    const Expression& key = *grouping.keys[i];
    RelationColumn column{.id = next_column(), .name = {}, .shape = key.shape};
    if (makes_answer && column.shape.type == Type::real) column.shape.type = Type::integer;  // whole
    if (const RelationColumn* from = key.operation == Operation::column ? input->find(key.column) : nullptr) {
      column.name = from->name;
      column.is_noisy = from->is_noisy;
      if (!makes_answer) {
        column.is_unit = from->is_unit;
        column.origin_table = from->origin_table;
        column.origin_column = from->origin_column;
        column.declared = from->declared;
      }
    } else if (input->side == Side::answer_rows) {
      column.is_noisy = is_noisy(grouping.keys[i], *input);
    }
    grouping.key_columns.push_back(std::move(column));
  }
  // Names above the grouping mean keys and aggregates.
  const bool outer_side = makes_answer || !input->is_private();
  ExpressionBinder binder(source.scope, Operators(outer_side), today_);
  ExpressionBinder window_binder(source.scope, Operators(outer_side), today_);
  const auto special = [&](const Syntax& syntax) -> Result<std::optional<ExpressionPtr>> {
    if (is_aggregate(syntax)) {
      GAUZE_TRY(const std::size_t index, aggregate_index(syntax, inner, *input, grouping));
      const RelationColumn& column = grouping.aggregate_columns[index];
      return std::optional<ExpressionPtr>(make_column(column.id, column.shape, syntax.span));
    }
    if (syntax.kind == Syntax::Kind::call && syntax.has_window) {
      const bool plain =
          syntax.text == "sum" && syntax.has_empty_window && syntax.arguments.size() == 1 && !syntax.filter;
      if (!makes_answer && input->side != Side::answer_rows) return std::optional<ExpressionPtr>();
      if (!plain)
        return refused_at(ErrorCode::unsupported, syntax.span, "of windows only SUM(...) OVER () is answered");
      GAUZE_TRY(const ExpressionPtr argument, window_binder.bind(*syntax.arguments[0]));
      GAUZE_TRY_VOID(binder.operators().require_number(*argument, "SUM"));
      return std::optional<ExpressionPtr>(make_operation(Operation::window_sum, number_shape(Type::real, true),
                                                         {Operators::as_real(argument)}, syntax.span));
    }
    if (holds_aggregate(syntax)) return std::optional<ExpressionPtr>();
    const bool is_leaf = syntax.kind == Syntax::Kind::number || syntax.kind == Syntax::Kind::text ||
                         syntax.kind == Syntax::Kind::null || syntax.kind == Syntax::Kind::boolean;
    if (const auto bound = is_leaf ? Result<ExpressionPtr>(make_null({})) : inner.bind(syntax)) {
      const std::string own = is_leaf ? std::string() : fingerprint(**bound);
      for (std::size_t i = 0; i < grouping.keys.size(); ++i)
        if (grouping.fingerprints[i] == own)
          return std::optional<ExpressionPtr>(
              make_column(grouping.key_columns[i].id, grouping.key_columns[i].shape, syntax.span));
    } else if (syntax.kind == Syntax::Kind::column) {
      return tl::unexpected<Error>(bound.error());
    }
    if (syntax.kind == Syntax::Kind::column)
      return refused_at(
          makes_answer ? ErrorCode::unsupported : ErrorCode::invalid_parameter, syntax.span,
          "this column is neither a group key nor inside an aggregate",
          makes_answer ? "a private value is not shown as it is: group by it, or aggregate it" : "group by it");
    return std::optional<ExpressionPtr>();
  };
  binder.set_special(special);
  window_binder.set_special(special);
  if (select.targets.empty()) return refused_at(ErrorCode::invalid_parameter, select.span, "nothing is selected");
  for (const Target& target : select.targets)
    if (target.expression->kind == Syntax::Kind::star)
      return refused_at(ErrorCode::unsupported, target.span, "* would show rows as they are",
                        "name keys and aggregates");
  // All is bound once to know the aggregates, then again on the relation that has them.
  ExpressionPtr having;
  if (select.having) {
    GAUZE_TRY(having, binder.bind_condition(*select.having, "HAVING"));
  }
  for (const Target& target : select.targets) {
    GAUZE_TRY(const ExpressionPtr bound, binder.bind(*target.expression));
    (void)bound;
  }
  for (const SortKey& key : select.order_by) {
    const bool by_output =
        key.expression->kind == Syntax::Kind::number || key.expression->kind == Syntax::Kind::column;
    if (by_output) continue;
    GAUZE_TRY(const ExpressionPtr bound, binder.bind(*key.expression));
    (void)bound;
  }
  std::shared_ptr<Relation> grouped = grouped_relation(select, input, grouping);
  if (having) grouped = filter(std::move(grouped), std::move(having), nullptr);
  return project(select, std::move(grouped), binder, is_top);
}

}  // namespace gauze::query
