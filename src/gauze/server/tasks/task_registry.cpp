#include "gauze/server/tasks/task_registry.h"

#include <algorithm>
#include <map>

#include "gauze/base/joined.h"
#include "gauze/base/utc_date.h"
#include "gauze/files/json_reader.h"
#include "gauze/ledger/ledger.h"

namespace gauze::server {
namespace {

constexpr std::int64_t kShortestPeriod = 3'600;
constexpr std::int64_t kLongestPeriod = 366 * kSecondsPerDay;

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }
Json time_or_null(std::int64_t seconds) { return seconds == 0 ? Json() : Json(time_text(seconds)); }

const TaskVersion* find(const std::vector<TaskVersion>& versions, std::string_view name, VersionState state) {
  for (const TaskVersion& version : versions)
    if (version.name == name && version.state == state) return &version;
  return nullptr;
}

Result<void> set_state(SqliteFile& file, const TaskVersion& version, VersionState state) {
  GAUZE_TRY(SqliteStatement update, file.prepare("UPDATE tasks SET state = ? WHERE name = ? AND version = ?"));
  return update.bind(word_of(kVersionStateWords, state)).bind(version.name).bind(version.version).run();
}

Json event_details(const TaskVersion& version) {
  return Json::object({{"version", version.version}, {"hash", version.hash}});
}

}  // namespace

std::int64_t TaskVersion::ends_at() const {
  return (parse_utc_date(terms().validity).value_or(0) + 1) * kSecondsPerDay;
}

Json TaskVersion::to_json(bool with_document) const {
  Json object = Json::object({{"name", name},
                              {"version", version},
                              {"hash", hash},
                              {"state", word_of(kVersionStateWords, state)},
                              {"added_by", added_by},
                              {"added_at", time_or_null(added_at)},
                              {"approved_by", text_or_null(approved_by)},
                              {"approved_at", time_or_null(approved_at)},
                              {"closed_at", time_or_null(closed_at)}});
  if (with_document)
    if (auto read = read_json(document)) object.set("task", std::move(*read));
  return object;
}

const TaskVersion* current_version(const std::vector<TaskVersion>& versions, std::string_view name) {
  const TaskVersion* found = nullptr;
  for (const TaskVersion& version : versions) {
    if (version.name != name) continue;
    if (version.state == VersionState::active) return &version;
    if (version.state == VersionState::closed) found = &version;
  }
  return found;
}

const TaskVersion* version_of_hash(const std::vector<TaskVersion>& versions, std::string_view hash) {
  for (const TaskVersion& version : versions)
    if (version.hash == hash && version.was_approved()) return &version;
  return nullptr;
}

Result<std::unique_ptr<TaskRegistry>> TaskRegistry::open(AuditTrail& trail, const Rules& rules, Clock clock) {
  std::unique_ptr<TaskRegistry> registry(new TaskRegistry(trail, rules, std::move(clock)));
  GAUZE_TRY_VOID(registry->load());
  GAUZE_TRY_VOID(registry->verify());
  return registry;
}

TaskRegistry::Snapshot TaskRegistry::snapshot() const {
  const std::lock_guard guard(mutex_);
  return snapshot_;
}

Result<void> TaskRegistry::load() {
  auto versions = std::make_shared<std::vector<TaskVersion>>();
  const Snapshot before = snapshot();
  const auto read_rows = [&](SqliteFile& file) -> Result<void> {
    GAUZE_TRY(
        SqliteStatement rows,
        file.prepare("SELECT name, version, hash, document, state, added_by, added_at, approved_by, approved_at, "
                     "closed_at FROM tasks ORDER BY name, version"));
    for (;;) {
      GAUZE_TRY(const bool more, rows.step());
      if (!more) return {};
      TaskVersion version{
          .name = rows.text(0), .version = rows.whole(1), .hash = rows.text(2), .document = rows.text(3)};
      const auto state = value_of(kVersionStateWords, rows.text(4));
      if (!state) return make_error(ErrorCode::bad_data, "the file of records has a task in no known state");
      version.state = *state;
      version.added_by = rows.text(5);
      version.added_at = rows.whole(6);
      version.approved_by = rows.text(7);
      version.approved_at = rows.whole(8);
      version.closed_at = rows.whole(9);
      // Reading a task of a million values takes a second: what is known is not read again.
      if (before)
        for (const TaskVersion& known : *before)
          if (known.hash == version.hash) version.task = known.task;
      if (!version.task) {
        GAUZE_TRY(collect::AnyTask task, collect::parse_any_task(version.document));
        if (collect::device_task(task).hash() != version.hash)
          return make_error(ErrorCode::bad_data, "the file of records has a task under another hash than its own");
        version.task = std::make_shared<const collect::AnyTask>(std::move(task));
      }
      versions->push_back(std::move(version));
    }
  };
  GAUZE_TRY_VOID(trail_.read(read_rows));
  const Snapshot made = std::move(versions);
  {
    const std::lock_guard guard(mutex_);
    snapshot_ = made;
  }
  if (listener_) listener_(made);
  return {};
}

