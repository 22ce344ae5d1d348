#include <algorithm>

#include "gauze/patterns/mining/internal/bit_search.h"

namespace gauze::patterns::internal {
namespace {

constexpr std::uint64_t kSparseWorkBetweenLooks = 1U << 16;

/// A node goes on by bits where it has so many children and its rows hold more than one in so many of its items.
constexpr std::size_t kLeastForBits = 6;
constexpr std::size_t kSparsestForBits = 16;

class SparseSearch {
 public:
  SparseSearch(const Projected& data, const MiningOptions& options, SearchLimits& limits, Receiver& receiver)
      : data_(data), options_(options), limits_(limits), receiver_(receiver), by_bits_(options, limits, receiver) {
    counts_.assign(data.names.size(), 0);
    slots_.assign(data.names.size(), 0);
    in_set_.assign(data.names.size(), 0);
    kept_.assign(data.names.size(), 0);
    bits_of_.assign(data.names.size(), nullptr);
    frames_.resize(data.names.size() + 2);
  }

  /// What a node is made of: its rows are delivered to its children.
  struct Child {
    std::uint32_t rank = 0;
    std::uint32_t begin = 0;  // of its rows in the frame's list
    std::uint32_t count = 0;
  };
  struct Frame {
    std::vector<std::uint32_t> touched;
    std::vector<Child> children;
    std::vector<std::uint32_t> rows;    // of the children, in turn; places in what follows
    std::vector<std::uint32_t> starts;  // the node's rows without items that are infrequent in them
    std::vector<std::uint32_t> ranks;
    [[nodiscard]] std::span<const std::uint32_t> row(std::uint32_t r) const {
      return std::span(ranks).subspan(starts[r], starts[r + 1] - starts[r]);
    }
  };
  struct Root {
    Frame frame;
    std::vector<std::uint32_t> shared;
  };

  /// The empty set: what all rows share, and the items that sets begin with.
  Root open_root() {
    std::vector<std::uint32_t> all(data_.rows);
    for (std::uint32_t r = 0; r < data_.rows; ++r) all[r] = r;
    Root root;
    static_cast<void>(open(data_, all, static_cast<std::uint32_t>(data_.names.size()), root.frame));
    root.shared = shared_;
    close(0);
    return root;
  }

  /// All sets that begin with this child of the root.
  void run(const Root& root, std::size_t child) {
    shared_ = root.shared;
    for (const std::uint32_t rank : shared_) in_set_[rank] = 1;
    visit_child(root.frame, child, 0);
    close(0);
  }

 private:
  void visit_child(const Frame& frame, std::size_t i, std::size_t depth) {
    const Child child = frame.children[i];
    prefix_.push_back(child.rank);
    in_set_[child.rank] = 1;
    if (i == 0 && options_.kind == ItemsetKind::frequent) {
      receiver_.take(prefix_, shared_, child.count);  // nothing smaller is left to join it with
    } else {
      visit(frame, std::span(frame.rows).subspan(child.begin, child.count), child.rank, depth + 1);
    }
    in_set_[child.rank] = 0;
    prefix_.pop_back();
  }

  void visit(const Frame& parent, std::span<const std::uint32_t> rows, std::uint32_t bound, std::size_t depth) {
    if (limits_.stopped()) return;
    if (work_ > kSparseWorkBetweenLooks) {
      work_ = 0;
      limits_.look_at_clock();
      if (limits_.stopped()) return;
    }
    const std::size_t shared_before = shared_.size();
    const bool is_new = open(parent, rows, bound, frames_[depth]);
    work_ += 1 + rows.size() + frames_[depth].touched.size();
    if (!is_new) return;
    if (is_for_bits(frames_[depth]))
      go_on_by_bits(frames_[depth], bound);
    else
      for (std::size_t i = 0; i < frames_[depth].children.size(); ++i) visit_child(frames_[depth], i, depth);
    close(shared_before);
  }

  [[nodiscard]] static bool is_for_bits(const Frame& frame) {
    return frame.children.size() >= kLeastForBits &&
           frame.ranks.size() * kSparsestForBits > (frame.starts.size() - 1) * frame.children.size();
  }

  /// All sets that grow from this node. Closed ones also look at items beyond the bound, whose sets were found before.
  void go_on_by_bits(const Frame& frame, std::uint32_t bound) {
    const std::size_t rows = frame.starts.size() - 1;
    BitArrays& arrays = by_bits_.arrays();
    arrays.set_rows(rows);
    std::vector<BitEntry> entries;
    for (std::size_t i = frame.children.size(); i-- > 0;) {  // the rarest first
      const Child& child = frame.children[i];
      entries.push_back({child.rank, child.count, arrays.make_zero()});
      bits_of_[child.rank] = entries.back().bits;
    }
    std::vector<const std::uint64_t*> done;
    std::vector<std::uint32_t> beyond;
    for (std::uint32_t r = 0; r < rows; ++r)
      for (const std::uint32_t rank : frame.row(r)) {
        std::uint64_t*& bits = bits_of_[rank];
        if (bits == nullptr && rank < bound) continue;  // shared, or in the prefix
        if (bits == nullptr) {
          bits = arrays.make_zero();
          done.push_back(bits);
          beyond.push_back(rank);
        }
        bits[r / 64] |= std::uint64_t{1} << (r % 64);
      }
    for (const BitEntry& entry : entries) bits_of_[entry.rank] = nullptr;
    for (const std::uint32_t rank : beyond) bits_of_[rank] = nullptr;
    const std::size_t count = entries.size();
    by_bits_.run(prefix_, shared_, entries, 0, count, std::move(done));
  }

