// Counting itemsets of public data, on one core.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <tuple>

#include "gauze/files/atomic_file.h"
#include "gauze/patterns/baskets/basket_file.h"
#include "gauze/patterns/mining/miner.h"
#include "gauze/table/testing/shared_data.h"

namespace gauze::patterns {
namespace {

void count_sets(benchmark::State& state, const char* name, std::uint64_t min_count,
                ItemsetKind kind = ItemsetKind::frequent) {
  const auto path = table::shared_data(std::string("baskets/") + name);
  if (!path) {
    state.SkipWithError("the baskets are not here");
    return;
  }
  const auto file = BasketFile::read(path->string(), std::nullopt);
  MiningOptions options;
  options.min_count = min_count;
  options.kind = kind;
  Progress progress;
  for (auto _ : state) benchmark::DoNotOptimize(count_itemsets(file->database(), options, progress));
  state.SetItemsProcessed(state.iterations());
}
/// A million transactions of 50 items on average, of 2000 items whose frequencies fall like 1 / (rank + 20), with small
/// groups that go together. Seeded: always the same.
std::string many_baskets(std::size_t rows) {
  std::uint64_t state = 20261115;
  const auto draw = [&] {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<double>(state >> 11) * 0x1p-53;
  };
  std::string text;
  text.reserve(rows * 200);
  std::vector<std::uint32_t> row;
  for (std::size_t r = 0; r < rows; ++r) {
    row.clear();
    const auto length = static_cast<std::size_t>(20 + 68 * draw());
    while (row.size() < length) {
      // The inverse of the cumulated frequencies, log(1 + rank / 20).
      const auto item = static_cast<std::uint32_t>(20 * (std::exp(draw() * std::log1p(2000.0 / 20)) - 1));
      row.push_back(item);
      if (item % 16 == 3 && draw() < 0.5) row.insert(row.end(), {item + 1, item + 2});
    }
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    for (const std::uint32_t item : row) text += std::to_string(item) + ' ';
    text.back() = '\n';
  }
  return text;
}

/// Run by itself: miner_bench --benchmark_filter=million. GAUZE_BASKETS=FILE keeps the transactions.
void read_million(benchmark::State& state) {
  const std::string text = many_baskets(1'000'000);
  if (const char* path = std::getenv("GAUZE_BASKETS")) static_cast<void>(write_file(path, text));
  for (auto _ : state) benchmark::DoNotOptimize(BasketFile::parse(text, BasketFormat::dat));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
void count_million(benchmark::State& state) {
  const auto file = BasketFile::parse(many_baskets(1'000'000), BasketFormat::dat);
  MiningOptions options;
  options.min_count = 10'000;
  Progress progress;
  for (auto _ : state) benchmark::DoNotOptimize(count_itemsets(file->database(), options, progress));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(read_million)->Name("read a million transactions of 50 items")->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK(count_million)
    ->Name("count itemsets, a million transactions, 1 %")
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

BENCHMARK_CAPTURE(count_sets, mushroom, "mushroom.dat", 813)->Name("count itemsets, mushroom 10 %");
BENCHMARK_CAPTURE(count_sets, chess, "chess.dat", 1598)->Name("count itemsets, chess 50 %");
BENCHMARK_CAPTURE(count_sets, retail, "retail.dat", 89)->Name("count itemsets, retail 0.1 %");
BENCHMARK_CAPTURE(count_sets, quest, "T10I4D100K.dat", 100)->Name("count itemsets, T10I4D100K 0.1 %");

// The same of bench/peers/patterns_peers.py.
[[maybe_unused]] const bool registered_kinds = [] {
  constexpr std::tuple<const char*, std::uint64_t, ItemsetKind> kCases[] = {
      {"BMS1", 30, ItemsetKind::frequent},
      {"BMS1", 25, ItemsetKind::closed},
      {"BMS1", 30, ItemsetKind::maximal},
      {"accidents-15k", 2284, ItemsetKind::closed},
      {"accidents-15k", 2284, ItemsetKind::maximal},
      {"chess", 1280, ItemsetKind::maximal},
      {"mushroom", 100, ItemsetKind::closed},
      {"mushroom", 100, ItemsetKind::maximal},
      {"retail", 10, ItemsetKind::maximal},
      {"T10I4D100K", 20, ItemsetKind::maximal}};
  for (const auto& [file, count, kind] : kCases) {
    const char* const word = kind == ItemsetKind::frequent ? "frequent"
                             : kind == ItemsetKind::closed ? "closed"
                                                           : "maximal";
    benchmark::RegisterBenchmark(
        ("count " + std::string(word) + " itemsets, " + file + " at " + std::to_string(count)).c_str(),
        [name = std::string(file) + ".dat", count = count, kind = kind](benchmark::State& state) {
          count_sets(state, name.c_str(), count, kind);
        });
  }
  return true;
}();

}  // namespace
}  // namespace gauze::patterns
