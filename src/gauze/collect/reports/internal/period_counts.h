#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "gauze/collect/reports/internal/found_reports.h"

namespace gauze::collect::internal {

/// Counts runs of reports by period and part; one thread has one of these.
///
/// Counters are quick with many reports at a time, and a device's block often holds one: small runs are copied together
/// before they are counted.
class PeriodCounts {
 public:
  explicit PeriodCounts(const ReportTask& task) : task_(&task) {}

  void add(const Run& run);
  /// Counts what waits. Before periods() or out_of_range() are looked at.
  void flush();

  [[nodiscard]] std::map<std::uint32_t, std::vector<PartCounts>>& periods() { return periods_; }
  [[nodiscard]] std::uint64_t out_of_range() const { return out_of_range_; }

 private:
  void count(std::uint32_t period, std::size_t part, const unsigned char* payloads, std::size_t count);
  void flush_part(std::size_t part);
  void wait(std::size_t part, const unsigned char* payloads, std::size_t count);

  const ReportTask* task_;
  std::map<std::uint32_t, std::vector<PartCounts>> periods_;
  std::vector<PartCounts>* latest_ = nullptr;  // of latest_period_
  std::uint32_t latest_period_ = 0;
  std::uint64_t out_of_range_ = 0;
  std::array<std::vector<unsigned char>, 2> waiting_;  // payloads of waiting_period_, by part
  std::uint32_t waiting_period_ = 0;
};

}  // namespace gauze::collect::internal
