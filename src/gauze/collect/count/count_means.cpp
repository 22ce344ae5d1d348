#include "gauze/collect/count/count_means.h"

#include "gauze/collect/count/internal/index_counts.h"

namespace gauze::collect {

std::uint64_t count_sides(const ReportShape&, const unsigned char* payloads, std::size_t stride, std::size_t count,
                          std::span<std::int64_t> cells) {
  return internal::count_indices(1, 2, payloads, stride, count, cells);
}

std::uint64_t count_cells(const ReportShape&, const unsigned char* payloads, std::size_t stride, std::size_t count,
                          std::span<std::int64_t> cells) {
  return internal::count_indices(2, kGridCells, payloads, stride, count, cells);
}

std::uint64_t count_branches(const ReportShape&, const unsigned char* payloads, std::size_t stride, std::size_t count,
                             std::span<std::int64_t> cells) {
  std::uint64_t rejected = 0;
  for (std::size_t i = 0; i < count; ++i, payloads += stride) {
    const std::uint32_t number = internal::read_index<2>(payloads + 1);
    if (payloads[0] == 1)
      ++cells[number];
    else if (payloads[0] == 0 && number <= 1)
      ++cells[kGridCells + number];
    else
      ++rejected;
  }
  return rejected;
}

}  // namespace gauze::collect
