#include "gauze/ledger/group_commit.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "gauze/files/atomic_file.h"
#include "gauze/files/sha256.h"
#include "gauze/ledger/ledger_testing.h"

namespace gauze {
namespace group_commit_test {

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

ChargeRequest asked(int id) {
  ChargeRequest charge = request("visits", epsilon_charge("0.001"));
  charge.request = {.id = "r" + std::to_string(id), .digest = sha256_hex(std::to_string(id))};
  return charge;
}

TEST_F(LedgerTest, ThreadsWithTheSameRequestsGetOneGrantEach) {
  constexpr int kThreads = 12;
  constexpr int kRequests = 60;
  GroupCommit group(with_dataset(epsilon_options("visits", "1")));
  std::vector<std::atomic<int>> grants(kRequests);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int r = 0; r < kRequests; ++r) {
        const std::string answer = "answer " + std::to_string(r);
        const auto grant = group.reserve(asked(r));
        if (grant) {
          ++grants[static_cast<std::size_t>(r)];
          if (!group.commit(grant->entry, {.answer = answer})) ++wrong;
          const auto found = group.find_request("visits", asked(r).request->id);
          if (!found || !*found || (*found)->outcome.answer != answer) ++wrong;
        } else if (grant.error().request && grant.error().request->is_committed()) {
          if (grant.error().request->outcome.answer != answer) ++wrong;
        } else if (grant.error().code != ErrorCode::request_unfinished) {
          ++wrong;
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  for (const auto& count : grants) EXPECT_EQ(count, 1);
  const Ledger ledger = open();
  EXPECT_EQ(ledger.balance("visits")->queries, kRequests);
  EXPECT_EQ(verify(ledger)->entries, 1 + 2 * kRequests);
}

TEST_F(LedgerTest, TwoGroupsOnOneFileGetOneGrantEach) {
  GroupCommit first(with_dataset(epsilon_options("visits", "1")));
  GroupCommit second(open());
  constexpr int kRequests = 60;
  std::vector<std::atomic<int>> grants(kRequests);
  std::vector<std::thread> threads;
  for (GroupCommit* group : {&first, &second, &first, &second}) {
    threads.emplace_back([&, group] {
      for (int r = 0; r < kRequests; ++r) {
        const auto grant = group->spend(asked(r), {.label = "{}"});
        if (grant) ++grants[static_cast<std::size_t>(r)];
        EXPECT_TRUE(grant || grant.error().request);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& count : grants) EXPECT_EQ(count, 1);
  EXPECT_TRUE(verify(open()));
}

TEST_F(LedgerTest, AGroupAnswersWhatALedgerAnswers) {
  GroupCommit group(with_dataset(epsilon_options("visits", "1")));
  const CommitmentKey key = CommitmentKey::generate().value();
  ChargeRequest charge = request("visits", epsilon_charge("0.25"));
  charge.commitment_key = &key;
  const auto grant = group.reserve(charge);
  ASSERT_TRUE(grant);
  const ChargeBook& book = group;
  EXPECT_EQ(book.balance("visits")->left().amount, open().balance("visits")->left().amount);
  EXPECT_EQ(book.balance("visitors").error().code, ErrorCode::invalid_parameter);
  EXPECT_EQ(book.commitment_key(grant->entry)->hex(), key.hex());
  EXPECT_EQ(book.commitment_key(1).error().code, ErrorCode::invalid_parameter);
  EXPECT_FALSE(book.find_request("visits", "monday").value());
  EXPECT_EQ(book.balance("visits")->queries, 1) << "an error of one question spoils no other";
}

TEST_F(LedgerTest, StepsOfOneTransactionAreTakenInOrder) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1"));
  const ChargeRequest request = asked(1);
  const Outcome outcome{.answer = "42"};
  const std::vector<BudgetStep> steps = {{.kind = EntryKind::reserve, .request = &request},
                                         {.kind = EntryKind::reserve, .request = &request},
                                         {.kind = EntryKind::commit, .reservation = 2, .outcome = &outcome},
                                         {.kind = EntryKind::commit, .reservation = 2},
                                         {.kind = EntryKind::reserve, .request = &request}};
  const auto answers = ledger.change_many(steps);
  ASSERT_TRUE(answers) << answers.error().message;
  EXPECT_TRUE(std::get<Granted>((*answers)[0]));
  EXPECT_EQ(std::get<Granted>((*answers)[1]).error().code, ErrorCode::request_unfinished);
  EXPECT_EQ(std::get<Result<ChainedEntry>>((*answers)[2])->entry.number, 3);
  EXPECT_EQ(std::get<Result<ChainedEntry>>((*answers)[3]).error().code, ErrorCode::invalid_parameter);
  EXPECT_EQ(std::get<Granted>((*answers)[4]).error().request->outcome.answer, "42");
  EXPECT_EQ(verify(ledger)->entries, 3);
}

TEST_F(LedgerTest, WhatGrantsNothingWritesNothing) {
  Ledger ledger = with_dataset(epsilon_options("visits", "1"));
  ASSERT_TRUE(ledger.spend(asked(1)));
  const std::uint32_t before = changes_of(path_);
  GroupCommit group(std::move(ledger));
  EXPECT_FALSE(group.spend(asked(1)));
  EXPECT_FALSE(group.commit(2));
  EXPECT_EQ(changes_of(path_), before);
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
      const auto committed = group.commit(2);
      if (!committed && committed.error().code == ErrorCode::io) ++failed;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(failed, 8);
  ASSERT_EQ(other.run("ROLLBACK"), SQLITE_OK);
  EXPECT_TRUE(group.spend(request("visits", epsilon_charge("0.1"))));
}

}  // namespace group_commit_test
}  // namespace gauze
