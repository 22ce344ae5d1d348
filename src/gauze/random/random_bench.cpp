#include <benchmark/benchmark.h>

#include <vector>

#include "gauze/random/secure_random.h"

namespace gauze {
namespace {

void secure_random_bytes(benchmark::State& state) {
  SecureRandom random;
  std::vector<std::uint64_t> words(1U << 13);
  for (auto _ : state) {
    random.fill(words);
    benchmark::DoNotOptimize(words.data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(words.size() * 8));
}
BENCHMARK(secure_random_bytes)->Name("secure random bytes");

}  // namespace
}  // namespace gauze
