// Every format of files that DuckDB reads, as sources.
#include "gauze/table/testing/source_conformance.h"

#include <cmath>
#include <cstring>
#include <random>

#include "gauze/engines/duckdb/internal/duckdb_session.h"
#include "gauze/engines/testing/engine_testing.h"
#include "gauze/files/json.h"

namespace gauze::table {
namespace source_conformance_test {

std::unique_ptr<Source> open(const std::string& path, const ConformanceTable& table) {
  ReadOptions options;
  options.null_tokens = table.null_tokens;
  if (path.ends_with(".csv")) {
    options.delimiter = ",";
    options.quote = "\"";
    options.header = true;
  }
  auto opened = engines::shared_tables().open(path, options);
  EXPECT_TRUE(opened) << (opened ? "" : opened.error().message);
  return opened ? std::move(opened->source) : nullptr;
}

std::unique_ptr<Source> as_csv(const ConformanceTable& table) {
  std::string text;
  append_csv_line(text, table.names, ',');
  for (const auto& row : table.rows) append_csv_line(text, row, ',');
  const Folder folder;
  return open(folder.write("x.csv", text), table);
}

/// Numbers and truth values as JSON has them, everything else as strings; nothing is null.
std::unique_ptr<Source> as_json_lines(const ConformanceTable& table) {
  if (table.rows.empty()) return nullptr;
  std::string text;
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const StoredType type = table.types[i];
      const bool bare = type == StoredType::integer || type == StoredType::wide_integer ||
                        type == StoredType::decimal || type == StoredType::real || type == StoredType::boolean;
      text += (i == 0 ? "{" : ", ") + Json(table.names[i]).dump() + ": ";
      text += row[i].empty() ? "null" : bare ? row[i] : Json(row[i]).dump();
    }
    text += "}\n";
  }
  const Folder folder;
  return open(folder.write("x.jsonl", text), table);
}

std::string sql_type(StoredType type) {
  switch (type) {
    case StoredType::integer:
      return "BIGINT";
    case StoredType::decimal:
      return "DECIMAL(18, 2)";
    case StoredType::real:
      return "DOUBLE";
    case StoredType::boolean:
      return "BOOLEAN";
    case StoredType::date:
      return "DATE";
    case StoredType::time:
      return "TIME";
    case StoredType::timestamp:
      return "TIMESTAMP";
    default:
      return "VARCHAR";  // Parquet has no integers of 128 bits
  }
}

std::unique_ptr<Source> as_parquet(const ConformanceTable& table) {
  const Folder folder;
  std::string text;
  append_csv_line(text, table.names, ',');
  for (const auto& row : table.rows) append_csv_line(text, row, ',');
  std::string columns;
  std::string types;
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    const char* const comma = i == 0 ? "" : ", ";
    columns += fmt::format("{}CAST({} AS {}) AS {}", comma, engines::sql_name(table.names[i]),
                           sql_type(table.types[i]), engines::sql_name(table.names[i]));
    types += fmt::format("{}{}: 'VARCHAR'", comma, engines::sql_text(table.names[i]));
  }
  engines::run_sql(fmt::format(
      "COPY (SELECT {} FROM read_csv({}, header = true, delim = ',', quote = '\"', escape = '\"', auto_detect = false, "
      "columns = {{{}}})) TO {} (FORMAT parquet)",
      columns, engines::sql_text(folder.write("x.csv", text)), types, engines::sql_text(folder / "x.parquet")));
  return open(folder / "x.parquet", table);
}

INSTANTIATE_TEST_SUITE_P(DuckDb, SourceConformance,
                         ::testing::Values(SourceMaker{"Csv", as_csv}, SourceMaker{"JsonLines", as_json_lines},
                                           SourceMaker{"Parquet", as_parquet}),
                         maker_name);

// Any 64 bits that are a number: the rule as Gauze writes it, and as DuckDB does.
TEST(RealsAsText, AreWrittenAlikeByGauzeAndTheEngine) {
  const auto session = engines::open_session().value();
  std::mt19937_64 random(7);
  std::string list;
  const auto add = [&](double value) {
    list += fmt::format("{}('{:.17g}'::DOUBLE)", list.empty() ? "" : ", ", value);
  };
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isfinite(value)) add(value);
    add(static_cast<double>(static_cast<std::int64_t>(bits % 2'000'001) - 1'000'000) / 1000);
    add(std::pow(10, static_cast<double>(bits % 60) - 30));
  }
  const auto rows = session
                        ->run(fmt::format("SELECT x, {} FROM (VALUES {}) t(x)",
                                          session->dialect().as_text("x", StoredType::real), list),
                              "test")
                        .value();
  std::size_t seen = 0;
  for (auto batch = rows->next().value(); batch; batch = rows->next().value()) {
    for (std::size_t row = 0; row < batch->rows; ++row, ++seen) {
      std::string text;
      append_value(text, batch->columns[0], ValueType::real, row);
      ASSERT_EQ(text, batch->columns[1].texts[row]);
    }
  }
  EXPECT_GT(seen, 50'000U);
}

}  // namespace source_conformance_test
}  // namespace gauze::table
