#include "gauze/server/store/internal/group_queue.h"

namespace gauze::server::internal {

void GroupQueue::serve_group(std::unique_lock<std::mutex>& lock) {
  is_busy_ = true;
  arrived_.wait_for(lock, gathering_,
                    [this] { return waiting_.size() >= last_size_ || waiting_bytes_ >= group_bytes_; });
  std::vector<WaitingBatch*> group;
  std::size_t bytes = 0;
  while (group.size() < waiting_.size() && (group.empty() || bytes < group_bytes_)) {
    group.push_back(waiting_[group.size()]);
    bytes += group.back()->bytes;
  }
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(group.size()));
  waiting_bytes_ -= bytes;
  last_size_ = group.size();
  lock.unlock();
  serve_(group);
  lock.lock();
  is_busy_ = false;
  done_.notify_all();
}

Result<IngestOutcome> GroupQueue::submit(WaitingBatch& batch) {
  std::unique_lock lock(mutex_);
  waiting_.push_back(&batch);
  waiting_bytes_ += batch.bytes;
  arrived_.notify_one();
  while (!batch.answer) {
    if (is_busy_)
      done_.wait(lock);
    else
      serve_group(lock);
  }
  return *std::move(batch.answer);
}

}  // namespace gauze::server::internal
