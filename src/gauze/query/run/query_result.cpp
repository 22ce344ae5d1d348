#include "gauze/query/run/query_result.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gauze/query/run/formula_boxes.h"
#include "gauze/schema/database/value_text.h"

namespace gauze::query {
namespace {

using Asked = Aggregate::Kind;
using table::ValueType;

constexpr int kShareDigits = 4;

ValueType carried_as(Type type) {
  return type == Type::integer || type == Type::decimal ? ValueType::integer
         : type == Type::real                           ? ValueType::real
                                                        : ValueType::text;
}

/// A number as a cell of a column of this shape: integers rounded, dates as days.
CellValue number_text(double value, const Shape& shape) {
  if (!std::isfinite(value)) return std::nullopt;
  if (shape.type == Type::date) return schema::day_text(static_cast<std::int64_t>(std::llround(value)));
  if (shape.type == Type::integer)
    return fmt::format("{}", static_cast<std::int64_t>(std::llround(std::clamp(value, -9e18, 9e18))));
  if (shape.type == Type::decimal)
    return decimal_text(
        static_cast<std::int64_t>(std::llround(std::clamp(value * std::pow(10.0, shape.scale), -9e18, 9e18))),
        shape.scale);
  return fmt::format("{}", value + 0.0);
}

/// The noisy table as rows for an engine.
class AnswerRows final : public table::RowStream {
 public:
  AnswerRows(std::vector<Column> columns, std::vector<std::vector<CellValue>> rows, const std::vector<Shape>& shapes)
      : RowStream(std::move(columns)), rows_(std::move(rows)), shapes_(shapes) {}

  [[nodiscard]] Result<std::optional<table::ValueBatch>> next() override {
    if (done_ || rows_.empty()) return std::optional<table::ValueBatch>();
    done_ = true;
    table::ValueBatch batch;
    batch.rows = rows_.size();
    for (std::size_t i = 0; i < columns().size(); ++i) {
      table::ValueColumn column;
      column.nulls.resize(rows_.size());
      for (std::size_t row = 0; row < rows_.size(); ++row) put(column, columns()[i].type, i, row);
      batch.columns.push_back(std::move(column));
    }
    return std::optional<table::ValueBatch>(std::move(batch));
  }

 private:
  void put(table::ValueColumn& column, ValueType type, std::size_t place, std::size_t row) const {
    const CellValue& cell = rows_[row][place];
    column.nulls[row] = cell ? 0 : 1;
    if (type == ValueType::text) {
      column.texts.emplace_back(cell ? std::string_view(*cell) : std::string_view());
      return;
    }
    const auto number = cell ? Rational::parse(*cell) : Result<Rational>(Rational());
    if (type == ValueType::real) {
      column.reals.push_back(cell ? std::strtod(cell->c_str(), nullptr) : 0);
      return;
    }
    const int scale = place < shapes_.size() && shapes_[place].type == Type::decimal ? shapes_[place].scale : 0;
    column.integers.push_back(number ? (*number * power_of_ten(scale)).floor().to_int64().value_or(0) : 0);
  }

  std::vector<std::vector<CellValue>> rows_;
  const std::vector<Shape>& shapes_;
  bool done_ = false;
};

bool holds_window(const ExpressionPtr& formula) {
  bool found = false;
  for_each_part(formula, [&](const Expression& part) { found = found || part.operation == Operation::window_sum; });
  return found;
}

bool is_count(Asked kind) {
  return kind == Asked::count_rows || kind == Asked::count || kind == Asked::count_units ||
         kind == Asked::count_distinct;
}

class Finishing {
 public:
  Finishing(const QueryPlan& plan, const NoisyTable& table, bool consistent)
      : plan_(plan), table_(table), consistent_(consistent), values_(plan, table), boxes_(plan, table, values_) {
    for (const RelationColumn& column : plan.question.answer.table->columns) shapes_.push_back(column.shape);
  }

