#include "gauze/collect/reports/internal/source_stretches.h"

#include <cstring>
#include <utility>

namespace gauze::collect::internal {

Result<std::span<const char>> SourceStretches::beginning() {
  left_.resize(4'096);
  GAUZE_TRY(const std::size_t got, read_fully(*source_, left_));
  left_.resize(got);
  return left_;
}

Result<bool> SourceStretches::next(Stretch& stretch, const Cut& cut) {
  const std::lock_guard lock(mutex_);
  if (is_ended_) return false;
  is_ended_ = true;  // also when reading fails
  stretch.buffer.resize(kMostLeft + kStretchBytes);
  if (!left_.empty()) std::memcpy(stretch.buffer.data(), left_.data(), left_.size());
  const auto room = std::span(stretch.buffer).subspan(left_.size(), kStretchBytes);
  GAUZE_TRY(const std::size_t got, read_fully(*source_, room));
  stretch.number = number_++;
  stretch.known = stretch.number == 0 ? 0 : left_.size();
  stretch.bytes = {reinterpret_cast<const unsigned char*>(stretch.buffer.data()), left_.size() + got};
  stretch.is_end = got < room.size();
  stretch.begin = 0;
  stretch.rejected = 0;
  const std::size_t rest = cut(stretch);
  GAUZE_CHECK(rest <= stretch.bytes.size() && stretch.bytes.size() - rest <= kMostLeft);
  left_.assign(stretch.buffer.begin() + static_cast<std::ptrdiff_t>(rest),
               stretch.buffer.begin() + static_cast<std::ptrdiff_t>(stretch.bytes.size()));
  is_ended_ = stretch.is_end;
  return true;
}

void SourceStretches::stop() {
  const std::lock_guard lock(mutex_);
  is_ended_ = true;
}

}  // namespace gauze::collect::internal
