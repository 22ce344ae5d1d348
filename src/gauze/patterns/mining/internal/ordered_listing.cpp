#include "gauze/patterns/mining/internal/ordered_listing.h"

namespace gauze::patterns::internal {

void append_set(std::vector<std::uint32_t>& sets, std::span<const Item> set, std::uint64_t support) {
  sets.push_back(static_cast<std::uint32_t>(set.size()));
  sets.push_back(static_cast<std::uint32_t>(support));
  sets.push_back(static_cast<std::uint32_t>(support >> 32));
  sets.insert(sets.end(), set.begin(), set.end());
}

void OrderedListing::hand_over(const std::vector<std::uint32_t>& sets) {
  std::size_t i = 0;
  while (i < sets.size() && !limits_.stopped()) {
    const std::uint32_t size = sets[i];
    listing_.hand_over(std::span(sets).subspan(i + 3, size), sets[i + 1] | std::uint64_t{sets[i + 2]} << 32);
    i += 3 + size;
  }
}

void OrderedListing::bring(std::size_t part, std::vector<std::uint32_t>& sets) {
  if (sets.empty()) return;
  std::unique_lock lock(mutex_);
  if (part != now_ && words_waiting_ + sets.size() > most_waiting_)
    turn_.wait(lock, [&] { return part == now_ || words_waiting_ + sets.size() <= most_waiting_; });
  if (part == now_) {
    hand_over(sets);
    sets.clear();
    return;
  }
  words_waiting_ += sets.size();
  waiting_[part].sets.push_back(std::move(sets));
  sets = {};
}

void OrderedListing::finish(std::size_t part) {
  const std::lock_guard lock(mutex_);
  if (part != now_) {
    waiting_[part].finished = true;
    return;
  }
  // What the next parts brought before their turn, up to one that is not finished.
  for (bool finished = true; finished;) {
    const auto next = waiting_.find(++now_);
    if (next == waiting_.end()) break;
    for (const auto& sets : next->second.sets) {
      hand_over(sets);
      words_waiting_ -= sets.size();
    }
    finished = next->second.finished;
    waiting_.erase(next);
  }
  turn_.notify_all();
}

}  // namespace gauze::patterns::internal
