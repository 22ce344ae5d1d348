#include "gauze/collect/count/count_hadamard.h"

#include <bit>

#include "gauze/base/error.h"
#include "gauze/collect/count/internal/index_counts.h"
#include "gauze/collect/count/internal/walsh_hadamard.h"

namespace gauze::collect {

std::uint64_t count_hadamard(const ReportShape& shape, const unsigned char* payloads, std::size_t stride,
                             std::size_t count, std::span<std::int64_t> cells) {
  return internal::count_indices(index_bytes(shape.parameter), shape.parameter, payloads, stride, count, cells);
}

std::vector<std::int64_t> hadamard_supports(std::span<const std::int64_t> cells, std::uint32_t size) {
  GAUZE_CHECK(std::has_single_bit(cells.size()) && cells.size() > size);
  std::vector<std::int64_t> sums(cells.begin(), cells.end());
  walsh_hadamard<std::int64_t>(sums);
  // Now sums[u] = (reports with an even number of ones in u & y) - (those with an odd number), and sums[0] is all of them.
  std::vector<std::int64_t> supports(size);
  for (std::size_t v = 0; v < size; ++v) supports[v] = (sums[0] + sums[v + 1]) / 2;
  return supports;
}

}  // namespace gauze::collect
