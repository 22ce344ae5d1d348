#include "gauze/server/store/internal/group_queue.h"

namespace gauze::server::internal {

void GroupQueue::serve_group(std::unique_lock<std::mutex>& lock) {
  arrived_.wait_for(lock, gathering_, [this] { return is_enough(); });
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
  // Each is called by itself: to wake all of those who wait would cost more than to serve them.
  for (WaitingBatch* batch : group) {
    batch->state = WaitingBatch::State::answered;
    batch->called.notify_one();
  }
  is_busy_ = !waiting_.empty();
  if (!is_busy_) return;
  waiting_.front()->state = WaitingBatch::State::next;
  waiting_.front()->called.notify_one();
}

Result<IngestOutcome> GroupQueue::submit(WaitingBatch& batch) {
  std::unique_lock lock(mutex_);
  waiting_.push_back(&batch);
  waiting_bytes_ += batch.bytes;
  if (is_busy_) {
    if (is_enough()) arrived_.notify_one();
    batch.called.wait(lock, [&] { return batch.state != WaitingBatch::State::waiting; });
  }
  if (batch.state != WaitingBatch::State::answered) {
    is_busy_ = true;
    serve_group(lock);
  }
  return *std::move(batch.answer);
}

}  // namespace gauze::server::internal
