// What a ReportStore does beside taking reports and adding them up: reading them, sweeping, checking, copying.
#include <rocksdb/utilities/checkpoint.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <set>
#include <system_error>
#include <thread>

#include "gauze/collect/reports/block_counts.h"
#include "gauze/server/store/internal/store_parts.h"
#include "gauze/server/store/internal/stored_blocks.h"

namespace gauze::server {
namespace {

/// A snapshot, released at the end.
class HeldSnapshot {
 public:
  HeldSnapshot(rocksdb::DB& db, const rocksdb::Snapshot* snapshot) : db_(db), snapshot_(snapshot) {}
  HeldSnapshot(const HeldSnapshot&) = delete;
  HeldSnapshot& operator=(const HeldSnapshot&) = delete;
  ~HeldSnapshot() { db_.ReleaseSnapshot(snapshot_); }
  [[nodiscard]] const rocksdb::Snapshot* get() const { return snapshot_; }

 private:
  rocksdb::DB& db_;
  const rocksdb::Snapshot* snapshot_;
};

bool is_nothing(const std::vector<collect::PartCounts>& counts) {
  return std::all_of(counts.begin(), counts.end(), [](const collect::PartCounts& part) {
    return part.reports == 0 &&
           std::all_of(part.cells.begin(), part.cells.end(), [](auto cell) { return cell == 0; });
  });
}

}  // namespace

Result<void> ReportStore::scan(const collect::TaskHash& task, PeriodRange periods,
                               const std::function<Result<void>(const StoredBlock&)>& each) {
  GAUZE_TRY(const Hold hold, hold_to_read());
  std::vector<FamilyReading> readings;
  const HeldSnapshot snapshot(parts_->database->db(), parts_->database->db().GetSnapshot());
  const std::int64_t today = parts_->today();
  for (const internal::ReportFamilyPointer& family : parts_->families->live()) {
    if (std::int64_t{family->date.day} <= today) continue;  // past: it waits for its sweep
    FamilyReading reading(*parts_->families, family);
    if (reading.is_held()) readings.push_back(std::move(reading));
  }
  for (const FamilyReading& reading : readings)
    GAUZE_TRY_VOID(internal::for_blocks(*parts_->database, reading.family(), snapshot.get(),
                                        {.task = task, .periods = periods}, each));
  return {};
}

Result<void> ReportStore::Parts::finish_removals() {
  const std::vector<internal::ExpiryDate> dates = families->sweeping();
  if (dates.empty()) return {};
  GAUZE_TRY_VOID(families->remove_keys(dates));
  step("keys removed");
  GAUZE_TRY_VOID(families->drop(dates));
  step("families dropped");
  // Until all others are flushed the rows of a dropped family are in the log.
  GAUZE_TRY_VOID(database->flush());
  step("others flushed");
  return {};
}

Result<std::vector<SweptDate>> ReportStore::sweep(std::int64_t as_of_day,
                                                  const std::function<Result<void>(const SweptDate&)>& audit) {
  GAUZE_TRY(const Hold hold, hold_to_write());
  const std::lock_guard lock(parts_->sweep_mutex);
  GAUZE_TRY_VOID(parts_->writer->begin_sweep(as_of_day));
  parts_->step("begun");
  GAUZE_TRY_VOID(parts_->finish_removals());
  std::vector<SweptDate> swept;
  for (const internal::ExpiryDate& date : parts_->families->sweeping()) {
    const SweptDate one{.day = date.day, .generation = date.generation};
    GAUZE_TRY_VOID(audit(one));
    parts_->step("audited");
    GAUZE_TRY_VOID(parts_->families->settle(date));
    swept.push_back(one);
  }
  GAUZE_TRY_VOID(parts_->writer->close_periods());
  return swept;
}

namespace {

constexpr std::uint64_t kNewest = std::numeric_limits<std::uint64_t>::max();

/// Recounts the parts of one lane's tasks in a snapshot.
class Recount {
 public:
  Recount(const internal::Database& database, internal::Aggregates& aggregates, const TaskDirectory& tasks,
          const internal::Aggregates::LaneSnapshot& snapshot)
      : database_(database), aggregates_(aggregates), tasks_(tasks), snapshot_(snapshot) {}

