#include <benchmark/benchmark.h>

#include <bit>
#include <cstring>
#include <random>
#include <vector>

#include "gauze/collect/count/count_bits.h"
#include "gauze/collect/count/count_direct.h"
#include "gauze/collect/count/count_figures.h"
#include "gauze/collect/count/count_hadamard.h"
#include "gauze/collect/count/count_hashes.h"

namespace gauze::collect {
namespace {

constexpr std::size_t kReportsACall = 4'096;

std::vector<unsigned char> random_bytes(std::size_t size) {
  std::mt19937_64 random(1);
  std::vector<unsigned char> bytes(size);
  for (auto& byte : bytes) byte = static_cast<unsigned char>(random());
  return bytes;
}

void run(benchmark::State& state, CountReports count, const ReportShape& shape,
         const std::vector<unsigned char>& bytes, std::size_t cell_count) {
  std::vector<std::int64_t> cells(cell_count, 0);
  const std::size_t reports = bytes.size() / shape.payload_bytes;
  std::uint64_t rejected = 0;
  for (auto _ : state)
    for (std::size_t done = 0; done < reports; done += kReportsACall)
      rejected += count(shape, bytes.data() + done * shape.payload_bytes, shape.payload_bytes,
                        std::min(kReportsACall, reports - done), cells);
  benchmark::DoNotOptimize(cells.data());
  if (rejected > 0) state.SkipWithError("reports were rejected");
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(reports));
}

/// Random indices below a bound.
std::vector<unsigned char> indices(std::uint32_t bound, std::size_t count) {
  std::mt19937_64 random(2);
  const std::size_t bytes_of = index_bytes(bound);
  std::vector<unsigned char> bytes(bytes_of * count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t value = random() % bound;
    std::memcpy(bytes.data() + i * bytes_of, &value, bytes_of);
  }
  return bytes;
}

void CountDirect(benchmark::State& state) {
  const auto size = static_cast<std::uint32_t>(state.range(0));
  run(state, count_direct, {.size = size, .payload_bytes = index_bytes(size)}, indices(size, 1U << 22U), size);
}
BENCHMARK(CountDirect)->Name("count de")->Arg(2)->Arg(128)->Arg(1024)->Arg(1 << 16)->Arg(1 << 20)->Arg(1 << 24);

void CountBits(benchmark::State& state) {
  const auto size = static_cast<std::uint32_t>(state.range(0));
  const std::size_t payload = (size + 7) / 8;
  run(state, count_bits, {.size = size, .payload_bytes = payload},
      random_bytes(payload * std::max<std::size_t>(4'096, (1U << 21U) / payload)), size);
}
BENCHMARK(CountBits)->Name("count oue")->Arg(8)->Arg(128)->Arg(1024)->Arg(16'384)->Arg(1 << 18);

void CountHashes(benchmark::State& state) {
  const auto size = static_cast<std::uint32_t>(state.range(0));
  auto bytes = random_bytes(13 * 16'384);
  for (std::size_t i = 0; i < bytes.size(); i += 13) {
    for (const std::size_t top : {3, 7, 11}) bytes[i + top] &= 0x3F;
    bytes[i + 12] &= 3;
  }
  run(state, count_hashes, {.size = size, .parameter = 4, .payload_bytes = 13}, bytes, size);
}
BENCHMARK(CountHashes)->Name("count olh")->Arg(16)->Arg(128)->Arg(1024)->Arg(65'536);

void CountHadamard(benchmark::State& state) {
  const auto size = static_cast<std::uint32_t>(state.range(0));
  const std::uint32_t k = std::bit_ceil(size + 1);
  const auto bytes = indices(k, 10'000'000);
  const ReportShape shape{.size = size, .parameter = k, .payload_bytes = index_bytes(k)};
  for (auto _ : state) {
    std::vector<std::int64_t> cells(k, 0);
    for (std::size_t done = 0; done < 10'000'000; done += kReportsACall)
      count_hadamard(shape, bytes.data() + done * shape.payload_bytes, shape.payload_bytes,
                     std::min<std::size_t>(kReportsACall, 10'000'000 - done), cells);
    benchmark::DoNotOptimize(hadamard_supports(cells, size));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * 10'000'000);
}
BENCHMARK(CountHadamard)->Name("count hr")->Arg(128)->Arg(1024)->Arg(1 << 20);

void CountFigures(benchmark::State& state) {
  const auto size = static_cast<std::uint32_t>(state.range(0));
  std::vector<unsigned char> bytes(4 * std::size_t{size} * 4'096, 1);
  run(state, count_figures, {.size = size, .clamp = 81'921'024, .payload_bytes = 4 * std::size_t{size}}, bytes, size);
}
BENCHMARK(CountFigures)->Name("count she")->Arg(128)->Arg(1024);

}  // namespace
}  // namespace gauze::collect
