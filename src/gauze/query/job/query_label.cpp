#include "gauze/query/job/query_label.h"

#include "gauze/base/joined.h"
#include "gauze/files/sha256.h"

namespace gauze::query {
namespace {

/// One line, as labels are printed.
std::string one_line(std::string_view sql) {
  std::string text;
  for (const char c : sql) {
    const bool blank = c == ' ' || (c >= '\t' && c <= '\r');
    if (!blank)
      text += c;
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
  }
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

Json parameters(const QueryPlan& plan, const QueryResult& result) {
  Json object = Json::object({{"sql", one_line(plan.sql)},
                              {"sql_sha256", sha256_hex(plan.sql)},
                              {"schema_sha256", sha256_hex(plan.schema->text)},
                              {"keys", plan.question.answer.keys.empty() ? "none"
                                       : plan.keys.are_public            ? "public"
                                                                         : "private"},
                              {"noise", word_of(kNoiseKindWords, plan.noise.kind)},
                              {"measurements", plan.noise.drawn},
                              {"consistent", result.is_consistent}});
  if (!plan.unit_is_row()) object.set("groups_per_unit", plan.limits.groups).set("rows_per_unit", plan.limits.rows);
  if (plan.noise.threshold) {
    object.set("threshold", Json::number(to_rational(*plan.noise.threshold).to_decimal()));
    object.set("min_group", plan.schema->min_group);
  }
  Json tables = Json::object();
  for (const auto& [name, digest] : result.public_tables) tables.set(name, digest);
  if (!result.public_tables.empty()) object.set("public_tables", std::move(tables));
  return object;
}

}  // namespace

PrivacyLabel make_query_label(const QueryPlan& plan, const QueryResult& result, bool binds_inputs) {
  PrivacyLabel label;
  plan.noise.cost.put_into(label);
  label.released.kind = "answer to a question in SQL";
  label.mechanism =
      fmt::format("exact {} noise on sums with bounded contributions{}",
                  plan.noise.kind == NoiseKind::laplace ? "discrete Laplace" : "Gaussian, rounded to a grid,",
                  plan.noise.threshold ? ", groups named above a threshold" : "");
  label.parameters = parameters(plan, result);
  const schema::DatabaseSchema& schema = *plan.schema;
  label.covers = {fmt::format("all that the tables hold about {}: the numbers{}", schema.unit.name,
                              plan.keys.are_public ? "" : ", and which groups are named")};
  if (!plan.unit_is_row())
    label.covers.push_back(
        fmt::format("units with more than {} rows in a group, or in more than {}: what goes beyond counts less",
                    plan.limits.rows, counted(plan.limits.groups, "group")));
  auto& limits = label.does_not_cover;
  std::vector<std::string> chosen;
  if (schema.provenance.bounds == Provenance::data) chosen.emplace_back("bounds");
  if (schema.provenance.limits == Provenance::data && !plan.unit_is_row()) chosen.emplace_back("limits");
  if (!chosen.empty())
    limits.push_back(fmt::format("the {} of the schema: they were chosen on this data, or nobody said otherwise",
                                 enumerated(chosen)));
  limits.emplace_back("public tables of the schema");
  limits.emplace_back("rows that lead to no unit: they are in no answer");
  limits.emplace_back("the time that the answer took");
  if (!binds_inputs)
    limits.emplace_back(
        "which bytes of the private files were read: the label binds the question, the schema and public tables, not them");
  if (!result.assumption.empty()) limits.push_back(result.assumption);
  limits.emplace_back("other answers from the same data: their costs add up");
  limits.emplace_back("facts that are true of a whole group: they can be learnt without any one of them");
  label.provenance["bounds"] = schema.provenance.bounds;
  label.provenance["values"] = schema.provenance.values;
  if (!plan.unit_is_row()) label.provenance["limits"] = schema.provenance.limits;
  return label;
}

}  // namespace gauze::query
