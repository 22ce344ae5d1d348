#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gauze/base/cpu_time.h"
#include "gauze/base/progress.h"
#include "gauze/patterns/mining/miner.h"

namespace gauze::patterns::internal {

/// What all parts of a search share: whether to go on.
class SearchLimits {
 public:
  SearchLimits(const MiningOptions& options, Progress& progress)
      : options_(options), progress_(progress), started_(cpu_seconds()) {}

  /// To be asked now and then; true when the search must end.
  [[nodiscard]] bool stopped() const { return stop_.load(std::memory_order_relaxed) != Reason::none; }
  void found(std::uint64_t sets) {
    const std::uint64_t all = found_.fetch_add(sets, std::memory_order_relaxed) + sets;
    if (options_.max_itemsets && all > *options_.max_itemsets) stop_ = Reason::itemsets;
  }
  void look_at_clock() {
    if (progress_.stop_requested()) stop_ = Reason::asked;
    if (options_.time_limit_seconds && cpu_seconds() - started_ > *options_.time_limit_seconds) stop_ = Reason::time;
  }
  void end() { stop_ = Reason::sink; }
  [[nodiscard]] const char* reason() const {
    switch (stop_.load()) {
      case Reason::itemsets:
        return "max-itemsets";
      case Reason::time:
        return "time-limit";
      case Reason::sink:
        return "sink";
      default:
        return "";
    }
  }

 private:
  enum class Reason { none, itemsets, time, asked, sink };
  const MiningOptions& options_;
  Progress& progress_;
  double started_;
  std::atomic<std::uint64_t> found_{0};
  std::atomic<Reason> stop_{Reason::none};
};

/// The rows without infrequent items, items numbered by falling frequency: 0 is the most frequent.
struct Projected {
  std::vector<Item> names;               ///< of each rank
  std::vector<std::uint64_t> frequency;  ///< of each rank, falling
  std::vector<std::uint32_t> starts;     ///< of rows
  std::vector<std::uint32_t> ranks;      ///< rising within a row
  std::uint64_t rows = 0;

  [[nodiscard]] std::span<const std::uint32_t> row(std::size_t r) const {
    return std::span(ranks).subspan(starts[r], starts[r + 1] - starts[r]);
  }
};

/// What a search does with what it finds: `prefix` with every subset of `shared` (items that all rows of the prefix hold)
/// has this support. Only the prefix itself joined with all of `shared` for closed and maximal sets.
class Receiver {
 public:
  Receiver(const MiningOptions& options, const Projected& data, SearchLimits& limits, const ItemsetSink* sink)
      : options_(options), data_(data), limits_(limits), sink_(sink) {}

  void take(std::span<const std::uint32_t> prefix, std::span<const std::uint32_t> shared, std::uint64_t support);
  [[nodiscard]] const std::vector<std::uint64_t>& by_size() const { return by_size_; }

 private:
  void list(std::span<const std::uint32_t> prefix, std::span<const std::uint32_t> shared, std::uint64_t support);
  void hand_over(std::span<const std::uint32_t> ranks, std::uint64_t support);

  const MiningOptions& options_;
  const Projected& data_;
  SearchLimits& limits_;
  const ItemsetSink* sink_;  // none: counting only
  std::vector<std::uint64_t> by_size_;
  std::vector<std::uint32_t> set_;
  std::vector<Item> names_;
};

/// Depth first on arrays of bits, one an item: for dense data.
void search_dense(const Projected& data, const MiningOptions& options, SearchLimits& limits, Receiver& receiver);
/// Depth first on lists of rows, delivering each row to the items it holds: for sparse data, and for closed and maximal
/// sets. `first` to `last`: the ranks of the first items to search (the largest of a set).
void search_sparse(const Projected& data, const MiningOptions& options, SearchLimits& limits, Receiver& receiver);

}  // namespace gauze::patterns::internal
