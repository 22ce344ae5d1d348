// Maximal sets by direct search, after Gouda and Zaki (GenMax, 2001) and Burdick, Calimlim and Gehrke (MAFIA, 2001): a branch all of whose
// items lie within a set that was found is left, and so are all behind it. One thread: what was found is what prunes.
#include <algorithm>
#include <memory>

#include "gauze/patterns/mining/internal/bit_search.h"

namespace gauze::patterns::internal {
namespace {

constexpr std::uint64_t kMaximalWorkBetweenLooks = 1U << 18;

/// Sets of the items of one root, as bits over their places there.
class LocalSets {
 public:
  void begin(std::size_t items) {
    words_ = (items + 63) / 64;
    bits_.clear();
    count_ = 0;
  }
  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] std::uint32_t add(std::span<const std::uint32_t> places) {
    bits_.resize(bits_.size() + words_);
    for (const std::uint32_t place : places) bits_[count_ * words_ + place / 64] |= std::uint64_t{1} << (place % 64);
    return static_cast<std::uint32_t>(count_++);
  }
  [[nodiscard]] bool has(std::uint32_t set, std::uint32_t place) const {
    return (bits_[set * words_ + place / 64] >> (place % 64) & 1) != 0;
  }
  [[nodiscard]] bool holds(std::uint32_t set, const std::uint64_t* items) const {
    const std::uint64_t* const own = bits_.data() + set * words_;
    for (std::size_t w = 0; w < words_; ++w)
      if ((items[w] & ~own[w]) != 0) return false;
    return true;
  }

 private:
  std::size_t words_ = 0;
  std::size_t count_ = 0;
  std::vector<std::uint64_t> bits_;
};

class MaximalSearch {
 public:
  MaximalSearch(const Projected& data, const MiningOptions& options, SearchLimits& limits, Receiver& receiver)
      : data_(data),
        options_(options),
        limits_(limits),
        receiver_(receiver),
        rows_of_(data.names.size()),
        found_with_(data.names.size()),
        place_of_(data.names.size(), kNowhere),
        counts_(data.names.size(), 0) {
    for (std::uint32_t rank = 0; rank < data.names.size(); ++rank) rows_of_[rank].reserve(data.frequency[rank]);
    for (std::uint32_t r = 0; r < data.rows; ++r)
      for (const std::uint32_t rank : data.row(r)) rows_of_[rank].push_back(r);
  }

  void run() {
    // The rarest items first: their branches are small, and what they find prunes those of the others.
    for (auto rank = static_cast<std::uint32_t>(data_.names.size()); rank-- > 0 && !limits_.stopped();) {
      const std::size_t found_before = found_starts_.size() - 1;
      open_root(rank);
      for (std::size_t set = found_before; set + 1 < found_starts_.size(); ++set)
        if (holds_all_below(static_cast<std::uint32_t>(set), rank)) return;  // nothing new is left
    }
  }

 private:
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
  static constexpr std::uint32_t kInPrefix = kNowhere - 1;

  /// A node below a root: items by their places there, the rarest first, and the sets found so far that hold the whole prefix.
  struct Node {
    struct Entry {
      std::uint32_t place = 0;
      std::uint64_t support = 0;
      std::uint64_t* bits = nullptr;
    };
    std::vector<Entry> entries;
    std::vector<std::uint32_t> holders;
    std::vector<std::uint64_t> rest;
  };

  [[nodiscard]] bool holds_all_below(std::uint32_t set, std::uint32_t rank) const {
    const auto ranks = found(set);
    return ranks.size() > rank &&
           std::count_if(ranks.begin(), ranks.end(), [rank](std::uint32_t one) { return one < rank; }) == rank;
  }

  void look_at_clock(std::uint64_t work) {
    looked_ += work;
    if (looked_ <= kMaximalWorkBetweenLooks) return;
    looked_ = 0;
    limits_.look_at_clock();
  }

