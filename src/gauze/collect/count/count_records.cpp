#include "gauze/collect/count/count_records.h"

#include <algorithm>

namespace gauze::collect {

std::uint64_t count_records(const ReportShape& shape, const unsigned char* payloads, std::size_t stride,
                            std::size_t count, std::span<std::int64_t>) {
  std::uint64_t wrong = 0;
  for (const unsigned char* record = payloads; count > 0; --count, record += stride)
    wrong += !std::all_of(shape.record->fields.begin(), shape.record->fields.end(), [record](const auto& field) {
      const std::int64_t number = field.read(record);
      return field.low <= number && number <= field.high;
    });
  return wrong;
}

}  // namespace gauze::collect
