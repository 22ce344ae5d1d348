// Processes that are killed while they take reports, or between the steps of a sweep.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <set>
#include <sstream>
#include <thread>

#include "gauze/base/testing/watched.h"
#include "gauze/server/store/internal/database.h"
#include "gauze/server/store/internal/report_rows.h"
#include "gauze/server/store/internal/row_bytes.h"
#include "gauze/server/store/testing/child_process.h"
#include "gauze/server/store/testing/store_fixture.h"

namespace gauze::server {
namespace kill_test {

using namespace gauze::server::testing;  // NOLINT(google-build-using-namespace)

constexpr std::string_view kCanary = "\5canary canary.!";
constexpr std::size_t kSenders = 4;

/// What parent and child have in common.
std::vector<IngestTask> tasks_of_both() {
  std::vector<IngestTask> tasks = {local_task(1), central_task(2)};
  for (IngestTask& task : tasks) task.retention_days = 2;
  return tasks;
}

std::string block_number(std::uint64_t id) {
  const char value = static_cast<char>(id % 10);
  return block_of(tasks_of_both()[0], {.id = id}, std::string(1 + id % 3, value));
}

Result<std::unique_ptr<ReportStore>> open_in_child(const std::string& folder,
                                                   std::function<void(std::string_view)> steps) {
  GAUZE_TRY(const auto key, KeyEncryptionKey::from_file(folder + "/kek"));
  GAUZE_TRY(auto keys, KeyFile::open(folder + "/keys", key));
  return ReportStore::open({.folder = folder + "/store",
                            .keys = std::move(keys),
                            .window = {},
                            .clock = [] { return kNoon; },
                            .fold_threads = 2,
                            .checkpoint_blocks = 8,
                            .between_steps = std::move(steps)},
                           TaskDirectory(tasks_of_both()));
}

/// So many blocks are deleted after they were taken: one of five.
bool is_deleted(std::uint64_t id) { return id % 5 == 0; }
/// What the report of a deletion has besides the number of the block.
constexpr std::uint64_t kDeleted = std::uint64_t{1} << 40U;

/// Sends blocks of ever higher numbers, and deletes some; reports each only when it was acknowledged.
int take_until_killed(const std::string& folder, std::uint64_t first) {
  auto store = open_in_child(folder, {});
  if (!store) return 3;
  const TaskDirectory tasks(tasks_of_both());
  std::vector<std::thread> senders;
  for (std::size_t sender = 0; sender < kSenders; ++sender)
    senders.emplace_back([&, sender] {
      for (std::uint64_t id = first + sender;; id += kSenders) {
        const auto outcome = (*store)->ingest(credential(1), block_number(id), tasks);
        if (!outcome || outcome->accepted != 1 + id % 3) ::_exit(4);
        report_to_parent(id);
        if (!is_deleted(id)) continue;
        const auto removed = (*store)->remove(block_id(id), tasks);
        if (!removed || !*removed) ::_exit(6);
        report_to_parent(id + kDeleted);
      }
    });
  for (auto& sender : senders) sender.join();
  return 5;
}

int sweep_until_killed(const std::string& folder, const std::string& last_step) {
  auto store = open_in_child(folder, [&](std::string_view step) {
    if (step == last_step) ::kill(::getpid(), SIGKILL);
  });
  if (!store) return 3;
  // Of these no state is on the disk when the sweep begins.
  const std::vector<IngestTask> tasks = tasks_of_both();
  const std::string blocks = block_of(tasks[1], {.id = 1}, kCanary) + block_of(tasks[0], {.id = 2}, "\1\2");
  const auto outcome = (*store)->ingest(credential(1), blocks, TaskDirectory(tasks));
  if (!outcome || outcome->accepted != 3) return 5;
  const auto swept = (*store)->sweep(kFirstDay + 2, [](const SweptDate& date) -> Result<void> {
    report_to_parent(static_cast<std::uint64_t>(date.day));
    return {};
  });
  return swept ? 0 : 4;
}

/// A test program that was started as a child does its work and ends.
class ChildWork : public ::testing::Environment {
 public:
  void SetUp() override {
    const char* work = std::getenv("GAUZE_STORE_CHILD");
    if (work == nullptr || (work != std::string_view("take") && work != std::string_view("sweep"))) return;
    std::istringstream words(std::getenv("GAUZE_STORE_CHILD_WORDS"));
    std::string folder;
    std::string rest;
    std::getline(words, folder, '|');
    std::getline(words, rest);
    ::_exit(work == std::string_view("take") ? take_until_killed(folder, std::stoull(rest))
                                             : sweep_until_killed(folder, rest));
  }
};
const ::testing::Environment* const kChildWork = ::testing::AddGlobalTestEnvironment(new ChildWork);

class Killed : public StoreTest {
 protected:
  Killed() { tasks_ = tasks_of_both(); }

  void close_all() {
    store_.reset();
    keys_.reset();
  }
  ChildProcess child(const std::string& work, const std::string& rest) {
    close_all();
    return start_child(work, folder_.path().string() + "|" + rest);
  }
  void open_all() {
    open_keys();
    open();
  }

