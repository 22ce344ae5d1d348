// Questions about a shop beside plain DuckDB, one thread each, by the processor time of the whole process: planning, opening and
// closing the engine, reading Parquet, drawing. The tables are made by bench/generate_shop.mjs; ./dev bench does so.
#include <benchmark/benchmark.h>

#include <filesystem>

#include "gauze/base/parallel.h"
#include "gauze/query/render/sums_sql.h"
#include "gauze/query/run/query_result.h"
#include "gauze/schema/database/database_schema.h"

extern const char gauze_source_folder[];

namespace gauze::query {
namespace {

constexpr const char* kRowSchema = R"(
version: 1
unit: row
tables:
  items:
    source: items.parquet
    columns:
      flag: {type: text, values: [A, N, R], nullable: false}
      status: {type: text, values: [F, O], nullable: false}
      price: {type: real, bounds: [0, 4000]}
provenance: {bounds: public, values: public}
)";

// Prices above 4,000 (one in 120) are taken to the bound, and one customer in ten is beyond the limit of rows.
constexpr const char* kCustomerSchema = R"(
version: 1
unit: {name: one customer, table: customers, key: c_id}
limits: {groups: 6, rows: 20}
tables:
  customers:
    source: customers.parquet
    unit: {column: c_id}
    columns: {c_id: {type: integer}, nation: {type: integer, bounds: [0, 24]}}
  orders:
    source: orders.parquet
    unit: {column: c_id}
    columns: {o_id: {type: integer}, c_id: {type: integer}}
  items:
    source: items.parquet
    unit: {column: c_id}
    columns:
      o_id: {type: integer}
      c_id: {type: integer}
      flag: {type: text, values: [A, N, R], nullable: false}
      status: {type: text, values: [F, O], nullable: false}
      price: {type: real, bounds: [0, 4000]}
  lines:
    source: items.parquet
    unit: {column: o_id, table: orders, key: o_id}
    columns: {o_id: {type: integer}, price: {type: real, bounds: [0, 4000]}}
  nations:
    public: true
    source: nations.parquet
    key: [id]
    columns: {id: {type: integer}, name: {type: text}}
provenance: {bounds: public, values: public, limits: public}
)";

constexpr const char* kTwoKeys = "SELECT flag, status, COUNT(*), SUM(price) FROM items GROUP BY flag, status";
constexpr const char* kTwoKeysAndUnits =
    "SELECT flag, status, COUNT(*), SUM(price), COUNT(DISTINCT c_id) FROM items GROUP BY flag, status";
constexpr const char* kJoin =
    "SELECT n.name, COUNT(*), SUM(price) FROM lines JOIN orders USING (o_id) JOIN customers USING (c_id) JOIN nations n "
    "ON n.id = nation GROUP BY n.name";
constexpr const char* kJoinOfPrivate =
    "SELECT nation, COUNT(*), SUM(price) FROM lines JOIN orders USING (o_id) JOIN customers USING (c_id) GROUP BY nation";

/// The folder of a shop of so many thousand line items; empty when it was not made.
std::filesystem::path shop(std::int64_t thousands) {
  const std::filesystem::path folder =
      std::filesystem::path(gauze_source_folder) / "build/bench/data" / fmt::format("shop-{}k", thousands);
  return std::filesystem::exists(folder / "complete") ? folder : std::filesystem::path();
}

QueryParameters parameters(std::uint64_t groups) {
  QueryParameters parameters;
  parameters.budget.epsilon = Rational(1);
  parameters.budget.delta = Rational::parse("1e-6").value();
  if (groups > 0) parameters.groups_per_unit = groups;
  return parameters;
}

/// Asks `sql` as `gauze query` does; `groups` instead of the schema's limit; `memory` in bytes, 0: as much as there is.
void ask(benchmark::State& state, const char* schema_text, const char* sql, std::uint64_t groups,
         std::uint64_t memory) {
  set_thread_count(1);
  const auto folder = shop(state.range(0));
  if (folder.empty()) {
    state.SkipWithError("the tables of the shop are not here: node bench/generate_shop.mjs");
    return;
  }
  EngineLimits limits;
  limits.engine.threads = 1;
  if (memory > 0) limits.engine.memory_limit = memory;
  const auto schema = schema::parse_database_schema(schema_text, "schema", folder).value();
  for (auto _ : state) {
    PublicTables open(schema, limits);
    const QueryPlan plan = plan_query(sql, schema, parameters(groups), open).value();
    SchemaTables tables = SchemaTables::open(schema, tables_of(*plan.question.answer.input, schema), limits).value();
    SecureRandom random;
    Chance chance(random);
    Progress silent;
    const auto result = run_query(plan, tables, chance, true, limits, silent);
    if (!result) state.SkipWithError(result.error().message.c_str());
    benchmark::DoNotOptimize(result);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0) * 1000);
}

