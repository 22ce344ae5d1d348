#include "gauze/patterns/mining/internal/search_state.h"

#include <algorithm>
#include <array>
#include <deque>

#include "gauze/base/parallel.h"
#include "gauze/patterns/mining/internal/ordered_listing.h"

namespace gauze::patterns::internal {
namespace {

constexpr std::size_t kExactBinomials = 62;     // up to here no step of them leaves 64 bits
constexpr std::size_t kWordsAtOnce = 1U << 16;  // brought to the ordered listing
constexpr std::size_t kSmallest = 4096;         // item occurrences: below, threads cost more than they save

__extension__ using Wide = unsigned __int128;

/// items over 0, 1, 2 ... up to the middle, or to the last that is at most kMostCounted. For more than 62 items these are at
/// most 34: 66 over 33 is the largest middle.
struct Binomials {
  explicit Binomials(std::size_t items) {
    Wide next = 1;
    while (count <= items / 2 && next <= kMostCounted) {
      first[count] = static_cast<std::uint64_t>(next);
      next = next * (items - count) / (count + 1);
      ++count;
    }
  }
  std::array<std::uint64_t, 34> first = {};
  std::size_t count = 0;
};

}  // namespace

void SizeCounts::add_subsets(std::size_t prefix, std::size_t items, std::size_t from, std::size_t to) {
  to = std::min(to, items);
  grow(prefix + to);
  std::uint64_t* const counts = by_size_.data() + prefix;
  if (items > kExactBinomials) {
    const Binomials choices(items);
    std::size_t size = from;
    for (; size <= to && size < choices.count; ++size) add_to(counts[size], choices.first[size]);
    const std::size_t last_part = items - choices.count + 1;  // from here on the numbers come back
    if (size <= to && size < last_part) {
      const std::size_t end = std::min(to + 1, last_part);
      std::fill(counts + size, counts + end, kMostCounted);
      full_ = true;
      size = end;
    }
    for (; size <= to; ++size) add_to(counts[size], choices.first[items - size]);
    return;
  }
  std::uint64_t choices = 1;  // items over size
  for (std::size_t size = 0; size <= to; ++size) {
    if (size >= from) add_to(counts[size], choices);
    choices = choices * (items - size) / (size + 1);
  }
}

MiningCounts SizeCounts::total() const {
  MiningCounts counts;
  counts.more_than_counted = more_than(kMostCounted);
  counts.itemsets = counts.more_than_counted ? kMostCounted : sum_;
  if (counts.more_than_counted) return counts;  // what was counted by then depends on the threads
  counts.by_size = by_size_;
  while (counts.by_size.size() > 1 && counts.by_size.back() == 0) counts.by_size.pop_back();
  return counts;
}

MiningCounts SizeCounts::total(std::uint64_t most) const {
  MiningCounts counts;
  counts.by_size.push_back(0);
  for (std::size_t size = 1; size < by_size_.size() && counts.itemsets < most; ++size) {
    counts.by_size.push_back(std::min(by_size_[size], most - counts.itemsets));
    counts.itemsets += counts.by_size.back();
  }
  return counts;
}

void Listing::hand_over(std::span<const Item> set, std::uint64_t support) {
  if (limits_.stopped()) return;
  if (options_.max_itemsets && handed_ == *options_.max_itemsets) {
    limits_.stop(SearchLimits::Reason::itemsets);
    return;
  }
  ++handed_;
  counts_.add(set.size(), 1);
  if (!sink_(set, support)) limits_.stop(SearchLimits::Reason::sink);
}

void Receiver::take(std::span<const std::uint32_t> prefix, std::span<const std::uint32_t> shared,
                    std::uint64_t support) {
  const std::size_t most = options_.max_size == 0 ? ~std::size_t{0} : options_.max_size;
  if (options_.kind != ItemsetKind::frequent) {
    const std::size_t size = prefix.size() + shared.size();
    if (size == 0 || size < options_.min_size || size > most) return;
    if (listing_ == nullptr) {
      counts_.add(size, 1);
      return stop_if_enough();
    }
    set_.assign(prefix.begin(), prefix.end());
    set_.insert(set_.end(), shared.begin(), shared.end());
    return hand_over(support);
  }
  if (prefix.size() > most) return;
  if (listing_ == nullptr) {
    const std::size_t least = std::max<std::size_t>(options_.min_size, 1);
    counts_.add_subsets(prefix.size(), shared.size(), least - std::min(least, prefix.size()), most - prefix.size());
    return stop_if_enough();
  }
  set_.assign(prefix.begin(), prefix.end());
  list_subsets(shared, support);
}

void Receiver::stop_if_enough() {
  if (options_.max_itemsets && counts_.more_than(*options_.max_itemsets))
    limits_.stop(SearchLimits::Reason::itemsets);
  else if (counts_.more_than(kMostCounted))
    limits_.stop(SearchLimits::Reason::counted);
}

/// Joins set_ with every subset of `shared` that keeps it within the sizes wanted. Decides on one item after the other,
/// the last first, and goes back to the last decision that can be changed: no recursion, since all rows may share millions.
void Receiver::list_subsets(std::span<const std::uint32_t> shared, std::uint64_t support) {
  const std::size_t most = options_.max_size == 0 ? ~std::size_t{0} : options_.max_size;
  joined_.assign(shared.size(), 0);
  std::size_t open = shared.size();  // items not decided yet
  for (;;) {
    if (limits_.stopped()) return;
    const bool possible = set_.size() + open >= options_.min_size;
    if (possible && open > 0 && set_.size() < most) {
      joined_[--open] = 0;
      continue;
    }
    if (!set_.empty() && set_.size() >= options_.min_size) hand_over(support);
    while (open < shared.size() && joined_[open] != 0) {
      set_.pop_back();
      ++open;
    }
    if (open == shared.size()) return;
    joined_[open] = 1;
    set_.push_back(shared[open]);
  }
}

void Receiver::hand_over(std::uint64_t support) {
  if ((++listed_ & 0x3fff) == 0) limits_.look_at_clock();
  names_.clear();
  for (const std::uint32_t rank : set_) names_.push_back(data_.names[rank]);
  std::sort(names_.begin(), names_.end());
  if (ordered_ == nullptr) return listing_->hand_over(names_, support);
  append_set(waiting_, names_, support);
  if (waiting_.size() >= kWordsAtOnce) ordered_->bring(part_, waiting_);
}

void Receiver::end_part() {
  if (ordered_ == nullptr) return;
  ordered_->bring(part_, waiting_);
  ordered_->finish(part_);
}

SearchRunner::SearchRunner(const MiningOptions& options, const Projected& data, SearchLimits& limits,
                           const ItemsetSink* sink)
    : options_(options), data_(data), limits_(limits) {
  if (sink != nullptr) listing_ = std::make_unique<Listing>(options, limits, *sink);
}

SearchRunner::~SearchRunner() = default;

std::size_t SearchRunner::threads_for(std::size_t parts) const {
  // A count that stops at a limit depends on what was counted before: on one thread always the same.
  const bool alone = listing_ == nullptr && options_.max_itemsets;
  if (alone || data_.ranks.size() < kSmallest) return 1;
  return std::clamp<std::size_t>(parts, 1, static_cast<std::size_t>(thread_count()));
}

void SearchRunner::spread(std::size_t parts, std::size_t threads, const Parts& body) {
  ordered_.reset();
  if (threads > 1 && listing_) ordered_ = std::make_unique<OrderedListing>(*listing_, limits_);
  first_receiver_ = receivers_.size();
  for (std::size_t i = 0; i < threads; ++i)
    receivers_.push_back(std::make_unique<Receiver>(options_, data_, limits_, listing_.get(), ordered_.get()));
  if (threads == 1) {
    for (std::size_t part = 0; part < parts; ++part) body(part, 0);
    return;
  }
  std::mutex mutex;
  std::deque<std::size_t> free;
  for (std::size_t i = 0; i < threads; ++i) free.push_back(i);
  parallel_for(parts, 1, [&](std::size_t part, std::size_t) {
    std::size_t slot = 0;
    {
      const std::lock_guard lock(mutex);
      slot = free.front();
      free.pop_front();
    }
    body(part, slot);
    const std::lock_guard lock(mutex);
    free.push_front(slot);
  });
}

MiningCounts SearchRunner::counts() const {
  SizeCounts all;
  if (listing_) {
    all = listing_->counts();
  } else {
    for (const auto& receiver : receivers_) all.add(receiver->counts());
  }
  const std::string reason = limits_.reason();
  // Of a count that ended there it is only known that there are more.
  MiningCounts counts = reason == "max-itemsets" ? all.total(*options_.max_itemsets) : all.total();
  counts.stopped_by = counts.more_than_counted && reason.empty() ? "more-than-counted" : reason;
  counts.complete = counts.stopped_by.empty();
  return counts;
}

}  // namespace gauze::patterns::internal
