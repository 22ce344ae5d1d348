#include "gauze/collect/reports/block_format.h"

#include <algorithm>
#include <cstring>

#include "gauze/base/error.h"
#include "gauze/collect/count/internal/index_counts.h"
#include "gauze/collect/reports/crc32c.h"

namespace gauze::collect {
namespace {

constexpr std::size_t kTaskAt = 4;
constexpr std::size_t kPeriodAt = 52;
constexpr std::size_t kPayloadBytesAt = 56;
constexpr std::size_t kCountAt = 58;

void put(std::string& out, std::uint32_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 255U);
}

}  // namespace

bool BlockHeader::within_limits() const {
  return count >= 1 && count <= kMostBlockReports && bytes() <= kMostBlockBytes;
}

BlockHeader parse_block_header(const unsigned char* bytes) {
  BlockHeader header;
  std::memcpy(header.task.data(), bytes + kTaskAt, header.task.size());
  std::memcpy(header.id.data(), bytes + kBlockIdAt, header.id.size());
  header.period = internal::read_index<4>(bytes + kPeriodAt);
  header.payload_bytes = static_cast<std::uint16_t>(internal::read_index<2>(bytes + kPayloadBytesAt));
  header.count = internal::read_index<4>(bytes + kCountAt);
  return header;
}

bool block_is_whole(std::span<const unsigned char> block) {
  const auto checked = block.first(block.size() - kBlockCheckBytes);
  return crc32c(checked) == internal::read_index<4>(block.data() + checked.size());
}

std::string encode_block(const BlockHeader& header, std::string_view payloads) {
  GAUZE_CHECK(header.within_limits() && payloads.size() == std::size_t{header.payload_bytes} * header.count);
  std::string block(kBlockMagic);
  block.append(header.task.begin(), header.task.end());
  block.append(header.id.begin(), header.id.end());
  put(block, header.period, 4);
  put(block, header.payload_bytes, 2);
  put(block, header.count, 4);
  block += payloads;
  put(block, crc32c({reinterpret_cast<const unsigned char*>(block.data()), block.size()}), 4);
  return block;
}

}  // namespace gauze::collect