  [[nodiscard]] Result<QueryResult> finish(const EngineLimits& limits) {
    GAUZE_TRY(SchemaTables empty, SchemaTables::open(*plan_.schema, {}, limits));
    Progress silent;
    GAUZE_TRY_VOID(empty.load(silent));
    GAUZE_TRY_VOID(put_answer(empty));
    const Relation& result = *plan_.question.result;
    std::vector<Shape> shapes;
    for (const RelationColumn& column : result.columns) shapes.push_back(column.shape);
    const bool has_row = result.row >= 0;
    if (has_row) shapes.push_back({.type = Type::integer});
    GAUZE_TRY(const auto rows, empty.rows(empty.writer().relation(result), shapes));
    QueryResult made;
    all_shown_ = rows.size() == table_.rows.size();
    made.columns = output_columns(plan_);
    made.is_consistent = consistent_;
    for (const auto& cells : rows) {
      std::optional<std::size_t> row;
      if (has_row && cells.back()) row = static_cast<std::size_t>(std::stoull(*cells.back()));
      std::vector<OutputCell> line;
      for (std::size_t i = 0; i < made.columns.size(); ++i) line.push_back(output(result.columns[i], cells[i], row));
      made.rows.push_back(std::move(line));
    }
    if (consistent_) even_shares(made);
    return made;
  }

 private:
  [[nodiscard]] std::size_t keys() const { return plan_.question.answer.keys.size(); }

  [[nodiscard]] CellValue aggregate_cell(std::size_t aggregate, std::size_t row) const {
    const AggregateParts& parts = plan_.measurements.parts[aggregate];
    const Shape& shape = shapes_[keys() + aggregate];
    if (parts.kind == Asked::mode) return values_.chosen(aggregate, row);
    if (plan_.question.answer.aggregates[aggregate].is_list) {
      std::string list;
      const Shape& own = plan_.question.answer.aggregates[aggregate].argument->shape;
      for (const double one : values_.values(aggregate, row))
        list += (list.empty() ? "" : " ") +
                number_text(one, own.type == Type::date ? own : Shape{.type = Type::real}).value_or("");
      return list;
    }
    double value = values_.value(aggregate, row);
    if (consistent_ && is_count(parts.kind)) value = std::max(value, 0.0);
    return number_text(value, shape);
  }

  [[nodiscard]] Result<void> put_answer(SchemaTables& empty) const {
    const Relation& answer = *plan_.question.answer.table;
    std::vector<table::RowStream::Column> columns;
    std::string list;
    for (const RelationColumn& column : answer.columns) {
      const std::string name = column_name(column.id);
      columns.push_back({name, carried_as(column.shape.type)});
      const bool is_cast = column.shape.type == Type::boolean || column.shape.type == Type::date ||
                           column.shape.type == Type::timestamp;
      const std::string_view type = column.shape.type == Type::boolean ? "BOOLEAN"
                                    : column.shape.type == Type::date  ? "DATE"
                                                                       : "TIMESTAMP";
      add_item(list, is_cast ? fmt::format("CAST({0} AS {1}) AS {0}", name, type) : name);
    }
    columns.push_back({column_name(answer.row), ValueType::integer});
    add_item(list, column_name(answer.row));
    std::vector<std::vector<CellValue>> rows;
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      std::vector<CellValue> cells = table_.rows[row].keys;
      for (std::size_t i = 0; i < plan_.measurements.parts.size(); ++i) cells.push_back(aggregate_cell(i, row));
      cells.push_back(std::to_string(row));
      rows.push_back(std::move(cells));
    }
    AnswerRows stream(std::move(columns), std::move(rows), shapes_);
    GAUZE_TRY_VOID(empty.database().add("answer as drawn", stream));
    GAUZE_TRY(const auto made,
              empty.rows(fmt::format("CREATE VIEW answer AS SELECT {} FROM \"answer as drawn\"", list), {}));
    (void)made;
    return {};
  }

  /// The aggregate that a column shows as it is.
  [[nodiscard]] std::optional<std::size_t> plain_aggregate(const RelationColumn& column) const {
    if (!column.formula || column.formula->operation != Operation::column) return std::nullopt;
    const auto& columns = plan_.question.answer.table->columns;
    for (std::size_t i = keys(); i < columns.size(); ++i)
      if (columns[i].id == column.formula->column) return i - keys();
    return std::nullopt;
  }