  /// All maximal sets whose rarest item this is.
  void open_root(std::uint32_t root) {
    const std::vector<std::uint32_t>& rows = rows_of_[root];
    items_.clear();
    std::vector<std::uint32_t> touched;
    for (const std::uint32_t r : rows) {
      look_at_clock(data_.row(r).size());
      for (const std::uint32_t rank : data_.row(r)) {
        if (rank >= root) break;
        if (counts_[rank]++ == 0) touched.push_back(rank);
      }
    }
    prefix_.assign(1, root);
    for (const std::uint32_t rank : touched) {
      if (counts_[rank] == rows.size())
        prefix_.push_back(rank);
      else if (counts_[rank] >= options_.min_count)
        items_.push_back(rank);
    }
    std::sort(items_.begin(), items_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return counts_[a] != counts_[b] ? counts_[a] < counts_[b] : a > b;
    });
    arrays_.set_rows(rows.size());
    work_.set_words(arrays_.words());
    Node& node = node_at(0);
    node.entries.clear();
    for (std::uint32_t place = 0; place < items_.size(); ++place) {
      place_of_[items_[place]] = place;
      node.entries.push_back({place, counts_[items_[place]], arrays_.make_zero()});
    }
    for (const std::uint32_t rank : touched) counts_[rank] = 0;
    for (std::uint32_t r = 0; r < rows.size() && !items_.empty(); ++r)
      for (const std::uint32_t rank : data_.row(rows[r])) {
        if (rank >= root) break;
        if (place_of_[rank] != kNowhere) node.entries[place_of_[rank]].bits[r / 64] |= std::uint64_t{1} << (r % 64);
      }
    gather_found(node);
    if (!limits_.stopped()) visit(0, rows.size());
    for (const std::uint32_t rank : items_) place_of_[rank] = kNowhere;
  }

  /// The sets found from rarer items that hold this prefix, as far as they matter here.
  void gather_found(Node& node) {
    local_.begin(items_.size());
    node.holders.clear();
    std::vector<std::uint32_t> places;
    for (const std::uint32_t rank : prefix_) place_of_[rank] = kInPrefix;
    for (const std::uint32_t set : found_with_[prefix_.front()]) {
      look_at_clock(found(set).size());
      places.clear();
      std::size_t in_prefix = 0;
      for (const std::uint32_t rank : found(set)) {
        if (place_of_[rank] == kInPrefix)
          ++in_prefix;
        else if (place_of_[rank] != kNowhere)
          places.push_back(place_of_[rank]);
      }
      if (in_prefix == prefix_.size()) node.holders.push_back(local_.add(places));
    }
    for (const std::uint32_t rank : prefix_) place_of_[rank] = kNowhere;
  }

  /// The node at this depth: its prefix has this support.
  void visit(std::size_t depth, std::uint64_t support) {
    Node& node = node_at(depth);
    if (node.entries.empty()) {
      if (node.holders.empty()) take(support);
      return;
    }
    std::vector<std::uint64_t>& rest = node.rest;  // an entry and those behind it
    rest.assign(local_.words(), 0);
    for (const auto& entry : node.entries) rest[entry.place / 64] |= std::uint64_t{1} << (entry.place % 64);
    for (std::size_t i = 0; i < node.entries.size() && !limits_.stopped(); ++i) {
      look_at_clock(1 + node.entries.size() - i + node.holders.size() / 4);
      Node& child = node_at(depth + 1);
      const auto& one = node.entries[i];
      child.holders.clear();
      bool is_within = false;
      for (const std::uint32_t set : node.holders) {
        if (!local_.has(set, one.place)) continue;
        child.holders.push_back(set);
        if (!is_within) is_within = local_.holds(set, rest.data());
      }
      if (is_within) return;  // whatever is left grows into nothing new
      rest[one.place / 64] &= ~(std::uint64_t{1} << (one.place % 64));
      const std::size_t prefix_before = prefix_.size();
      const BitArrays::Mark mark = arrays_.mark();
      prefix_.push_back(items_[one.place]);
      branch(node, i, child);
      const std::size_t found_before = local_place_.size();
      if (!is_covered(child)) visit(depth + 1, one.support);
      // What was found below holds this prefix.
      for (std::size_t set = found_before; set < local_place_.size(); ++set)
        node.holders.push_back(local_place_[set]);
      prefix_.resize(prefix_before);
      arrays_.go_back(mark);
    }
  }

