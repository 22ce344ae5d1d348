#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/server/store/internal/read_batch.h"

namespace gauze::server::internal {

/// A batch that waits until it is durable.
struct WaitingBatch {
  std::string_view credential;
  ReadBatch batch;
  std::size_t bytes = 0;
  std::optional<Result<IngestOutcome>> answer = {};

  /// Of the queue: whether it is answered, or the one to serve the next group.
  enum class State { waiting, next, answered };
  State state = State::waiting;
  std::condition_variable* called = nullptr;
};

/// Has batches that come at once written together: whoever finds no one at the disk takes all that wait and goes; the others sleep until
/// they are answered, or called to be the next to go. Those who were answered together come back together, so whoever goes waits for the others
/// for a moment.
class GroupQueue {
 public:
  /// Answers each batch of a group. One call at a time.
  using Serve = std::function<void(std::span<WaitingBatch* const>)>;
  GroupQueue(std::chrono::milliseconds gathering, std::size_t group_bytes, Serve serve)
      : gathering_(gathering), group_bytes_(group_bytes), serve_(std::move(serve)) {}

  [[nodiscard]] Result<IngestOutcome> submit(WaitingBatch& batch);

 private:
  void serve_group(std::unique_lock<std::mutex>& lock);
  void wait_to_be_called(std::unique_lock<std::mutex>& lock, WaitingBatch& batch);
  [[nodiscard]] bool is_enough() const { return waiting_.size() >= last_size_ || waiting_bytes_ >= group_bytes_; }

  std::chrono::milliseconds gathering_;
  std::size_t group_bytes_;
  Serve serve_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::condition_variable>
      calls_;  ///< as many as ever waited at once: they outlive those who wait on them
  std::vector<std::condition_variable*> free_calls_;
  std::vector<WaitingBatch*> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::size_t last_size_ = 1;
  bool is_busy_ = false;
};

}  // namespace gauze::server::internal