/// The same question without privacy, straight on the files, in an engine of its own.
void plain(benchmark::State& state, const char* sql) {
  set_thread_count(1);
  const auto folder = shop(state.range(0));
  if (folder.empty()) {
    state.SkipWithError("the tables of the shop are not here: node bench/generate_shop.mjs");
    return;
  }
  for (auto _ : state) {
    const auto database = engines::open_database({}, {.threads = 1}).value();
    const auto run = [&](const std::string& text) {
      const auto rows = database->session().run(text, "ask").value();
      while (const auto batch = rows->next().value()) benchmark::DoNotOptimize(batch->rows);
    };
    for (const auto& [name, file] :
         {std::pair("items", "items"), std::pair("lines", "items"), std::pair("orders", "orders"),
          std::pair("customers", "customers"), std::pair("nations", "nations")})
      run(fmt::format("CREATE VIEW {} AS SELECT {} FROM '{}/{}.parquet'", name,
                      std::string_view(name) == "lines" ? "o_id, price" : "*", folder.string(), file));
    run(sql);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0) * 1000);
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  for (const std::int64_t thousands : {10, 100, 1000, 10'000}) benchmark->Arg(thousands);
  benchmark->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();
}
void largest(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(10'000)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();
}

// Thousands of line items.
BENCHMARK_CAPTURE(ask, rows, kRowSchema, kTwoKeys, 0, 0)->Name("query, unit row, k rows")->Apply(sizes);
BENCHMARK_CAPTURE(plain, rows, kTwoKeys)->Name("plain DuckDB/query, unit row, k rows")->Apply(sizes);
BENCHMARK_CAPTURE(ask, customers, kCustomerSchema, kTwoKeys, 0, 0)
    ->Name("query, unit customer, k rows")
    ->Apply(sizes);
BENCHMARK_CAPTURE(plain, customers, kTwoKeys)->Name("plain DuckDB/query, unit customer, k rows")->Apply(sizes);
BENCHMARK_CAPTURE(plain, units, kTwoKeysAndUnits)
    ->Name("plain DuckDB, counting units too/query, unit customer, k rows")
    ->Apply(sizes);
BENCHMARK_CAPTURE(ask, chosen, kCustomerSchema, kTwoKeys, 3, 0)
    ->Name("query, unit customer, 3 of 6 groups chosen, k rows")
    ->Apply(largest);
BENCHMARK_CAPTURE(plain, chosen, kTwoKeys)
    ->Name("plain DuckDB/query, unit customer, 3 of 6 groups chosen, k rows")
    ->Apply(largest);
BENCHMARK_CAPTURE(plain, chosen_units, kTwoKeysAndUnits)
    ->Name("plain DuckDB, counting units too/query, unit customer, 3 of 6 groups chosen, k rows")
    ->Apply(largest);
BENCHMARK_CAPTURE(ask, join, kCustomerSchema, kJoin, 0, 0)
    ->Name("query, three tables by nation, k rows")
    ->Apply(sizes);
BENCHMARK_CAPTURE(plain, join, kJoin)->Name("plain DuckDB/query, three tables by nation, k rows")->Apply(sizes);
BENCHMARK_CAPTURE(ask, spilling, kCustomerSchema, kJoin, 0, 512'000'000)
    ->Name("query, three tables by nation, 512 MB, k rows")
    ->Apply(largest);

/// What is done before anything private is read, and the statements written; public tables are open already.
void plan_and_render(benchmark::State& state, const char* schema_text, const char* sql) {
  set_thread_count(1);
  const auto folder = shop(10);
  if (folder.empty()) {
    state.SkipWithError("the tables of the shop are not here: node bench/generate_shop.mjs");
    return;
  }
  const auto schema = schema::parse_database_schema(schema_text, "schema", folder).value();
  PublicTables open(schema, {});
  const SchemaTables empty = SchemaTables::open(schema, {}, {}).value();
  for (auto _ : state) {
    const QueryPlan plan = plan_query(sql, schema, parameters(0), open).value();
    benchmark::DoNotOptimize(write_statements(plan, empty.writer(), std::string(32, '0')));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(plan_and_render, rows, kRowSchema, kTwoKeys)
    ->Name("query, planning and rendering, one table")
    ->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(plan_and_render, join, kCustomerSchema, kJoinOfPrivate)
    ->Name("query, planning and rendering, three tables")
    ->MeasureProcessCPUTime();
// Is its key unique, and which names has it: DuckDB is asked twice, which is most of this.
BENCHMARK_CAPTURE(plan_and_render, lookup, kCustomerSchema, kJoin)
    ->Name("query, planning and rendering, with a public table")
    ->MeasureProcessCPUTime();

}  // namespace
}  // namespace gauze::query