  void close(std::size_t shared_before) {
    for (std::size_t i = shared_before; i < shared_.size(); ++i) in_set_[shared_[i]] = 0;
    shared_.resize(shared_before);
  }

  /// A node: the prefix, the rows of `data` that hold it, and ranks below `bound` to join it with. Hands the set over and
  /// fills the frame with children; false when the node was found from elsewhere.
  template <class Rows>
  bool open(const Rows& data, std::span<const std::uint32_t> rows, std::uint32_t bound, Frame& frame) {
    frame.touched.clear();
    frame.children.clear();
    const bool all_kinds = options_.kind == ItemsetKind::frequent;
    // Closed and maximal sets must also know of items beyond the bound: they may belong to the closure, or extend the set.
    const std::uint32_t counted = all_kinds ? bound : static_cast<std::uint32_t>(data_.names.size());
    for (const std::uint32_t r : rows) {
      for (const std::uint32_t rank : data.row(r)) {
        if (rank >= counted) break;
        if (counts_[rank]++ == 0) frame.touched.push_back(rank);
      }
    }
    const std::size_t shared_before = shared_.size();
    bool is_known = false;  // its closure was found from a larger item
    bool can_grow = false;  // a larger set is frequent
    std::size_t kept = 0;   // occurrences of items that are frequent here
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
        kept_[rank] = 1;
        kept += count;
        if (rank < bound) frame.children.push_back({rank, 0, count});
      }
    }
    if (is_known && !all_kinds) {
      for (const std::uint32_t rank : frame.touched) kept_[rank] = 0;
      shared_.resize(shared_before);
      return false;
    }
    for (std::size_t i = shared_before; i < shared_.size(); ++i) in_set_[shared_[i]] = 1;
    if (!prefix_.empty() || !shared_.empty()) {
      if (options_.kind != ItemsetKind::maximal || !can_grow) receiver_.take(prefix_, shared_, rows.size());
    }
    const bool deeper = options_.max_size == 0 || !all_kinds || prefix_.size() < options_.max_size;
    if (!deeper) frame.children.clear();
    if (!frame.children.empty()) deliver(data, rows, counted, kept, frame);
    for (const std::uint32_t rank : frame.touched) kept_[rank] = 0;
    return true;
  }

  /// Gives each child its rows, without the items that cannot matter below: what is frequent with a larger prefix is
  /// frequent here.
  template <class Rows>
  void deliver(const Rows& data, std::span<const std::uint32_t> rows, std::uint32_t counted, std::size_t kept,
               Frame& frame) {
    std::sort(frame.children.begin(), frame.children.end(),
              [](const Child& a, const Child& b) { return a.rank < b.rank; });
    std::uint32_t total = 0;
    for (Child& child : frame.children) {
      child.begin = total;
      slots_[child.rank] = total + 1;  // 0: not wanted
      total += child.count;
    }
    frame.rows.resize(total);
    frame.ranks.resize(kept);
    frame.starts.clear();
    frame.starts.push_back(0);
    std::uint32_t place = 0;  // in ranks
    std::uint32_t row = 0;
    for (const std::uint32_t r : rows) {
      for (const std::uint32_t rank : data.row(r)) {
        if (rank >= counted) break;
        if (kept_[rank] == 0) continue;
        frame.ranks[place++] = rank;
        if (slots_[rank] != 0) frame.rows[slots_[rank]++ - 1] = row;
      }
      if (place == frame.starts.back()) continue;  // nothing is left of it
      frame.starts.push_back(place);
      ++row;
    }
    for (const Child& child : frame.children) slots_[child.rank] = 0;
  }

  const Projected& data_;
  const MiningOptions& options_;
  SearchLimits& limits_;
  Receiver& receiver_;
  std::vector<std::uint32_t> counts_;  // by rank; zero between nodes
  std::vector<std::uint32_t> slots_;   // by rank; zero between nodes
  std::vector<std::uint8_t> in_set_;   // by rank: in the prefix, or shared
  std::vector<std::uint8_t> kept_;     // by rank: frequent at this node; zero between nodes
  std::vector<Frame> frames_;          // by depth, used again by every node there
  std::vector<std::uint32_t> prefix_;
  std::vector<std::uint32_t> shared_;
  BitSearch by_bits_;
  std::vector<std::uint64_t*> bits_of_;  // by rank; null between nodes
  std::uint64_t work_ = 0;               // rows and items gone through since the clock was looked at
};

}  // namespace

void search_sparse(const Projected& data, const MiningOptions& options, SearchLimits& limits, SearchRunner& runner) {
  SparseSearch::Root root;
  runner.run(
      1, [&](Receiver& receiver) { return std::make_unique<SparseSearch>(data, options, limits, receiver); },
      [&](SparseSearch& search, std::size_t) { root = search.open_root(); });
  runner.run(
      root.frame.children.size(),
      [&](Receiver& receiver) { return std::make_unique<SparseSearch>(data, options, limits, receiver); },
      [&](SparseSearch& search, std::size_t child) { search.run(root, child); });
}

}  // namespace gauze::patterns::internal
