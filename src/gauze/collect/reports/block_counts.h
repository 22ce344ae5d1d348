#pragma once
// What one block is to a task: for those who count files, and for those who take blocks from devices one by one.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "gauze/collect/reports/aggregate.h"
#include "gauze/collect/reports/block_format.h"

namespace gauze::collect {

/// The bytes of the block that begins here; none when there is no magic, the header is out of limits, or it is longer than the bytes.
[[nodiscard]] std::optional<std::span<const unsigned char>> block_at_front(std::span<const unsigned char> bytes);
/// Where the next magic at or behind `from` begins.
[[nodiscard]] std::optional<std::size_t> find_block_magic(std::span<const unsigned char> bytes, std::size_t from);

/// Bytes that are all there, block by block, cut as the reading of files cuts them: behind a stretch that is no block, and behind one
/// whose checksum is another one, reading goes on at the next magic behind its first byte.
class BlockWalk {
 public:
  struct Piece {
    std::span<const unsigned char> block;  ///< empty: a stretch that cannot be read
    bool is_whole = false;                 ///< the checksum is that of the rest
  };
  explicit BlockWalk(std::span<const unsigned char> bytes) : rest_(bytes) {}
  /// None at the end.
  [[nodiscard]] std::optional<Piece> next();

 private:
  std::span<const unsigned char> rest_;
};

/// The reports of a whole block, one behind the other.
[[nodiscard]] std::span<const unsigned char> reports_of_block(std::span<const unsigned char> block);

/// Adds payloads, which begin `stride` bytes apart, to a part with the cells of the task. Returns how many were out of range: these are
/// not counted.
std::uint64_t count_payloads(const ReportTask& task, const unsigned char* payloads, std::size_t stride,
                             std::size_t count, PartCounts& part);

/// The same for the reports of a block, each to the part that it names.
std::uint64_t count_reports(const ReportTask& task, std::span<const unsigned char> reports,
                            std::span<PartCounts> parts);

/// All parts of a task, with nothing in them.
[[nodiscard]] std::vector<PartCounts> empty_parts(const ReportTask& task);

/// Whether each of the reports is one that an encoder can make.
[[nodiscard]] bool are_in_range(const ReportTask& task, std::span<const unsigned char> reports);

}  // namespace gauze::collect
