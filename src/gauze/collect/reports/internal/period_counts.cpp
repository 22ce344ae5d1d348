#include "gauze/collect/reports/internal/period_counts.h"

#include "gauze/collect/reports/block_counts.h"

namespace gauze::collect::internal {
namespace {

/// So many reports, or bytes of them, are counted where they lie.
constexpr std::size_t kManyReports = 512;
constexpr std::size_t kManyBytes = 32'768;
/// Waiting payloads are counted from this size on.
constexpr std::size_t kEnoughBytes = 131'072;

}  // namespace

void SharedCounts::add(Periods& counts) {
  const std::lock_guard lock(mutex_);
  for (auto& [period, parts] : counts) {
    const auto [place, is_new] = periods_.try_emplace(period, std::move(parts));
    for (std::size_t part = 0; !is_new && part < parts.size(); ++part) {
      PartCounts& sum = place->second[part];
      sum.reports += parts[part].reports;
      for (std::size_t i = 0; i < sum.cells.size(); ++i) sum.cells[i] += parts[part].cells[i];
    }
  }
  counts.clear();
}

void PeriodCounts::give_away() {
  shared_->add(periods_);
  latest_ = nullptr;
}

void PeriodCounts::add(const Run& run) {
  const std::size_t bytes = run.count * task_->report_bytes();
  if (!task_->has_part_byte && (run.count >= kManyReports || bytes >= kManyBytes))
    return count(run.period, 0, run.reports, run.count);
  if (run.period != waiting_period_) flush();
  waiting_period_ = run.period;
  if (!task_->has_part_byte) return wait(0, run.reports, run.count);
  for (std::size_t i = 0; i < run.count; ++i) {
    const unsigned char* report = run.reports + i * task_->report_bytes();
    if (report[0] > 1)
      ++out_of_range_;
    else
      wait(report[0], report + 1, 1);
  }
}

void PeriodCounts::wait(std::size_t part, const unsigned char* payloads, std::size_t count) {
  auto& waiting = waiting_[part];
  waiting.insert(waiting.end(), payloads, payloads + count * task_->shape.payload_bytes);
  if (waiting.size() >= kEnoughBytes) flush_part(part);
}

void PeriodCounts::flush_part(std::size_t part) {
  auto& waiting = waiting_[part];
  if (!waiting.empty()) count(waiting_period_, part, waiting.data(), waiting.size() / task_->shape.payload_bytes);
  waiting.clear();
}

void PeriodCounts::flush() {
  for (std::size_t part = 0; part < task_->parts(); ++part) flush_part(part);
}

void PeriodCounts::count(std::uint32_t period, std::size_t part, const unsigned char* payloads, std::size_t count) {
  if (latest_ == nullptr || period != latest_period_) {
    if (periods_.size() >= most_periods_ && !periods_.contains(period)) give_away();
    latest_ = &periods_[period];
    latest_period_ = period;
    if (latest_->empty()) *latest_ = empty_parts(*task_);
  }
  out_of_range_ += count_payloads(*task_, payloads, task_->shape.payload_bytes, count, (*latest_)[part]);
}

}  // namespace gauze::collect::internal
