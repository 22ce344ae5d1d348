// Grouping and writing a table like Adult, by rows a second. The limit of grouping is reading the file once.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "gauze/engines/duckdb/internal/duckdb_engine.h"

namespace gauze::engines {
namespace {

/// A table with nine columns of as many values as those of Adult, in a folder that goes away with it.
class Scratch {
 public:
  explicit Scratch(std::int64_t rows) {
    std::string name = (std::filesystem::temp_directory_path() / "gauze-bench-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    constexpr std::array<std::uint64_t, 9> kValues = {2, 72, 5, 7, 16, 41, 7, 14, 2};
    std::ofstream file(csv());
    file << "sex;age;race;marital-status;education;native-country;workclass;occupation;salary-class\n";
    std::uint64_t state = 1;
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < kValues.size(); ++column) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        // The smaller of two draws: some values are common, as in real columns.
        const std::uint64_t value = std::min((state >> 33) % kValues[column], (state >> 13) % kValues[column]);
        file << (column == 0 ? "" : ";") << "value " << value;
      }
      file << '\n';
    }
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string csv() const { return (folder_ / "adult.csv").string(); }
  [[nodiscard]] std::string output(const char* name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

std::vector<std::size_t> all(const table::Source& table) {
  std::vector<std::size_t> columns(table.columns().size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  return columns;
}

void open_table(benchmark::State& state) {
  const Scratch scratch(state.range(0));
  FileTables tables;
  for (auto _ : state) benchmark::DoNotOptimize(tables.open(scratch.csv(), {}).value());
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(open_table)
    ->Name("table-open-csv")
    ->Arg(30'000)
    ->Arg(300'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void group(benchmark::State& state, bool parquet) {
  const Scratch scratch(state.range(0));
  FileTables tables;
  auto table = tables.open(scratch.csv(), {}).value().source;
  Progress progress;
  if (parquet) {
    const std::string path = scratch.output("adult.parquet");
    GAUZE_CHECK(make_table_writer()->write(*table, {}, {.path = path}, progress).has_value());
    table = tables.open(path, {}).value().source;
  }
  for (auto _ : state) benchmark::DoNotOptimize(table->group(all(*table), progress).value());
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK_CAPTURE(group, csv, false)
    ->Name("table-group-csv")
    ->Arg(30'000)
    ->Arg(300'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(group, parquet, true)
    ->Name("table-group-parquet")
    ->Arg(30'000)
    ->Arg(300'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void write(benchmark::State& state, const char* target) {
  const Scratch scratch(state.range(0));
  FileTables tables;
  const auto table = tables.open(scratch.csv(), {}).value().source;
  const auto writer = make_table_writer();
  table::Rewrite rewrite;
  rewrite.inputs = {1};
  rewrite.outputs = {1};
  rewrite.rewrite = [](const table::RowBatch& batch, table::RewrittenBatch& result) {
    for (std::size_t row = 0; row < batch.rows; ++row) result.cells[0][row] = "[20, 40[";
  };
  Progress progress;
  for (auto _ : state)
    GAUZE_CHECK(writer->write(*table, rewrite, {.path = scratch.output(target)}, progress).has_value());
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK_CAPTURE(write, csv, "out.csv")
    ->Name("table-write-csv")
    ->Arg(300'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(write, parquet, "out.parquet")
    ->Name("table-write-parquet")
    ->Arg(300'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace gauze::engines
