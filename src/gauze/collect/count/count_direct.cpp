#include "gauze/collect/count/count_direct.h"

#include "gauze/collect/count/internal/index_counts.h"

namespace gauze::collect {

std::uint64_t count_direct(const ReportShape& shape, const unsigned char* payloads, std::size_t stride,
                           std::size_t count, std::span<std::int64_t> cells) {
  return internal::count_indices(index_bytes(shape.size), shape.size, payloads, stride, count, cells);
}

}  // namespace gauze::collect
