// One release of a histogram, on one core: small domains cell by cell, huge ones by what passes.
#include <benchmark/benchmark.h>

#include "gauze/release/modes/histogram_release.h"

namespace gauze::release {
namespace {

using namespace schema;  // the vocabulary of this file

Histogram occupied(std::uint64_t cells, std::uint64_t classes) {
  Histogram histogram;
  for (std::uint64_t i = 0; i < classes; ++i) histogram.add(i * (cells / classes), 20 + i % 400, cells);
  return histogram;
}

void release_counts(benchmark::State& state) {
  const std::uint64_t cells = std::uint64_t{1} << state.range(0);
  const Histogram histogram = occupied(cells, std::min<std::uint64_t>(cells, 1000));
  const schema::PolicyRelease policy;
  const auto budget = divide_budget(policy, {}, {.epsilon = Rational(1)});
  const auto release = HistogramRelease::make({.release = policy, .k = 5, .budget = *budget, .cells = cells});
  SeededRandom random(1);
  for (auto _ : state) benchmark::DoNotOptimize(release->simulate(random, histogram));
  state.SetItemsProcessed(state.iterations());
}
// 128 cells; 65,536, each drawn; 2^30 and 2^60, of which about one empty cell passes.
BENCHMARK(release_counts)->Name("release of noisy counts, 2^n cells")->Arg(7)->Arg(16)->Arg(30)->Arg(60);

}  // namespace
}  // namespace gauze::release
