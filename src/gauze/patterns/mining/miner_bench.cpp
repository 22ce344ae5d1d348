// Counting itemsets of public data, on one core.
#include <benchmark/benchmark.h>

#include "gauze/patterns/baskets/basket_file.h"
#include "gauze/patterns/mining/miner.h"
#include "gauze/table/testing/shared_data.h"

namespace gauze::patterns {
namespace {

void count_sets(benchmark::State& state, const char* name, std::uint64_t min_count) {
  const auto path = table::shared_data(std::string("baskets/") + name);
  if (!path) {
    state.SkipWithError("the baskets are not here");
    return;
  }
  const auto file = BasketFile::read(path->string(), std::nullopt);
  MiningOptions options;
  options.min_count = min_count;
  Progress progress;
  for (auto _ : state) benchmark::DoNotOptimize(count_itemsets(file->database(), options, progress));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(count_sets, mushroom, "mushroom.dat", 813)->Name("count itemsets, mushroom 10 %");
BENCHMARK_CAPTURE(count_sets, chess, "chess.dat", 1598)->Name("count itemsets, chess 50 %");
BENCHMARK_CAPTURE(count_sets, retail, "retail.dat", 89)->Name("count itemsets, retail 0.1 %");
BENCHMARK_CAPTURE(count_sets, quest, "T10I4D100K.dat", 100)->Name("count itemsets, T10I4D100K 0.1 %");

}  // namespace
}  // namespace gauze::patterns