Result<void> TaskRegistry::check_rules(const collect::AnyTask& task, const std::vector<TaskVersion>& known) const {
  GAUZE_TRY_VOID(collect::check_any_task(task));
  const collect::DeviceTask& shown = collect::device_task(task);
  const collect::TaskTerms& terms = shown.terms();
  if (const auto missing = terms.missing(); !missing.empty())
    return invalid_parameter("the task is a draft: {} missing", joined(missing, ", "));
  const std::int64_t retention = *terms.retention_seconds;
  if (retention < kSecondsPerDay || retention % kSecondsPerDay != 0)
    return invalid_parameter("the retention of a task is whole days here, 1d at least");
  if (retention / kSecondsPerDay > rules_.retention_ceiling_days)
    return invalid_parameter("the task would keep reports for {} days; this curator's ceiling is {}",
                             retention / kSecondsPerDay, rules_.retention_ceiling_days);
  if (terms.period() < kShortestPeriod || terms.period() > kLongestPeriod)
    return invalid_parameter("the period of a task lies between 1h and 366d here");
  for (const TaskVersion& version : known) {
    if (version.hash == shown.hash() && version.state != VersionState::withdrawn)
      return invalid_parameter("this version of '{}' is known already: it is {}", version.name,
                               word_of(kVersionStateWords, version.state));
    if (version.name != terms.name || !version.was_approved()) continue;
    const auto* central = std::get_if<collect::CentralTask>(&task);
    if ((central == nullptr) != (version.central() == nullptr))
      return invalid_parameter("'{}' was a task of the other mode before: take another name", terms.name);
    if (central != nullptr && terms.epsilon_nano != version.terms().epsilon_nano)
      return invalid_parameter(
          "the epsilon of a central task is for life: all versions of '{}' share one budget, which stays",
          terms.name);
  }
  return {};
}

Result<TaskVersion> TaskRegistry::add(std::string_view document, const std::string& who) {
  GAUZE_TRY(collect::AnyTask task, collect::parse_any_task(document));
  const collect::DeviceTask& shown = collect::device_task(task);
  const std::lock_guard guard(changing_);
  const Snapshot known = snapshot();
  GAUZE_TRY_VOID(check_rules(task, *known));
  TaskVersion made{.name = shown.terms().name,
                   .version = 1,
                   .hash = shown.hash(),
                   .document = shown.to_json().dump(),
                   .added_by = who,
                   .added_at = clock_()};
  const TaskVersion* withdrawn = find(*known, made.name, VersionState::proposed);
  const TaskVersion* again = nullptr;
  for (const TaskVersion& version : *known) {
    if (version.name == made.name) made.version = std::max(made.version, version.version + 1);
    if (version.hash == made.hash) again = &version;
  }
  const auto insert_row = [&](SqliteFile& file) -> Result<void> {
    if (withdrawn != nullptr) GAUZE_TRY_VOID(set_state(file, *withdrawn, VersionState::withdrawn));
    if (again != nullptr) {  // withdrawn before: nobody ever reported under it
      GAUZE_TRY(SqliteStatement remove, file.prepare("DELETE FROM tasks WHERE hash = ?"));
      GAUZE_TRY_VOID(remove.bind(made.hash).run());
    }
    GAUZE_TRY(SqliteStatement insert,
              file.prepare("INSERT INTO tasks(name, version, hash, document, state, added_by, added_at) VALUES "
                           "(?,?,?,?,'proposed',?,?)"));
    insert.bind(made.name).bind(made.version).bind(made.hash).bind(made.document).bind(made.added_by);
    return insert.bind(made.added_at).run();
  };
  GAUZE_TRY_VOID(trail_.record(
      {.kind = "task proposed", .who = who, .subject = made.name, .details = event_details(made)}, insert_row));
  GAUZE_TRY_VOID(load());
  made.task = std::make_shared<const collect::AnyTask>(std::move(task));
  return made;
}

