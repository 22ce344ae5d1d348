#pragma once

#include <condition_variable>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/collect/central/central_query.h"
#include "gauze/files/json.h"
#include "gauze/ledger/request.h"
#include "gauze/publish/publication.h"
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
  /// Whether the ledger holds every approved task's budget as its users were told: `bad_data` if not.
  [[nodiscard]] Result<void> check_budgets() const;
  [[nodiscard]] HttpResponse answer(const std::string& task, const Json& body, const std::string& analyst);

 private:
  class Turn;
  /// Who asks, under which id.
  struct Asker {
    std::string analyst;
    RequestId request;
  };
  [[nodiscard]] HttpResponse draw(const std::string& task, const std::vector<TaskVersion>& versions, const Json& body,
                                  const Asker& asker);
  /// Keeps the answer with its charge; its text.
  [[nodiscard]] Result<std::string> finish(publish::Publication& publication, const collect::CentralQuery& query,
                                           const collect::CentralAnswer& drawn);
  [[nodiscard]] Result<void> check_epsilon(const TaskVersion& version, const Rational& epsilon) const;

  Curator& curator_;
  std::mutex mutex_;
  std::condition_variable finished_;
  std::set<std::pair<std::string, std::string>> running_;  ///< requests that are worked on: task and id
};

}  // namespace gauze::server
