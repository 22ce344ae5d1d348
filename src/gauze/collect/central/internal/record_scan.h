#pragma once
// One pass over records: exact figures, which never leave the room without noise.

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gauze/collect/central/record_source.h"
#include "gauze/collect/count/report_shape.h"
#include "gauze/mechanisms/noise/grid.h"

namespace gauze::collect::internal {

/// Calls `visit` with every whole record of the periods.
template <class Visit>
[[nodiscard]] Result<void> scan_records(RecordSource& source, std::pair<std::uint32_t, std::uint32_t> periods,
                                        std::size_t record_bytes, const Visit& visit) {
  return source.read(periods.first, periods.second, [&](std::string_view payloads) {
    const auto* record = reinterpret_cast<const unsigned char*>(payloads.data());
    for (std::size_t left = payloads.size() / record_bytes; left > 0; --left, record += record_bytes) visit(record);
  });
}

/// The number of a field, clamped to it once more: whatever a record holds counts as something of the public domain.
[[nodiscard]] inline std::int64_t clamped(const RecordLayout::Field& field, const unsigned char* record) {
  return std::clamp(field.read(record), field.low, field.high);
}

struct SumAndCount {
  Int128 sum = 0;
  std::int64_t count = 0;
};

}  // namespace gauze::collect::internal
