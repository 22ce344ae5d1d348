#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "gauze/collect/reports/internal/found_reports.h"

namespace gauze::collect::internal {

using Periods = std::map<std::uint32_t, std::vector<PartCounts>>;

/// What several threads have counted.
class SharedCounts {
 public:
  /// Adds counts, and leaves none in them.
  void add(Periods& counts);
  [[nodiscard]] Periods take() { return std::exchange(periods_, {}); }

 private:
  std::mutex mutex_;
  Periods periods_;
};

/// Counts runs of reports by period and part; one thread has one of these.
///
/// Counters are quick with many reports at a time, and a device's block often holds one: small runs are copied together
/// before they are counted.
class PeriodCounts {
 public:
  /// Gives what it has counted to the shared counts before there are more than so many periods.
  PeriodCounts(const ReportTask& task, SharedCounts& shared, std::size_t most_periods)
      : task_(&task), shared_(&shared), most_periods_(most_periods) {}

  void add(const Run& run);
  /// Counts what waits. Before give_away() and out_of_range().
  void flush();
  /// Gives all that was counted to the shared counts.
  void give_away();

  [[nodiscard]] std::uint64_t out_of_range() const { return out_of_range_; }

 private:
  void count(std::uint32_t period, std::size_t part, const unsigned char* payloads, std::size_t count);
  void flush_part(std::size_t part);
  void wait(std::size_t part, const unsigned char* payloads, std::size_t count);

  const ReportTask* task_;
  SharedCounts* shared_;
  std::size_t most_periods_;
  Periods periods_;
  std::vector<PartCounts>* latest_ = nullptr;  // of latest_period_
  std::uint32_t latest_period_ = 0;
  std::uint64_t out_of_range_ = 0;
  std::array<std::vector<unsigned char>, 2> waiting_;  // payloads of waiting_period_, by part
  std::uint32_t waiting_period_ = 0;
};

}  // namespace gauze::collect::internal