  void kill_takers(int kills);
  void expect_different_nonces();
};

/// No two values of a family have the same salt and number, and no two salts are the same.
void Killed::expect_different_nonces() {
  close_all();
  const auto database = internal::Database::open(folder_ / "store", {});
  ASSERT_TRUE(database) << database.error().message;
  std::set<std::string> salts;
  for (const auto& family : (*database)->families()) {
    std::set<std::string> nonces;
    ASSERT_TRUE(internal::for_rows(**database, family->handle(), nullptr, "",
                                   [&](std::string_view row, std::string_view value) -> Result<bool> {
                                     const bool is_sealed = row.front() == 'R' || row.front() == 'A';
                                     EXPECT_TRUE(row.front() != 'K' || salts.emplace(value).second);
                                     EXPECT_TRUE(!is_sealed || nonces.emplace(value.substr(0, 12)).second);
                                     return true;
                                   }));
  }
  EXPECT_GT(salts.size(), 2U);
}

void Killed::kill_takers(int kills) {
  open();
  std::mt19937_64 random(17);
  std::set<std::uint64_t> taken;
  std::set<std::uint64_t> deleted;
  const auto note = [&](std::uint64_t report) { (report >= kDeleted ? deleted : taken).insert(report % kDeleted); };
  std::uint64_t first = 0;
  for (int kill = 0; kill < kills; ++kill) {
    const ChildProcess taker = child("take", std::to_string(first));
    std::uint64_t report = 0;
    for (std::uint64_t reports = 20 + random() % 40; reports > 0; --reports) {
      ASSERT_TRUE(next_report(taker, report)) << "it ended by itself";
      note(report);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 10'000));
    ASSERT_EQ(::kill(taker.id, SIGKILL), 0);
    int status = 0;
    for (const std::uint64_t one : reports_until_end(taker, status)) note(one);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it ended by itself with " << WEXITSTATUS(status);
    first = *taken.rbegin() + 2 * kSenders;
  }
  open_all();
  EXPECT_EQ(check().different, 0U);
  // Each that was acknowledged is known, also what was deleted; nothing of it is counted again.
  const std::uint64_t before = aggregate(tasks_[0]).reports();
  for (const std::uint64_t id : taken) ASSERT_EQ(ingest(block_number(id)).duplicates, 1 + id % 3) << id;
  for (const std::uint64_t id : deleted) ASSERT_FALSE(*store_->remove(block_id(id), tasks())) << id;
  EXPECT_EQ(aggregate(tasks_[0]).reports(), before);
  EXPECT_GT(deleted.size(), 0U);
  // What was not acknowledged may be there or not. Sent again, and deleted where that was asked for, everything is there once.
  std::uint64_t all = 0;
  for (std::uint64_t id = 0; id < first; ++id) {
    const IngestOutcome outcome = ingest(block_number(id));
    ASSERT_EQ(outcome.accepted + outcome.duplicates, 1 + id % 3) << id;
    if (is_deleted(id)) {
      ASSERT_TRUE(store_->remove(block_id(id), tasks()));
    } else {
      all += 1 + id % 3;
    }
  }
  EXPECT_EQ(aggregate(tasks_[0]).reports(), all);
  EXPECT_EQ(check().different, 0U);
  expect_different_nonces();
}

TEST_F(Killed, TakersLoseNothingThatWasAcknowledgedAndCountNothingTwice) {
  kill_takers(std::max(3, watched_less(10)));
}

TEST_F(Killed, ThreeHundredTakersLoseNothingThatWasAcknowledgedAndCountNothingTwice) {
  const char* wanted = std::getenv("GAUZE_LONG_TESTS");
  if (wanted == nullptr) GTEST_SKIP() << "runs with GAUZE_LONG_TESTS=1";
  kill_takers(300);
}

class KilledSweep : public Killed, public ::testing::WithParamInterface<std::string> {};

TEST_P(KilledSweep, IsFinishedAtTheNextStart) {
  ASSERT_EQ(kCanary.size(), 16U);
  open();
  const ChildProcess sweeper = child("sweep", GetParam());
  int status = 0;
  const auto audited = reports_until_end(sweeper, status);
  ASSERT_TRUE(WIFSIGNALED(status)) << "it ended by itself with " << WEXITSTATUS(status);
  EXPECT_EQ(audited.size(), GetParam() == "audited" ? 1U : 0U);

  open_all();
  EXPECT_TRUE(keys_->names("report-key/").empty());
  EXPECT_TRUE(payloads(tasks_[1]).empty());
  EXPECT_FALSE(is_in_files(kCanary));
  std::vector<std::int64_t> days;
  ASSERT_TRUE(store_->sweep(kFirstDay, [&](const SweptDate& date) -> Result<void> {
    days.push_back(date.day);
    return {};
  }));
  EXPECT_THAT(days, ::testing::ElementsAre(kFirstDay + 2)) << "what was not audited, or may not have been, is";
  ASSERT_TRUE(store_->sweep(kFirstDay, [&](const SweptDate& date) -> Result<void> {
    days.push_back(date.day);
    return {};
  }));
  EXPECT_EQ(days.size(), 1U);
  EXPECT_EQ(aggregate(tasks_[0]).reports(), 2U);
  EXPECT_EQ(check().settled, 1U);
  EXPECT_EQ(ingest(block_of(tasks_[0], {.id = 2}, "\1\2")).duplicates, 2U);
  EXPECT_EQ(ingest(block_of(tasks_[0], {.id = 3}, "\1\2")).accepted, 2U);
}

INSTANTIATE_TEST_SUITE_P(Steps, KilledSweep,
                         ::testing::Values("begun", "keys removed", "families dropped", "others flushed", "audited"),
                         [](const auto& step) {
                           std::string name = step.param;
                           for (char& c : name) c = c == ' ' ? '_' : c;
                           return name;
                         });

}  // namespace kill_test
}  // namespace gauze::server
