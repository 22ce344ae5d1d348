#include "gauze/collect/reports/internal/collector.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "gauze/base/parallel.h"

namespace gauze::collect::internal {
namespace {

/// Adds the counts of one lane to another's and leaves nothing in it.
void move_counts(PeriodCounts& from, std::map<std::uint32_t, std::vector<PartCounts>>& to) {
  for (auto& [period, parts] : from.periods()) {
    auto [place, is_new] = to.try_emplace(period);
    if (is_new) {
      place->second = std::move(parts);
      continue;
    }
    for (std::size_t part = 0; part < parts.size(); ++part) {
      PartCounts& sum = place->second[part];
      sum.reports += parts[part].reports;
      for (std::size_t i = 0; i < sum.cells.size(); ++i) sum.cells[i] += parts[part].cells[i];
    }
    parts.clear();
  }
  from.periods().clear();
}

}  // namespace

Collector::Collector(const ReportTask& task, const AggregateOptions& options)
    : task_(task), lanes_(static_cast<std::size_t>(thread_count()), PeriodCounts(task)) {
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

void Collector::limit_lanes() {
  const std::size_t bytes = periods_.size() * task_.parts() * task_.cells * sizeof(std::int64_t);
  const std::size_t most = std::max<std::size_t>(1, kMostCountBytes / std::max<std::size_t>(1, bytes));
  for (; lanes_.size() > most; lanes_.pop_back()) {
    rejected_.out_of_range += lanes_.back().out_of_range();
    move_counts(lanes_.back(), lanes_.front().periods());
  }
}

void Collector::count(std::span<FoundReports* const> found, std::span<const std::function<void()>> chores) {
  limit_lanes();
  std::atomic<std::size_t> next{0};
  parallel_for(chores.size() + lanes_.size(), 1, [&](std::size_t task, std::size_t) {
    if (task < chores.size()) return chores[task]();
    PeriodCounts& lane = lanes_[task - chores.size()];
    for (std::size_t i = next++; i < found.size(); i = next++)
      for (const Run& run : found[i]->runs) lane.add(run);
    lane.flush();
  });
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
    move_counts(lane, out.periods);
  }
  std::erase_if(out.periods, [](const auto& period) {
    return std::all_of(period.second.begin(), period.second.end(),
                       [](const PartCounts& part) { return part.reports == 0; });
  });
  return out;
}

}  // namespace gauze::collect::internal
