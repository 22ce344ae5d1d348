#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <compare>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "gauze/collect/reports/aggregate.h"
#include "gauze/server/store/internal/report_rows.h"
#include "gauze/server/store/internal/sealed_rows.h"

namespace gauze::server::internal {

/// Which blocks add up to one state.
struct PartKey {
  collect::TaskHash task{};
  std::uint32_t period = 0;
  ExpiryDate date;
  friend auto operator<=>(const PartKey&, const PartKey&) = default;
};
[[nodiscard]] std::string part_row_key(const PartKey& key);
[[nodiscard]] std::optional<PartKey> read_part_row_key(std::string_view row);
/// What the rows of a task version, from a period on, begin with or lie behind.
[[nodiscard]] std::string part_rows_from(const collect::TaskHash& task, std::uint32_t period);

/// What the blocks of one part add up to: those up to a sequence number.
struct PartState {
  std::uint64_t covered = 0;
  std::vector<collect::PartCounts> counts;
  friend bool operator==(const PartState&, const PartState&) = default;
};

/// An acknowledged block on its way into its part.
struct CountedBlock {
  PartKey key;
  collect::ReportTask task;
  std::uint64_t sequence = 0;
  std::string reports;
};

/// The states of all parts. Acknowledged blocks wait until a thread adds them up; whoever asks adds up what waits, so that every answer
/// has all that was pushed before. A part that is not in memory has its whole state in its row.
///
/// Rows: `A`, hash of the task version, period, expiry date; clear: the sequence number that is covered; sealed: parts u32, cells u32, for each
/// part reports u64 and cells i64.
/// Thread safety: all members may be called concurrently; push() by one thread at a time, in the order of sequence numbers.
class Aggregates {
 public:
  struct Terms {
    unsigned threads = 1;
    std::uint64_t checkpoint_blocks = 16'384;  ///< so many blocks at most are added up again after a crash
    std::size_t checkpoint_bytes = std::size_t{64} << 20U;
    std::size_t most_waiting_bytes = std::size_t{64} << 20U;
  };
  Aggregates(Database& database, SealedRows& rows, const Terms& terms);
  ~Aggregates();
  /// Takes blocks behind this sequence number from now on: those up to it are added up.
  void start(std::uint64_t sequence);

  /// Until what waits is little enough to take more.
  void wait_for_room();
  void push(CountedBlock block);
  /// Adds up a block at once: for those of an earlier start.
  [[nodiscard]] Result<void> add(const CountedBlock& block);
  /// Adds up what waits and writes all states: not synced, but after every block that is in them.
  [[nodiscard]] Result<void> checkpoint();

  /// What the blocks of a task version add up to, by period.
  using Periods = std::map<std::uint32_t, std::vector<collect::PartCounts>>;
  struct Sum {
    Periods periods;
    std::uint64_t last = 0;  ///< the newest change of the lane that is in it
  };
  [[nodiscard]] Result<Sum> sum(const collect::ReportTask& task, std::uint32_t from, std::uint32_t to);
  /// Has `write` store the state without these reports, and takes it over when it has. `change`: the sequence number of the deletion.
  using Write = std::function<Result<void>(const std::string& row, const std::string& value)>;
  [[nodiscard]] Result<void> subtract(const CountedBlock& block, std::uint64_t change, const Write& write);
  /// The sequence number that a part's row covers; 0 without one.
  [[nodiscard]] Result<std::uint64_t> covered_in_row(const PartKey& key) const;
  /// The state in a row, of a snapshot.
  [[nodiscard]] Result<PartState> read_row(std::string_view row, std::string_view value) const;

  /// Tasks are spread over lanes; what concerns all parts of a task is done in one of them.
  [[nodiscard]] std::size_t lanes() const { return lanes_.size(); }
  [[nodiscard]] std::size_t lane_of(const collect::TaskHash& task) const { return task.back() % lanes_.size(); }
  /// A snapshot in which the rows of a lane's tasks have the states of all blocks up to a sequence number.
  struct LaneSnapshot {
    const rocksdb::Snapshot* snapshot = nullptr;  ///< to be released
    std::uint64_t last = 0;
  };
  [[nodiscard]] Result<LaneSnapshot> snapshot_of_lane(std::size_t lane);
  [[nodiscard]] rocksdb::ColumnFamilyHandle* handle() const { return rows_.handle(); }

 private:
  struct Part {
    collect::ReportTask task;
    PartState state;
    bool is_changed = false;
    std::uint64_t used = 0;  ///< the checkpoint before which it was last used
  };
  struct Lane {
    std::mutex state_mutex;
    std::map<PartKey, Part> parts;
    std::uint64_t last = 0;  ///< the newest change that was added up
    std::uint64_t checkpoints = 0;
    std::uint64_t blocks = 0;  ///< since the last checkpoint
    std::size_t bytes = 0;
    std::optional<Error> failure;  ///< of adding up: nothing is told from then on

    std::mutex queue_mutex;
    std::condition_variable arrived;
    std::deque<CountedBlock> queue;
    std::size_t queued_bytes = 0;
    bool is_stopping = false;
    std::thread thread;
  };
  void work(Lane& lane);
  // All of these with the lane's state_mutex held.
  [[nodiscard]] Result<void> drain(Lane& lane);
  [[nodiscard]] Result<void> add_to_part(Lane& lane, const CountedBlock& block);
  [[nodiscard]] Result<Part*> part_of(Lane& lane, const PartKey& key, const collect::ReportTask& task);
  [[nodiscard]] Result<void> write_states(Lane& lane);
  [[nodiscard]] Result<std::string> seal(const PartKey& key, const PartState& state);

  Database& database_;
  SealedRows& rows_;
  Terms terms_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::atomic<std::size_t> waiting_bytes_ = 0;
  std::mutex room_mutex_;
  std::condition_variable room_;
};

/// The state as it is sealed.
[[nodiscard]] std::string encode_part_state(const PartState& state);
/// Nothing when it is damaged.
[[nodiscard]] std::optional<PartState> decode_part_state(std::string_view bytes);

}  // namespace gauze::server::internal
