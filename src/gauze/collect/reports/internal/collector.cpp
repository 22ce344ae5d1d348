#include "gauze/collect/reports/internal/collector.h"

#include <algorithm>
#include <utility>

#include "gauze/base/parallel.h"

namespace gauze::collect::internal {
Collector::Collector(const ReportTask& task, const AggregateOptions& options) : task_(task) {
  // All lanes together have as much memory as the result may take, but one period each at least.
  const std::size_t a_period = std::max<std::size_t>(1, task.parts() * task.cells * sizeof(std::int64_t));
  const std::size_t lanes =
      std::clamp<std::size_t>(kMostCountBytes / a_period, 1, static_cast<std::size_t>(thread_count()));
  const std::size_t periods = std::max<std::size_t>(1, kMostCountBytes / lanes / a_period);
  lanes_.assign(lanes, PeriodCounts(task, shared_, periods));
  if (options.distinct) ids_.emplace();
}

Result<void> Collector::admit(FoundReports& found) {
  rejected_ += found.rejected;
  if (ids_) drop_duplicates(found.runs);
  const std::size_t most = most_periods(task_.parts(), task_.cells);
  for (const Run& run : found.runs) {
    if (latest_period_ == run.period) continue;
    latest_period_ = run.period;
    periods_.insert(run.period);
    if (periods_.size() > most)
      return make_error(ErrorCode::bad_data,
                        "the reports are of more than {} periods, the most that are counted at once for this task",
                        most);
  }
  return {};
}

void Collector::drop_duplicates(std::vector<Run>& runs) {
  constexpr std::size_t kAhead = 16;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i + kAhead < runs.size() && runs[i + kAhead].id != nullptr) ids_->expect(runs[i + kAhead].id);
    if (runs[i].id == nullptr || ids_->insert(runs[i].id))
      runs[kept++] = runs[i];
    else
      duplicates_ += runs[i].count;
  }
  runs.resize(kept);
}

Aggregate Collector::finish() {
  Aggregate out;
  out.task = task_.hash;
  out.parts = task_.parts();
  out.cells = task_.cells;
  out.rejected = rejected_;
  out.duplicates = duplicates_;
  for (PeriodCounts& lane : lanes_) {
    out.rejected.out_of_range += lane.out_of_range();
    lane.give_away();
  }
  out.periods = shared_.take();
  std::erase_if(out.periods, [](const auto& period) {
    return std::all_of(period.second.begin(), period.second.end(),
                       [](const PartCounts& part) { return part.reports == 0; });
  });
  return out;
}

}  // namespace gauze::collect::internal
