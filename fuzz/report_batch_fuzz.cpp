// Any bytes are the text of a batch: every report in it is taken or refused once, as the reading of files cuts it, what is taken lies
// in the text and can be counted.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "gauze/collect/count/count_direct.h"
#include "gauze/collect/count/count_means.h"
#include "gauze/collect/reports/block_counts.h"
#include "gauze/collect/reports/internal/block_scanner.h"
#include "gauze/server/store/internal/read_batch.h"

using namespace gauze;
using namespace gauze::server;
using namespace gauze::server::internal;

namespace {

/// A task with the hash of the first block, in a state that the bytes choose.
IngestTask task_of(const std::uint8_t* data, std::size_t size) {
  IngestTask task;
  if (size >= 62) {
    std::copy(data + 4, data + 36, task.hash.begin());
    task.state = static_cast<IngestTask::State>(data[36] % 3);
  }
  task.counting = {.shape = {.size = 200, .payload_bytes = 1}, .count = collect::count_direct, .cells = 200};
  if (size >= 62 && data[56] == 2)
    task.counting = {.shape = {.payload_bytes = 1}, .count = collect::count_sides, .cells = 2, .has_part_byte = true};
  task.counting.hash = task.hash;
  task.period_seconds = 86'400;
  task.ends_at = 2'000'000'000;
  return task;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const IngestTask task = task_of(data, size);
  const TaskDirectory tasks({task});
  const Acceptance acceptance({Acceptance::Since{}});
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const ReadBatch batch =
      read_batch(text, tasks, {.acceptance = acceptance, .now = 20'000 * 86'400LL, .closed_until = 19'000});

  collect::internal::ScannedBlocks scanned;
  collect::internal::scan_blocks({.bytes = {data, size}}, {}, size, task.counting, scanned);
  std::uint64_t stated = scanned.found.rejected.damaged + scanned.found.rejected.unknown_task +
                         scanned.found.rejected.parameter_mismatch;
  for (const auto& run : scanned.found.runs) stated += run.count;

  if (batch.outcome.of(Rejection::malformed) != scanned.found.rejected.malformed) std::abort();
  if (batch.outcome.accepted != 0 || batch.outcome.duplicates != 0) std::abort();
  std::uint64_t found = 0;
  for (const std::uint64_t refused : batch.outcome.rejected) found += refused;
  found -= batch.outcome.of(Rejection::malformed);
  for (const AdmissibleBlock& block : batch.blocks) {
    found += block.header.count;
    if (block.reports.data() < text.data() || block.reports.data() + block.reports.size() > text.data() + size)
      std::abort();
    std::vector<collect::PartCounts> parts = collect::empty_parts(task.counting);
    const auto* begin = reinterpret_cast<const unsigned char*>(block.reports.data());
    if (collect::count_reports(task.counting, {begin, block.reports.size()}, parts) != 0) std::abort();
    std::uint64_t counted = 0;
    for (const auto& part : parts) counted += part.reports;
    if (counted != block.header.count) std::abort();
  }
  if (found != stated) std::abort();
  return 0;
}
