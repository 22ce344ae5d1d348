// What a question would do, told before anything private is read.
#include <cmath>

#include "gauze/base/joined.h"
#include "gauze/query/job/query_json.h"
#include "gauze/query/render/sums_sql.h"
#include "gauze/query/run/formula_boxes.h"

namespace gauze::query {
namespace {

std::string_view side_word(const Relation& relation) {
  switch (relation.side) {
    case Relation::Side::private_rows:
      return "private";
    case Relation::Side::public_rows:
      return "public";
    case Relation::Side::answer_rows:
      break;
  }
  return "answer";
}

std::string describe(const Relation& relation, const schema::DatabaseSchema& schema) {
  switch (relation.kind) {
    case Relation::Kind::scan: {
      std::string path;
      if (relation.unit >= 0 && relation.table->unit) {
        path = fmt::format(", unit by {}", relation.table->unit->column);
        for (const schema::TableSchema* table = relation.table; !table->unit->table.empty();) {
          path += fmt::format(" -> {}.{}", table->unit->table, table->unit->key);
          table = schema.find(table->unit->table);
          path += fmt::format(" -> {}", table->unit->column);
        }
      } else if (relation.table->unit && !relation.follows_path) {
        path = ", unit by the table it is joined with";
      }
      return fmt::format("scan {}{}", relation.table->name, path);
    }
    case Relation::Kind::values:
      return fmt::format("values: {}", counted(relation.rows.size(), "row"));
    case Relation::Kind::filter:
      return "filter";
    case Relation::Kind::project:
      return "select";
    case Relation::Kind::join: {
      const char* const kind = relation.keeps_left ? "left join" : "join";
      return relation.joins_units ? fmt::format("{}, rows of the same unit alone", kind) : std::string(kind);
    }
    case Relation::Kind::union_all:
      return "union all";
    case Relation::Kind::unit_groups:
      return "group by unit";
    case Relation::Kind::groups:
      return "group";
    case Relation::Kind::distinct:
      return "distinct";
    case Relation::Kind::sorted:
      return relation.limit ? "sort, limit" : "sort";
    case Relation::Kind::answer:
      return "noisy table";
  }
  return {};
}

void add_tree(const Relation& relation, const schema::DatabaseSchema& schema, const std::string& indent,
              std::vector<std::string>& lines) {
  lines.push_back(fmt::format("{}{} ({})", indent, describe(relation, schema), side_word(relation)));
  for (const RelationPtr& side : {relation.left, relation.right})
    if (side) add_tree(*side, schema, indent + "  ", lines);
}

/// A noisy table of one row as it would be for a group of so many rows, in the middle of what is possible.
NoisyTable assumed_table(const QueryPlan& plan, std::uint64_t rows) {
  NoisyTable table;
  table.candidates.resize(plan.measurements.all.size());
  NoisyTable::Row row{std::vector<CellValue>(plan.question.answer.keys.size()), {}};
  const Rational count(static_cast<std::int64_t>(rows));
  for (std::size_t i = 0; i < plan.measurements.all.size(); ++i) {
    const Measurement& one = plan.measurements.all[i];
    Rational value = 0;
    switch (one.kind) {
      case Measurement::Kind::units:
        value = (count / Rational(static_cast<std::int64_t>(plan.limits.rows))).ceil();
        break;
      case Measurement::Kind::sum:
        value = count * (Rational(one.fixed.low) + Rational(one.fixed.high)) * Rational(1, 2) * one.fixed.granule;
        break;
      case Measurement::Kind::centred_squares:
        value = count * Rational(one.squares.high) * one.squares.granule * one.fixed.granule * one.fixed.granule *
                Rational(1, 12);
        break;
      case Measurement::Kind::centred_sum:
        break;
      default:
        value = one.is_selection() ? Rational() : count;
    }
    if (one.is_selection()) table.candidates[i] = candidates_of(one);
    const Rational step = one.is_selection() ? Rational(1) : plan.noise.measurements[i].step(one);
    const Rational steps = (value / step).floor();
    row.steps.push_back(static_cast<Int128>(steps.to_int64().value_or(0)));
  }
  table.rows.push_back(std::move(row));
  return table;
}

double keep_probability(const QueryPlan& plan, std::int64_t units) {
  if (units < static_cast<std::int64_t>(plan.schema->min_group)) return 0;
  const NoiseLaw& law = *plan.noise.measurements[*plan.measurements.naming].law;
  const Int128 gap = *plan.noise.threshold - units;
  return law.tail(static_cast<std::int64_t>(gap)).middle();
}

}  // namespace

Result<Explanation> explain(const QueryPlan& plan, std::uint64_t assumed_rows) {
  Explanation explanation;
  const Answer& answer = plan.question.answer;
  explanation.plan.push_back(fmt::format(
      "answer: {} by {}{}", counted(answer.aggregates.size(), "aggregate"), counted(answer.keys.size(), "key"),
      plan.chooses_groups() ? fmt::format(", at most {} a unit", counted(plan.limits.groups, "group")) : ""));
  add_tree(*answer.input, *plan.schema, "  ", explanation.plan);
  GAUZE_TRY(const SchemaTables empty, SchemaTables::open(*plan.schema, {}, {}));
  const QueryStatements statements = write_statements(plan, empty.writer(), std::string(32, '0'));
  explanation.statements.push_back(statements.sums);
  for (const auto* list : {&statements.distinct, &statements.selections})
    for (const auto& one : *list) explanation.statements.push_back(one.sql);
  const NoisyTable table = assumed_table(plan, assumed_rows);
  const AnswerValues values(plan, table);
  const FormulaBoxes boxes(plan, table, values);
  for (const RelationColumn& column : plan.question.result->columns) {
    if (!column.is_noisy || !column.formula) continue;
    const auto box = boxes.box(column.formula, 0);
    if (box && std::isfinite(box->high - box->low))
      explanation.half_widths.push_back({column.name, (box->high - box->low) / 2});
  }
  if (plan.noise.threshold && plan.measurements.naming) {
    explanation.keep_10 = keep_probability(plan, 10);
    explanation.keep_100 = keep_probability(plan, 100);
    explanation.keep_1000 = keep_probability(plan, 1000);
  }
  return explanation;
}

}  // namespace gauze::query
