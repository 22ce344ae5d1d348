#include <algorithm>
#include <memory>

#include "gauze/patterns/mining/internal/bit_search.h"

namespace gauze::patterns::internal {
namespace {

/// What the parts of a search begin with: the items, the rarest first, since its sets are few and what follows has fewer
/// items to join; apart from those that all rows hold.
struct Roots {
  explicit Roots(const Projected& data) : arrays(data.rows) {
    std::vector<std::uint64_t*> bits;
    for (std::uint32_t rank = 0; rank < data.names.size(); ++rank) bits.push_back(arrays.make_zero());
    for (std::size_t r = 0; r < data.rows; ++r)
      for (const std::uint32_t rank : data.row(r)) bits[rank][r / 64] |= std::uint64_t{1} << (r % 64);
    for (auto rank = static_cast<std::uint32_t>(data.names.size()); rank-- > 0;) {
      if (data.frequency[rank] == data.rows)
        shared.push_back(rank);
      else
        entries.push_back({rank, data.frequency[rank], bits[rank]});
    }
  }

  BitArrays arrays;
  std::vector<BitEntry> entries;
  std::vector<std::uint32_t> shared;
};

/// The part of the search that one thread does.
class DenseSearch {
 public:
  DenseSearch(const Projected& data, const MiningOptions& options, SearchLimits& limits, const Roots& roots,
              Receiver& receiver)
      : data_(data),
        options_(options),
        roots_(roots),
        receiver_(receiver),
        search_(options, limits, receiver),
        shared_(roots.shared) {
    search_.arrays().set_rows(data.rows);
  }

  /// Part 0: what all rows hold; part i: all sets that begin with entry i - 1.
  void run(std::size_t part) {
    if (part == 0) {
      if (!shared_.empty()) receiver_.take(prefix_, shared_, data_.rows);
      return;
    }
    std::vector<const std::uint64_t*> done;
    if (options_.kind != ItemsetKind::frequent)
      for (std::size_t i = 0; i + 1 < part; ++i) done.push_back(roots_.entries[i].bits);
    search_.run(prefix_, shared_, roots_.entries, part - 1, part, std::move(done));
  }

 private:
  const Projected& data_;
  const MiningOptions& options_;
  const Roots& roots_;
  Receiver& receiver_;
  BitSearch search_;
  std::vector<std::uint32_t> prefix_;
  std::vector<std::uint32_t> shared_;
};

}  // namespace

void search_dense(const Projected& data, const MiningOptions& options, SearchLimits& limits, SearchRunner& runner) {
  const Roots roots(data);
  runner.run(
      roots.entries.size() + 1,
      [&](Receiver& receiver) { return std::make_unique<DenseSearch>(data, options, limits, roots, receiver); },
      [](DenseSearch& search, std::size_t part) { search.run(part); });
}

}  // namespace gauze::patterns::internal
