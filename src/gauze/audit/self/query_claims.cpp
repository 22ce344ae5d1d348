#include <cmath>
#include <map>

#include "gauze/audit/events/event_audit.h"
#include "gauze/audit/self/internal/claim_lists.h"
#include "gauze/files/atomic_file.h"
#include "gauze/files/scratch_folder.h"
#include "gauze/query/run/noisy_table.h"

namespace gauze::audit::internal {
namespace {

constexpr std::uint64_t kQueryRuns = 1'000;

constexpr const char* kSchema = R"(
version: 1
unit: {name: one customer, table: customers, key: id}
limits: {groups: 2, rows: 3}
tables:
  customers:
    source: customers.csv
    unit: {column: id}
    columns:
      id: {type: integer}
      segment: {type: text, values: [private, company], other: unknown}
  orders:
    source: orders.csv
    unit: {column: id}
    columns:
      id: {type: integer}
      price: {type: real, bounds: [0, 100]}
      shop: {type: text}
provenance: {bounds: public, values: public, limits: public}
)";

/// Customer 1 breaks every limit: rows, groups, bounds, a shop of its own.
constexpr const char* kCustomers = "id,segment\n2,private\n3,company\n4,private\n5,odd\n";
constexpr const char* kOrders = "id,price,shop\n2,10,a\n3,40,a\n4,60,b\n5,0,a\n2,20,b\n";
constexpr const char* kOneCustomer = "1,private\n1,private\n1,private\n1,company\n1,company\n1,company\n";
constexpr const char* kItsOrders = "1,1e9,own\n1,100,own\n1,100,own\n1,100,a\n1,100,b\n1,nan,\n";

struct Question {
  const char* claim;
  const char* sql;
  Rational delta = 0;
};

/// The database with or without one unit, loaded.
class Shop {
 public:
  static Result<Shop> make(bool with_unit) {
    GAUZE_TRY(ScratchFolder folder, ScratchFolder::make());
    GAUZE_TRY_VOID(
        write_file(folder.file("customers.csv"), std::string(kCustomers) + (with_unit ? kOneCustomer : "")));
    GAUZE_TRY_VOID(write_file(folder.file("orders.csv"), std::string(kOrders) + (with_unit ? kItsOrders : "")));
    GAUZE_TRY(schema::DatabaseSchema schema, schema::parse_database_schema(kSchema, "schema", folder.path()));
    return Shop(std::move(folder), std::move(schema));
  }

  [[nodiscard]] const schema::DatabaseSchema& schema() const { return *schema_; }
  [[nodiscard]] Result<query::SchemaTables> load(Progress& progress) const {
    std::vector<const schema::TableSchema*> all;
    for (const schema::TableSchema& table : schema_->tables) all.push_back(&table);
    GAUZE_TRY(query::SchemaTables tables,
              query::SchemaTables::open(*schema_, std::move(all), {.engine = {.threads = 1}}));
    GAUZE_TRY_VOID(tables.load(progress));
    return tables;
  }

 private:
  Shop(ScratchFolder folder, schema::DatabaseSchema schema)
      : folder_(std::move(folder)), schema_(std::make_unique<schema::DatabaseSchema>(std::move(schema))) {}
  ScratchFolder folder_;
  std::unique_ptr<schema::DatabaseSchema> schema_;  // plans point to it
};

/// Answers as vectors of numbers: which groups are named, and what was measured of each.
class AnswerNumbers {
 public:
  std::vector<double> read(const query::NoisyTable& answer) {
    std::vector<double> numbers;
    for (const query::NoisyTable::Row& row : answer.rows) {
      std::string key;
      for (const auto& one : row.keys) key += one ? fmt::format("{}:{}", one->size(), *one) : "-";
      const auto [place, is_new] = places_.try_emplace(key, names_.size());
      for (std::size_t i = 0; is_new && i < row.steps.size(); ++i)
        names_.push_back(fmt::format("number {} of group {}", i + 1, places_.size()));
      numbers.resize(std::max(numbers.size(), place->second + row.steps.size()), std::nan(""));
      for (std::size_t i = 0; i < row.steps.size(); ++i)
        numbers[place->second + i] = static_cast<double>(row.steps[i]);
    }
    return numbers;
  }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::map<std::string, std::size_t> places_;
  std::vector<std::string> names_;
};

Result<ClaimAudit> audit_question(const Question& question, const SelfAuditRequest& request, Progress& progress) {
  OutcomePair pair;
  AnswerNumbers reader;
  const std::uint64_t runs = request.runs(kQueryRuns);
  for (const bool with_unit : {false, true}) {
    GAUZE_TRY(const Shop shop, Shop::make(with_unit));
    query::QueryParameters parameters;
    parameters.budget.epsilon = 1;
    parameters.budget.delta = question.delta;
    query::PublicTables public_tables(shop.schema(), {});
    GAUZE_TRY(const query::QueryPlan plan, query::plan_query(question.sql, shop.schema(), parameters, public_tables));
    GAUZE_TRY(query::SchemaTables tables, shop.load(progress));
    for (std::uint64_t run = 0; run < runs; ++run) {
      const auto ask = [&](auto& random) {
        query::Chance chance(random);
        return query::measure(plan, tables, chance, progress);
      };
      GAUZE_TRY(const query::NoisyTable answer, request.random.draw(run + (with_unit ? kRightStreams : 0), ask));
      (with_unit ? pair.right : pair.left).add_numbers(reader.read(answer));
    }
  }
  pair.names = reader.names();
  const Claim claimed{.epsilon = 1, .delta = question.delta.to_double_up()};
  return audit_outcomes(pair, {.claimed = claimed, .delta = claimed.delta, .levels = request.levels});
}

}  // namespace

std::vector<SelfClaim> query_claims() {
  const Rational small_delta(1, 100);
  std::vector<SelfClaim> claims;
  for (const Question& one : {
           Question{"COUNT", "SELECT COUNT(*) FROM orders"},
           Question{"COUNT DISTINCT", "SELECT COUNT(DISTINCT id) FROM orders"},
           Question{"SUM", "SELECT SUM(price) FROM orders"},
           Question{"AVG", "SELECT AVG(price) FROM orders"},
           Question{"STDDEV", "SELECT STDDEV(price) FROM orders"},
           Question{"MEDIAN", "SELECT MEDIAN(price) FROM orders"},
           Question{"groups that are listed", "SELECT segment, COUNT(*) FROM customers GROUP BY segment"},
           Question{"groups that occur", "SELECT shop, COUNT(*), SUM(price) FROM orders GROUP BY shop", small_delta},
       })
    claims.push_back(
        {fmt::format("query {}", one.claim), {"query"}, [one](const SelfAuditRequest& request, Progress& progress) {
           return audit_question(one, request, progress);
         }});
  return claims;
}

}  // namespace gauze::audit::internal
