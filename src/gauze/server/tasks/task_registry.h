#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/words.h"
#include "gauze/collect/task/any_task.h"
#include "gauze/server/trail/audit_trail.h"

namespace gauze::server {

enum class VersionState { proposed, active, replaced, closed, withdrawn };
inline constexpr Words<VersionState, 5> kVersionStateWords = {{{VersionState::proposed, "proposed"},
                                                               {VersionState::active, "active"},
                                                               {VersionState::replaced, "replaced"},
                                                               {VersionState::closed, "closed"},
                                                               {VersionState::withdrawn, "withdrawn"}}};

/// One version of a task, as it was proposed.
struct TaskVersion {
  std::string name;
  std::int64_t version = 0;  ///< from 1 on, of one name
  std::string hash = {};
  std::string document = {};
  VersionState state = VersionState::proposed;
  std::string added_by = {};
  std::int64_t added_at = 0;
  std::string approved_by = {};
  std::int64_t approved_at = 0;
  std::int64_t closed_at = 0;
  std::shared_ptr<const collect::AnyTask> task = {};

  [[nodiscard]] const collect::DeviceTask& device_task() const { return collect::device_task(*task); }
  [[nodiscard]] const collect::TaskTerms& terms() const { return device_task().terms(); }
  /// None for a central one, and the other way round.
  [[nodiscard]] const collect::Task* local() const { return std::get_if<collect::Task>(task.get()); }
  [[nodiscard]] const collect::CentralTask* central() const { return std::get_if<collect::CentralTask>(task.get()); }

  [[nodiscard]] std::int64_t retention_days() const { return *terms().retention_seconds / 86'400; }
  /// The first second after the task's validity.
  [[nodiscard]] std::int64_t ends_at() const;
  /// Whether it was ever approved: only then a device can have reported under it.
  [[nodiscard]] bool was_approved() const { return approved_at != 0; }
  /// A line of the archive: who proposed what and who approved it, with the whole document.
  [[nodiscard]] Json to_json(bool with_document) const;
};

/// What the curator collects: one active version a name at most. A version is proposed by one admin and approved by another; what is
/// approved stays on record for good, and a changed parameter is another version with another hash.
///
/// Thread safety: all members may be called from any thread; a snapshot never changes.
class TaskRegistry {
 public:
  using Snapshot = std::shared_ptr<const std::vector<TaskVersion>>;
  using Clock = AuditTrail::Clock;

  struct Rules {
    std::int64_t retention_ceiling_days = 366;
  };

  /// `trail` and its file hold the tasks; it must outlive the registry.
  [[nodiscard]] static Result<std::unique_ptr<TaskRegistry>> open(AuditTrail& trail, const Rules& rules, Clock clock);

  /// All versions, in the order of names and versions.
  [[nodiscard]] Snapshot snapshot() const;
  /// Called with a new snapshot after each change, before the change returns.
  void on_change(std::function<void(const Snapshot&)> listener) { listener_ = std::move(listener); }

  /// Proposes a task: complete, consistent, within the rules. A version of the name that was proposed and not approved is withdrawn.
  [[nodiscard]] Result<TaskVersion> add(std::string_view document, const std::string& who);
  /// `not_authorised` for who proposed it. A hash, where one is given, says what was looked at: another proposal that has come
  /// meanwhile is refused. `prepare` runs before anything is recorded and may refuse.
  using Prepare = std::function<Result<void>(const TaskVersion&)>;
  [[nodiscard]] Result<TaskVersion> approve(const std::string& name, const std::string& who,
                                            const std::optional<std::string>& hash, const Prepare& prepare);
  /// Whether the table of tasks says what the audit trail says: who proposed and approved which version, which are closed. `bad_data` if not.
  [[nodiscard]] Result<void> verify() const;
  /// No more reports; what was collected stays until its retention ends.
  [[nodiscard]] Result<TaskVersion> close(const std::string& name, const std::string& who);

 private:
  TaskRegistry(AuditTrail& trail, const Rules& rules, Clock clock)
      : trail_(trail), rules_(rules), clock_(std::move(clock)) {}
  [[nodiscard]] Result<void> load();
  [[nodiscard]] Result<void> check_rules(const collect::AnyTask& task, const std::vector<TaskVersion>& known) const;

  AuditTrail& trail_;
  Rules rules_;
  Clock clock_;
  std::function<void(const Snapshot&)> listener_;
  std::mutex changing_;
  mutable std::mutex mutex_;
  Snapshot snapshot_;
};

/// The version of that name which is active, or else the last one that was closed; nullptr when there is none.
[[nodiscard]] const TaskVersion* current_version(const std::vector<TaskVersion>& versions, std::string_view name);
/// The version with that hash which was approved; nullptr when there is none.
[[nodiscard]] const TaskVersion* version_of_hash(const std::vector<TaskVersion>& versions, std::string_view hash);

}  // namespace gauze::server