Result<TaskVersion> TaskRegistry::approve(const std::string& name, const std::string& who,
                                          const std::optional<std::string>& hash, const Prepare& prepare) {
  const std::lock_guard guard(changing_);
  const Snapshot known = snapshot();
  const TaskVersion* proposed = find(*known, name, VersionState::proposed);
  if (proposed == nullptr) return invalid_parameter("no version of the task '{}' waits for an approval", name);
  if (proposed->added_by == who)
    return make_error(ErrorCode::not_authorised, "'{}' proposed this version of '{}': another admin approves it", who,
                      name);
  if (hash && *hash != proposed->hash)
    return invalid_parameter("another version of '{}' was proposed meanwhile: it has the hash {}", name,
                             proposed->hash);
  TaskVersion made = *proposed;
  made.state = VersionState::active;
  made.approved_by = who;
  made.approved_at = clock_();
  if (made.ends_at() <= made.approved_at)
    return invalid_parameter("the task '{}' is past its validity: nobody could report", name);
  GAUZE_TRY_VOID(prepare(made));
  const TaskVersion* active = find(*known, name, VersionState::active);
  const TaskVersion* closed = find(*known, name, VersionState::closed);
  const auto activate = [&](SqliteFile& file) -> Result<void> {
    for (const TaskVersion* earlier : {active, closed})
      if (earlier != nullptr) GAUZE_TRY_VOID(set_state(file, *earlier, VersionState::replaced));
    GAUZE_TRY(SqliteStatement update,
              file.prepare("UPDATE tasks SET state = 'active', approved_by = ?, approved_at = ? WHERE name = ? AND "
                           "version = ?"));
    return update.bind(who).bind(made.approved_at).bind(name).bind(made.version).run();
  };
  GAUZE_TRY_VOID(trail_.record({.kind = "task approved", .who = who, .subject = name, .details = event_details(made)},
                               activate));
  GAUZE_TRY_VOID(load());
  return made;
}

Result<void> TaskRegistry::verify() const {
  struct Known {
    std::string name;
    std::string proposed_by;
    std::string approved_by;
    bool is_closed = false;
  };
  std::map<std::string, Known> known;  // by hash
  constexpr std::int64_t kPage = 1'000;
  for (std::int64_t from = 1;; from += kPage) {
    GAUZE_TRY(const auto entries, trail_.entries(from, kPage));
    for (const TrailEntry& entry : entries) {
      const Json* hash = entry.event.details.find("hash");
      if (hash == nullptr || !entry.event.kind.starts_with("task ")) continue;
      Known& one = known[std::string(hash->text())];
      one.name = entry.event.subject;
      if (entry.event.kind == "task proposed")
        one = {.name = entry.event.subject, .proposed_by = entry.event.who, .approved_by = {}};
      if (entry.event.kind == "task approved") one.approved_by = entry.event.who;
      if (entry.event.kind == "task closed") one.is_closed = true;
    }
    if (static_cast<std::int64_t>(entries.size()) < kPage) break;
  }
  for (const TaskVersion& version : *snapshot()) {
    const Known& one = known[version.hash];
    const bool is_same = one.name == version.name && one.proposed_by == version.added_by &&
                         one.approved_by == version.approved_by &&
                         (version.state != VersionState::closed || one.is_closed) &&
                         (version.state != VersionState::active || (!one.is_closed && !one.approved_by.empty()));
    if (!is_same)
      return make_error(ErrorCode::bad_data,
                        "the table of tasks is not what the audit trail tells of version {} of '{}'", version.version,
                        version.name);
  }
  return {};
}

Result<TaskVersion> TaskRegistry::close(const std::string& name, const std::string& who) {
  const std::lock_guard guard(changing_);
  const Snapshot known = snapshot();
  const TaskVersion* active = find(*known, name, VersionState::active);
  if (active == nullptr) return invalid_parameter("there is no active task '{}'", name);
  TaskVersion made = *active;
  made.state = VersionState::closed;
  made.closed_at = clock_();
  const auto end = [&](SqliteFile& file) -> Result<void> {
    GAUZE_TRY(SqliteStatement update,
              file.prepare("UPDATE tasks SET state = 'closed', closed_at = ? WHERE name = ? AND version = ?"));
    return update.bind(made.closed_at).bind(name).bind(made.version).run();
  };
  GAUZE_TRY_VOID(
      trail_.record({.kind = "task closed", .who = who, .subject = name, .details = event_details(made)}, end));
  GAUZE_TRY_VOID(load());
  return made;
}

}  // namespace gauze::server
