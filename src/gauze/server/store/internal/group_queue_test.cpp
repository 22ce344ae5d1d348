#include "gauze/server/store/internal/group_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace gauze::server::internal {
namespace group_queue_test {

using std::chrono::milliseconds;

TEST(GroupQueue, AnswersEachBatchOnceWithOneGroupAtATime) {
  std::atomic<int> serving = 0;
  std::atomic<std::uint64_t> groups = 0;
  GroupQueue queue(milliseconds(2), 1'000, [&](std::span<WaitingBatch* const> group) {
    EXPECT_EQ(++serving, 1);
    ++groups;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    for (WaitingBatch* batch : group) batch->answer = IngestOutcome{.accepted = batch->bytes};
    --serving;
  });
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < 8; ++thread)
    threads.emplace_back([&, thread] {
      for (std::size_t i = 0; i < 50; ++i) {
        WaitingBatch batch{.credential = {}, .batch = {}, .bytes = 100 * thread + i};
        const auto outcome = queue.submit(batch);
        ASSERT_TRUE(outcome);
        ASSERT_EQ(outcome->accepted, 100 * thread + i);
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_LT(groups, 400U) << "those who come at once share a write";
}

TEST(GroupQueue, AGroupEndsWhereItIsLargeEnough) {
  std::vector<std::size_t> sizes;
  GroupQueue queue(milliseconds(20), 250, [&](std::span<WaitingBatch* const> group) {
    sizes.push_back(group.size());
    std::this_thread::sleep_for(milliseconds(5));
    for (WaitingBatch* batch : group) batch->answer = IngestOutcome{};
  });
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 12; ++thread)
    threads.emplace_back([&] {
      WaitingBatch batch{.credential = {}, .batch = {}, .bytes = 100};
      EXPECT_TRUE(queue.submit(batch));
    });
  for (auto& thread : threads) thread.join();
  for (const std::size_t size : sizes) EXPECT_LE(size, 3U);
}

TEST(GroupQueue, AnErrorIsToldToAllOfItsGroup) {
  GroupQueue queue(milliseconds(1), 1'000, [](std::span<WaitingBatch* const> group) {
    for (WaitingBatch* batch : group)
      batch->answer = Result<IngestOutcome>(make_error(ErrorCode::io, "the disk is full"));
  });
  WaitingBatch batch{.credential = {}, .batch = {}, .bytes = 1};
  const auto outcome = queue.submit(batch);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message, "the disk is full");
}

}  // namespace group_queue_test
}  // namespace gauze::server::internal
