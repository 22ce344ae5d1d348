#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "gauze/collect/reports/internal/block_ids.h"
#include "gauze/collect/reports/internal/period_counts.h"

namespace gauze::collect::internal {

/// Counts found reports in parallel. What is decided by their order is decided by admit(), which is called in that order.
class Collector {
 public:
  Collector(const ReportTask& task, const AggregateOptions& options);

  /// Takes note of what was rejected, drops runs whose id was there before, and knows the periods. `bad_data` when there are too
  /// many of these.
  [[nodiscard]] Result<void> admit(FoundReports& found);
  /// Counts runs that were admitted; beside that, at the same time, does the chores.
  void count(std::span<FoundReports* const> found, std::span<const std::function<void()>> chores);

  /// All that was counted, without sources. Once.
  [[nodiscard]] Aggregate finish();

 private:
  void drop_duplicates(std::vector<Run>& runs);
  void limit_lanes();

  const ReportTask& task_;
  std::optional<BlockIds> ids_;
  std::set<std::uint32_t> periods_;
  std::optional<std::uint32_t> latest_period_;
  std::vector<PeriodCounts> lanes_;  // each is used by one thread at a time
  RejectedReports rejected_;
  std::uint64_t duplicates_ = 0;
};

}  // namespace gauze::collect::internal
