#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace gauze::collect {

/// What a record of a central task looks like: its fields one after the other.
struct RecordLayout {
  struct Field {
    std::int64_t low = 0;   ///< of a category 0
    std::int64_t high = 0;  ///< of a category the number of its last value
    std::size_t at = 0;     ///< where it begins in a record
    std::size_t bytes = 8;  ///< of a category as few as hold it, of a number eight, signed

    /// The number that stands in a record, whatever it is.
    [[nodiscard]] std::int64_t read(const unsigned char* record) const {
      std::uint64_t number = 0;
      for (std::size_t i = 0; i < bytes; ++i) number |= std::uint64_t{record[at + i]} << (8 * i);
      return static_cast<std::int64_t>(number);
    }
  };
  std::vector<Field> fields;
};

/// What the payload of one report looks like, as far as counting needs it (docs of the payloads: the headers of the counters).
struct ReportShape {
  std::uint32_t size = 0;         ///< d: how many values a task has
  std::uint32_t parameter = 0;    ///< g of local hashing, w of subset selection, K of the Hadamard response
  std::int64_t clamp = 0;         ///< Laplace noise: the largest absolute figure
  std::size_t payload_bytes = 0;  ///< of one report, without the byte that names its part
  std::shared_ptr<const RecordLayout> record = {};  ///< of a central task; none of local ones
};

/// Adds `count` reports, which begin `stride` bytes apart, to the cells. Returns how many of them were out of range: these
/// are in no cell. The bytes are those of strangers: any of them give counts, and none reads beyond its payload.
using CountReports = std::uint64_t (*)(const ReportShape& shape, const unsigned char* payloads, std::size_t stride,
                                       std::size_t count, std::span<std::int64_t> cells);

/// The smallest of 1 to 4 bytes that tell so many numbers apart.
[[nodiscard]] constexpr std::size_t index_bytes(std::uint64_t numbers) {
  std::size_t bytes = 1;
  while (bytes < 4 && (std::uint64_t{1} << (8 * bytes)) < numbers) ++bytes;
  return bytes;
}

}  // namespace gauze::collect
