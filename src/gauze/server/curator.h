#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "gauze/base/error.h"
#include "gauze/files/json.h"
#include "gauze/ledger/group_commit.h"
#include "gauze/server/channel/sealing_keys.h"
#include "gauze/server/config/curator_config.h"
#include "gauze/server/keys/key_file.h"
#include "gauze/server/people/enrolment.h"
#include "gauze/server/store/report_store.h"
#include "gauze/server/tasks/task_registry.h"
#include "gauze/server/trail/audit_trail.h"

namespace gauze::server {

/// A line of the log: what happened, for whoever runs the server. Holds no value, no id, no credential and no address.
struct LogLine {
  std::string_view level;  ///< "info", "error"
  std::string_view event;  ///< "started", "swept"
  Json fields = Json::object();
};
using LogSink = std::function<void(const LogLine&)>;

/// A curator without its listeners: its keys, its store, its tasks, its trail and its ledger, and a thread that keeps its promises as time
/// passes (sweeps, rotation of keys).
///
/// One process at a time has the folder. Thread safety: what the members give may be used from any thread.
class Curator {
 public:
  using Clock = std::function<std::int64_t()>;
  struct Surroundings {
    LogSink log = {};  ///< nothing is logged without one
    Clock clock = {};  ///< the system's without one
  };

  /// Opens the folder of a configuration, and makes in it what is missing. `io`, `bad_data`, `not_authorised` (another key-encryption key)
  /// say what stands in the way.
  [[nodiscard]] static Result<std::unique_ptr<Curator>> open(CuratorConfig config, Surroundings surroundings);
  ~Curator();

  [[nodiscard]] const CuratorConfig& config() const { return config_; }
  [[nodiscard]] std::int64_t now() const { return clock_(); }
  [[nodiscard]] const Clock& clock() const { return clock_; }
  void log(const LogLine& line) const {
    if (log_) log_(line);
  }

  [[nodiscard]] SealingKeys& sealing() { return *sealing_; }
  [[nodiscard]] Enrolment& enrolment() { return *enrolment_; }
  [[nodiscard]] TaskRegistry& tasks() { return *tasks_; }
  [[nodiscard]] AuditTrail& trail() { return *trail_; }
  [[nodiscard]] ReportStore& store() { return *store_; }
  [[nodiscard]] const std::shared_ptr<GroupCommit>& ledger() { return ledger_; }
  [[nodiscard]] Result<std::vector<Balance>> balances() const;
  /// A new budget. Serialised with nothing: nobody charges it before it is there.
  [[nodiscard]] Result<void> create_dataset(const DatasetTerms& terms);
  /// What the store must know of all approved tasks, now.
  [[nodiscard]] std::shared_ptr<const TaskDirectory> directory() const;
  /// By which merged states tell this curator from others: 64 hexadecimal digits.
  [[nodiscard]] const std::string& identity() const { return identity_; }

  /// Whether the clock, the disk and the keys are as they must be; the reasons, where they are not.
  [[nodiscard]] std::vector<std::string> troubles() const;

  /// Everything that expires on that day or before it goes, at the word of `who`.
  [[nodiscard]] Result<std::vector<SweptDate>> sweep(std::int64_t as_of_day, const std::string& who);
  /// A copy of store, records, enrolments and ledger in a folder that must not be there yet; never of the file of keys.
  [[nodiscard]] Result<void> backup(const std::filesystem::path& folder, const std::string& who);
  /// Wraps the file of keys by the key that the configuration names at present.
  [[nodiscard]] Result<void> rewrap(const std::string& who);
  /// A new active sealing key for each suite, at the word of `who`.
  [[nodiscard]] Result<std::vector<SealingKeys::Change>> rotate_keys(const std::string& who);
  /// The clock has moved on: keys, sweeps. Also called by the thread, every few seconds.
  [[nodiscard]] Result<void> tick();

  /// The parts of a folder, for looking at them without a server.
  struct Paths {
    std::filesystem::path keys, store, records, enrolment, ledger, lock;
    explicit Paths(const std::filesystem::path& folder)
        : keys(folder / "keys"),
          store(folder / "store"),
          records(folder / "records.db"),
          enrolment(folder / "enrolment.db"),
          ledger(folder / "ledger.db"),
          lock(folder / "lock") {}
  };

 private:
  Curator(CuratorConfig config, Surroundings surroundings);
  [[nodiscard]] Result<void> open_all();
  [[nodiscard]] Result<void> make_files();
  [[nodiscard]] Result<void> check_files() const;
  [[nodiscard]] Result<void> check_ledger() const;
  void take_tasks(const TaskRegistry::Snapshot& snapshot);
  void keep_promises();
  [[nodiscard]] Result<void> record_keys(const std::vector<SealingKeys::Change>& changes, const std::string& who);

  CuratorConfig config_;
  LogSink log_;
  Clock clock_;
  Paths paths_;
  FileDescriptor lock_;
  std::shared_ptr<KeyFile> keys_;
  std::string identity_;
  std::unique_ptr<AuditTrail> trail_;
  std::unique_ptr<TaskRegistry> tasks_;
  std::unique_ptr<Enrolment> enrolment_;
  std::unique_ptr<SealingKeys> sealing_;
  std::unique_ptr<ReportStore> store_;
  std::unique_ptr<Ledger> reader_;  ///< of balances; used under mutex_
  std::shared_ptr<GroupCommit> ledger_;
  mutable std::mutex mutex_;
  std::shared_ptr<const TaskDirectory> directory_;
  std::mutex sweeping_;
  std::int64_t swept_day_ = -1;
  std::mutex thread_mutex_;
  std::condition_variable wake_;
  bool is_ending_ = false;
  std::thread thread_;
};

/// {"same","parts","different","settled","blocks","reports"}
[[nodiscard]] Json to_json(const StoreCheck& check);

/// The key-encryption key that a configuration names.
[[nodiscard]] Result<KeyEncryptionKey> read_key_encryption_key(const KeySource& source);

}  // namespace gauze::server
