#include <benchmark/benchmark.h>

#include <array>
#include <vector>

#include "gauze/mechanisms/aggregates/bounded_sum.h"

namespace gauze {
namespace {

std::vector<double> numbers(std::int64_t count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 1009) * 0.37 - 100;
  return values;
}

/// Growth is part of the result: in the cache, and far beyond it.
void exact_sum(benchmark::State& state) {
  const auto values = numbers(state.range(0));
  BoundedSum sum = BoundedSum::make({.lower = -50, .upper = 200}).value();
  for (auto _ : state) {
    sum.add(values);
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(exact_sum)->Name("exact clamped sum")->Arg(10'000)->Arg(1'000'000)->Arg(100'000'000);

/// The limit beyond the cache: reading the doubles from memory, adding them up inexactly in sixteen lanes.
void plain_sum(benchmark::State& state) {
  const auto values = numbers(state.range(0));
  for (auto _ : state) {
    std::array<double, 16> lanes{};
    for (std::size_t i = 0; i + lanes.size() <= values.size(); i += lanes.size()) {
      for (std::size_t lane = 0; lane < lanes.size(); ++lane) lanes[lane] += values[i + lane];
    }
    benchmark::DoNotOptimize(lanes);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.SetLabel("memory bandwidth");
}
BENCHMARK(plain_sum)->Name("limit/exact clamped sum")->Arg(100'000'000);

}  // namespace
}  // namespace gauze
