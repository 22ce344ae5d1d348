#include "gauze/patterns/mining/internal/ordered_listing.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace gauze::patterns::internal {
namespace ordered_listing_test {

TEST(OrderedListing, PartsComeInTheirOrderThoughFewMayWait) {
  const MiningOptions options;
  Progress progress;
  SearchLimits limits(options, progress);
  std::vector<std::uint64_t> order;
  const ItemsetSink sink = [&](std::span<const Item>, std::uint64_t support) {
    order.push_back(support);
    return true;
  };
  Listing listing(options, limits, sink);
  OrderedListing ordered(listing, limits, 40);  // ten sets of one item
  constexpr std::size_t kParts = 30;
  constexpr std::uint64_t kSets = 20;
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t part = next++; part < kParts; part = next++) {
      for (std::uint64_t i = 0; i < kSets; ++i) {
        std::vector<std::uint32_t> sets;
        append_set(sets, std::vector<Item>{7}, part * kSets + i);
        ordered.bring(part, sets);
        EXPECT_TRUE(sets.empty());
      }
      ordered.finish(part);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(order.size(), kParts * kSets);
  for (std::uint64_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i);
}

TEST(OrderedListing, AStoppedSearchHandsNothingMoreOver) {
  MiningOptions options;
  options.max_itemsets = 3;
  Progress progress;
  SearchLimits limits(options, progress);
  int taken = 0;
  const ItemsetSink sink = [&](std::span<const Item> set, std::uint64_t support) {
    ++taken;
    EXPECT_EQ(set.size(), 2U);
    EXPECT_EQ(support, std::uint64_t{5} << 32);
    return true;
  };
  Listing listing(options, limits, sink);
  OrderedListing ordered(listing, limits);
  std::vector<std::uint32_t> sets;
  for (int i = 0; i < 5; ++i) append_set(sets, std::vector<Item>{1, 2}, std::uint64_t{5} << 32);
  ordered.bring(1, sets);
  EXPECT_EQ(taken, 0) << "not its turn";
  ordered.finish(1);
  ordered.finish(0);
  EXPECT_EQ(taken, 3);
  EXPECT_STREQ(limits.reason(), "max-itemsets");
  EXPECT_EQ(listing.counts().total().itemsets, 3U);
}

}  // namespace ordered_listing_test
}  // namespace gauze::patterns::internal
