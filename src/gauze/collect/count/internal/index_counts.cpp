#include "gauze/collect/count/internal/index_counts.h"

#include <array>
#include <cstring>

namespace gauze::collect::internal {
namespace {

/// Below this many reports clearing and adding up the tables costs more than they save.
constexpr std::size_t kWorthTables = 1024;

/// Bytes one after the other. Four tables in turn: in one alone a value that repeats waits for its own last store.
std::uint64_t count_bytes(std::uint32_t bound, const unsigned char* payloads, std::size_t count,
                          std::span<std::int64_t> cells) {
  std::array<std::array<std::uint32_t, 256>, 4> tables{};
  std::uint64_t rejected = 0;
  while (count > 0) {
    // A table's counter has 32 bits.
    const std::size_t run = std::min<std::size_t>(count, std::size_t{1} << 31U);
    std::size_t i = 0;
    for (; i + 8 <= run; i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, payloads + i, sizeof word);
      for (unsigned byte = 0; byte < 8; ++byte) ++tables[byte % 4][(word >> (8 * byte)) & 255U];
    }
    for (; i < run; ++i) ++tables[0][payloads[i]];
    for (std::size_t value = 0; value < 256; ++value) {
      const std::uint64_t sum =
          std::uint64_t{tables[0][value]} + tables[1][value] + tables[2][value] + tables[3][value];
      if (value < bound)
        cells[value] += static_cast<std::int64_t>(sum);
      else
        rejected += sum;
    }
    payloads += run;
    count -= run;
    if (count > 0) tables = {};
  }
  return rejected;
}

template <std::size_t Bytes>
std::uint64_t count_each(std::uint32_t bound, const unsigned char* payloads, std::size_t stride, std::size_t count,
                         std::int64_t* cells) {
  std::uint64_t rejected = 0;
  for (std::size_t i = 0; i < count; ++i, payloads += stride) {
    const std::uint32_t value = read_index<Bytes>(payloads);
    if (value < bound)
      ++cells[value];
    else
      ++rejected;
  }
  return rejected;
}

}  // namespace

std::uint64_t count_indices(std::size_t bytes, std::uint32_t bound, const unsigned char* payloads, std::size_t stride,
                            std::size_t count, std::span<std::int64_t> cells) {
  if (bytes == 1 && stride == 1 && count >= kWorthTables) return count_bytes(bound, payloads, count, cells);
  switch (bytes) {
    case 1:
      return count_each<1>(bound, payloads, stride, count, cells.data());
    case 2:
      return count_each<2>(bound, payloads, stride, count, cells.data());
    case 3:
      return count_each<3>(bound, payloads, stride, count, cells.data());
    default:
      return count_each<4>(bound, payloads, stride, count, cells.data());
  }
}

}  // namespace gauze::collect::internal
