#include "gauze/collect/count/count_bits.h"

#include <algorithm>
#include <array>

#include "gauze/collect/count/internal/bit_columns.h"

namespace gauze::collect {
namespace {

constexpr std::size_t kRowsAtATime = 4'080;  // whole batches of add_bit_rows(), which has 240 rows in one

template <class IsGood>
std::uint64_t count_rows(const ReportShape& shape, const unsigned char* payloads, std::size_t stride,
                         std::size_t count, std::span<std::int64_t> cells, const IsGood& is_good) {
  const std::size_t bytes = (std::size_t{shape.size} + 7) / 8;
  const auto unused = static_cast<unsigned char>(shape.size % 8 == 0 ? 0 : 0xFFU << (shape.size % 8));
  std::array<const unsigned char*, kRowsAtATime> rows;
  std::uint64_t rejected = 0;
  for (std::size_t done = 0; done < count;) {
    const std::size_t end = std::min(count, done + rows.size());
    std::size_t good = 0;
    for (; done < end; ++done) {
      const unsigned char* row = payloads + done * stride;
      if ((row[bytes - 1] & unused) == 0 && is_good(row, bytes))
        rows[good++] = row;
      else
        ++rejected;
    }
    internal::add_bit_rows({rows.data(), good}, bytes, cells.first(shape.size));
  }
  return rejected;
}

}  // namespace

std::uint64_t count_bits(const ReportShape& shape, const unsigned char* payloads, std::size_t stride,
                         std::size_t count, std::span<std::int64_t> cells) {
  return count_rows(shape, payloads, stride, count, cells, [](const unsigned char*, std::size_t) { return true; });
}

std::uint64_t count_subsets(const ReportShape& shape, const unsigned char* payloads, std::size_t stride,
                            std::size_t count, std::span<std::int64_t> cells) {
  return count_rows(shape, payloads, stride, count, cells, [&](const unsigned char* row, std::size_t bytes) {
    return internal::count_ones(row, bytes) == shape.parameter;
  });
}

}  // namespace gauze::collect
