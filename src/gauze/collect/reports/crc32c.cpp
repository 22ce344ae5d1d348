#include "gauze/collect/reports/crc32c.h"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace gauze::collect {
namespace {

constexpr std::uint32_t kPolynomial = 0x82F6'3B78;  // the lowest bit is that of the highest power
using Table = std::array<std::uint32_t, 256>;

/// tables[k][byte]: what the byte is to the checksum when k more bytes follow.
constexpr std::array<Table, 8> make_tables() {
  std::array<Table, 8> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? kPolynomial : 0);
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < tables.size(); ++k)
    for (std::size_t byte = 0; byte < 256; ++byte)
      tables[k][byte] = (tables[k - 1][byte] >> 8U) ^ tables[0][tables[k - 1][byte] & 255U];
  return tables;
}
constexpr std::array<Table, 8> kTables = make_tables();

std::uint64_t word_at(const unsigned char* place) {
  std::uint64_t word = 0;
  std::memcpy(&word, place, sizeof word);
  return word;
}

#if defined(__x86_64__)

/// What a checksum becomes when so many bytes of zeros follow: linear, so one table for each of its four bytes.
struct Shift {
  std::array<Table, 4> tables{};

  explicit Shift(std::size_t zeros) {
    std::array<std::uint32_t, 32> of_bit{};
    for (std::size_t bit = 0; bit < 32; ++bit) {
      std::uint32_t crc = std::uint32_t{1} << bit;
      for (std::size_t i = 0; i < zeros; ++i) crc = (crc >> 8U) ^ kTables[0][crc & 255U];
      of_bit[bit] = crc;
    }
    for (std::size_t part = 0; part < 4; ++part)
      for (std::size_t byte = 0; byte < 256; ++byte)
        for (std::size_t bit = 0; bit < 8; ++bit)
          if ((byte >> bit & 1U) != 0) tables[part][byte] ^= of_bit[8 * part + bit];
  }
  [[nodiscard]] std::uint32_t operator()(std::uint32_t crc) const {
    return tables[0][crc & 255U] ^ tables[1][crc >> 8U & 255U] ^ tables[2][crc >> 16U & 255U] ^ tables[3][crc >> 24U];
  }
};

/// Three stretches at a time: the instruction takes three cycles, but a new one can begin in each.
__attribute__((target("sse4.2"))) std::uint32_t stretches(std::uint32_t crc, const unsigned char*& data,
                                                          std::size_t& size, std::size_t length, const Shift& shift) {
  while (size >= 3 * length) {
    std::uint64_t first = crc;
    std::uint64_t second = 0;
    std::uint64_t third = 0;
    for (std::size_t i = 0; i < length; i += 8) {
      first = _mm_crc32_u64(first, word_at(data + i));
      second = _mm_crc32_u64(second, word_at(data + length + i));
      third = _mm_crc32_u64(third, word_at(data + 2 * length + i));
    }
    crc = shift(static_cast<std::uint32_t>(first)) ^ static_cast<std::uint32_t>(second);
    crc = shift(crc) ^ static_cast<std::uint32_t>(third);
    data += 3 * length;
    size -= 3 * length;
  }
  return crc;
}

__attribute__((target("sse4.2"))) std::uint32_t by_instruction(const unsigned char* data, std::size_t size) {
  constexpr std::size_t kLong = 2'048;
  constexpr std::size_t kShort = 128;
  static const Shift long_shift(kLong);
  static const Shift short_shift(kShort);
  std::uint32_t crc = 0xFFFF'FFFF;
  crc = stretches(crc, data, size, kLong, long_shift);
  crc = stretches(crc, data, size, kShort, short_shift);
  std::uint64_t rest = crc;
  for (; size >= 8; size -= 8, data += 8) rest = _mm_crc32_u64(rest, word_at(data));
  crc = static_cast<std::uint32_t>(rest);
  for (; size > 0; --size, ++data) crc = _mm_crc32_u8(crc, *data);
  return ~crc;
}

#endif

}  // namespace

namespace internal {

std::uint32_t crc32c_by_tables(std::span<const unsigned char> bytes) {
  const unsigned char* data = bytes.data();
  std::size_t size = bytes.size();
  std::uint32_t crc = 0xFFFF'FFFF;
  for (; size >= 8; size -= 8, data += 8) {
    const std::uint64_t word = word_at(data) ^ crc;
    crc = 0;
    for (unsigned k = 0; k < 8; ++k) crc ^= kTables[7 - k][word >> (8 * k) & 255U];
  }
  for (; size > 0; --size, ++data) crc = (crc >> 8U) ^ kTables[0][(crc ^ *data) & 255U];
  return ~crc;
}

}  // namespace internal

std::uint32_t crc32c(std::span<const unsigned char> bytes) {
#if defined(__x86_64__)
  static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
  if (has_instruction) return by_instruction(bytes.data(), bytes.size());
#endif
  return internal::crc32c_by_tables(bytes);
}

}  // namespace gauze::collect
