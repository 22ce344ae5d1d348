#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gauze/collect/reports/internal/block_scanner.h"
#include "gauze/files/sha256.h"

namespace gauze::collect::internal {

/// By what a source of blocks is known again: SHA-256 over ids and checksums of its whole blocks, in order, and over all bytes that are in
/// none. The rest is in it by the checksums: hashing payloads took longer than counting them. Ids are random, so two files of
/// honest devices never have one digest; whoever makes two on purpose has his own reports refused.
class BlocksDigest {
 public:
  /// Bytes that follow what was added before, and the blocks in them; a block is added as a whole.
  void add(std::span<const unsigned char> bytes, std::size_t from, std::size_t to,
           const std::vector<BlockPlace>& blocks);
  /// 64 hexadecimal digits. Once.
  [[nodiscard]] std::string finish();
  [[nodiscard]] bool is_empty() const { return is_empty_; }

 private:
  void put(std::span<const unsigned char> piece);
  void add_between(std::span<const unsigned char> bytes);
  void end_between();

  Sha256 hash_;
  std::string waiting_;        // small pieces together: a call for each would cost more than its hashing
  std::uint64_t between_ = 0;  // bytes since the last block
  bool is_empty_ = true;
};

}  // namespace gauze::collect::internal