  Result<void> count(const internal::ReportFamily& family, std::size_t lane, StoreCheck& out) {
    return internal::for_task_periods(
        database_, family, snapshot_.snapshot,
        [&](const collect::TaskHash& hash, std::uint32_t period) -> Result<void> {
          if (aggregates_.lane_of(hash) != lane) return {};
          const IngestTask* task = tasks_.find(hash);
          if (task == nullptr)
            return make_error(ErrorCode::bad_data, "the store holds reports of a task that is not known");
          const internal::PartKey key{.task = hash, .period = period, .date = family.date};
          return task->keeps_aggregate ? compare_part(family, task->counting, key, out)
                                       : count_blocks(family, key, kNewest, out, [](const StoredBlock&) {});
        });
  }

  /// States of blocks that are not there: all of them must have been deleted.
  Result<void> compare_others(const internal::ReportFamilies& families, std::size_t lane, StoreCheck& out) {
    return internal::for_rows(database_, aggregates_.handle(), snapshot_.snapshot, "A",
                              [&](std::string_view row, std::string_view value) -> Result<bool> {
                                const auto key = internal::read_part_row_key(row);
                                if (!key) return false;
                                if (aggregates_.lane_of(key->task) != lane || seen_.contains(*key)) return true;
                                if (!families.is_live(key->date)) {
                                  ++out.settled;
                                  return true;
                                }
                                GAUZE_TRY(const internal::PartState state, aggregates_.read_row(row, value));
                                ++out.parts;
                                if (!is_nothing(state.counts)) ++out.different;
                                return true;
                              });
  }

 private:
  /// Opens each block of a part, up to a sequence number.
  template <class Each>
  Result<void> count_blocks(const internal::ReportFamily& family, const internal::PartKey& key, std::uint64_t last,
                            StoreCheck& out, const Each& each) {
    return internal::for_blocks(database_, family, snapshot_.snapshot,
                                {.task = key.task, .periods = {.from = key.period, .to = key.period}},
                                [&](const StoredBlock& block) -> Result<void> {
                                  if (block.sequence > last) return {};
                                  ++out.blocks;
                                  out.reports += block.reports;
                                  each(block);
                                  return {};
                                });
  }

  Result<void> compare_part(const internal::ReportFamily& family, const collect::ReportTask& task,
                            const internal::PartKey& key, StoreCheck& out) {
    std::vector<collect::PartCounts> counts = collect::empty_parts(task);
    GAUZE_TRY_VOID(count_blocks(family, key, snapshot_.last, out, [&](const StoredBlock& block) {
      collect::count_reports(
          task, {reinterpret_cast<const unsigned char*>(block.payloads.data()), block.payloads.size()}, counts);
    }));
    seen_.insert(key);
    ++out.parts;
    GAUZE_TRY(const bool is_same, has_counts(key, counts));
    if (!is_same) ++out.different;
    return {};
  }

  Result<bool> has_counts(const internal::PartKey& key, const std::vector<collect::PartCounts>& counts) {
    const std::string row = internal::part_row_key(key);
    rocksdb::ReadOptions options;
    options.snapshot = snapshot_.snapshot;
    std::string value;
    const rocksdb::Status status = database_.db().Get(options, aggregates_.handle(), row, &value);
    if (status.IsNotFound()) return is_nothing(counts);
    if (!status.ok()) return internal::store_error("reading", status);
    GAUZE_TRY(const internal::PartState state, aggregates_.read_row(row, value));
    return state.counts == counts;
  }

  const internal::Database& database_;
  internal::Aggregates& aggregates_;
  const TaskDirectory& tasks_;
  internal::Aggregates::LaneSnapshot snapshot_;
  std::set<internal::PartKey> seen_;
};

}  // namespace

Result<StoreCheck> ReportStore::check(const TaskDirectory& tasks) {
  GAUZE_TRY(const Hold hold, hold_to_write());
  const std::lock_guard lock(parts_->sweep_mutex);
  StoreCheck out;
  for (std::size_t lane = 0; lane < parts_->aggregates->lanes(); ++lane) {
    // Taken before the snapshot, so that each of its families is among them.
    GAUZE_TRY(const auto taken, parts_->aggregates->snapshot_of_lane(lane));
    const HeldSnapshot snapshot(parts_->database->db(), taken.snapshot);
    Recount recount(*parts_->database, *parts_->aggregates, tasks, taken);
    for (const internal::ReportFamilyPointer& family : parts_->families->live())
      GAUZE_TRY_VOID(recount.count(*family, lane, out));
    GAUZE_TRY_VOID(recount.compare_others(*parts_->families, lane, out));
  }
  return out;
}

namespace {

/// Without links, `.` and `..`; what is not there of it is taken as it is written.
std::filesystem::path real_place(const std::filesystem::path& place) {
  std::error_code failure;
  std::filesystem::path real = std::filesystem::absolute(place, failure);
  // Twice: behind a folder that is not there `..` may lead to a link.
  for (int i = 0; i < 2 && !failure; ++i) real = std::filesystem::weakly_canonical(real, failure);
  return failure ? std::filesystem::path() : real;
}

bool is_inside(const std::filesystem::path& place, const std::filesystem::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), place.begin(), place.end()).first == folder.end();
}

}  // namespace

