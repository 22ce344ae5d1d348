#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
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

  enum class Reason { none, itemsets, counted, time, asked, sink };

  /// To be asked now and then; true when the search must end.
  [[nodiscard]] bool stopped() const { return stop_.load(std::memory_order_relaxed) != Reason::none; }
  void look_at_clock() {
    if (progress_.stop_requested()) stop(Reason::asked);
    if (options_.time_limit_seconds && cpu_seconds() - started_ > *options_.time_limit_seconds) stop(Reason::time);
  }
  /// The first reason stays.
  void stop(Reason reason) {
    Reason none = Reason::none;
    stop_.compare_exchange_strong(none, reason);
  }
  [[nodiscard]] const char* reason() const {
    switch (stop_.load()) {
      case Reason::itemsets:
        return "max-itemsets";
      case Reason::counted:
        return "more-than-counted";
      case Reason::time:
        return "time-limit";
      case Reason::sink:
        return "sink";
      default:
        return "";
    }
  }

 private:
  const MiningOptions& options_;
  Progress& progress_;
  double started_;
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

/// Sets by their size. A count that would pass kMostCounted stays there.
class SizeCounts {
 public:
  /// At most kMostCounted sets.
  void add(std::size_t size, std::uint64_t sets) {
    grow(size);
    add_to(by_size_[size], sets);
  }
  /// All subsets of so many items with at least `from` and at most `to` of them, each joined with `prefix` others.
  void add_subsets(std::size_t prefix, std::size_t items, std::size_t from, std::size_t to);
  void add(const SizeCounts& other) {
    for (std::size_t size = 0; size < other.by_size_.size(); ++size) add(size, other.by_size_[size]);
    full_ = full_ || other.full_;
  }
  [[nodiscard]] MiningCounts total() const;
  /// The first `most` of them, the smallest sets first: what a count that ends there can say.
  [[nodiscard]] MiningCounts total(std::uint64_t most) const;
  [[nodiscard]] bool more_than(std::uint64_t limit) const { return full_ || sum_ > limit; }

 private:
  void grow(std::size_t size) {
    if (by_size_.size() <= size) by_size_.resize(size + 1);
  }
  void add_to(std::uint64_t& count, std::uint64_t sets) {
    sum_ = sets > kMostCounted - std::min(sum_, kMostCounted) ? kMostCounted + 1 : sum_ + sets;
    count += sets;
    if (count <= kMostCounted) return;
    count = kMostCounted;
    full_ = true;
  }

  std::vector<std::uint64_t> by_size_ = {0};
  std::uint64_t sum_ = 0;  // kMostCounted + 1: more
  bool full_ = false;
};

/// Hands sets to the sink and counts them; stops the search when there are enough.
class Listing {
 public:
  Listing(const MiningOptions& options, SearchLimits& limits, const ItemsetSink& sink)
      : options_(options), limits_(limits), sink_(sink) {}
  void hand_over(std::span<const Item> set, std::uint64_t support);
  [[nodiscard]] const SizeCounts& counts() const { return counts_; }

 private:
  const MiningOptions& options_;
  SearchLimits& limits_;
  const ItemsetSink& sink_;
  SizeCounts counts_;
  std::uint64_t handed_ = 0;
};

class OrderedListing;

/// What a part of a search does with what it finds: `prefix` with every subset of `shared` (items that all rows of the
/// prefix hold) has this support. Only the prefix itself joined with all of `shared` for closed and maximal sets.
/// Counts, lists at once, or lists in the order of the parts. One a thread.
class Receiver {
 public:
  Receiver(const MiningOptions& options, const Projected& data, SearchLimits& limits, Listing* listing,
           OrderedListing* ordered)
      : options_(options), data_(data), limits_(limits), listing_(listing), ordered_(ordered) {}

  void take(std::span<const std::uint32_t> prefix, std::span<const std::uint32_t> shared, std::uint64_t support);
  /// Around each part, when the listing is an ordered one.
  void begin_part(std::size_t part) { part_ = part; }
  void end_part();
  [[nodiscard]] const SizeCounts& counts() const { return counts_; }

 private:
  void stop_if_enough();
  void list_subsets(std::span<const std::uint32_t> shared, std::uint64_t support);
  void hand_over(std::uint64_t support);

  const MiningOptions& options_;
  const Projected& data_;
  SearchLimits& limits_;
  Listing* listing_;         // none: counting only
  OrderedListing* ordered_;  // none: to the listing at once
  std::size_t part_ = 0;
  SizeCounts counts_;
  std::uint64_t listed_ = 0;
  std::vector<std::uint32_t> set_;
  std::vector<std::uint8_t> joined_;  // of the shared items, while subsets are listed
  std::vector<Item> names_;
  std::vector<std::uint32_t> waiting_;  // sets of the part that the ordered listing has not got yet
};

/// Runs the parts of a search, one after the other or on several threads, with a receiver for each thread. What the parts
/// list comes out in their order.
class SearchRunner {
 public:
  SearchRunner(const MiningOptions& options, const Projected& data, SearchLimits& limits, const ItemsetSink* sink);
  ~SearchRunner();

  /// State is made by make(receiver) once a thread, and work(state, part) is called for each part. What one run lists comes
  /// before what the next one does.
  template <class Make, class Work>
  void run(std::size_t parts, const Make& make, const Work& work);
  [[nodiscard]] MiningCounts counts() const;

 private:
  using Parts = std::function<void(std::size_t part, std::size_t slot)>;
  [[nodiscard]] std::size_t threads_for(std::size_t parts) const;
  /// Calls body(part, slot) for all parts; two calls at the same time have different slots below `threads`.
  void spread(std::size_t parts, std::size_t threads, const Parts& body);

  const MiningOptions& options_;
  const Projected& data_;
  SearchLimits& limits_;
  std::unique_ptr<Listing> listing_;
  std::unique_ptr<OrderedListing> ordered_;
  std::vector<std::unique_ptr<Receiver>> receivers_;  // of all runs
  std::size_t first_receiver_ = 0;                    // of this run
};

template <class Make, class Work>
void SearchRunner::run(std::size_t parts, const Make& make, const Work& work) {
  const std::size_t threads = threads_for(parts);
  std::vector<decltype(make(*receivers_[0]))> states(threads);
  spread(parts, threads, [&](std::size_t part, std::size_t slot) {
    Receiver& receiver = *receivers_[first_receiver_ + slot];
    if (!states[slot]) states[slot] = make(receiver);
    receiver.begin_part(part);
    if (!limits_.stopped()) work(*states[slot], part);
    receiver.end_part();
  });
}

/// Maximal sets of any data: depth first, left where all that could follow lies within a set that was found. On one thread.
void search_maximal(const Projected& data, const MiningOptions& options, SearchLimits& limits, SearchRunner& runner);
/// Frequent or closed sets. Depth first on arrays of bits, one an item: for dense data.
void search_dense(const Projected& data, const MiningOptions& options, SearchLimits& limits, SearchRunner& runner);
/// The same on lists of rows, delivering each row to the items it holds: for sparse data. Dense nodes go on by bits.
void search_sparse(const Projected& data, const MiningOptions& options, SearchLimits& limits, SearchRunner& runner);

}  // namespace gauze::patterns::internal
