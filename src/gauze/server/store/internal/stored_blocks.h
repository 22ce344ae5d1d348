#pragma once
// Walks over the blocks of one family.

#include <cstdint>
#include <functional>
#include <optional>

#include "gauze/server/store/internal/report_families.h"
#include "gauze/server/store/report_store.h"

namespace gauze::server::internal {

/// Each task version and period of which a family has blocks, without reading these.
[[nodiscard]] Result<void> for_task_periods(
    const Database& database, const ReportFamily& family, const rocksdb::Snapshot* snapshot,
    const std::function<Result<void>(const collect::TaskHash&, std::uint32_t)>& each);

/// Blocks of a task version, opened, by period and sequence.
struct BlockRange {
  collect::TaskHash task{};
  PeriodRange periods;
  std::uint64_t behind = 0;  ///< only those behind this sequence number, of the first period
};
[[nodiscard]] Result<void> for_blocks(const Database& database, const ReportFamily& family,
                                      const rocksdb::Snapshot* snapshot, const BlockRange& range,
                                      const std::function<Result<void>(const StoredBlock&)>& each);

}  // namespace gauze::server::internal