  /// The entries behind i that are frequent with it; those that all its rows hold join the prefix, and the holders must have them.
  void branch(const Node& node, std::size_t i, Node& child) {
    child.entries.clear();
    const auto& one = node.entries[i];
    std::uint64_t* out = nullptr;
    for (std::size_t j = i + 1; j < node.entries.size(); ++j) {
      if (out == nullptr) out = arrays_.make();
      const std::uint64_t support = work_.intersect(one.bits, node.entries[j].bits, out);
      if (support == one.support) {
        const std::uint32_t place = node.entries[j].place;
        prefix_.push_back(items_[place]);
        std::erase_if(child.holders, [&](std::uint32_t set) { return !local_.has(set, place); });
      } else if (support >= options_.min_count) {
        child.entries.push_back({node.entries[j].place, support, out});
        out = nullptr;
      }
    }
    std::sort(child.entries.begin(), child.entries.end(), [](const auto& a, const auto& b) {
      return a.support != b.support ? a.support < b.support : a.place < b.place;
    });
  }

  /// Whether a set that was found holds the prefix with all entries.
  [[nodiscard]] bool is_covered(const Node& node) {
    std::vector<std::uint64_t>& all = scratch_;
    all.assign(local_.words(), 0);
    for (const auto& entry : node.entries) all[entry.place / 64] |= std::uint64_t{1} << (entry.place % 64);
    return std::any_of(node.holders.begin(), node.holders.end(),
                       [&](std::uint32_t set) { return local_.holds(set, all.data()); });
  }

  void take(std::uint64_t support) {
    receiver_.take(prefix_, {}, support);
    std::vector<std::uint32_t> places;
    for (const std::uint32_t rank : prefix_)
      if (place_of_[rank] != kNowhere) places.push_back(place_of_[rank]);
    local_place_.push_back(local_.add(places));
    const auto number = static_cast<std::uint32_t>(found_starts_.size() - 1);
    found_ranks_.insert(found_ranks_.end(), prefix_.begin(), prefix_.end());
    found_starts_.push_back(found_ranks_.size());
    for (const std::uint32_t rank : prefix_)
      if (rank < prefix_.front()) found_with_[rank].push_back(number);  // rarer roots are done
  }

  [[nodiscard]] std::span<const std::uint32_t> found(std::uint32_t set) const {
    return std::span(found_ranks_).subspan(found_starts_[set], found_starts_[set + 1] - found_starts_[set]);
  }
  Node& node_at(std::size_t depth) {
    while (nodes_.size() <= depth) nodes_.push_back(std::make_unique<Node>());
    return *nodes_[depth];
  }

  const Projected& data_;
  const MiningOptions& options_;
  SearchLimits& limits_;
  Receiver& receiver_;
  std::vector<std::vector<std::uint32_t>> rows_of_;     // by rank
  std::vector<std::vector<std::uint32_t>> found_with_;  // by rank: sets that hold it
  std::vector<std::uint32_t> found_ranks_;              // of all sets, one after the other
  std::vector<std::size_t> found_starts_ = {0};
  std::vector<std::uint32_t> place_of_;  // by rank: among items_
  std::vector<std::uint32_t> counts_;    // by rank; zero between roots
  std::vector<std::uint32_t> items_;     // of the root, the rarest first
  LocalSets local_;
  std::vector<std::uint32_t> local_place_;  // of each set of all roots, at its root
  BitArrays arrays_;
  BitWork work_;
  std::vector<std::unique_ptr<Node>> nodes_;  // by depth
  std::vector<std::uint32_t> prefix_;
  std::vector<std::uint64_t> scratch_;
  std::uint64_t looked_ = 0;
};

}  // namespace

void search_maximal(const Projected& data, const MiningOptions& options, SearchLimits& limits, SearchRunner& runner) {
  runner.run(
      1, [&](Receiver& receiver) { return std::make_unique<MaximalSearch>(data, options, limits, receiver); },
      [](MaximalSearch& search, std::size_t) { search.run(); });
}

}  // namespace gauze::patterns::internal
