#pragma once

#include <condition_variable>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "gauze/base/error.h"
#include "gauze/files/json.h"
#include "gauze/server/http/http_message.h"
#include "gauze/server/tasks/task_registry.h"

namespace gauze::server {

class Curator;

/// Answers about the records of central tasks, each on the one way out: charged before a record is read, drawn once, kept with its charge
/// and sent afterwards.
///
/// Privacy unit   : one enrolment, all its records.
/// Neighbours     : add or remove one enrolment.
/// Guarantee      : all answers about a task's name together cost one enrolment the task's epsilon at most, whatever the analysts ask.
/// Proven         : docs/proofs/curator-queries.md
/// A retry        : the same request id with the same body gives the stored answer, charged once and drawn once.
/// Thread safety  : all members may be called from any thread.
class CentralAnswers {
 public:
  explicit CentralAnswers(Curator& curator) : curator_(curator) {}

  /// The dataset of a central task in the ledger, made when its first version is approved. Nothing for a local one.
  [[nodiscard]] Result<void> open_budget(const TaskVersion& version);
  [[nodiscard]] HttpResponse answer(const std::string& task, const Json& body, const std::string& analyst);

 private:
  Curator& curator_;
  std::mutex mutex_;
  std::condition_variable finished_;
  std::set<std::pair<std::string, std::string>> running_;  ///< requests that are worked on: task and id
};

}  // namespace gauze::server
