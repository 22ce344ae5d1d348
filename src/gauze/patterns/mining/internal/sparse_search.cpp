#include <algorithm>

#include "gauze/patterns/mining/internal/search_state.h"

namespace gauze::patterns::internal {
namespace {

class SparseSearch {
 public:
  SparseSearch(const Projected& data, const MiningOptions& options, SearchLimits& limits, Receiver& receiver)
      : data_(data), options_(options), limits_(limits), receiver_(receiver) {
    counts_.assign(data.names.size(), 0);
    slots_.assign(data.names.size(), 0);
    in_set_.assign(data.names.size(), 0);
    frames_.resize(data.names.size() + 2);
  }

  void run() {
    std::vector<std::uint32_t> all(data_.rows);
    for (std::uint32_t r = 0; r < data_.rows; ++r) all[r] = r;
    visit(all, static_cast<std::uint32_t>(data_.names.size()), 0);
  }

 private:
  struct Child {
    std::uint32_t rank = 0;
    std::uint32_t begin = 0;  // of its rows in the frame's list
    std::uint32_t count = 0;
  };
  /// What a depth of the search keeps: one frame a depth, used again by every node there.
  struct Frame {
    std::vector<std::uint32_t> touched;
    std::vector<Child> children;
    std::vector<std::uint32_t> rows;
  };

  /// A node: the prefix, the rows that hold it, and ranks below `bound` to join it with.
  void visit(std::span<const std::uint32_t> rows, std::uint32_t bound, std::size_t depth) {
    if (limits_.stopped()) return;
    if ((++steps_ & 0x3ff) == 0) limits_.look_at_clock();
    Frame& frame = frames_[depth];
    frame.touched.clear();
    frame.children.clear();
    const bool all_kinds = options_.kind == ItemsetKind::frequent;
    // Closed and maximal sets must also know of items beyond the bound: they may belong to the closure, or extend the set.
    const std::uint32_t counted = all_kinds ? bound : static_cast<std::uint32_t>(data_.names.size());
    for (const std::uint32_t r : rows) {
      for (const std::uint32_t rank : data_.row(r)) {
        if (rank >= counted) break;
        if (counts_[rank]++ == 0) frame.touched.push_back(rank);
      }
    }
    const std::size_t shared_before = shared_.size();
    bool is_known = false;  // its closure was found from a larger item
    bool can_grow = false;  // a larger set is frequent
    std::uint32_t total = 0;
    for (const std::uint32_t rank : frame.touched) {
      const std::uint32_t count = counts_[rank];
      counts_[rank] = 0;
      if (in_set_[rank] != 0) continue;
      if (count == rows.size()) {
        if (rank >= bound)
          is_known = true;
        else
          shared_.push_back(rank);
      } else if (count >= options_.min_count) {
        can_grow = true;
        if (rank < bound) frame.children.push_back({rank, 0, count});
      }
    }
    if (is_known && !all_kinds) {
      shared_.resize(shared_before);
      return;
    }
    for (std::size_t i = shared_before; i < shared_.size(); ++i) in_set_[shared_[i]] = 1;
    if (!prefix_.empty() || !shared_.empty()) {
      if (options_.kind != ItemsetKind::maximal || !can_grow) receiver_.take(prefix_, shared_, rows.size());
    }
    const bool deeper = options_.max_size == 0 || !all_kinds || prefix_.size() < options_.max_size;
    if (deeper && !frame.children.empty()) {
      std::sort(frame.children.begin(), frame.children.end(),
                [](const Child& a, const Child& b) { return a.rank < b.rank; });
      for (Child& child : frame.children) {
        child.begin = total;
        slots_[child.rank] = total + 1;  // 0: not wanted
        total += child.count;
      }
      frame.rows.resize(total);
      for (const std::uint32_t r : rows) {
        for (const std::uint32_t rank : data_.row(r)) {
          if (rank >= bound) break;
          if (slots_[rank] != 0) frame.rows[slots_[rank]++ - 1] = r;
        }
      }
      for (const Child& child : frame.children) slots_[child.rank] = 0;
      for (std::size_t i = 0; i < frame.children.size(); ++i) {
        const Child child = frame.children[i];
        prefix_.push_back(child.rank);
        in_set_[child.rank] = 1;
        if (i == 0 && all_kinds) {
          receiver_.take(prefix_, shared_, child.count);  // nothing smaller is left to join it with
        } else {
          visit(std::span(frames_[depth].rows).subspan(child.begin, child.count), child.rank, depth + 1);
        }
        in_set_[child.rank] = 0;
        prefix_.pop_back();
      }
    }
    for (std::size_t i = shared_before; i < shared_.size(); ++i) in_set_[shared_[i]] = 0;
    shared_.resize(shared_before);
  }

  const Projected& data_;
  const MiningOptions& options_;
  SearchLimits& limits_;
  Receiver& receiver_;
  std::vector<std::uint32_t> counts_;  // by rank; zero between nodes
  std::vector<std::uint32_t> slots_;   // by rank; zero between nodes
  std::vector<std::uint8_t> in_set_;   // by rank: in the prefix, or shared
  std::vector<Frame> frames_;          // by depth
  std::vector<std::uint32_t> prefix_;
  std::vector<std::uint32_t> shared_;
  std::uint64_t steps_ = 0;
};

}  // namespace

void search_sparse(const Projected& data, const MiningOptions& options, SearchLimits& limits, Receiver& receiver) {
  SparseSearch(data, options, limits, receiver).run();
}

}  // namespace gauze::patterns::internal