Result<void> ReportStore::backup(const std::filesystem::path& folder) {
  GAUZE_TRY(const Hold hold, hold_to_read());
  const std::lock_guard lock(parts_->sweep_mutex);
  const std::filesystem::path place = real_place(folder);
  const std::filesystem::path own = real_place(parts_->options.folder);
  if (place.empty() || own.empty())
    return make_error(ErrorCode::io, "cannot make '{}': it cannot be told where that is", folder.string());
  if (is_inside(place, own) || is_inside(place, own.parent_path()))
    return invalid_parameter("'{}' is inside the folder of what is to be copied: give a folder beside it",
                             folder.string());
  GAUZE_TRY(const bool is_new, internal::make_private_folder(place));
  if (!is_new)
    return make_error(ErrorCode::io, "'{}' is there already: a copy of the store goes into a folder of its own",
                      folder.string());
  rocksdb::Checkpoint* made = nullptr;
  rocksdb::Status status = rocksdb::Checkpoint::Create(&parts_->database->db(), &made);
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
  if (status.ok()) status = checkpoint->CreateCheckpoint((place / internal::kRowsFolder).string());
  if (!status.ok()) return internal::store_error("copying", status);
  return {};
}

StoreFigures ReportStore::figures() const {
  const Hold hold(parts_mutex_);
  if (parts_ == nullptr) return last_figures_;
  StoreFigures figures;
  {
    const std::lock_guard lock(parts_->figures_mutex);
    figures = parts_->figures;
  }
  figures.families = parts_->families->live().size();
  figures.bytes = parts_->database->table_bytes();
  figures.sequence = parts_->writer->sequence();
  std::error_code failure;
  const std::filesystem::space_info space = std::filesystem::space(parts_->options.folder, failure);
  figures.disk_free = failure ? 0 : space.available;
  return figures;
}

namespace {

constexpr std::chrono::seconds kPatience{2};
constexpr std::chrono::milliseconds kPause{5};
/// Of a disk that recovery begins on, beside what opening writes: so that it is not full again at once.
constexpr std::uint64_t kSpareBytes = std::uint64_t{4} << 20U;

tl::unexpected<Error> is_recovering() {
  return make_error(ErrorCode::io, "the store of reports recovers from a failed write: try again in a few seconds");
}

}  // namespace

Result<ReportStore::Hold> ReportStore::hold_to_read() const {
  Hold hold(parts_mutex_);
  if (parts_ == nullptr) return is_recovering();
  return hold;
}

Result<ReportStore::Hold> ReportStore::hold_to_write() const {
  if (is_recovering_) return is_recovering();
  return hold_to_read();
}

bool ReportStore::is_writable() const {
  if (is_recovering_) return false;
  const Hold hold(parts_mutex_, std::try_to_lock);
  return hold.owns_lock() && parts_ != nullptr && parts_->database->check_writable().has_value();
}

Result<void> ReportStore::recover(const TaskDirectory& tasks) {
  const std::lock_guard one(recovery_mutex_);
  if (is_writable()) return {};
  // Only here parts are exchanged: they may be looked at.
  StoreFigures last = figures();
  if (parts_ != nullptr) room_ = parts_->database->memory_bytes() + kSpareBytes;
  GAUZE_TRY_VOID(internal::check_room(options_.folder, room_));

  is_recovering_ = true;
  const std::shared_ptr<void> end(nullptr, [this](void*) { is_recovering_ = false; });
  // Not by waiting for the lock, behind which new readers would have to wait for those under way.
  std::unique_lock lock(parts_mutex_, std::defer_lock);
  const auto give_up = std::chrono::steady_clock::now() + kPatience;
  while (!lock.try_lock()) {
    if (std::chrono::steady_clock::now() > give_up)
      return make_error(ErrorCode::io, "the store of reports cannot recover while it is being read");
    std::this_thread::sleep_for(kPause);
  }
  if (parts_ != nullptr) {
    last.results = parts_->figures.results;
    last.deleted_blocks = parts_->figures.deleted_blocks;
    last_figures_ = last;
    parts_.reset();
  }
  GAUZE_TRY(auto parts, make_parts(options_, tasks));
  parts->figures = last_figures_;
  parts_ = std::move(parts);
  return {};
}

}  // namespace gauze::server
