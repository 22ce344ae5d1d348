// What a store does for one batch (a block put in groups, an id looked up) and at a start after a kill. Times of batches are those of the process, all threads together.
#include <benchmark/benchmark.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "gauze/files/testing/folder.h"
#include "gauze/server/store/internal/database.h"
#include "gauze/server/store/internal/report_rows.h"
#include "gauze/server/store/report_store.h"
#include "gauze/server/store/testing/store_tasks.h"

namespace gauze::server {
namespace {

using testing::block_of;
using testing::credential;
using testing::kNoon;
using testing::kToday;
using testing::local_task;

IngestTask wide_task() {
  IngestTask task = local_task(1, 200);
  task.reports_per_period = 4'000'000'000U;
  return task;
}

/// A store in a folder of its own.
struct BenchStore {
  explicit BenchStore(CryptoProfile profile = CryptoProfile::standard, std::uint64_t checkpoint_blocks = 16'384)
      : tasks({wide_task()}) {
    GAUZE_CHECK(KeyEncryptionKey::create_file(folder / "kek").has_value());
    keys = *KeyFile::create(folder / "keys", *KeyEncryptionKey::from_file(folder / "kek"), profile);
    store = open(folder / "store", checkpoint_blocks);
  }
  [[nodiscard]] std::unique_ptr<ReportStore> open(const std::string& place, std::uint64_t checkpoint_blocks) const {
    ReportStore::Options options{.folder = place, .keys = keys, .window = {}};
    options.clock = [] { return kNoon; };
    options.checkpoint_blocks = checkpoint_blocks;
    auto opened = ReportStore::open(options, tasks);
    GAUZE_CHECK(opened.has_value());
    return *std::move(opened);
  }
  void take(std::string_view text) const { GAUZE_CHECK(store->ingest(credential(1), text, tasks).has_value()); }

  Folder folder;
  TaskDirectory tasks;
  std::shared_ptr<KeyFile> keys;
  std::unique_ptr<ReportStore> store;
};

std::unique_ptr<BenchStore> shared_store;
std::atomic<std::uint64_t> next_id = 0;

/// A batch of 4 KiB: one block of 4,000 reports.
void put_in_groups(benchmark::State& state, CryptoProfile profile) {
  if (state.thread_index() == 0) shared_store = std::make_unique<BenchStore>(profile);
  const IngestTask task = wide_task();
  const std::string reports(4'000, '\7');
  for (auto _ : state) shared_store->take(block_of(task, {.id = next_id++ * 0x9e3779b97f4a7c15U}, reports));
  state.SetItemsProcessed(state.iterations());
  if (state.thread_index() == 0) shared_store.reset();
}
BENCHMARK_CAPTURE(put_in_groups, standard, CryptoProfile::standard)
    ->Threads(64)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK_CAPTURE(put_in_groups, sm, CryptoProfile::sm)->Threads(64)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK_CAPTURE(put_in_groups, alone, CryptoProfile::standard)->Threads(1)->MeasureProcessCPUTime()->UseRealTime();

/// The same rows put into RocksDB by one thread in synced writes of 64, without anything else: what a store cannot be quicker than.
void put_rows_alone(benchmark::State& state) {
  constexpr std::uint64_t kGroup = 64;
  const Folder folder;
  const auto database = *internal::Database::open(folder / "store", {});
  const auto rows = *database->create_family("rows");
  const auto ids = *database->create_family("ids");
  const std::string value(4'032, '\7');
  std::uint64_t sequence = 0;
  for (auto _ : state) {
    rocksdb::WriteBatch batch;
    for (std::uint64_t i = 0; i < kGroup; ++i) {
      const std::string key = internal::block_row_key({.task = {}, .period = kToday, .sequence = ++sequence});
      const auto id = testing::block_id(sequence * 0x9e3779b97f4a7c15U);
      const std::string_view text(reinterpret_cast<const char*>(id.data()), id.size());
      batch.Put(rows->handle(), key, value);
      batch.Put(rows->handle(), internal::place_row_key(text, key), rocksdb::Slice());
      batch.Put(ids->handle(), internal::places_of(text), rocksdb::Slice());
    }
    GAUZE_CHECK(database->write(batch, true).has_value());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kGroup));
}
BENCHMARK(put_rows_alone)->MeasureProcessCPUTime()->UseRealTime();

/// Batches of one block that was taken before, among so many others.
void look_up_an_id(benchmark::State& state) {
  const BenchStore store;
  const IngestTask task = wide_task();
  const auto known = static_cast<std::uint64_t>(state.range(0));
  std::string batch;
  for (std::uint64_t id = 0; id < known; ++id) {
    batch += block_of(task, {.id = id}, "\7");
    if (batch.size() > 60'000 || id + 1 == known) store.take(std::exchange(batch, {}));
  }
  std::uint64_t id = 0;
  for (auto _ : state) store.take(block_of(task, {.id = id = (id * 48'271 + 1) % known}, "\7"));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(look_up_an_id)->Arg(10'000)->Arg(200'000)->MeasureProcessCPUTime()->UseRealTime();

/// Opening what a killed process leaves behind, here a copy of the files of one that stands still: blocks of ten reports.
void open_after_a_kill(benchmark::State& state, std::uint64_t checkpoint_blocks) {
  const auto blocks = static_cast<std::uint64_t>(state.range(0));
  const BenchStore store(CryptoProfile::standard, checkpoint_blocks);
  const IngestTask task = wide_task();
  std::string batch;
  for (std::uint64_t id = 0; id < blocks; ++id) {
    batch += block_of(task, {.id = id * 0x9e3779b97f4a7c15U}, "\1\2\3\4\5\6\7\1\2\3");
    if (batch.size() > 60'000 || id + 1 == blocks) store.take(std::exchange(batch, {}));
  }
  const std::string copy = store.folder / "copy";
  for (auto _ : state) {
    state.PauseTiming();
    std::filesystem::remove_all(copy);
    std::filesystem::copy(store.folder / "store", copy, std::filesystem::copy_options::recursive);
    state.ResumeTiming();
    const auto opened = store.open(copy, checkpoint_blocks);
    GAUZE_CHECK(opened->aggregate(task.counting)->aggregate.reports() == 10 * blocks);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(10 * blocks));
}
BENCHMARK_CAPTURE(open_after_a_kill, usual, 16'384)->Arg(100'000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(open_after_a_kill, without_states, 1'000'000'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(open_after_a_kill, ten_million_reports, 16'384)
    ->Arg(1'000'000)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

/// Reading central records of 16 bytes, so many of them in a block.
void scan_records(benchmark::State& state) {
  const auto in_block = static_cast<std::size_t>(state.range(0));
  constexpr std::size_t kRecords = 400'000;
  BenchStore store;
  const IngestTask task = testing::central_task(2);
  store.tasks = TaskDirectory({task});
  const std::string records(16 * in_block, '\1');
  std::string batch;
  for (std::uint64_t id = 0; id < kRecords / in_block; ++id) {
    batch += block_of(task, {.id = id}, records);
    if (batch.size() > 60'000) store.take(std::exchange(batch, {}));
  }
  if (!batch.empty()) store.take(batch);
  for (auto _ : state) {
    std::size_t read = 0;
    GAUZE_CHECK(store.store
                    ->scan(task.hash, {},
                           [&](const StoredBlock& block) -> Result<void> {
                             read += block.payloads.size() / 16;
                             return {};
                           })
                    .has_value());
    GAUZE_CHECK(read == kRecords);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kRecords));
}
BENCHMARK(scan_records)->Arg(1)->Arg(10)->Arg(200)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gauze::server
