#pragma once

#include <condition_variable>
#include <map>
#include <mutex>

#include "gauze/patterns/mining/internal/search_state.h"

namespace gauze::patterns::internal {

/// Brings what the parts of a search find, at the same time and in any order, into the order of the parts.
///
/// Sets of the part whose turn it is are handed over at once, those of later parts wait here. When too many wait, whoever
/// brings more must itself wait until its part has its turn; the part whose turn it is never waits.
class OrderedListing {
 public:
  static constexpr std::size_t kMostWaiting = std::size_t{32} << 20;  ///< words: 128 MB
  OrderedListing(Listing& listing, SearchLimits& limits, std::size_t most_waiting = kMostWaiting)
      : listing_(listing), limits_(limits), most_waiting_(most_waiting) {}

  /// Takes sets of a part, written by append_set one after the other, and empties the list.
  void bring(std::size_t part, std::vector<std::uint32_t>& sets);
  /// The part has brought all it has.
  void finish(std::size_t part);

 private:
  struct Waiting {
    std::vector<std::vector<std::uint32_t>> sets;
    bool finished = false;
  };
  void hand_over(const std::vector<std::uint32_t>& sets);

  Listing& listing_;
  SearchLimits& limits_;
  std::size_t most_waiting_;
  std::mutex mutex_;
  std::condition_variable turn_;
  std::size_t now_ = 0;  // the part whose turn it is
  std::map<std::size_t, Waiting> waiting_;
  std::size_t words_waiting_ = 0;
};

/// A set as it waits: its size, its support in two words, its items.
void append_set(std::vector<std::uint32_t>& sets, std::span<const Item> set, std::uint64_t support);

}  // namespace gauze::patterns::internal
