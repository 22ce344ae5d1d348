#include "gauze/collect/reports/block_counts.h"

#include <algorithm>
#include <cstring>

namespace gauze::collect {
namespace {

/// Counts that nobody reads: asking for what is out of range then costs no clearing of cells. They stay far from the ends of 64 bits.
class UnreadCounts {
 public:
  PartCounts& of(std::size_t cells) {
    constexpr std::uint32_t kOften = 1U << 15U;
    if (counts_.cells.size() < cells || ++uses_ == kOften) {
      counts_.cells.assign(std::max(counts_.cells.size(), cells), 0);
      uses_ = 0;
    }
    return counts_;
  }

 private:
  PartCounts counts_;
  std::uint32_t uses_ = 0;
};

/// Adds reports to part_of(0) or part_of(1).
template <class PartOf>
std::uint64_t count_by_part(const ReportTask& task, std::span<const unsigned char> reports, const PartOf& part_of) {
  const std::size_t stride = task.report_bytes();
  const std::size_t count = reports.size() / stride;
  if (!task.has_part_byte) return count_payloads(task, reports.data(), stride, count, part_of(0));
  std::uint64_t wrong = 0;
  for (std::size_t begin = 0; begin < count;) {
    const unsigned char* first = reports.data() + begin * stride;
    std::size_t run = 1;
    while (begin + run < count && first[run * stride] == *first) ++run;
    wrong += *first > 1 ? run : count_payloads(task, first + 1, stride, run, part_of(*first));
    begin += run;
  }
  return wrong;
}

}  // namespace

std::optional<std::size_t> find_block_magic(std::span<const unsigned char> bytes, std::size_t from) {
  if (from >= bytes.size()) return std::nullopt;
  const void* place = ::memmem(bytes.data() + from, bytes.size() - from, kBlockMagic.data(), kBlockMagic.size());
  if (place == nullptr) return std::nullopt;
  return static_cast<std::size_t>(static_cast<const unsigned char*>(place) - bytes.data());
}

std::optional<std::span<const unsigned char>> block_at_front(std::span<const unsigned char> bytes) {
  if (bytes.size() < kBlockHeaderBytes || std::memcmp(bytes.data(), kBlockMagic.data(), kBlockMagic.size()) != 0)
    return std::nullopt;
  const BlockHeader header = parse_block_header(bytes.data());
  if (!header.within_limits() || header.bytes() > bytes.size()) return std::nullopt;
  return bytes.first(header.bytes());
}

std::optional<BlockWalk::Piece> BlockWalk::next() {
  if (rest_.empty()) return std::nullopt;
  Piece piece;
  if (const auto block = block_at_front(rest_)) piece = {.block = *block, .is_whole = block_is_whole(*block)};
  if (piece.is_whole)
    rest_ = rest_.subspan(piece.block.size());
  else if (const auto next = find_block_magic(rest_, 1))
    rest_ = rest_.subspan(*next);
  else
    rest_ = {};
  return piece;
}

std::span<const unsigned char> reports_of_block(std::span<const unsigned char> block) {
  return block.subspan(kBlockHeaderBytes, block.size() - kBlockHeaderBytes - kBlockCheckBytes);
}

std::uint64_t count_payloads(const ReportTask& task, const unsigned char* payloads, std::size_t stride,
                             std::size_t count, PartCounts& part) {
  const std::uint64_t wrong = task.count(task.shape, payloads, stride, count, part.cells);
  part.reports += count - wrong;
  return wrong;
}

std::uint64_t count_reports(const ReportTask& task, std::span<const unsigned char> reports,
                            std::span<PartCounts> parts) {
  return count_by_part(task, reports, [&](std::size_t part) -> PartCounts& { return parts[part]; });
}

std::vector<PartCounts> empty_parts(const ReportTask& task) {
  return std::vector<PartCounts>(task.parts(), PartCounts{.cells = std::vector<std::int64_t>(task.cells, 0)});
}

bool are_in_range(const ReportTask& task, std::span<const unsigned char> reports) {
  // What one block can add to a cell: 2^12 reports of at most 2^31 each.
  thread_local UnreadCounts unread;
  PartCounts& counts = unread.of(task.cells);
  return count_by_part(task, reports, [&](std::size_t) -> PartCounts& { return counts; }) == 0;
}

}  // namespace gauze::collect
