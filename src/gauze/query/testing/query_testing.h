#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "gauze/files/scratch_folder.h"
#include "gauze/query/run/query_result.h"
#include "gauze/schema/database/database_schema.h"

// There in a program that a sanitizer watches: the tests themselves are not compiled for it.
extern "C" {
void __asan_init() __attribute__((weak));
}

namespace gauze::query::testing {

/// A tenth is tried where everything takes ten times as long.
inline bool is_watched() { return __asan_init != nullptr; }

/// A folder with tables and a schema, gone at the end.
class Database {
 public:
  Database(const std::vector<std::pair<std::string, std::string>>& files, const std::string& schema)
      : folder_(ScratchFolder::make().value()) {
    for (const auto& [name, text] : files) std::ofstream(folder_.file(name)) << text;
    auto read = schema::parse_database_schema(schema, "schema", folder_.path());
    EXPECT_TRUE(read.has_value()) << (read ? "" : read.error().message);
    if (read) schema_ = std::move(*read);
  }

  [[nodiscard]] const schema::DatabaseSchema& schema() const { return schema_; }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

  [[nodiscard]] Result<QueryPlan> plan(const std::string& sql, const QueryParameters& parameters) const {
    if (!public_) public_ = std::make_unique<PublicTables>(schema_, EngineLimits());
    return plan_query(sql, schema_, parameters, *public_);
  }

  /// All tables, loaded. 0 threads: as many as there are.
  [[nodiscard]] SchemaTables load(int threads = 0) const {
    std::vector<const schema::TableSchema*> all;
    for (const schema::TableSchema& table : schema_.tables) all.push_back(&table);
    auto tables = SchemaTables::open(schema_, std::move(all), {.engine = {.threads = threads}});
    EXPECT_TRUE(tables.has_value()) << (tables ? "" : tables.error().message);
    Progress silent;
    const auto loaded = tables->load(silent);
    EXPECT_TRUE(loaded.has_value()) << (loaded ? "" : loaded.error().message);
    return std::move(*tables);
  }

 private:
  ScratchFolder folder_;
  schema::DatabaseSchema schema_;
  mutable std::unique_ptr<PublicTables> public_;  ///< opened once
};

inline QueryParameters with_epsilon(const Rational& epsilon, const Rational& delta = 0) {
  QueryParameters parameters;
  parameters.budget.epsilon = epsilon;
  parameters.budget.delta = delta;
  parameters.today = 19'000;
  return parameters;
}

/// A small shop: customers are the unit.
inline const std::string& shop_schema() {
  static const std::string text = R"(
version: 1
unit: {name: one customer, table: customers, key: c_id}
limits: {groups: 1000, rows: 1000}
tables:
  customers:
    source: customers.csv
    unit: {column: c_id}
    columns:
      c_id: {type: integer}
      segment: {type: text, values: [private, company], other: unknown}
      nation: {type: integer, bounds: [0, 4]}
      since: {type: date, bounds: [2015-01-01, 2026-12-31]}
      active: {type: boolean}
      note: {type: text}
  orders:
    source: orders.csv
    unit: {column: c_id}
    columns:
      o_id: {type: integer}
      c_id: {type: integer}
      price: {type: real, bounds: [0, 1000]}
      day: {type: date, bounds: [2024-01-01, 2024-12-31], nullable: false}
      weight: {type: real}
  items:
    source: items.csv
    unit: {column: o_id, table: orders, key: o_id}
    columns: {o_id: {type: integer}, quantity: {type: integer, bounds: [1, 50]}}
  nations:
    public: true
    source: nations.csv
    key: [id]
    columns: {id: {type: integer}, name: {type: text}}
provenance: {bounds: public, values: public, limits: public}
)";
  return text;
}

inline std::vector<std::pair<std::string, std::string>> shop_files() {
  return {
      {"customers.csv",
       "c_id,segment,nation,since,active,note\n1,private,0,2016-02-03,true,ok\n2,company,1,2018-07-09,false,\n3,private,2,2020-01-31,true,a b\n"
       "4,odd,9,2014-01-01,,x\n5,,3,,true,ok\n,private,1,2019-01-01,true,nobody\n6,company,,2021-05-05,false,Straße\n"},
      {"orders.csv",
       "o_id,c_id,price,day,weight\n10,1,5.5,2024-01-05,1\n11,1,20.25,2024-02-05,2.5\n12,2,7,2024-02-06,nan\n13,3,2000,2024-03-01,-3\n14,4,,2024-03-02,1e300\n"
       "15,,9,2024-04-01,1\n16,7,1,2024-05-01,0\n17,3,-5,2024-06-30,4\n18,1,3,,9\n19,5,0.125,2024-12-31,1e-300\n"},
      {"items.csv", "o_id,quantity\n10,1\n10,2\n11,70\n12,5\n13,6\n99,7\n16,8\n,9\n19,0\n17,50\n"},
      {"nations.csv", "id,name\n0,A\n1,B\n2,C\n3,D\n4,E\n"}};
}

}  // namespace gauze::query::testing
