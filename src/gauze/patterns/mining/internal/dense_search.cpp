#include <algorithm>
#include <memory>

#include "gauze/patterns/mining/internal/bit_rows.h"
#include "gauze/patterns/mining/internal/search_state.h"

namespace gauze::patterns::internal {
namespace {

struct Entry {
  std::uint32_t rank = 0;
  std::uint64_t support = 0;
  std::uint64_t* bits = nullptr;
};

class DenseSearch {
 public:
  DenseSearch(const Projected& data, const MiningOptions& options, SearchLimits& limits, Receiver& receiver)
      : data_(data), options_(options), limits_(limits), receiver_(receiver), intersect_(intersect_count()) {
    words_ = (data.rows + 64 * kWordsAligned - 1) / (64 * kWordsAligned) * kWordsAligned;
    arrays_.resize(data.names.size() + 3);  // the last one is for what is thrown away
    lists_.resize(data.names.size() + 2);
  }

  void run() {
    std::vector<Entry> entries;
    for (std::uint32_t rank = 0; rank < data_.names.size(); ++rank)
      entries.push_back({rank, data_.frequency[rank], bits_at(0, rank)});
    for (std::size_t r = 0; r < data_.rows; ++r)
      for (const std::uint32_t rank : data_.row(r)) entries[rank].bits[r / 64] |= std::uint64_t{1} << (r % 64);
    // The rarest first: its sets are few, and what follows has fewer items to join.
    std::reverse(entries.begin(), entries.end());
    std::vector<Entry> kept;
    for (const Entry& one : entries) {
      if (one.support == data_.rows)
        shared_.push_back(one.rank);
      else
        kept.push_back(one);
    }
    if (!shared_.empty() && (options_.kind != ItemsetKind::maximal || kept.empty()))
      receiver_.take(prefix_, shared_, data_.rows);
    descend(kept, 1);
  }

 private:
  /// The array of bits number `place` of a depth: made once, used again by every node of the depth.
  std::uint64_t* bits_at(std::size_t depth, std::size_t place) {
    std::vector<std::uint64_t*>& level = arrays_[depth];
    while (level.size() <= place) {
      blocks_.push_back(std::make_unique<std::uint64_t[]>(words_ + kWordsAligned));  // zeros
      const auto address = reinterpret_cast<std::uintptr_t>(blocks_.back().get());
      level.push_back(reinterpret_cast<std::uint64_t*>((address + 63) / 64 * 64));
    }
    return level[place];
  }

  void descend(const std::vector<Entry>& entries, std::size_t depth) {
    std::vector<Entry>& next = lists_[depth];
    const bool deeper =
        options_.max_size == 0 || options_.kind != ItemsetKind::frequent || prefix_.size() + 1 < options_.max_size;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (limits_.stopped()) return;
      if ((++steps_ & 0xffff) == 0) limits_.look_at_clock();
      const Entry& one = entries[i];
      const std::size_t shared_before = shared_.size();
      next.clear();
      for (std::size_t j = i + 1; deeper && j < entries.size(); ++j) {
        std::uint64_t* const out = bits_at(depth, next.size());
        const std::uint64_t support = intersect_(one.bits, entries[j].bits, out, words_);
        if (support == one.support)
          shared_.push_back(entries[j].rank);
        else if (support >= options_.min_count)
          next.push_back({entries[j].rank, support, out});
      }
      prefix_.push_back(one.rank);
      if (options_.kind == ItemsetKind::frequent) {
        receiver_.take(prefix_, shared_, one.support);
        if (!next.empty()) descend(next, depth + 1);
      } else {
        visit_closed(one, next, depth);
      }
      prefix_.pop_back();
      shared_.resize(shared_before);
      if (options_.kind != ItemsetKind::frequent) done_.push_back(one.rank);
    }
    if (options_.kind != ItemsetKind::frequent) done_.resize(done_.size() - entries.size());
  }

  /// A node of the search for closed and maximal sets. An item that was done before and that all rows share means that the
  /// closure, and all that could grow from it, was found from there.
  void visit_closed(const Entry& one, const std::vector<Entry>& next, std::size_t depth) {
    bool can_grow = !next.empty();
    std::uint64_t* const scratch = bits_at(arrays_.size() - 1, 0);
    for (const std::uint32_t rank : done_) {
      const std::uint64_t support = intersect_(one.bits, bits_at(0, rank), scratch, words_);
      if (support == one.support) return;
      can_grow = can_grow || support >= options_.min_count;
    }
    if (options_.kind == ItemsetKind::closed || !can_grow) receiver_.take(prefix_, shared_, one.support);
    if (!next.empty()) descend(next, depth + 1);
  }

  const Projected& data_;
  const MiningOptions& options_;
  SearchLimits& limits_;
  Receiver& receiver_;
  IntersectCount intersect_;
  std::size_t words_ = 0;
  std::uint64_t steps_ = 0;
  std::vector<std::unique_ptr<std::uint64_t[]>> blocks_;
  std::vector<std::vector<std::uint64_t*>> arrays_;  // by depth
  std::vector<std::vector<Entry>> lists_;            // by depth
  std::vector<std::uint32_t> prefix_;
  std::vector<std::uint32_t> shared_;
  std::vector<std::uint32_t> done_;  // items whose sets were all found before, at this node
};

}  // namespace

void search_dense(const Projected& data, const MiningOptions& options, SearchLimits& limits, Receiver& receiver) {
  DenseSearch(data, options, limits, receiver).run();
}

}  // namespace gauze::patterns::internal
