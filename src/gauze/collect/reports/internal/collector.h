#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "gauze/collect/reports/internal/block_ids.h"
#include "gauze/collect/reports/internal/period_counts.h"

namespace gauze::collect::internal {

/// What is counted of all sources: by several lanes, each of which one thread uses at a time. What the order of reports
/// decides is decided by admit(), which is called in that order.
class Collector {
 public:
  Collector(const ReportTask& task, const AggregateOptions& options);

  /// Takes note of what was rejected, drops runs whose id was there before, and knows the periods. `bad_data` when there are too
  /// many of these.
  [[nodiscard]] Result<void> admit(FoundReports& found);

  [[nodiscard]] std::size_t lanes() const { return lanes_.size(); }
  [[nodiscard]] PeriodCounts& lane(std::size_t number) { return lanes_[number]; }

  /// All that was counted, without sources. Once.
  [[nodiscard]] Aggregate finish();

 private:
  void drop_duplicates(std::vector<Run>& runs);

  const ReportTask& task_;
  std::optional<BlockIds> ids_;
  std::set<std::uint32_t> periods_;
  std::optional<std::uint32_t> latest_period_;
  SharedCounts shared_;
  std::vector<PeriodCounts> lanes_;
  RejectedReports rejected_;
  std::uint64_t duplicates_ = 0;
};

}  // namespace gauze::collect::internal
