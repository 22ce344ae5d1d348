#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gauze/collect/reports/aggregate.h"
#include "gauze/collect/reports/block_format.h"

namespace gauze::server {

/// What the store must know of one version of a task.
struct IngestTask {
  enum class State { active, replaced, closed };

  std::string name;          ///< shared by all versions: a device's limit is by it
  collect::TaskHash hash{};  ///< of this version
  State state = State::active;
  /// How its reports are counted. Central tasks have no cells: their function only says what is out of range.
  collect::ReportTask counting;
  bool keeps_aggregate = false;  ///< a local task whose question has a state
  bool is_central = false;
  std::int64_t period_seconds = 86'400;
  std::int64_t approved_at = 0;
  std::int64_t ends_at = 0;  ///< end of its validity: closed from then on
  int retention_days = 1;    ///< at least 1
  std::optional<std::uint32_t> reports_per_period;

  [[nodiscard]] bool is_closed_at(std::int64_t now) const { return state == State::closed || now >= ends_at; }
};

/// All versions of all tasks that were ever approved, at one moment.
class TaskDirectory {
 public:
  TaskDirectory() = default;
  explicit TaskDirectory(std::vector<IngestTask> tasks) {
    for (IngestTask& task : tasks) {
      const collect::TaskHash hash = task.hash;
      tasks_.insert_or_assign(hash, std::move(task));
    }
  }
  /// Null when no version has this hash.
  [[nodiscard]] const IngestTask* find(const collect::TaskHash& hash) const {
    const auto place = tasks_.find(hash);
    return place == tasks_.end() ? nullptr : &place->second;
  }

 private:
  std::map<collect::TaskHash, IngestTask> tasks_;
};

}  // namespace gauze::server
