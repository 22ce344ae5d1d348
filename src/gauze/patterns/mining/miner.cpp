#include "gauze/patterns/mining/miner.h"

#include <algorithm>

#include "gauze/base/cpu_time.h"
#include "gauze/patterns/mining/internal/search_state.h"

namespace gauze::patterns {
namespace internal {

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
constexpr double kDenseShare = 1.0 / 8;

Result<MiningCounts> search(const Database& database, const MiningOptions& options, const ItemsetSink* sink,
                            Progress& progress) {
  if (options.min_count == 0) return invalid_parameter("min_count must be at least 1");
  if (database.items.size() >= ~std::uint32_t{0} || database.rows() >= ~std::uint32_t{0})
    return make_error(ErrorCode::unsupported, "more than 4 billion items in one file are not supported");
  const Projected data = project(database, options.min_count);
  SearchLimits limits(options, progress);
  SearchRunner runner(options, data, limits, sink);
  if (!data.names.empty()) {
    const double share = static_cast<double>(data.ranks.size()) /
                         (static_cast<double>(data.rows) * static_cast<double>(data.names.size()));
    if (options.kind == ItemsetKind::maximal)
      search_maximal(data, options, limits, runner);
    else if (share > kDenseShare)
      search_dense(data, options, limits, runner);
    else
      search_sparse(data, options, limits, runner);
  }
  GAUZE_TRY_VOID(progress.check());
  return runner.counts();
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

Result<MiningCounts> mine_by_support(const Database& database, const MiningOptions& options, const ItemsetSink& sink,
                                     Progress& progress) {
  std::vector<std::pair<std::uint64_t, Itemset>> found;
  const auto keep = [&](std::span<const Item> set, std::uint64_t support) {
    found.emplace_back(support, Itemset(set.begin(), set.end()));
    return true;
  };
  GAUZE_TRY(MiningCounts counts, mine_itemsets(database, options, keep, progress));
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [support, set] : found) {
    if (sink(set, support)) continue;
    counts.complete = false;
    counts.stopped_by = "sink";
    break;
  }
  return counts;
}

Result<std::uint64_t> top_threshold(const Database& database, const MiningOptions& options, std::uint64_t wanted,
                                    Progress& progress) {
  if (options.kind == ItemsetKind::maximal)
    return invalid_parameter("the most frequent maximal itemsets are not defined without a threshold");
  if (wanted == 0 || options.min_count == 0) return invalid_parameter("at least one itemset must be wanted");
  const double started = cpu_seconds();
  // More itemsets are frequent at a lower threshold: counting stops as soon as there are enough.
  const auto has_enough = [&](std::uint64_t min_count) -> Result<bool> {
    MiningOptions some = options;
    some.min_count = min_count;
    some.max_itemsets = wanted - 1;
    if (some.time_limit_seconds) some.time_limit_seconds = *some.time_limit_seconds - (cpu_seconds() - started);
    GAUZE_TRY(const MiningCounts counts, count_itemsets(database, some, progress));
    if (counts.stopped_by == "time-limit")
      return make_error(ErrorCode::infeasible, "the time limit ended the search before the itemsets were found");
    return !counts.complete || counts.itemsets >= wanted;
  };
  std::vector<std::uint64_t> frequency(database.names.size(), 0);
  for (const Item item : database.items) ++frequency[item];
  const std::uint64_t most = frequency.empty() ? 0 : *std::max_element(frequency.begin(), frequency.end());
  std::uint64_t too_high = std::max(most, options.min_count) + 1;
  std::uint64_t enough = options.min_count;  // or as low as is allowed
  for (std::uint64_t step = 1; too_high > options.min_count + 1; step *= 2) {
    const std::uint64_t next = too_high - std::min(step, too_high - options.min_count);
    GAUZE_TRY(const bool is_enough, has_enough(next));
    if (is_enough) {
      enough = next;
      break;
    }
    too_high = next;
    if (next == options.min_count) return next;
  }
  while (too_high - enough > 1) {
    const std::uint64_t middle = enough + (too_high - enough) / 2;
    GAUZE_TRY(const bool is_enough, has_enough(middle));
    (is_enough ? enough : too_high) = middle;
  }
  return enough;
}

}  // namespace gauze::patterns
