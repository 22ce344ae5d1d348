#include "gauze/ledger/group_commit.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "gauze/files/atomic_file.h"
#include "gauze/ledger/ledger_testing.h"

namespace gauze {
namespace {

TEST_F(LedgerTest, ManyThreadsShareOneBudgetExactly) {
  GroupCommit group(with_dataset(epsilon_options("visits", "1")));
  constexpr int kThreads = 16;
  std::atomic<int> granted = 0;
  std::atomic<int> refused = 0;
  std::vector<std::vector<std::int64_t>> entries(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 40; ++i) {  // 640 times 0.002 is more than 1
        const auto answer = group.spend(request("visits", epsilon_charge("0.002"), "analyst " + std::to_string(t)));
        if (answer) {
          ++granted;
          entries[static_cast<std::size_t>(t)].push_back(answer->entry);
        } else {
          EXPECT_EQ(answer.error().code, ErrorCode::budget_exhausted);
          ++refused;
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(granted, 500);
  EXPECT_EQ(refused, 140);
  std::set<std::int64_t> distinct;
  for (const auto& of_thread : entries) {
    EXPECT_TRUE(std::is_sorted(of_thread.begin(), of_thread.end()));
    distinct.insert(of_thread.begin(), of_thread.end());
  }
  EXPECT_EQ(distinct.size(), 500U);
  const Ledger ledger = open();
  EXPECT_EQ(ledger.balance("visits")->left().amount, 0);
  EXPECT_EQ(verify(ledger)->entries, 501);
}

/// The number of changes of the file, from SQLite's header.
std::uint32_t changes_of(const std::filesystem::path& path) {
  const std::string bytes = *read_file(path);
  std::uint32_t count = 0;
  for (std::size_t i = 24; i < 28; ++i) count = count << 8U | static_cast<unsigned char>(bytes[i]);
  return count;
}

TEST_F(LedgerTest, ThoseWhoWaitTogetherShareAChange) {
  constexpr int kThreads = 16;
  constexpr int kEach = 40;
  GroupCommit group(with_dataset(epsilon_options("visits", "1000")));
  const std::uint32_t before = changes_of(path_);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kEach; ++i) EXPECT_TRUE(group.spend(request("visits", epsilon_charge("0.001"))));
    });
  }
  for (auto& thread : threads) thread.join();
  // One by one it would be 640 changes, in full groups 40.
  EXPECT_LT(changes_of(path_) - before, kThreads * kEach / 2U);
}

TEST_F(LedgerTest, AnErrorOfTheFileReachesEveryoneWhoWaits) {
  with_dataset(epsilon_options("visits", "1"));
  Ledger::Options impatient = options();
  impatient.busy_milliseconds = 20;
  GroupCommit group(*Ledger::open(path_, impatient));
  Intruder other(path_);
  ASSERT_EQ(other.run("BEGIN IMMEDIATE"), SQLITE_OK);
  std::vector<std::thread> threads;
  std::atomic<int> failed = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const auto answer = group.spend(request("visits", epsilon_charge("0.1")));
      if (!answer && answer.error().code == ErrorCode::io) ++failed;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(failed, 4);
  ASSERT_EQ(other.run("ROLLBACK"), SQLITE_OK);
  EXPECT_TRUE(group.spend(request("visits", epsilon_charge("0.1"))));
}

}  // namespace
}  // namespace gauze
