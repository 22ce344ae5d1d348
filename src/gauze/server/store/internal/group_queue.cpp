#include "gauze/server/store/internal/group_queue.h"

#include <utility>

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
  // Each is called by itself, and without the lock: to wake all of those who wait, or to have them wait for the lock at once, would cost more
  // than to serve them.
  std::vector<std::condition_variable*> calls;
  for (WaitingBatch* batch : group) {
    batch->state = WaitingBatch::State::answered;
    if (batch->called != nullptr) calls.push_back(batch->called);
  }
  is_busy_ = !waiting_.empty();
  if (is_busy_) {
    waiting_.front()->state = WaitingBatch::State::next;
    calls.insert(calls.begin(), waiting_.front()->called);
  }
  lock.unlock();
  for (std::condition_variable* call : calls) call->notify_one();
}

void GroupQueue::wait_to_be_called(std::unique_lock<std::mutex>& lock, WaitingBatch& batch) {
  if (free_calls_.empty()) free_calls_.push_back(&calls_.emplace_back());
  batch.called = free_calls_.back();
  free_calls_.pop_back();
  batch.called->wait(lock, [&] { return batch.state != WaitingBatch::State::waiting; });
  free_calls_.push_back(std::exchange(batch.called, nullptr));
}

Result<IngestOutcome> GroupQueue::submit(WaitingBatch& batch) {
  std::unique_lock lock(mutex_);
  waiting_.push_back(&batch);
  waiting_bytes_ += batch.bytes;
  if (is_busy_) {
    if (is_enough()) arrived_.notify_one();
    wait_to_be_called(lock, batch);
  }
  if (batch.state != WaitingBatch::State::answered) {
    is_busy_ = true;
    serve_group(lock);
  }
  return *std::move(batch.answer);
}

}  // namespace gauze::server::internal
