// Any bytes are a source of report blocks: what is read from the front equals what is read in stretches and from guesses,
// every report is counted once or rejected, and payloads of any bytes are counted without leaving them. The bytes are also
// tried as payloads inside a block whose checksum fits, by every counter.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "gauze/collect/count/count_bits.h"
#include "gauze/collect/count/count_direct.h"
#include "gauze/collect/count/count_figures.h"
#include "gauze/collect/count/count_hadamard.h"
#include "gauze/collect/count/count_hashes.h"
#include "gauze/collect/count/count_means.h"
#include "gauze/collect/count/count_records.h"
#include "gauze/collect/reports/internal/block_scanner.h"
#include "gauze/collect/reports/internal/period_counts.h"

using namespace gauze::collect;
using namespace gauze::collect::internal;

namespace {

std::uint64_t reports_in(const FoundReports& found, const ReportTask& task) {
  SharedCounts shared;
  PeriodCounts counts(task, shared, 2);
  std::uint64_t stated = 0;
  for (const auto& run : found.runs) {
    stated += run.count;
    counts.add(run);
  }
  counts.flush();
  std::uint64_t counted = counts.out_of_range();
  counts.give_away();
  for (const auto& [period, parts] : shared.take())
    for (const PartCounts& part : parts) counted += part.reports;
  if (counted != stated) std::abort();
  return stated;
}

void read_in_stretches(const BlockBytes& bytes, const ReportTask& task, std::size_t stretch) {
  ScannedBlocks whole;
  scan_blocks(bytes, {}, bytes.decided(), task, whole);
  const std::uint64_t reports = reports_in(whole.found, task);
  ScanState state;
  RejectedReports rejected;
  std::uint64_t found = 0;
  for (std::size_t from = 0; from < bytes.decided(); from += stretch) {
    const std::size_t until = std::min(bytes.decided(), from + stretch);
    ScannedBlocks piece;
    scan_blocks_ahead(bytes, from, until, task, piece);
    if (piece.begin != state) scan_blocks(bytes, state, until, task, piece);
    state = piece.end;
    rejected += piece.found.rejected;
    for (const auto& run : piece.found.runs) found += run.count;
  }
  if (found != reports || rejected != whole.found.rejected) std::abort();
}

/// A category of three values, a number, a category of a thousand values.
std::shared_ptr<const RecordLayout> record_layout() {
  return std::make_shared<const RecordLayout>(RecordLayout{{{0, 2, 0, 1}, {-5, 500, 1, 8}, {0, 999, 9, 2}}});
}

const std::vector<ReportTask>& tasks() {
  static const std::vector<ReportTask> all{
      {.shape = {.size = 200, .payload_bytes = 1}, .count = count_direct, .cells = 200},
      {.shape = {.size = 70'000, .payload_bytes = 3}, .count = count_direct, .cells = 70'000},
      {.shape = {.size = 300, .payload_bytes = 38}, .count = count_bits, .cells = 300},
      {.shape = {.size = 11, .parameter = 3, .payload_bytes = 2}, .count = count_subsets, .cells = 11},
      {.shape = {.size = 37, .parameter = 4, .payload_bytes = 13}, .count = count_hashes, .cells = 37},
      {.shape = {.size = 5, .parameter = 300, .payload_bytes = 14}, .count = count_hashes, .cells = 5},
      {.shape = {.size = 100, .parameter = 128, .payload_bytes = 1}, .count = count_hadamard, .cells = 128},
      {.shape = {.size = 9, .clamp = 82'944, .payload_bytes = 36}, .count = count_figures, .cells = 9},
      {.shape = {.clamp = 82'944, .payload_bytes = 4}, .count = count_figure, .cells = 1, .has_part_byte = true},
      {.shape = {.payload_bytes = 1}, .count = count_sides, .cells = 2, .has_part_byte = true},
      {.shape = {.payload_bytes = 2}, .count = count_cells, .cells = kGridCells},
      {.shape = {.payload_bytes = 3}, .count = count_branches, .cells = kGridCells + 2},
      {.shape = {.payload_bytes = 11, .record = record_layout()}, .count = count_records, .cells = 0}};
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const BlockBytes bytes{.bytes = {data, size}};
  ReportTask task = tasks()[0];
  if (size >= 36)
    std::copy(data + 4, data + 36, task.hash.begin());  // so that blocks like the first one are the task's
  read_in_stretches(bytes, task, 1 + size / 3);
  read_in_stretches({.bytes = {data, size}, .is_end = false}, task, 50);
  if (size == 0) return 0;
  const ReportTask& chosen = tasks()[data[0] % tasks().size()];
  const std::size_t count =
      std::min({(size - 1) / chosen.report_bytes(), std::size_t{4'096}, 63'000 / chosen.report_bytes()});
  if (count == 0) return 0;
  const std::string payloads(data + 1, data + 1 + count * chosen.report_bytes());
  const BlockHeader header{.task = chosen.hash,
                           .period = data[0],
                           .payload_bytes = static_cast<std::uint16_t>(chosen.report_bytes()),
                           .count = static_cast<std::uint32_t>(count)};
  const std::string block = encode_block(header, payloads);
  ScannedBlocks out;
  scan_blocks({.bytes = {reinterpret_cast<const unsigned char*>(block.data()), block.size()}}, {}, block.size(),
              chosen, out);
  if (reports_in(out.found, chosen) != count) std::abort();
  return 0;
}
