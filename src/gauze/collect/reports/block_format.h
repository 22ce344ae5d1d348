#pragma once
// Blocks of reports as devices write them, little-endian: `GZR1`, hash of the task 32 bytes, id 16, period u32, bytes of a
// payload u16, reports u32, their payloads, CRC-32C of everything before it u32.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gauze::collect {

using TaskHash = std::array<unsigned char, 32>;
using BlockId = std::array<unsigned char, 16>;

inline constexpr std::string_view kBlockMagic = "GZR1";
inline constexpr std::size_t kBlockIdAt = 36;
inline constexpr std::size_t kBlockIdBytes = 16;
inline constexpr std::size_t kBlockHeaderBytes = 62;
inline constexpr std::size_t kBlockCheckBytes = 4;
inline constexpr std::size_t kMostBlockBytes = 64'000;
inline constexpr std::uint32_t kMostBlockReports = 4'096;

struct BlockHeader {
  TaskHash task{};
  BlockId id{};
  std::uint32_t period = 0;
  std::uint16_t payload_bytes = 0;
  std::uint32_t count = 0;

  /// Of the whole block.
  [[nodiscard]] std::size_t bytes() const {
    return kBlockHeaderBytes + std::size_t{payload_bytes} * count + kBlockCheckBytes;
  }
  /// Whether a block may be like that: 1 to kMostBlockReports reports in at most kMostBlockBytes.
  [[nodiscard]] bool within_limits() const;
  friend bool operator==(const BlockHeader&, const BlockHeader&) = default;
};

/// The header at the front of at least kBlockHeaderBytes bytes that begin with the magic.
[[nodiscard]] BlockHeader parse_block_header(const unsigned char* bytes);
/// Whether the checksum at the end of a whole block is that of the rest.
[[nodiscard]] bool block_is_whole(std::span<const unsigned char> block);

/// A block, with its checksum. The header is within limits and the payloads have the size it states.
[[nodiscard]] std::string encode_block(const BlockHeader& header, std::string_view payloads);

}  // namespace gauze::collect
