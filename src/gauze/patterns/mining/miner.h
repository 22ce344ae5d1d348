#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/patterns/baskets/database.h"

namespace gauze::patterns {

/// Which itemsets are wanted, of those that at least min_count rows definitely hold.
enum class ItemsetKind {
  frequent,  ///< all
  closed,    ///< those without a larger set of the same support
  maximal,   ///< those without a larger frequent set
};

struct MiningOptions {
  std::uint64_t min_count = 1;  ///< at least 1
  ItemsetKind kind = ItemsetKind::frequent;
  std::size_t min_size = 1;                        ///< shortest set wanted
  std::size_t max_size = 0;                        ///< longest set wanted; 0: any
  std::optional<std::uint64_t> max_itemsets = {};  ///< stop when there are more: the result is then not complete
  std::optional<double> time_limit_seconds = {};   ///< of processor time; the same
};

/// Counting ends here: of more sets than that it is only known that they are more.
inline constexpr std::uint64_t kMostCounted = ~std::uint64_t{0} >> 1;

/// How many itemsets there are. A result that was cut short says so, and why: its figures are then lower bounds, and after
/// max_itemsets they add up to exactly that.
struct MiningCounts {
  std::uint64_t itemsets = 0;
  std::vector<std::uint64_t> by_size;  ///< by_size[s]: sets of s items; index 0 is unused; none if more_than_counted
  bool complete = true;
  std::string stopped_by;  ///< "max-itemsets", "more-than-counted", "time-limit"; "sink" when the sink ended it
  bool more_than_counted = false;  ///< there are more than kMostCounted
};

/// A set with its definite support; false ends the search. Called by one thread at a time, not always the same.
using ItemsetSink = std::function<bool(std::span<const Item> set, std::uint64_t support)>;

/// Counts the itemsets without listing them: sets that differ by items that all their rows share are counted at once.
[[nodiscard]] Result<MiningCounts> count_itemsets(const Database& database, const MiningOptions& options,
                                                  Progress& progress);

/// Hands over every itemset, rising items, each once; the order follows from the data and the options alone, not from the
/// number of threads. What is found out of order waits in memory, at most some hundred megabytes of it. With max_itemsets
/// exactly so many are handed over before the search stops.
[[nodiscard]] Result<MiningCounts> mine_itemsets(const Database& database, const MiningOptions& options,
                                                 const ItemsetSink& sink, Progress& progress);

/// The same with the most frequent first; sets of the same support in that order. All of them wait in memory.
[[nodiscard]] Result<MiningCounts> mine_by_support(const Database& database, const MiningOptions& options,
                                                   const ItemsetSink& sink, Progress& progress);

/// The largest threshold at which at least `wanted` itemsets of the options' kind and sizes are frequent, if that is at
/// least options.min_count; else options.min_count. Not for maximal sets, of which a lower threshold may leave fewer.
/// An error of code `infeasible` when a limit of the options stopped it.
[[nodiscard]] Result<std::uint64_t> top_threshold(const Database& database, const MiningOptions& options,
                                                  std::uint64_t wanted, Progress& progress);

}  // namespace gauze::patterns
