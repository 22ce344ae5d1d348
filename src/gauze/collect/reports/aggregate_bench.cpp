#include <benchmark/benchmark.h>

#include <fstream>
#include <random>

#include "gauze/base/parallel.h"
#include "gauze/collect/count/count_bits.h"
#include "gauze/collect/count/count_direct.h"
#include "gauze/collect/count/count_hashes.h"
#include "gauze/collect/reports/aggregate.h"
#include "gauze/collect/reports/crc32c.h"
#include "gauze/files/scratch_folder.h"

namespace gauze::collect {
namespace {

/// Random payloads that are in range: every byte, or a, b, c below 2^30 and y below 4.
std::string random_payloads(const ReportTask& task, std::size_t count, std::mt19937_64& random) {
  std::string payloads(count * task.report_bytes(), '\0');
  for (char& byte : payloads) byte = static_cast<char>(random() & (task.count == count_direct ? 127U : 255U));
  if (task.count != count_hashes) return payloads;
  for (std::size_t i = 0; i < payloads.size(); i += 13) {
    for (const std::size_t top : {3U, 7U, 11U}) payloads[i + top] = static_cast<char>(payloads[i + top] & 0x3F);
    payloads[i + 12] = static_cast<char>(payloads[i + 12] & 3);
  }
  return payloads;
}

void write_reports(const std::string& path, const ReportTask& task, std::size_t reports, std::size_t a_block) {
  std::mt19937_64 random(1);
  std::ofstream file(path, std::ios::binary);
  a_block = std::min(a_block, (kMostBlockBytes - kBlockHeaderBytes - kBlockCheckBytes) / task.report_bytes());
  const std::string payloads = random_payloads(task, 4'096, random);
  for (std::size_t done = 0; done < reports; done += a_block) {
    const std::size_t count = std::min(a_block, reports - done);
    BlockHeader header{.task = task.hash,
                       .period = 1,
                       .payload_bytes = static_cast<std::uint16_t>(task.report_bytes()),
                       .count = static_cast<std::uint32_t>(count)};
    for (auto& byte : header.id) byte = static_cast<unsigned char>(random());
    const std::size_t from = done % (4'096 - count + 1);
    file << encode_block(header,
                         std::string_view(payloads).substr(from * task.report_bytes(), count * task.report_bytes()));
  }
}

void run(benchmark::State& state, const ReportTask& task, std::size_t reports, std::size_t a_block,
         bool distinct = false) {
  const auto folder = ScratchFolder::make();
  const std::string path = folder->file("reports");
  write_reports(path, task, reports, a_block);
  set_thread_count(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    const auto out = aggregate_reports({path}, task, {.distinct = distinct});
    if (!out || out->reports() != reports) state.SkipWithError("reports were lost");
  }
  set_thread_count(0);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(reports));
}

// The argument is the number of threads; rates are by the processor time of the process, whatever else runs on the machine.
void one_and_two(benchmark::internal::Benchmark* bench) { bench->Arg(1)->Arg(2)->MeasureProcessCPUTime(); }

void AggregateDirect128(benchmark::State& state) {
  run(state, {.shape = {.size = 128, .payload_bytes = 1}, .count = count_direct, .cells = 128}, 100'000'000, 4'096);
}
BENCHMARK(AggregateDirect128)->Name("aggregate de, 128 values, threads")->Apply(one_and_two);

const ReportTask kHashes{
    .shape = {.size = 1024, .parameter = 4, .payload_bytes = 13}, .count = count_hashes, .cells = 1024};
void AggregateHashes1024(benchmark::State& state) { run(state, kHashes, 4'000'000, 4'096); }
BENCHMARK(AggregateHashes1024)->Name("aggregate olh, 1,024 values, threads")->Apply(one_and_two);
void AggregateHashes1024OneABlock(benchmark::State& state) { run(state, kHashes, 2'000'000, 1); }
BENCHMARK(AggregateHashes1024OneABlock)
    ->Name("aggregate olh, 1,024 values, one a block, threads")
    ->Apply(one_and_two);

void AggregateBits1024(benchmark::State& state) {
  run(state, {.shape = {.size = 1024, .payload_bytes = 128}, .count = count_bits, .cells = 1024}, 4'000'000, 4'096);
}
BENCHMARK(AggregateBits1024)->Name("aggregate oue, 1,024 values, threads")->Apply(one_and_two);

void AggregateDirectOneABlock(benchmark::State& state) {
  run(state, {.shape = {.size = 128, .payload_bytes = 1}, .count = count_direct, .cells = 128}, 4'000'000, 1);
}
BENCHMARK(AggregateDirectOneABlock)->Name("aggregate de, one a block, threads")->Apply(one_and_two);
void AggregateDirectOneABlockDistinct(benchmark::State& state) {
  run(state, {.shape = {.size = 128, .payload_bytes = 1}, .count = count_direct, .cells = 128}, 4'000'000, 1, true);
}
BENCHMARK(AggregateDirectOneABlockDistinct)->Name("aggregate de, one a block, distinct, threads")->Apply(one_and_two);

void Crc32c(benchmark::State& state) {
  const std::vector<unsigned char> bytes(static_cast<std::size_t>(state.range(0)), 7);
  for (auto _ : state) benchmark::DoNotOptimize(crc32c(bytes));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * state.range(0));
}
BENCHMARK(Crc32c)->Name("CRC-32C of bytes")->Arg(63)->Arg(1'000)->Arg(4'162)->Arg(64'000);

}  // namespace
}  // namespace gauze::collect
