#include "gauze/collect/reports/internal/block_scanner.h"

#include <algorithm>

#include "gauze/collect/reports/block_counts.h"

namespace gauze::collect::internal {
namespace {

/// Goes on at the next magic at or behind `from`, or has the caller look for it in what comes behind these bytes.
ScanState next_magic(const BlockBytes& bytes, std::size_t from) {
  if (const auto found = find_block_magic(bytes.bytes, from)) return {.position = *found};
  if (bytes.is_end) return {.position = bytes.bytes.size(), .searching = true};
  // A magic may begin in the last three bytes.
  const std::size_t size = bytes.bytes.size();
  return {.position = std::max(from, size < 3 ? 0 : size - 3), .searching = true};
}

void take_block(std::span<const unsigned char> block, const ReportTask& task, FoundReports& found) {
  const BlockHeader header = parse_block_header(block.data());
  if (header.task != task.hash)
    found.rejected.unknown_task += header.count;
  else if (header.payload_bytes != task.report_bytes())
    found.rejected.parameter_mismatch += header.count;
  else
    found.runs.push_back({.reports = block.data() + kBlockHeaderBytes,
                          .count = header.count,
                          .period = header.period,
                          .id = block.data() + kBlockIdAt});
}

}  // namespace

void scan_blocks(const BlockBytes& bytes, ScanState begin, std::size_t until, const ReportTask& task,
                 ScannedBlocks& out) {
  out.begin = begin;
  out.blocks.clear();
  out.found.clear();
  ScanState at = begin;
  if (at.searching && at.position < until) at = next_magic(bytes, at.position);
  while (at.position < until && !at.searching) {
    const auto block = block_at_front(bytes.bytes.subspan(at.position));
    if (!block) {
      ++out.found.rejected.malformed;
      at = next_magic(bytes, at.position + 1);
    } else if (!block_is_whole(*block)) {
      out.found.rejected.damaged += parse_block_header(block->data()).count;
      at = next_magic(bytes, at.position + 1);
    } else {
      take_block(*block, task, out.found);
      out.blocks.push_back({.begin = at.position, .end = at.position + block->size()});
      at.position += block->size();
    }
  }
  out.end = at;
}

void scan_blocks_ahead(const BlockBytes& bytes, std::size_t from, std::size_t until, const ReportTask& task,
                       ScannedBlocks& out) {
  for (auto place = find_block_magic(bytes.bytes, from); place && *place < until;
       place = find_block_magic(bytes.bytes, *place + 1)) {
    const auto block = block_at_front(bytes.bytes.subspan(*place));
    if (block && block_is_whole(*block)) return scan_blocks(bytes, {.position = *place}, until, task, out);
  }
  out.begin = kNowhere;
  out.end = out.begin;
  out.blocks.clear();
  out.found.clear();
}

}  // namespace gauze::collect::internal
