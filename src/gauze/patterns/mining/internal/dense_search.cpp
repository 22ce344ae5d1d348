#include <algorithm>
#include <memory>

#include "gauze/patterns/mining/internal/bit_rows.h"
#include "gauze/patterns/mining/internal/search_state.h"

namespace gauze::patterns::internal {
namespace {

constexpr std::uint64_t kDenseWorkBetweenLooks = 1U << 16;

struct Entry {
  std::uint32_t rank = 0;
  std::uint64_t support = 0;
  std::uint64_t* bits = nullptr;
};

/// Arrays of bits that are made once and used again.
class BitArrays {
 public:
  BitArrays(std::uint64_t rows, std::size_t levels)
      : words_((rows + 64 * kWordsAligned - 1) / (64 * kWordsAligned) * kWordsAligned), arrays_(levels) {}
  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] std::vector<std::uint64_t*>& level(std::size_t number) { return arrays_[number]; }
  /// Array number `place` of a level: zeros when it is new.
  std::uint64_t* at(std::vector<std::uint64_t*>& level, std::size_t place) {
    while (level.size() <= place) {
      blocks_.push_back(std::make_unique<std::uint64_t[]>(words_ + kWordsAligned));
      const auto address = reinterpret_cast<std::uintptr_t>(blocks_.back().get());
      level.push_back(reinterpret_cast<std::uint64_t*>((address + 63) / 64 * 64));
    }
    return level[place];
  }

 private:
  std::size_t words_;
  std::vector<std::unique_ptr<std::uint64_t[]>> blocks_;
  std::vector<std::vector<std::uint64_t*>> arrays_;
};

/// What the parts of a search begin with: the items, the rarest first, since its sets are few and what follows has fewer
/// items to join; apart from those that all rows hold.
struct Roots {
  explicit Roots(const Projected& data) : arrays(data.rows, 1) {
    for (std::uint32_t rank = 0; rank < data.names.size(); ++rank) static_cast<void>(bits(rank));
    for (std::size_t r = 0; r < data.rows; ++r)
      for (const std::uint32_t rank : data.row(r)) bits(rank)[r / 64] |= std::uint64_t{1} << (r % 64);
    for (auto rank = static_cast<std::uint32_t>(data.names.size()); rank-- > 0;) {
      if (data.frequency[rank] == data.rows)
        shared.push_back(rank);
      else
        entries.push_back({rank, data.frequency[rank], bits(rank)});
    }
  }
  std::uint64_t* bits(std::uint32_t rank) { return arrays.at(arrays.level(0), rank); }

  BitArrays arrays;
  std::vector<Entry> entries;
  std::vector<std::uint32_t> shared;
};

/// The part of the search that one thread does.
class DenseSearch {
 public:
  DenseSearch(const Projected& data, const MiningOptions& options, SearchLimits& limits, Roots& roots,
              Receiver& receiver)
      : data_(data),
        options_(options),
        limits_(limits),
        roots_(roots),
        receiver_(receiver),
        intersect_(intersect_count()),
        arrays_(data.rows, data.names.size() + 2),
        words_(arrays_.words()),
        shared_(roots.shared) {
    lists_.resize(data.names.size() + 2);
  }

  /// Part 0: what all rows hold; part i: all sets that begin with entry i - 1.
  void run(std::size_t part) {
    if (part == 0) {
      if (!shared_.empty() && (options_.kind != ItemsetKind::maximal || roots_.entries.empty()))
        receiver_.take(prefix_, shared_, data_.rows);
      return;
    }
    done_.clear();
    if (options_.kind != ItemsetKind::frequent)
      for (std::size_t i = 0; i + 1 < part; ++i) done_.push_back(roots_.entries[i].rank);
    visit(roots_.entries, part - 1, 1);
  }

 private:
  void descend(const std::vector<Entry>& entries, std::size_t depth) {
    const std::size_t done_before = done_.size();
    for (std::size_t i = 0; i < entries.size() && !limits_.stopped(); ++i) {
      visit(entries, i, depth);
      if (options_.kind != ItemsetKind::frequent) done_.push_back(entries[i].rank);
    }
    done_.resize(done_before);
  }

  /// All sets that begin with the prefix and entry i.
  void visit(const std::vector<Entry>& entries, std::size_t i, std::size_t depth) {
    work_ += 1 + entries.size() - i + done_.size();
    if (work_ > kDenseWorkBetweenLooks) {
      work_ = 0;
      limits_.look_at_clock();
      if (limits_.stopped()) return;
    }
    std::vector<Entry>& next = lists_[depth];
    std::vector<std::uint64_t*>& level = arrays_.level(depth);
    const bool deeper =
        options_.max_size == 0 || options_.kind != ItemsetKind::frequent || prefix_.size() + 1 < options_.max_size;
    const Entry& one = entries[i];
    const std::size_t shared_before = shared_.size();
    next.clear();
    for (std::size_t j = i + 1; deeper && j < entries.size(); ++j) {
      std::uint64_t* const out = arrays_.at(level, next.size());
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
  }

  /// A node of the search for closed and maximal sets. An item that was done before and that all rows share means that the
  /// closure, and all that could grow from it, was found from there.
  void visit_closed(const Entry& one, const std::vector<Entry>& next, std::size_t depth) {
    bool can_grow = !next.empty();
    std::uint64_t* const scratch = arrays_.at(arrays_.level(0), 0);
    for (const std::uint32_t rank : done_) {
      const std::uint64_t support = intersect_(one.bits, roots_.bits(rank), scratch, words_);
      if (support == one.support) return;
      can_grow = can_grow || support >= options_.min_count;
    }
    if (options_.kind == ItemsetKind::closed || !can_grow) receiver_.take(prefix_, shared_, one.support);
    if (!next.empty()) descend(next, depth + 1);
  }

  const Projected& data_;
  const MiningOptions& options_;
  SearchLimits& limits_;
  Roots& roots_;
  Receiver& receiver_;
  IntersectCount intersect_;
  BitArrays arrays_;  // by depth; the first is for what is thrown away
  std::size_t words_;
  std::uint64_t work_ = 0;                 // items gone through since the clock was looked at
  std::vector<std::vector<Entry>> lists_;  // by depth
  std::vector<std::uint32_t> prefix_;
  std::vector<std::uint32_t> shared_;
  std::vector<std::uint32_t> done_;  // items whose sets were all found before, at this node
};

}  // namespace

void search_dense(const Projected& data, const MiningOptions& options, SearchLimits& limits, SearchRunner& runner) {
  Roots roots(data);
  runner.run(
      roots.entries.size() + 1,
      [&](Receiver& receiver) { return std::make_unique<DenseSearch>(data, options, limits, roots, receiver); },
      [](DenseSearch& search, std::size_t part) { search.run(part); });
}

}  // namespace gauze::patterns::internal