  [[nodiscard]] OutputCell output(const RelationColumn& column, const CellValue& value,
                                  std::optional<std::size_t> row) const {
    OutputCell cell{.value = value};
    if (!column.is_noisy) return cell;
    const auto aggregate = plain_aggregate(column);
    if (aggregate) {
      cell.rank_error = values_.rank_error(*aggregate);
      if (plan_.question.answer.aggregates[*aggregate].is_list) split(cell);
    }
    if (!column.formula || !row || cell.rank_error) return cell;
    // A sum over all rows of the answer is one over those that were not left out.
    if (!all_shown_ && holds_window(column.formula)) return cell;
    const auto box = boxes_.box(column.formula, *row);
    if (!box || !std::isfinite(box->low) || !std::isfinite(box->high) || !value) return cell;
    const double shown = std::strtod(value->c_str(), nullptr);
    // Rounding a count, and consistency, move the value, not what is known.
    cell.low = std::min(box->low, shown);
    cell.high = std::max(box->high, shown);
    return cell;
  }

  static void split(OutputCell& cell) {
    std::string_view rest = cell.value ? std::string_view(*cell.value) : std::string_view();
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      cell.list.emplace_back(std::string(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  /// Shares are printed in a few digits that add up: the largest remainders are rounded up.
  void even_shares(QueryResult& made) const {
    const Relation& result = *plan_.question.result;
    for (std::size_t i = 0; i < result.columns.size(); ++i) {
      const ExpressionPtr& formula = result.columns[i].formula;
      if (!formula || !is_share(*formula) || made.rows.size() != table_.rows.size()) continue;
      const double steps = std::pow(10.0, kShareDigits);
      std::vector<double> exact;
      for (const auto& row : made.rows)
        exact.push_back(row[i].value ? std::strtod(row[i].value->c_str(), nullptr) * steps : 0);
      double missing = std::round(std::accumulate(exact.begin(), exact.end(), 0.0));
      std::vector<double> whole;
      for (const double one : exact) {
        whole.push_back(std::floor(one));
        missing -= whole.back();
      }
      std::vector<std::size_t> order(exact.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return exact[a] - whole[a] > exact[b] - whole[b]; });
      for (std::size_t one = 0; one < order.size() && static_cast<double>(one) < missing; ++one)
        whole[order[one]] += 1;
      for (std::size_t row = 0; row < made.rows.size(); ++row) {
        OutputCell& cell = made.rows[row][i];
        if (!cell.value) continue;
        const double share = whole[row] / steps;
        cell.value = fmt::format("{}", share);
        if (cell.low) cell.low = std::min(*cell.low, share);
        if (cell.high) cell.high = std::max(*cell.high, share);
      }
    }
  }

  const QueryPlan& plan_;
  const NoisyTable& table_;
  bool consistent_;
  AnswerValues values_;
  FormulaBoxes boxes_;
  std::vector<Shape> shapes_;
  bool all_shown_ = true;
};

}  // namespace

std::vector<OutputColumn> output_columns(const QueryPlan& plan) {
  std::vector<OutputColumn> columns;
  const Answer& answer = plan.question.answer;
  for (const RelationColumn& column : plan.question.result->columns) {
    OutputColumn one{.name = column.name, .is_key = !column.is_noisy, .type = column.shape.type};
    if (column.formula && column.formula->operation == Operation::column)
      for (std::size_t i = 0; i < answer.aggregates.size(); ++i)
        if (answer.table->columns[answer.keys.size() + i].id == column.formula->column)
          one.is_list = answer.aggregates[i].is_list;
    columns.push_back(std::move(one));
  }
  return columns;
}

Result<QueryResult> finish_answer(const QueryPlan& plan, const NoisyTable& table, bool consistent,
                                  const EngineLimits& limits) {
  return Finishing(plan, table, consistent).finish(limits);
}

Result<QueryResult> run_query(const QueryPlan& plan, SchemaTables& tables, Chance& chance, bool consistent,
                              const EngineLimits& limits, Progress& progress,
                              const engines::SqlDatabase::Witnesses& witnesses) {
  GAUZE_TRY_VOID(tables.load(progress, witnesses));
  for (const auto& [name, digest] : tables.digests()) {
    const auto planned = plan.public_tables.find(name);
    if (planned != plan.public_tables.end() && planned->second != digest)
      return make_error(ErrorCode::io, "the public table '{}' was changed after the question was planned", name);
  }
  GAUZE_TRY(const NoisyTable table, measure(plan, tables, chance, progress));
  GAUZE_TRY(QueryResult result, finish_answer(plan, table, consistent, limits));
  result.assumption = tables.database().assumption();
  result.public_tables = plan.public_tables;
  result.public_tables.insert(tables.digests().begin(), tables.digests().end());
  return result;
}

}  // namespace gauze::query
