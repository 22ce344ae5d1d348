#pragma once

#include <atomic>
#include <mutex>
#include <vector>

#include "gauze/text/statistics/internal/near_filter.h"

namespace gauze::text::internal {

/// Found pairs of one mechanism that wait until its normalisers are known. Several mechanisms share what room there is;
/// one that does not find enough gives up, and its room back.
class KeptPairs {
 public:
  /// The room, in pairs, must outlive this.
  explicit KeptPairs(std::atomic<std::int64_t>& room) : room_(room) {}

  /// From several threads at once.
  void keep(const FoundPairs& found) {
    if (found.pairs.empty()) return;
    const std::lock_guard lock(mutex_);
    if (gave_up_) return;
    const auto size = static_cast<std::int64_t>(found.pairs.size());
    count_ += size;
    if (room_.fetch_sub(size) >= size) {
      tiles_.push_back(found);
      return;
    }
    gave_up_ = true;
    tiles_ = {};
    room_ += count_;
  }
  /// Whether there was no room: then no pairs are kept.
  [[nodiscard]] bool gave_up() const { return gave_up_; }
  [[nodiscard]] const std::vector<FoundPairs>& tiles() const { return tiles_; }

 private:
  std::atomic<std::int64_t>& room_;
  std::int64_t count_ = 0;
  std::atomic<bool> gave_up_ = false;
  std::vector<FoundPairs> tiles_;
  std::mutex mutex_;
};

}  // namespace gauze::text::internal
