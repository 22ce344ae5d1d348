#include "gauze/anonymize/job/anonymization_json.h"

#include "gauze/schema/policy/criterion_text.h"

namespace gauze::anonymize {
namespace {

using namespace schema;  // the vocabulary of this file

Json metrics_json(const MetricValues& metrics) {
  Json object = Json::object();
  for (const auto& [metric, word] : kMetricWords) object.set(word, metrics.of(metric));
  return object;
}

Json sensitive_json(const Verification::Sensitive& one) {
  Json object = Json::object({{"l_distinct", one.l_distinct},
                              {"l_entropy", one.l_entropy},
                              {"t_equal", one.t_equal},
                              {"t_ordered", one.t_ordered}});
  if (one.t_hierarchical) object.set("t_hierarchical", *one.t_hierarchical);
  object.set("delta_disclosure", one.delta_disclosure);
  object.set("beta_likeness", one.beta_likeness);
  return object;
}

Json optional_number(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json optional_text(const std::optional<std::string>& text) { return text ? Json(*text) : Json(); }

Json commonest_json(const ColumnFigures& figures) {
  Json list = Json::array();
  for (const auto& one : figures.commonest) list.push(Json::object({{"value", one.value}, {"rows", one.rows}}));
  return list;
}

Json odd_json(const table::OddCells& odd) {
  return Json::object({{"type", table::to_string(odd.type)},
                       {"cells", odd.cells},
                       {"values", Json::array({odd.values.begin(), odd.values.end()})}});
}

}  // namespace

Json to_json(const TableRecords& table, const Policy& policy, const Anonymization& result) {
  Json levels = Json::object();
  for (std::size_t i = 0; result.levels && i < table.records.quasi.size(); ++i)
    levels.set(table.records.quasi[i].name, static_cast<int>((*result.levels)[i]));
  Json object = Json::object(
      {{"rows", table.records.total},
       {"distinct_tuples", table.tuples.size()},
       {"search", word_of(kSearchWords, policy.search.kind)},
       {"levels", result.levels ? std::move(levels) : Json()},
       {"metric", Json::object({{"name", word_of(kMetricWords, policy.search.metric)}, {"value", result.value}})},
       {"all_metrics", metrics_json(result.metrics)},
       {"lost", Json::array({result.lost.begin(), result.lost.end()})},
       {"classes", result.output_risk.classes},
       {"suppressed", result.recoding.suppressed},
       {"smallest_class", result.output_risk.smallest_class},
       {"largest_class", result.output_risk.largest_class},
       {"risk", to_json(result.output_risk)},
       {"input_risk", to_json(result.input_risk)},
       {"nodes", Json::object({{"checked", result.nodes_checked}, {"total", result.nodes_total}})},
       {"optimal", result.optimal}});
  if (policy.search.kind == SearchKind::optimal) object.set("lower_bound", result.lower_bound);
  return object;
}

Json to_json(const Verification& found, const std::string& comparison) {
  Json sensitive = Json::object();
  for (const auto& one : found.sensitive) sensitive.set(one.column, sensitive_json(one));
  Json requirements = Json::array();
  for (const auto& one : found.requirements)
    requirements.push(Json::object({{"criterion", one.text},
                                    {"holds", one.holds},
                                    {"failing_classes", one.failing_classes},
                                    {"failing_rows", one.failing_records}}));
  return Json::object({{"rows", found.rows},
                       {"k", found.k == 0 ? Json() : Json(found.k)},
                       {"classes", found.risk.classes},
                       {"suppressed", found.suppressed},
                       {"suppressed_class", Json::object({{"rows", found.suppressed_class.rows},
                                                          {"blank", found.suppressed_class.blank},
                                                          {"satisfied", found.suppressed_class.satisfied}})},
                       {"smallest_class", found.risk.smallest_class},
                       {"largest_class", found.risk.largest_class},
                       {"sensitive", std::move(sensitive)},
                       {"compared_with", comparison},
                       {"risk", to_json(found.risk)},
                       {"risk_unsuppressed", to_json(found.risk_unsuppressed)},
                       {"requirements", std::move(requirements)},
                       {"satisfied", found.satisfied()}});
}

namespace {

Json spellings_json(const Inspection& found) {
  Json spellings = Json::array();
  for (const LookAlikes& group : found.spellings) {
    Json values = Json::array();
    for (const auto& one : group.values) values.push(Json::object({{"value", one.value}, {"rows", one.rows}}));
    spellings.push(Json::object({{"column", group.column}, {"name", group.name}, {"values", std::move(values)}}));
  }
  return spellings;
}

Json outliers_json(const Inspection& found) {
  Json outliers = Json::array();
  for (const Outliers& one : found.outliers) {
    const auto extreme = [&](const std::string& text) { return one.is_date ? Json(text) : Json::number(text); };
    outliers.push(Json::object({{"column", one.column},
                                {"low", extreme(one.low)},
                                {"high", extreme(one.high)},
                                {"rows", one.rows},
                                {"why", word_of(kOutlierWords, one.why)}}));
  }
  return outliers;
}

}  // namespace

Json to_json(const Inspection& found) {
  Json columns = Json::array();
  for (const auto& column : found.columns)
    columns.push(
        Json::object({{"name", column.name},
                      {"type", table::to_string(column.type)},
                      {"distinct", column.distinct},
                      {"missing", column.missing},
                      {"uniqueness", column.figures.distinction},
                      {"role", word_of(kRoleWords, column.role)},
                      {"reason", column.reason},
                      {"mutual_information", optional_number(column.mutual_information)},
                      {"normalized_mutual_information", optional_number(column.normalized_mutual_information)},
                      {"distinction", column.figures.distinction},
                      {"separation", optional_number(column.figures.separation)},
                      {"least", optional_text(column.figures.least)},
                      {"largest", optional_text(column.figures.largest)},
                      {"commonest", commonest_json(column.figures)},
                      {"odd", column.odd ? odd_json(*column.odd) : Json()},
                      {"availability", column.availability},
                      {"risk", optional_number(column.risk)}}));
  Json combinations = Json::array();
  for (const auto& one : found.combinations)
    combinations.push(Json::object({{"columns", Json::array({one.columns.begin(), one.columns.end()})},
                                    {"uniques", one.uniques},
                                    {"below_k", one.below_k},
                                    {"smallest_class", one.smallest_class},
                                    {"reaches_k", one.reaches_k},
                                    {"loss", one.loss}}));
  Json ties = Json::array();
  for (const auto& tie : found.ties)
    ties.push(
        Json::object({{"column", tie.column}, {"protected", tie.protected_group}, {"cramers_v", tie.cramers_v}}));
  Json twins = Json::array();
  for (const auto& pair : found.twins) twins.push(Json::array({pair.one, pair.other}));
  return Json::object({{"rows", found.rows},
                       {"columns", std::move(columns)},
                       {"combinations", std::move(combinations)},
                       {"ties", std::move(ties)},
                       {"twins", std::move(twins)},
                       {"spellings", spellings_json(found)},
                       {"outliers", outliers_json(found)}});
}

}  // namespace gauze::anonymize
