#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "gauze/server/store/internal/aggregates.h"
#include "gauze/server/store/internal/block_index.h"
#include "gauze/server/store/internal/group_queue.h"
#include "gauze/server/store/internal/report_families.h"

namespace gauze::server::internal {

/// Whatever changes blocks, one change after the other: each is one synced write with the next sequence numbers.
class BlockWriter {
 public:
  struct Parts {
    Database& database;
    ReportFamilies& families;
    BlockIndex& index;
    Aggregates& aggregates;
    const Acceptance& acceptance;
    std::function<std::int64_t()> clock;
  };
  BlockWriter(const Parts& parts, std::uint64_t sequence) : parts_(parts), sequence_(sequence) {}

  /// Of the last change that is on the disk.
  [[nodiscard]] std::uint64_t sequence() const { return sequence_; }
  [[nodiscard]] static Result<std::uint64_t> stored_sequence(const Database& database);

  /// Answers each batch, when all of them are on the disk.
  void write(std::span<WaitingBatch* const> group);
  /// All blocks of the id. One synced write also when there is none.
  [[nodiscard]] Result<bool> remove(std::string_view id, const TaskDirectory& tasks);
  /// Has the states of all blocks that expire until a day on the disk, and takes their families out of use.
  [[nodiscard]] Result<void> begin_sweep(std::int64_t day);
  /// Forgets the periods that are closed by now.
  [[nodiscard]] Result<void> close_periods();

 private:
  class Group;
  [[nodiscard]] Result<void> write_group(std::span<WaitingBatch* const> group, std::vector<IngestOutcome>& outcomes);
  [[nodiscard]] Result<void> remove_block(ReportFamily& family, std::string_view place, const TaskDirectory& tasks);
  [[nodiscard]] Result<void> write_synced(rocksdb::WriteBatch& batch, std::uint64_t sequence);

  Parts parts_;
  std::mutex mutex_;
  std::atomic<std::uint64_t> sequence_;
};

}  // namespace gauze::server::internal
