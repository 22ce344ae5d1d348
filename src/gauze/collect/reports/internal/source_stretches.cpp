#include "gauze/collect/reports/internal/source_stretches.h"

#include <cstring>

namespace gauze::collect::internal {

Result<std::span<const char>> SourceStretches::beginning() {
  left_.resize(4'096);
  GAUZE_TRY(const std::size_t got, read_fully(*source_, left_));
  left_.resize(got);
  return left_;
}

Result<bool> SourceStretches::next(Stretch& stretch, const Cut& cut) {
  std::unique_lock lock(mutex_);
  if (is_ended_) return false;
  stretch.buffer.resize(kMostLeft + kStretchBytes);
  stretch.number = taken_++;
  const auto got = read(stretch, std::span(stretch.buffer).subspan(kMostLeft), lock);
  ++cut_;
  was_cut_.notify_all();
  if (is_ended_) return false;  // by the stretch before
  is_ended_ = true;             // also when reading fails
  if (!got) return tl::unexpected<Error>(got.error());
  cut_behind_left(stretch, *got, cut);
  is_ended_ = stretch.is_end;
  return true;
}

Result<std::size_t> SourceStretches::read(const Stretch& stretch, std::span<char> room,
                                          std::unique_lock<std::mutex>& lock) {
  const auto claim = source_->claim(room.size());
  if (!claim) return read_fully(*source_, room);
  lock.unlock();
  auto got = (*claim)(room);
  lock.lock();
  was_cut_.wait(lock, [&] { return cut_ == stretch.number; });
  return got;
}

void SourceStretches::cut_behind_left(Stretch& stretch, std::size_t got, const Cut& cut) {
  char* const begin = stretch.buffer.data() + kMostLeft - left_.size();
  if (!left_.empty()) std::memcpy(begin, left_.data(), left_.size());
  stretch.known = stretch.number == 0 ? 0 : left_.size();
  stretch.bytes = {reinterpret_cast<const unsigned char*>(begin), left_.size() + got};
  stretch.is_end = got < kStretchBytes;
  stretch.begin = 0;
  stretch.rejected = 0;
  const std::size_t rest = cut(stretch);
  GAUZE_CHECK(rest <= stretch.bytes.size() && stretch.bytes.size() - rest <= kMostLeft);
  left_.assign(begin + rest, begin + stretch.bytes.size());
}

void SourceStretches::stop() {
  const std::lock_guard lock(mutex_);
  is_ended_ = true;
}

}  // namespace gauze::collect::internal
