// Any bytes give a plan that costs what was asked, or an error that points into the text.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "gauze/query/plan/query_plan.h"

namespace {

/// Public tables without a row.
class NoPublicData final : public gauze::query::PublicData {
 public:
  gauze::Result<std::vector<std::vector<gauze::query::CellValue>>> rows(const gauze::query::Relation&,
                                                                        std::size_t) override {
    return std::vector<std::vector<gauze::query::CellValue>>();
  }
};

const gauze::schema::DatabaseSchema& schema() {
  static const gauze::schema::DatabaseSchema read =
      gauze::schema::parse_database_schema(
          "version: 1\nunit: {name: one, table: c, key: id}\nlimits: {groups: 2, rows: 3}\ntables:\n"
          "  c: {source: c.csv, unit: {column: id}, columns: {id: {type: integer}, s: {type: text, values: [a, b]}, n: {type: integer, bounds: [0, 9]}, d: {type: date, bounds: [2020-01-01, 2020-12-31]}}}\n"
          "  o: {source: o.csv, unit: {column: id}, columns: {id: {type: integer}, k: {type: integer}, x: {type: real, bounds: [0, 5]}, b: {type: boolean}, m: {type: decimal, scale: 2, bounds: [0, 9]}}}\n"
          "  p: {public: true, source: p.csv, columns: {id: {type: integer}, name: {type: text}}}\n"
          "provenance: {bounds: public, values: public, limits: public}\n")
          .value();
  return read;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string sql(reinterpret_cast<const char*>(data), size);
  NoPublicData nothing;
  gauze::query::QueryParameters parameters;
  parameters.budget.epsilon = gauze::Rational(1);
  parameters.budget.delta = gauze::Rational(1, 1'000'000);
  const auto plan = gauze::query::plan_query(sql, schema(), parameters, nothing);
  if (!plan) {
    if (plan.error().message.empty() || plan.error().code == gauze::ErrorCode::internal) std::abort();
    if (plan.error().span && plan.error().span->offset + plan.error().span->length > sql.size()) std::abort();
    return 0;
  }
  if (plan->noise.cost.epsilon != gauze::Rational(1) || !plan->question.answer.input->is_private()) std::abort();
  return 0;
}
