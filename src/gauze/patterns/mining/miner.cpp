#include "gauze/patterns/mining/miner.h"

#include <algorithm>
#include <numeric>

#include "gauze/patterns/mining/internal/search_state.h"

namespace gauze::patterns {
namespace internal {

void Receiver::take(std::span<const std::uint32_t> prefix, std::span<const std::uint32_t> shared,
                    std::uint64_t support) {
  if (options_.kind != ItemsetKind::frequent) {
    const std::size_t size = prefix.size() + shared.size();
    if (size == 0 || (options_.max_size > 0 && size > options_.max_size)) return;
    if (by_size_.size() <= size) by_size_.resize(size + 1);
    ++by_size_[size];
    limits_.found(1);
    if (sink_ == nullptr) return;
    set_.assign(prefix.begin(), prefix.end());
    set_.insert(set_.end(), shared.begin(), shared.end());
    hand_over(set_, support);
    return;
  }
  // Subsets of `shared` by their size: binomial coefficients.
  std::uint64_t sets = 0;
  std::uint64_t choices = 1;
  for (std::size_t extra = 0; extra <= shared.size(); ++extra) {
    const std::size_t size = prefix.size() + extra;
    if (options_.max_size > 0 && size > options_.max_size) break;
    if (size > 0) {
      if (by_size_.size() <= size) by_size_.resize(size + 1);
      by_size_[size] += choices;
      sets += choices;
    }
    choices = choices * (shared.size() - extra) / (extra + 1);
  }
  limits_.found(sets);
  if (sink_ != nullptr) list(prefix, shared, support);
}

void Receiver::list(std::span<const std::uint32_t> prefix, std::span<const std::uint32_t> shared,
                    std::uint64_t support) {
  const std::uint64_t subsets = std::uint64_t{1} << shared.size();
  for (std::uint64_t mask = 0; mask < subsets && !limits_.stopped(); ++mask) {
    set_.assign(prefix.begin(), prefix.end());
    for (std::size_t i = 0; i < shared.size(); ++i)
      if ((mask >> i & 1) != 0) set_.push_back(shared[i]);
    if (set_.empty() || (options_.max_size > 0 && set_.size() > options_.max_size)) continue;
    hand_over(set_, support);
  }
}

void Receiver::hand_over(std::span<const std::uint32_t> ranks, std::uint64_t support) {
  names_.clear();
  for (const std::uint32_t rank : ranks) names_.push_back(data_.names[rank]);
  std::sort(names_.begin(), names_.end());
  if (!(*sink_)(names_, support)) limits_.end();
}

namespace {

Projected project(const Database& database, std::uint64_t min_count) {
  std::vector<std::uint64_t> frequency(database.names.size(), 0);
  for (const Item item : database.items) ++frequency[item];
  Projected data;
  for (Item item = 0; item < database.names.size(); ++item)
    if (frequency[item] >= min_count) data.names.push_back(item);
  std::sort(data.names.begin(), data.names.end(),
            [&](Item a, Item b) { return frequency[a] != frequency[b] ? frequency[a] > frequency[b] : a < b; });
  std::vector<std::uint32_t> rank(database.names.size(), ~0U);
  for (std::uint32_t i = 0; i < data.names.size(); ++i) {
    rank[data.names[i]] = i;
    data.frequency.push_back(frequency[data.names[i]]);
  }
  data.starts.push_back(0);
  for (std::size_t r = 0; r < database.rows(); ++r) {
    const std::size_t begin = data.ranks.size();
    for (const Item item : database.row(r))
      if (rank[item] != ~0U) data.ranks.push_back(rank[item]);
    std::sort(data.ranks.begin() + static_cast<std::ptrdiff_t>(begin), data.ranks.end());
    data.starts.push_back(static_cast<std::uint32_t>(data.ranks.size()));
  }
  data.rows = database.rows();
  return data;
}

/// Bits pay where a row holds more than one in so many of the frequent items.
constexpr double kDenseShare = 1.0 / 24;

Result<MiningCounts> search(const Database& database, const MiningOptions& options, const ItemsetSink* sink,
                            Progress& progress) {
  if (options.min_count == 0) return invalid_parameter("min_count must be at least 1");
  if (database.items.size() >= ~std::uint32_t{0} || database.rows() >= ~std::uint32_t{0})
    return make_error(ErrorCode::unsupported, "more than 4 billion items in one file are not supported");
  const Projected data = project(database, options.min_count);
  SearchLimits limits(options, progress);
  Receiver receiver(options, data, limits, sink);
  MiningCounts counts;
  if (!data.names.empty()) {
    const double share = static_cast<double>(data.ranks.size()) /
                         (static_cast<double>(data.rows) * static_cast<double>(data.names.size()));
    if (share > kDenseShare)
      search_dense(data, options, limits, receiver);
    else
      search_sparse(data, options, limits, receiver);
  }
  GAUZE_TRY_VOID(progress.check());
  counts.by_size = receiver.by_size();
  if (counts.by_size.empty()) counts.by_size.push_back(0);
  counts.itemsets = std::accumulate(counts.by_size.begin(), counts.by_size.end(), std::uint64_t{0});
  counts.stopped_by = limits.reason();
  counts.complete = counts.stopped_by.empty();
  return counts;
}

}  // namespace
}  // namespace internal

Result<MiningCounts> count_itemsets(const Database& database, const MiningOptions& options, Progress& progress) {
  return internal::search(database, options, nullptr, progress);
}

Result<MiningCounts> mine_itemsets(const Database& database, const MiningOptions& options, const ItemsetSink& sink,
                                   Progress& progress) {
  return internal::search(database, options, &sink, progress);
}

}  // namespace gauze::patterns
