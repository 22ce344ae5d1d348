#include "gauze/query/plan/query_plan.h"

#include <algorithm>

#include "gauze/query/sql/parse_sql.h"

namespace gauze::query {
namespace {

Result<void> check_budget(const QueryBudget& budget) {
  if (budget.epsilon.has_value() == budget.rho.has_value())
    return invalid_parameter("a question needs either epsilon or rho");
  const Rational& amount = budget.epsilon ? *budget.epsilon : *budget.rho;
  const char* const name = budget.epsilon ? "epsilon" : "rho";
  if (!amount.is_defined() || amount < Rational::parse("1e-9").value() || amount > Rational(1'000'000'000))
    return invalid_parameter("{} must lie between 1e-9 and 1e9, but is {}", name,
                             amount.is_defined() ? amount.to_decimal() : "undefined");
  if (!budget.delta.is_defined() || budget.delta.sign() < 0 || budget.delta >= Rational(1))
    return invalid_parameter("delta must be at least 0 and below 1");
  return {};
}

Result<std::uint64_t> limit_of(const std::optional<std::uint64_t>& given, std::uint64_t declared,
                               std::string_view what) {
  const std::uint64_t limit = given.value_or(declared);
  if (limit < 1 || limit > schema::DatabaseSchema::kLargestLimit)
    return invalid_parameter("the {} of a unit must lie between 1 and {}, but are {}", what,
                             schema::DatabaseSchema::kLargestLimit, limit);
  return limit;
}

/// Each choice among candidates takes about 10 ms: so many must not be asked for unawares.
Result<void> check_selections(const QueryPlan& plan) {
  constexpr std::uint64_t kMostSelections = 20'000;
  const auto& all = plan.measurements.all;
  const auto selections = static_cast<std::uint64_t>(
      std::count_if(all.begin(), all.end(), [](const Measurement& one) { return one.is_selection(); }));
  const std::uint64_t cells = plan.keys.are_public ? std::max<std::uint64_t>(1, plan.keys.cells.size()) : 1;
  if (selections * cells <= kMostSelections) return {};
  return refused_at(ErrorCode::invalid_parameter, plan.question.answer.span,
                    fmt::format("{} quantiles, extremes and modes in {} groups are too many: at most {} together",
                                selections, cells, kMostSelections),
                    "ask for fewer, or group by something coarser");
}

}  // namespace

bool QueryPlan::chooses_groups() const {
  return !unit_is_row() && !question.answer.keys.empty() && (!keys.are_public || keys.cells.size() > limits.groups);
}

Result<QueryPlan> plan_query(const std::string& sql, const schema::DatabaseSchema& schema,
                             const QueryParameters& parameters, PublicData& data) {
  GAUZE_TRY_VOID(check_budget(parameters.budget));
  QueryPlan plan;
  plan.schema = &schema;
  plan.sql = sql;
  if (schema.unit.is_row && (parameters.groups_per_unit || parameters.rows_per_unit))
    return invalid_parameter("the unit of this schema is a row, which is in one group: there are no limits to set");
  GAUZE_TRY(plan.limits.groups, limit_of(parameters.groups_per_unit, schema.limits.groups, "groups"));
  GAUZE_TRY(plan.limits.rows, limit_of(parameters.rows_per_unit, schema.limits.rows, "rows"));
  GAUZE_TRY(std::unique_ptr<Select> statement, parse_sql(sql));
  GAUZE_TRY(plan.question, understand(std::move(statement), schema, data, parameters.today));
  const Answer& answer = plan.question.answer;
  GAUZE_TRY(plan.keys, find_group_keys(answer, parameters.most_groups, data));
  if (plan.keys.are_public)
    plan.limits.groups = std::clamp<std::uint64_t>(plan.keys.cells.size(), 1, plan.limits.groups);
  if (!plan.keys.are_public && parameters.budget.delta.sign() <= 0)
    return refused_at(ErrorCode::unsupported, answer.keys.front()->span,
                      "the values of this key are not public, and naming those that occur needs a delta",
                      "give a delta, list the values in the schema, or group by something bounded");
  GAUZE_TRY(plan.measurements,
            find_measurements(answer, schema.unit.is_row, plan.limits.rows, !plan.keys.are_public));
  GAUZE_TRY_VOID(check_selections(plan));
  GAUZE_TRY(plan.noise, plan_noise(plan.measurements, parameters.budget, plan.limits.groups, schema.min_group));
  plan.noise.cost.unit = schema.unit.name;
  plan.public_tables = data.digests();
  if (plan.noise.delta_is_unused)
    plan.warnings.push_back({"delta_unused", "nothing in this question uses delta: it is not charged"});
  return plan;
}

}  // namespace gauze::query
