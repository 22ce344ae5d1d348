#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/collect/reports/aggregate.h"
#include "gauze/server/keys/key_file.h"
#include "gauze/server/store/acceptance.h"
#include "gauze/server/store/ingest_outcome.h"
#include "gauze/server/store/ingest_task.h"

namespace gauze::server {

/// Periods from `from` to `to`, both of them.
struct PeriodRange {
  std::uint32_t from = 0;
  std::uint32_t to = std::numeric_limits<std::uint32_t>::max();
};

/// What the stored blocks of a task version add up to.
struct StoredAggregate {
  collect::Aggregate aggregate;
  /// All blocks up to it are in the aggregate that were not deleted up to it, and nothing else.
  std::uint64_t sequence = 0;
};

/// A block as it is kept.
struct StoredBlock {
  std::uint32_t period = 0;
  std::uint64_t sequence = 0;  ///< in the order in which blocks were acknowledged
  std::uint32_t reports = 0;
  std::string_view payloads;  ///< of the reports, one behind the other; gone after the call
};

/// What a sweep did, for the audit log.
struct SweptDate {
  std::int64_t day = 0;          ///< the expiry date, in days since 1970
  std::uint32_t generation = 0;  ///< how often the date had been swept before
};

/// Whether the states are what the blocks add up to.
struct StoreCheck {
  std::uint64_t parts = 0;  ///< that were compared
  std::uint64_t blocks = 0;
  std::uint64_t reports = 0;
  std::uint64_t different = 0;  ///< parts whose state is not the recount
  std::uint64_t settled = 0;    ///< parts whose blocks are gone
};

struct StoreFigures {
  IngestOutcome results;  ///< since the start, in reports
  std::uint64_t deleted_blocks = 0;
  std::uint64_t families = 0;  ///< expiry dates with blocks
  std::uint64_t bytes = 0;
  std::uint64_t sequence = 0;
  std::uint64_t disk_free = 0;
};

/// The reports of a curator: each counted exactly once, sealed, and gone on its date. The format is in docs/formats/curator-store.md.
///
/// Acknowledged   : written and synced, together with the block's id and the counter of its credential.
/// Exactly once   : a block is taken once, whatever day it comes again on and whatever became of it, as long as its period is accepted; after
///                  that it is refused.
/// Sealed         : no payload is in any file but under a key of the key file; one key for each expiry date. A row holds no credential.
/// Retention      : on the date of arrival + retention (UTC, when it begins) the key goes, then the rows. What they added up to stays.
/// Not covered    : a copy of the folder together with a copy of the key file and its key-encryption key; a folder that is put back to an
///                  earlier state takes blocks again that came since.
/// A failed write: nothing is taken any more, and reading may be refused, until recover() has opened the folder anew.
/// Thread safety  : all members may be called concurrently. One process has the folder at a time.
class ReportStore {
 public:
  struct Options {
    std::filesystem::path folder;
    std::shared_ptr<KeyFile> keys;
    AcceptanceWindow window;
    std::function<std::int64_t()> clock = {};  ///< seconds since 1970; the system's
    unsigned fold_threads = 1;
    std::chrono::milliseconds gathering{5};  ///< the longest that a batch waits for others
    std::size_t group_bytes = std::size_t{1} << 20U;
    std::uint64_t checkpoint_blocks = 16'384;
    std::function<void(std::string_view)> between_steps = {};  ///< of a sweep, by name: for tests
  };
  /// Opens or makes the store, finishes what was interrupted, and adds up the blocks that no state covers yet. `io` when the folder cannot be
  /// written or another process has it; `bad_data` when files are damaged, keys are missing, or it holds blocks of unknown tasks.
  [[nodiscard]] static Result<std::unique_ptr<ReportStore>> open(Options options, const TaskDirectory& tasks);
  ~ReportStore();

  /// Takes the blocks of a batch, which lie one behind the other. `credential`: 32 bytes, or a digest of them, of the device. Returns when
  /// all is durable. After an error of writing everything is refused until the store has recovered: what was not acknowledged may
  /// be there, and is then answered as a duplicate.
  [[nodiscard]] Result<IngestOutcome> ingest(std::span<const unsigned char, 32> credential,
                                             std::string_view plaintext, const TaskDirectory& tasks);

  /// Of a task that keeps aggregates: contains every report that was acknowledged, and lacks every block that was deleted, before the
  /// call; also of dates that were swept.
  [[nodiscard]] Result<StoredAggregate> aggregate(const collect::ReportTask& task, PeriodRange periods = {});

  /// The stored blocks of a task version that were acknowledged before the call and whose date is not past, one expiry date after the other,
  /// in each by period and sequence. An error of `each` ends it.
  [[nodiscard]] Result<void> scan(const collect::TaskHash& task, PeriodRange periods,
                                  const std::function<Result<void>(const StoredBlock&)>& each);

  /// Deletes all blocks of an id and takes them out of the aggregate, durably. They stay counted for limits and duplicates. False: none is
  /// stored (any more); that answer waits for a synced write too, so that its time tells little of what is stored.
  [[nodiscard]] Result<bool> remove(const collect::BlockId& id, const TaskDirectory& tasks);

  /// What is done at 00:00 of a day: the blocks that expire on that day or before it go. `audit` is called for each date when they are gone,
  /// once or, if the process is ended in the middle of it, again at the next call; its error ends the sweep, which the next call
  /// finishes. Periods that the real clock has closed are forgotten besides.
  [[nodiscard]] Result<std::vector<SweptDate>> sweep(std::int64_t as_of_day,
                                                     const std::function<Result<void>(const SweptDate&)>& audit);

  /// Opens all stored blocks and counts them anew. `bad_data` when one cannot be opened.
  [[nodiscard]] Result<StoreCheck> check(const TaskDirectory& tasks);

  /// A copy of the store as it is now in a folder that must not be there yet; never of the key file. Files and folders are for their owner
  /// alone. `invalid_parameter` when the folder is inside that of the store, or inside the folder in which that lies.
  [[nodiscard]] Result<void> backup(const std::filesystem::path& folder);

  [[nodiscard]] StoreFigures figures() const;

  /// False after a failed write, until the store has recovered. Waits for nothing.
  [[nodiscard]] bool is_writable() const;

  /// To be called every few seconds: does nothing while the store is writable. Otherwise, as soon as there is room, opens the folder anew as
  /// open() does, between calls: while it waits for those under way (at most 2 seconds), and works, those that write get `io`, and others
  /// wait. An error leaves the store as it was, to be tried again; after one of opening nothing can be read either until then.
  [[nodiscard]] Result<void> recover(const TaskDirectory& tasks);

 private:
  struct Parts;
  using Hold = std::shared_lock<std::shared_mutex>;
  ReportStore(Options options, std::unique_ptr<Parts> parts);
  [[nodiscard]] static Result<std::unique_ptr<Parts>> make_parts(Options options, const TaskDirectory& tasks);
  /// Keeps the parts in their place for the time of a call.
  [[nodiscard]] Result<Hold> hold_to_read() const;
  [[nodiscard]] Result<Hold> hold_to_write() const;

  const Options options_;
  std::mutex recovery_mutex_;  ///< one recovery at a time
  std::atomic<bool> is_recovering_ = false;
  mutable std::shared_mutex parts_mutex_;  ///< shared by calls; whoever exchanges the parts has it alone
  std::unique_ptr<Parts> parts_;           ///< none after a recovery that failed while it opened
  StoreFigures last_figures_;              ///< when there are no parts
  std::uint64_t room_ = 0;                 ///< bytes that opening needs; for whoever recovers
};

}  // namespace gauze::server
