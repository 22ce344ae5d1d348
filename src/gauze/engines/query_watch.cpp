#include "gauze/engines/query_watch.h"

#include <algorithm>
#include <chrono>

namespace gauze::engines {

QueryWatch::QueryWatch(SqlSession& session, Progress& progress, std::uint64_t rows)
    : session_(session), progress_(progress), rows_(rows), thread_([this] { watch(); }) {}

QueryWatch::~QueryWatch() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_all();
  thread_.join();
  if (rows_ > reported_) progress_.advance(rows_ - reported_);
}

void QueryWatch::watch() {
  constexpr std::chrono::milliseconds kPause(50);
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, kPause, [this] { return end_; })) {
    if (progress_.stop_requested()) session_.interrupt();
    if (rows_ == 0) continue;
    const double share = std::clamp(session_.progress(), 0.0, 1.0);
    const auto done = std::min(rows_, static_cast<std::uint64_t>(share * static_cast<double>(rows_)));
    if (done > reported_) progress_.advance(done - std::exchange(reported_, done));
  }
}

}  // namespace gauze::engines
