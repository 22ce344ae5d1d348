#include "gauze/query/job/query_json.h"

#include <cmath>

#include "gauze/table/csv_text.h"

namespace gauze::query {
namespace {

Json number(const std::optional<Rational>& value) { return value ? Json::number(value->to_decimal_up()) : Json(); }

Json cell_json(const CellValue& value, Type type) {
  if (!value) return {};
  if (type == Type::boolean) return *value == "true";
  if (is_number(type)) {
    if (type != Type::real) return Json::number(*value);
    return Json(std::strtod(value->c_str(), nullptr));
  }
  return *value;
}

Json optional_number(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json output_json(const OutputCell& cell, const OutputColumn& column) {
  Json object = Json::object();
  if (column.is_list) {
    Json list = Json::array();
    for (const CellValue& one : cell.list)
      list.push(cell_json(one, one && one->find('-') == 4 ? Type::text : Type::real));
    object.set("value", std::move(list));
  } else {
    object.set("value", cell_json(cell.value, column.type));
  }
  object.set("low", optional_number(cell.low)).set("high", optional_number(cell.high));
  if (cell.rank_error) object.set("rank_error", *cell.rank_error);
  return object;
}

std::string keys_word(const QueryPlan& plan) {
  return plan.question.answer.keys.empty() ? "none" : plan.keys.are_public ? "public" : "private";
}

Json limits_json(const QueryPlan& plan) {
  return Json::object({{"groups", plan.limits.groups}, {"rows", plan.limits.rows}});
}

Json threshold_json(const QueryPlan& plan) {
  return plan.noise.threshold ? Json::number(to_rational(*plan.noise.threshold).to_decimal()) : Json();
}

}  // namespace

double noise_deviation(const QueryPlan& plan, std::size_t measurement) {
  const MeasurementNoise& noise = plan.noise.measurements[measurement];
  if (!noise.law) return 0;
  return std::sqrt(noise.law->variance()) * noise.step(plan.measurements.all[measurement]).to_double();
}

Json price_json(const QueryPlan& plan) {
  const PrivacyCost& cost = plan.noise.cost;
  return Json::object({{"epsilon", number(cost.epsilon)},
                       {"delta", Json::number(cost.delta.value_or(Rational()).to_decimal_up())},
                       {"rho", number(cost.rho)}});
}

Json measurements_json(const QueryPlan& plan) {
  Json list = Json::array();
  const bool is_laplace = plan.noise.kind == NoiseKind::laplace;
  for (std::size_t i = 0; i < plan.measurements.all.size(); ++i) {
    const Measurement& one = plan.measurements.all[i];
    const MeasurementNoise& noise = plan.noise.measurements[i];
    Json object = Json::object({{"name", one.name}, {"kind", word_of(kMeasurementWords, one.kind)}});
    if (one.is_selection()) {
      object.set("mechanism", is_laplace ? "permute-and-flip" : "exponential");
      object.set("sensitivity", plan.limits.rows);
      object.set("scale", Json());
    } else if (one.is_constant()) {
      object.set("mechanism", "constant").set("sensitivity", 0).set(is_laplace ? "scale" : "sigma", 0);
    } else {
      object.set("mechanism", is_laplace ? "discrete-laplace" : "gaussian");
      object.set("sensitivity", (noise.sensitivity * noise.step(one)).to_double());
      object.set(is_laplace ? "scale" : "sigma", (noise.spread * noise.step(one)).to_double());
    }
    if (one.is_constant())
      object.set(is_laplace ? "epsilon" : "rho", 0);
    else
      object.set(is_laplace ? "epsilon" : "rho",
                 Json::number((is_laplace ? plan.noise.epsilon_share : plan.noise.rho_share).to_decimal_up()));
    object.set("sd", one.is_selection() ? Json() : Json(noise_deviation(plan, i)));
    object.set("granularity", one.is_selection() ? Json() : Json(noise.step(one).to_double()));
    list.push(std::move(object));
  }
  return list;
}

Json to_json(const QueryPlan& plan, const QueryResult& result) {
  Json columns = Json::array();
  for (const OutputColumn& column : result.columns)
    columns.push(Json::object({{"name", column.name},
                               {"role", column.is_key ? "key" : "value"},
                               {"type", word_of(kTypeWords, column.type)}}));
  Json rows = Json::array();
  for (const auto& row : result.rows) {
    Json object = Json::object();
    for (std::size_t i = 0; i < row.size(); ++i)
      object.set(result.columns[i].name, result.columns[i].is_key ? cell_json(row[i].value, result.columns[i].type)
                                                                  : output_json(row[i], result.columns[i]));
    rows.push(std::move(object));
  }
  const Json price = price_json(plan);
  return Json::object({{"columns", std::move(columns)},
                       {"rows", std::move(rows)},
                       {"keys", keys_word(plan)},
                       {"threshold", threshold_json(plan)},
                       {"noise", word_of(kNoiseKindWords, plan.noise.kind)},
                       {"epsilon", *price.find("epsilon")},
                       {"delta", *price.find("delta")},
                       {"rho", *price.find("rho")},
                       {"limits", limits_json(plan)},
                       {"measurements", measurements_json(plan)},
                       {"consistent", result.is_consistent}});
}

Json to_json(const QueryPlan& plan, const Explanation& explanation) {
  Json lines = Json::array();
  for (const std::string& line : explanation.plan) lines.push(line);
  Json statements = Json::array();
  for (const std::string& one : explanation.statements) statements.push(one);
  Json widths = Json::object();
  for (const auto& one : explanation.half_widths) widths.set(one.name, one.width);
  Json keep = Json();
  if (explanation.keep_10)
    keep = Json::object(
        {{"10", *explanation.keep_10}, {"100", *explanation.keep_100}, {"1000", *explanation.keep_1000}});
  return Json::object({{"plan", std::move(lines)},
                       {"statements", std::move(statements)},
                       {"keys", keys_word(plan)},
                       {"cells", plan.keys.are_public ? Json(plan.keys.cells.size()) : Json()},
                       {"threshold", threshold_json(plan)},
                       {"keep_probability", std::move(keep)},
                       {"measurements", measurements_json(plan)},
                       {"limits", limits_json(plan)},
                       {"noise", word_of(kNoiseKindWords, plan.noise.kind)},
                       {"price", price_json(plan)},
                       {"half_width", std::move(widths)}});
}

std::string to_csv(const QueryResult& result) {
  std::string text;
  bool first = true;
  const auto add = [&](std::string_view cell) {
    if (!first) text += ',';
    first = false;
    table::append_csv_cell(text, cell, ',');
  };
  for (const bool keys : {true, false})
    for (const OutputColumn& column : result.columns) {
      if (column.is_key != keys) continue;
      add(column.name);
      if (keys) continue;
      add(column.name + "_low");
      add(column.name + "_high");
    }
  text += '\n';
  for (const auto& row : result.rows) {
    first = true;
    for (const bool keys : {true, false})
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (result.columns[i].is_key != keys) continue;
        add(row[i].value.value_or(""));
        if (keys) continue;
        add(row[i].low ? fmt::format("{}", *row[i].low) : "");
        add(row[i].high ? fmt::format("{}", *row[i].high) : "");
      }
    text += '\n';
  }
  return text;
}

}  // namespace gauze::query
