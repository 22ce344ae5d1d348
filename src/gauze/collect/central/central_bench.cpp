#include <benchmark/benchmark.h>

#include "gauze/collect/central/testing/stored_records.h"

namespace gauze::collect {
namespace {

/// A million records in memory, read and answered on one core.
void run(benchmark::State& state, const char* body) {
  constexpr std::int64_t kRecords = 1'000'000;
  const CentralTask task = central_testing::some_task();
  central_testing::StoredRecords records;
  for (std::int64_t i = 0; i < kRecords; ++i)
    records.add(10, central_testing::record_of(task, {i % 121, i % 4, i % 2'000, i % 8 - 3}));
  const auto query = central_testing::query_of(task, body);
  if (!query) return state.SkipWithError("no query");
  SecureRandom random;
  for (auto _ : state) benchmark::DoNotOptimize(query->answer(records, random));
  state.SetItemsProcessed(state.iterations() * kRecords);
}

// The bar: a histogram of 1 M records/s on one core, reading from the store included.
BENCHMARK_CAPTURE(run, count, R"({"kind":"count","where":{"city":"Lima"},"epsilon":1})")->Name("central count");
BENCHMARK_CAPTURE(run, histogram, R"({"kind":"histogram","field":"age","epsilon":1})")->Name("central histogram");
BENCHMARK_CAPTURE(run, mean, R"({"kind":"mean","field":"price","epsilon":1})")->Name("central mean");
BENCHMARK_CAPTURE(run, quantile, R"({"kind":"quantile","field":"price","tau":"0.5","epsilon":1})")
    ->Name("central quantile");

}  // namespace
}  // namespace gauze::collect
