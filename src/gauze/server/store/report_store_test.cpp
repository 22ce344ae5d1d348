#include "gauze/server/store/report_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "gauze/base/testing/watched.h"
#include "gauze/collect/reports/block_counts.h"
#include "gauze/server/store/testing/store_fixture.h"

namespace gauze::server {
namespace report_store_test {

using namespace gauze::server::testing;  // NOLINT(google-build-using-namespace)
using namespace std::string_literals;    // NOLINT(google-build-using-namespace)
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Store : public StoreTest {};

TEST_F(Store, AddsUpWhatItTakes) {
  open();
  const auto outcome = ingest(block_of(tasks_[0], {.id = 1}, "\0\1\1\2"s) + block_of(tasks_[0], {.id = 2}, "\1"));
  EXPECT_EQ(outcome, (IngestOutcome{.accepted = 5}));
  EXPECT_THAT(cells(tasks_[0]), ElementsAre(1, 3, 1, 0, 0, 0, 0, 0, 0, 0));
}

TEST_F(Store, AnswersABlockThatCameBeforeAsADuplicateAndDoesNotCountItAgain) {
  open();
  const std::string block = block_of(tasks_[0], {.id = 7}, "\3\3");
  EXPECT_EQ(ingest(block).accepted, 2U);
  EXPECT_EQ(ingest(block), (IngestOutcome{.duplicates = 2}));
  EXPECT_EQ(ingest(block + block, 9), (IngestOutcome{.duplicates = 4})) << "whoever sends it";
  EXPECT_EQ(cells(tasks_[0])[3], 2);
  const std::string twice = block_of(tasks_[0], {.id = 8}, "\4");
  EXPECT_EQ(ingest(twice + twice), (IngestOutcome{.accepted = 1, .duplicates = 1})) << "in one batch";
}

TEST_F(Store, KeepsWhatItTookOverARestart) {
  open();
  const std::string block = block_of(tasks_[0], {.id = 7}, "\3\3");
  ingest(block);
  const collect::Aggregate before = aggregate(tasks_[0]);
  reopen();
  EXPECT_EQ(aggregate(tasks_[0]), before);
  EXPECT_EQ(ingest(block).duplicates, 2U);
  EXPECT_EQ(check().different, 0U);
}

TEST_F(Store, RefusesForTheFirstReasonInTheOrderOfReasons) {
  IngestTask replaced = local_task(2);
  replaced.state = IngestTask::State::replaced;
  IngestTask closed = local_task(3);
  closed.state = IngestTask::State::closed;
  IngestTask over = local_task(4);
  over.ends_at = kNoon;
  tasks_ = {local_task(1), replaced, closed, over};
  tasks_[0].reports_per_period = 3;
  open();
  const auto refused = [&](const std::string& text, Rejection reason, std::uint64_t count) {
    IngestOutcome expected;
    expected.of(reason) = count;
    EXPECT_EQ(ingest(text), expected) << word_of(kRejectionWords, reason);
  };
  const auto damage = [](std::string block) {
    block.back() ^= 1;
    return block;
  };
  const std::string bad(2, '\x0b');  // no value of the task
  const std::uint32_t late = kToday + 2;
  refused("GZR1 is no block", Rejection::malformed, 1);
  refused(damage(block_of(local_task(99), {.period = late}, bad)), Rejection::unknown_task, 2);
  IngestTask other = local_task(1);
  other.counting.shape.payload_bytes = 2;
  refused(damage(block_of(other, {.period = late}, bad)), Rejection::parameter_mismatch, 1);
  refused(damage(block_of(replaced, {.period = late}, bad)), Rejection::parameter_mismatch, 2);
  refused(damage(block_of(closed, {.period = late}, bad)), Rejection::closed, 2);
  refused(damage(block_of(over, {.period = late}, bad)), Rejection::closed, 2);
  refused(damage(block_of(tasks_[0], {.period = late}, bad)), Rejection::not_yet, 2);
  refused(damage(block_of(tasks_[0], {.period = kToday - 8}, bad)), Rejection::expired, 2);
  refused(damage(block_of(tasks_[0], {}, bad)), Rejection::damaged, 2);
  refused(block_of(tasks_[0], {}, bad), Rejection::out_of_range, 2);
  refused(block_of(tasks_[0], {}, "\1\1\1\1"), Rejection::contribution_limit, 4);
  EXPECT_EQ(cells(tasks_[0]), std::vector<std::int64_t>(10, 0));
}

TEST_F(Store, TakesPeriodsFromSevenBackToOneAhead) {
  open();
  std::uint64_t id = 0;
  for (std::uint32_t period = kToday - 7; period <= kToday + 1; ++period)
    EXPECT_EQ(ingest(block_of(tasks_[0], {.id = ++id, .period = period}, "\1")).accepted, 1U) << period;
  EXPECT_EQ(aggregate(tasks_[0]).periods.size(), 9U);
  EXPECT_EQ(aggregate(tasks_[0], {.from = kToday, .to = kToday}).reports(), 1U);
}

TEST_F(Store, CountsTheReportsOfADeviceOverAllVersionsOfATask) {
  IngestTask second = local_task(2);
  second.name = tasks_[0].name;
  tasks_.push_back(second);
  for (IngestTask& task : tasks_) task.reports_per_period = 3;
  open();
  EXPECT_EQ(ingest(block_of(tasks_[0], {.id = 1}, "\1\1")).accepted, 2U);
  EXPECT_EQ(ingest(block_of(tasks_[1], {.id = 2}, "\1\1")).of(Rejection::contribution_limit), 2U);
  EXPECT_EQ(ingest(block_of(tasks_[1], {.id = 2}, "\1")).accepted, 1U) << "refused before, so not a duplicate";
  EXPECT_EQ(ingest(block_of(tasks_[0], {.id = 4}, "\1")).of(Rejection::contribution_limit), 1U);
  EXPECT_EQ(ingest(block_of(tasks_[0], {.id = 5}, "\1"), 2).accepted, 1U) << "another device";
  EXPECT_EQ(ingest(block_of(tasks_[0], {.id = 6, .period = kToday - 1}, "\1")).accepted, 1U) << "another period";
  EXPECT_EQ(ingest(block_of(tasks_[0], {.id = 1}, "\1\1")).duplicates, 2U) << "seen before comes first";
  reopen();
  EXPECT_EQ(ingest(block_of(tasks_[0], {.id = 7}, "\1")).of(Rejection::contribution_limit), 1U);
}

TEST_F(Store, CountsBatchesOfOneDeviceThatComeAtOnceOneAfterTheOther) {
  tasks_[0].reports_per_period = 50;
  open();
  std::atomic<std::uint64_t> accepted = 0;
  std::atomic<std::uint64_t> refused = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t thread = 0; thread < 8; ++thread)
    threads.emplace_back([&, thread] {
      for (std::uint64_t i = 0; i < 5; ++i) {
        const auto outcome = ingest(block_of(tasks_[0], {.id = 100 * thread + i}, "\1\1\1"));
        accepted += outcome.accepted;
        refused += outcome.of(Rejection::contribution_limit);
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(accepted, 48U);  // 16 blocks of 3: one more would be 51
  EXPECT_EQ(refused, 72U);
  EXPECT_EQ(cells(tasks_[0])[1], 48);
}

TEST_F(Store, OneBlockSentByManyAtOnceIsTakenOnce) {
  open();
  const std::string block = block_of(tasks_[0], {.id = 5}, "\1\2");
  std::atomic<std::uint64_t> accepted = 0;
  std::vector<std::thread> threads;
  for (unsigned char device = 0; device < 8; ++device)
    threads.emplace_back([&, device] { accepted += ingest(block, device).accepted; });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(accepted, 2U);
  EXPECT_EQ(aggregate(tasks_[0]).reports(), 2U);
}

TEST_F(Store, AnAggregateHasWhatWasAcknowledgedAndIsTheCountOfASingleRun) {
  tasks_ = {local_task(1), local_task(2, 200)};
  tasks_[1].counting.has_part_byte = true;
  auto with = options();
  with.fold_threads = 3;
  with.checkpoint_blocks = 10;
  open(std::move(with));
  std::mt19937_64 random(5);
  std::vector<collect::PartCounts> expected[2] = {collect::empty_parts(tasks_[0].counting),
                                                  collect::empty_parts(tasks_[1].counting)};
  for (std::uint64_t id = 0; id < watched_less(std::uint64_t{400}); ++id) {
    const std::size_t which = random() % 2;
    std::string reports;
    for (std::size_t i = 0; i <= random() % 4; ++i) {
      if (which == 1) reports += static_cast<char>(random() % 2);
      reports += static_cast<char>(random() % tasks_[which].counting.shape.size);
    }
    collect::count_reports(tasks_[which].counting,
                           {reinterpret_cast<const unsigned char*>(reports.data()), reports.size()}, expected[which]);
    const auto period = static_cast<std::uint32_t>(kToday - random() % 5);
    ASSERT_GT(ingest(block_of(tasks_[which], {.id = id, .period = period}, reports)).accepted, 0U);
    if (id % 37 == 0) {
      ASSERT_EQ(aggregate(tasks_[which]).total(), expected[which]) << id;
    }
    if (id % 101 == 100) reopen();
  }
  for (const std::size_t which : {0U, 1U}) EXPECT_EQ(aggregate(tasks_[which]).total(), expected[which]);
  const StoreCheck found = check();
  EXPECT_EQ(found.different, 0U);
  EXPECT_GT(found.parts, 5U);
}

TEST_F(Store, AStateThatWasPutAwayIsTakenUpAgain) {
  auto with = options();
  with.checkpoint_blocks = 3;
  open(with);
  std::uint64_t id = 0;
  const auto send = [&](std::uint32_t period, int blocks) {
    for (int i = 0; i < blocks; ++i) {
      ASSERT_EQ(ingest(block_of(tasks_[0], {.id = ++id, .period = period}, "\1\2")).accepted, 2U);
      static_cast<void>(aggregate(tasks_[0], {.from = period, .to = period}));  // has it added up
    }
  };
  send(kToday - 1, 4);
  send(kToday, 20);
  send(kToday - 1, 5);
  send(kToday, 20);
  EXPECT_TRUE(*store_->remove(block_id(1), tasks()));
  EXPECT_EQ(aggregate(tasks_[0], {.from = kToday - 1, .to = kToday - 1}).reports(), 16U);
  EXPECT_EQ(aggregate(tasks_[0]).reports(), 96U);
  EXPECT_EQ(check().different, 0U);
}

TEST_F(Store, TheSequenceOfAnAggregateTellsOneMomentFromAnother) {
  open();
  std::map<std::uint64_t, std::uint64_t> reports_at;
  for (std::uint64_t id = 1; id < 20; ++id) {
    ingest(block_of(tasks_[0], {.id = id}, "\1"));
    if (id % 4 == 0) {
      EXPECT_TRUE(*store_->remove(block_id(id), tasks()));
    }
    const auto found = store_->aggregate(tasks_[0].counting);
    ASSERT_TRUE(found);
    EXPECT_TRUE(reports_at.emplace(found->sequence, found->aggregate.reports()).second);
    EXPECT_EQ(store_->aggregate(tasks_[0].counting)->sequence, found->sequence);
  }
  const std::uint64_t last = reports_at.rbegin()->first;
  reopen();
  EXPECT_EQ(store_->aggregate(tasks_[0].counting)->sequence, last);
}

TEST_F(Store, ACentralTaskIsKeptAndNotCounted) {
  tasks_ = {central_task(1)};
  open();
  const std::string first = "\1record of one..";
  const std::string second = "\2record of two..";
  EXPECT_EQ(ingest(block_of(tasks_[0], {.id = 1}, first + second)).accepted, 2U);
  EXPECT_EQ(ingest(block_of(tasks_[0], {.id = 2, .period = kToday - 1}, first)).accepted, 1U);
  EXPECT_EQ(ingest(block_of(tasks_[0], {.id = 3}, "\x0e" + first.substr(1))).of(Rejection::out_of_range), 1U);
  EXPECT_THAT(payloads(tasks_[0]), ElementsAre(first, first + second));
  EXPECT_THAT(payloads(tasks_[0], {.from = kToday, .to = kToday}), ElementsAre(first + second));
  EXPECT_THAT(payloads(local_task(9)), ElementsAre());
  reopen();
  EXPECT_EQ(payloads(tasks_[0]).size(), 2U);
  EXPECT_EQ(check().parts, 0U);
  EXPECT_EQ(check().blocks, 2U);
}

TEST_F(Store, ADeletedBlockIsTakenOutOfTheAggregateAndStaysCounted) {
  tasks_[0].reports_per_period = 4;
  open();
  ingest(block_of(tasks_[0], {.id = 1}, "\1\2"));
  ingest(block_of(tasks_[0], {.id = 2}, "\2\2"));
  const auto before = store_->aggregate(tasks_[0].counting);
  EXPECT_TRUE(*store_->remove(block_id(1), tasks()));
  EXPECT_FALSE(*store_->remove(block_id(1), tasks())) << "a second time";
  EXPECT_FALSE(*store_->remove(block_id(77), tasks()));
  const auto after = store_->aggregate(tasks_[0].counting);
  EXPECT_THAT(after->aggregate.total()[0].cells, ElementsAre(0, 0, 2, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_GT(after->sequence, before->sequence);
  EXPECT_EQ(payloads(tasks_[0]).size(), 1U);
  EXPECT_EQ(ingest(block_of(tasks_[0], {.id = 1}, "\1\2")).duplicates, 2U);
  EXPECT_EQ(ingest(block_of(tasks_[0], {.id = 3}, "\1")).of(Rejection::contribution_limit), 1U);
  EXPECT_TRUE(*store_->remove(block_id(2), tasks()));
  EXPECT_EQ(check().different, 0U);
  reopen();
  EXPECT_EQ(aggregate(tasks_[0]).reports(), 0U);
  EXPECT_EQ(check().different, 0U);
}

TEST_F(Store, ABlockIsFoundForDeletionWhenItsPeriodIsLongClosed) {
  tasks_ = {local_task(1), central_task(2)};
  open();
  ingest(block_of(tasks_[0], {.id = 1}, "\1\2") + block_of(tasks_[1], {.id = 2}, std::string(16, '\1')));
  now_ += 20 * kSecondsPerDay;
  sweep(kFirstDay + 20);
  EXPECT_EQ(payloads(tasks_[1]).size(), 1U);
  EXPECT_TRUE(*store_->remove(block_id(1), tasks()));
  EXPECT_TRUE(*store_->remove(block_id(2), tasks()));
  EXPECT_EQ(aggregate(tasks_[0]).reports(), 0U);
  EXPECT_EQ(payloads(tasks_[1]).size(), 0U);
}

TEST_F(Store, AReplayIsNeverCountedWhateverDayItComes) {
  tasks_[0].retention_days = 1;  // shorter than the acceptance window
  open();
  const std::string block = block_of(tasks_[0], {.id = 1}, "\1");
  EXPECT_EQ(ingest(block).accepted, 1U);
  for (int day = 0; day < 20; ++day, now_ += kSecondsPerDay) {
    sweep(kFirstDay + day);
    const auto outcome = ingest(block);
    EXPECT_EQ(outcome.accepted, 0U) << day;
    EXPECT_EQ(outcome.duplicates + outcome.of(Rejection::expired), 1U) << day;
    EXPECT_EQ(outcome.duplicates, day < 8 ? 1U : 0U) << day;
    if (day % 3 == 0) reopen();
  }
  now_ = kNoon;
  EXPECT_EQ(ingest(block).of(Rejection::expired), 1U) << "a clock that was set back opens nothing";
  EXPECT_EQ(aggregate(tasks_[0]).reports(), 1U);
}

TEST_F(Store, AWiderWindowOpensNoPeriodAgain) {
  open();
  const std::string block = block_of(tasks_[0], {.id = 1, .period = kToday - 7}, "\1");
  EXPECT_EQ(ingest(block).accepted, 1U);
  now_ += kSecondsPerDay;
  sweep(kFirstDay + 1);
  auto with = options();
  with.window.periods_back = 30;
  open(with);
  EXPECT_EQ(ingest(block).of(Rejection::expired), 1U);
  // What was open at the change stays open as long as it was to be.
  const std::string open_one = block_of(tasks_[0], {.id = 2, .period = kToday}, "\1");
  EXPECT_EQ(ingest(open_one).accepted, 1U);
  now_ += 6 * kSecondsPerDay;
  sweep(kFirstDay + 7);
  EXPECT_EQ(ingest(open_one).duplicates, 1U);
  now_ += kSecondsPerDay;
  EXPECT_EQ(ingest(open_one).of(Rejection::expired), 1U);
  // Later ones have the new window.
  const std::string later = block_of(tasks_[0], {.id = 3, .period = kToday + 3}, "\1");
  EXPECT_EQ(ingest(later).accepted, 1U);
  now_ += 20 * kSecondsPerDay;
  sweep(kFirstDay + 28);
  EXPECT_EQ(ingest(later).duplicates, 1U);
}

TEST_F(Store, DeletesAllBlocksOfAnIdThatCameInSeveralPlaces) {
  tasks_ = {local_task(1), central_task(2)};
  open();
  const std::string central = block_of(tasks_[1], {.id = 1, .period = kToday - 1}, std::string(16, '\2'));
  const std::string all = block_of(tasks_[0], {.id = 1}, "\1") +
                          block_of(tasks_[0], {.id = 1, .period = kToday - 1}, "\1\1") +
                          block_of(tasks_[1], {.id = 1, .period = kToday - 2}, std::string(16, '\3')) +
                          block_of(tasks_[0], {.id = 2}, "\4");
  // Periods that close on one day know each other's ids, and no others.
  EXPECT_EQ(ingest(all + central), (IngestOutcome{.accepted = 5, .duplicates = 1}));
  reopen();
  EXPECT_TRUE(*store_->remove(block_id(1), tasks()));
  EXPECT_THAT(cells(tasks_[0]), ElementsAre(0, 0, 0, 0, 1, 0, 0, 0, 0, 0));
  EXPECT_EQ(payloads(tasks_[0]).size(), 1U);
  EXPECT_TRUE(payloads(tasks_[1]).empty());
  EXPECT_EQ(check().different, 0U);
  EXPECT_FALSE(*store_->remove(block_id(1), tasks()));
  EXPECT_EQ(ingest(all), (IngestOutcome{.duplicates = 5}));
}

TEST_F(Store, DeletingWhatIsNotStoredWaitsForTheDiskToo) {
  open();
  ingest(block_of(tasks_[0], {.id = 1}, "\1"));
  const auto log_bytes = [&] {
    std::uintmax_t sum = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "store/rows"))
      if (entry.path().extension() == ".log") sum += entry.file_size();
    return sum;
  };
  const std::uintmax_t before = log_bytes();
  EXPECT_FALSE(*store_->remove(block_id(77), tasks()));
  EXPECT_GT(log_bytes(), before);
  const std::uint64_t sequence = store_->figures().sequence;
  EXPECT_FALSE(*store_->remove(block_id(77), tasks()));
  EXPECT_EQ(store_->figures().sequence, sequence) << "nothing has changed";
}

TEST_F(Store, ABackupIsAWholeStoreWithoutKeys) {
  open();
  ingest(block_of(tasks_[0], {.id = 1}, "\1\2"));
  const Folder elsewhere;
  const std::filesystem::path copy = elsewhere.path() / "copy";
  ASSERT_TRUE(store_->backup(copy));
  EXPECT_FALSE(store_->backup(copy)) << "nothing is overwritten";
  ingest(block_of(tasks_[0], {.id = 2}, "\1\2"));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(copy))
    EXPECT_THAT(entry.path().filename().string(), ::testing::Not(HasSubstr("key")));
  auto with = options();
  with.folder = copy;
  open(std::move(with));
  EXPECT_EQ(aggregate(tasks_[0]).reports(), 2U);
}

TEST_F(Store, ABackupIsForItsOwnerAlone) {
  using std::filesystem::perms;
  open();
  ingest(block_of(tasks_[0], {.id = 1}, "\1\2"));
  reopen();  // so that there are tables, which a copy shares
  ingest(block_of(tasks_[0], {.id = 2}, "\1\2"));
  const Folder elsewhere;
  ASSERT_TRUE(store_->backup(elsewhere.path() / "made" / "copy"));
  for (const std::filesystem::path& place : {elsewhere.path(), folder_.path() / "store"}) {
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(place)) {
      EXPECT_EQ(entry.status().permissions(),
                entry.is_directory() ? perms::owner_all : perms::owner_read | perms::owner_write)
          << entry.path();
      files += entry.is_regular_file() ? 1 : 0;
    }
    EXPECT_GT(files, 3U);
  }
}

TEST_F(Store, ABackupIntoTheFolderOfTheCuratorIsRefused) {
  open();
  const Folder elsewhere;
  std::filesystem::create_directory_symlink(folder_.path(), elsewhere.path() / "link");
  for (const std::filesystem::path& place :
       {folder_.path() / "store" / "copy", folder_.path() / "store" / "rows" / "copy", folder_.path() / "copy",
        folder_.path() / "store" / ".." / "new" / "copy", elsewhere.path() / "link" / "copy",
        elsewhere.path() / "none" / ".." / "link" / "copy"}) {
    const auto refused = store_->backup(place);
    ASSERT_FALSE(refused) << place;
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_parameter) << place;
    EXPECT_FALSE(std::filesystem::exists(place)) << place;
  }
  EXPECT_FALSE(folder_.has("new"));
}

TEST_F(Store, FiguresTellWhatBecameOfReports) {
  open();
  ingest(block_of(tasks_[0], {.id = 1}, "\1\2") + "noise");
  ingest(block_of(tasks_[0], {.id = 1}, "\1\2"));
  const StoreFigures figures = store_->figures();
  EXPECT_EQ(figures.results.accepted, 2U);
  EXPECT_EQ(figures.results.duplicates, 2U);
  EXPECT_EQ(figures.results.of(Rejection::malformed), 1U);
  EXPECT_EQ(figures.families, 1U);
  EXPECT_EQ(figures.sequence, 1U);
  EXPECT_GT(figures.disk_free, 0U);
  EXPECT_GT(figures.bytes, 0U);
}

}  // namespace report_store_test
}  // namespace gauze::server
