#pragma once
// Tasks of a store and blocks for them.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "gauze/base/utc_date.h"
#include "gauze/collect/reports/testing/report_files.h"
#include "gauze/server/store/ingest_task.h"

namespace gauze::server::testing {

inline constexpr std::int64_t kFirstDay = 20'000;
inline constexpr std::int64_t kNoon = kFirstDay * kSecondsPerDay + kSecondsPerDay / 2;
/// Of tasks with periods of a day.
inline constexpr std::uint32_t kToday = static_cast<std::uint32_t>(kFirstDay);

using Credential = std::array<unsigned char, 32>;

inline Credential credential(unsigned char number) {
  Credential bytes{};
  bytes.fill(number);
  return bytes;
}

/// A local task over so many values, told apart by its seed.
inline IngestTask local_task(unsigned char seed, std::uint32_t size = 10) {
  IngestTask task;
  task.name = "task " + std::to_string(seed);
  task.counting = collect::testing::direct_task(size);
  task.counting.hash = collect::testing::hash_of(seed);
  task.hash = task.counting.hash;
  task.keeps_aggregate = true;
  task.ends_at = kNoon + 1'000 * kSecondsPerDay;
  task.retention_days = 30;
  return task;
}

inline std::uint64_t central_range(const collect::ReportShape& shape, const unsigned char* payloads,
                                   std::size_t stride, std::size_t count, std::span<std::int64_t>) {
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < count; ++i) wrong += payloads[i * stride] >= shape.size ? 1 : 0;
  return wrong;
}

/// A task whose records are kept and not counted: a value and 15 more bytes.
inline IngestTask central_task(unsigned char seed) {
  IngestTask task = local_task(seed);
  task.counting.shape.payload_bytes = 16;
  task.counting.count = central_range;
  task.counting.cells = 0;
  task.keeps_aggregate = false;
  task.is_central = true;
  return task;
}

struct BlockOptions {
  std::uint64_t id = 1;
  std::uint32_t period = kToday;
};

inline collect::BlockId block_id(std::uint64_t id) {
  return collect::testing::header_of(collect::testing::direct_task(2), id, 0, 1).id;
}

inline std::string block_of(const IngestTask& task, const BlockOptions& options, std::string_view reports) {
  const auto count = static_cast<std::uint32_t>(reports.size() / task.counting.report_bytes());
  return collect::encode_block(collect::testing::header_of(task.counting, options.id, options.period, count),
                               reports);
}

}  // namespace gauze::server::testing
