#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "gauze/collect/reports/internal/found_reports.h"

namespace gauze::collect::internal {

/// Where reading blocks has come to.
struct ScanState {
  std::size_t position = 0;
  bool searching = false;  ///< in bytes that were rejected already: the next magic is looked for
  friend bool operator==(const ScanState&, const ScanState&) = default;
};

/// Where no reading comes to.
inline constexpr ScanState kNowhere{.position = std::numeric_limits<std::size_t>::max()};

/// A block that is whole: of whatever task.
struct BlockPlace {
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct ScannedBlocks {
  ScanState begin;
  ScanState end;
  std::vector<BlockPlace> blocks;
  FoundReports found;
};

/// Bytes of a source of blocks. Behind the last byte comes more, unless it is the end.
struct BlockBytes {
  std::span<const unsigned char> bytes;
  bool is_end = true;
  /// A block that begins before it lies in the bytes as a whole, or is longer than the file.
  [[nodiscard]] std::size_t decided() const {
    if (is_end) return bytes.size();
    return bytes.size() < kMostBlockBytes ? 0 : bytes.size() - kMostBlockBytes;
  }
};

/// Reads from `begin` all that begins before `until`, which is at most decided(). What is read depends on the bytes from `begin` on alone,
/// so that stretches can be read one by one, each from where the one before ended.
void scan_blocks(const BlockBytes& bytes, ScanState begin, std::size_t until, const ReportTask& task,
                 ScannedBlocks& out);

/// The same from the first whole block at or behind `from` on: a guess where reading from the front would come to. Without
/// such a block nothing is read, and the begin is kNowhere.
void scan_blocks_ahead(const BlockBytes& bytes, std::size_t from, std::size_t until, const ReportTask& task,
                       ScannedBlocks& out);

}  // namespace gauze::collect::internal
