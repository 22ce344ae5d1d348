// When records go, and what stays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "gauze/server/store/testing/store_fixture.h"

namespace gauze::server {
namespace retention_test {

using namespace gauze::server::testing;  // NOLINT(google-build-using-namespace)
using ::testing::ElementsAre;

/// A central record of 16 bytes with a text of its own.
std::string record(char letter) { return std::string(1, '\1') + std::string(13, letter) + "#!"; }

class Retention : public StoreTest {
 protected:
  Retention() {
    tasks_ = {local_task(1), central_task(2), central_task(3)};
    tasks_[0].retention_days = 2;
    tasks_[1].retention_days = 1;
    tasks_[2].retention_days = 3;
  }
  [[nodiscard]] std::vector<std::string> report_keys() const { return keys_->names("report-key/"); }
};

TEST_F(Retention, NoPayloadLiesInAFileInTheClear) {
  open();
  std::string block = block_of(tasks_[1], {.id = 1}, record('q') + record('q'));
  ingest(block);
  const std::string values(64, '\7');
  IngestTask wide = tasks_[0];
  ingest(block_of(wide, {.id = 2}, values));
  EXPECT_FALSE(is_in_files("qqqqqqqq"));
  EXPECT_FALSE(is_in_files(values));
  // The states neither, in tables as well as in the log.
  store_.reset();
  EXPECT_FALSE(is_in_files("qqqqqqqq"));
  EXPECT_FALSE(is_in_files(std::string("\x40\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16))) << "64 reports, none of value 0";
  // What is searched for is found when it is there.
  std::ofstream(folder_ / "plain", std::ios::binary) << block;
  EXPECT_TRUE(is_in_files("qqqqqqqq"));
}

TEST_F(Retention, NoCredentialLiesInAFile) {
  open();
  ingest(block_of(tasks_[1], {.id = 1}, record('q')), 'c');
  store_.reset();
  EXPECT_FALSE(is_in_files("cccccccc"));
}

TEST_F(Retention, TwoTasksOfOneDayGoOnTheirOwnDates) {
  open();
  ingest(block_of(tasks_[1], {.id = 1}, record('a')) + block_of(tasks_[2], {.id = 2}, record('b')));
  EXPECT_EQ(report_keys().size(), 2U);
  now_ = (kFirstDay + 1) * kSecondsPerDay - 1;
  sweep(utc_day_of(now_));
  EXPECT_THAT(payloads(tasks_[1]), ElementsAre(record('a')));
  now_ += 1;
  EXPECT_TRUE(payloads(tasks_[1]).empty()) << "past when its date begins, also before the sweep";
  sweep(utc_day_of(now_));
  EXPECT_EQ(report_keys().size(), 1U);
  EXPECT_THAT(payloads(tasks_[2]), ElementsAre(record('b')));
  now_ = (kFirstDay + 3) * kSecondsPerDay;
  sweep(utc_day_of(now_));
  EXPECT_TRUE(payloads(tasks_[2]).empty());
  EXPECT_TRUE(report_keys().empty());
}

TEST_F(Retention, TheSealedBytesAreGoneFromEveryFileAfterTheSweep) {
  tasks_[1].retention_days = 1;
  open();
  ingest(block_of(tasks_[1], {.id = 1}, record('a')) + block_of(tasks_[0], {.id = 2}, "\1"));
  // The key of a row is in the clear: what the task's hash and the period are in.
  std::string row(tasks_[1].hash.begin(), tasks_[1].hash.end());
  EXPECT_TRUE(is_in_files(row));
  sweep(kFirstDay + 1);
  EXPECT_FALSE(is_in_files(row)) << "in tables and log";
  EXPECT_TRUE(is_in_files(std::string(tasks_[0].hash.begin(), tasks_[0].hash.end())));
}

TEST_F(Retention, WhatWasAddedUpStaysAfterTheSweep) {
  open();
  ingest(block_of(tasks_[0], {.id = 1}, "\1\2"));
  now_ += kSecondsPerDay;
  ingest(block_of(tasks_[0], {.id = 2}, "\2\2"));
  const auto before = cells(tasks_[0]);
  sweep(kFirstDay + 2);
  EXPECT_EQ(cells(tasks_[0]), before);
  EXPECT_TRUE(payloads(tasks_[0], {}).size() == 1U) << "of the second day";
  const StoreCheck found = check();
  EXPECT_EQ(found.settled, 1U);
  EXPECT_EQ(found.parts, 1U);
  EXPECT_EQ(found.different, 0U);
  sweep(kFirstDay + 30);
  reopen();
  EXPECT_EQ(cells(tasks_[0]), before);
  EXPECT_FALSE(*store_->remove(block_id(1), tasks())) << "it is not stored any more";
  EXPECT_EQ(cells(tasks_[0]), before);
}

TEST_F(Retention, ASweepBeforeItsTimeTakesAllOfTheDateAndLaterRecordsGetANewKey) {
  open();
  ingest(block_of(tasks_[1], {.id = 1}, record('a')));
  const auto first = keys_->get(report_keys().front());
  sweep(kFirstDay + 1);
  EXPECT_TRUE(payloads(tasks_[1]).empty());
  EXPECT_EQ(ingest(block_of(tasks_[1], {.id = 1}, record('a'))).duplicates, 1U);
  EXPECT_EQ(ingest(block_of(tasks_[1], {.id = 2}, record('b'))).accepted, 1U);
  ASSERT_EQ(report_keys().size(), 1U);
  EXPECT_FALSE(keys_->get(report_keys().front())->equals(*first));
  reopen();
  EXPECT_THAT(payloads(tasks_[1]), ElementsAre(record('b')));
  std::vector<std::uint32_t> generations;
  ASSERT_TRUE(store_->sweep(kFirstDay + 1, [&](const SweptDate& date) -> Result<void> {
    generations.push_back(date.generation);
    return {};
  }));
  EXPECT_THAT(generations, ElementsAre(1U));
}

TEST_F(Retention, ASweepThatCannotBeAuditedIsReportedAgain) {
  open();
  ingest(block_of(tasks_[1], {.id = 1}, record('a')));
  const auto refused = store_->sweep(
      kFirstDay + 1, [](const SweptDate&) -> Result<void> { return make_error(ErrorCode::io, "no audit log"); });
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "no audit log");
  EXPECT_TRUE(report_keys().empty()) << "the records are gone all the same";
  int audits = 0;
  for (int i = 0; i < 2; ++i)
    ASSERT_TRUE(store_->sweep(kFirstDay, [&](const SweptDate&) -> Result<void> {
      ++audits;
      return {};
    }));
  EXPECT_EQ(audits, 1);
}

TEST_F(Retention, KeysOfLimitsGoWhenTheirPeriodsAreClosed) {
  open();
  ingest(block_of(tasks_[1], {.id = 1}, record('a')));
  EXPECT_EQ(keys_->names("limit-key/").size(), 1U);
  sweep(kFirstDay + 100);
  EXPECT_EQ(keys_->names("limit-key/").size(), 1U) << "by the real clock, whatever is swept";
  now_ = (kFirstDay + 8) * kSecondsPerDay;
  sweep(kFirstDay);
  EXPECT_TRUE(keys_->names("limit-key/").empty());
}

TEST_F(Retention, AReaderComesToItsEndBeforeItsRecordsGo) {
  open();
  for (std::uint64_t id = 0; id < 50; ++id) ingest(block_of(tasks_[1], {.id = id}, record('a')));
  std::size_t read = 0;
  std::thread sweeper;
  ASSERT_TRUE(store_->scan(tasks_[1].hash, {}, [&](const StoredBlock&) -> Result<void> {
    if (read++ == 0) sweeper = std::thread([&] { sweep(kFirstDay + 1); });
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return {};
  }));
  EXPECT_EQ(read, 50U);
  sweeper.join();
  EXPECT_TRUE(payloads(tasks_[1]).empty());
  EXPECT_FALSE(is_in_files(std::string(tasks_[1].hash.begin(), tasks_[1].hash.end())));
}

TEST_F(Retention, TheSmProfileKeepsTheSamePromises) {
  std::filesystem::remove(folder_ / "keys");
  std::filesystem::remove(folder_ / "kek");
  open_keys(true, CryptoProfile::sm);
  open();
  ingest(block_of(tasks_[1], {.id = 1}, record('q')) + block_of(tasks_[0], {.id = 2}, "\1\2"));
  EXPECT_FALSE(is_in_files("qqqqqqqq"));
  reopen();
  EXPECT_EQ(keys_->profile(), CryptoProfile::sm);
  EXPECT_THAT(payloads(tasks_[1]), ElementsAre(record('q')));
  EXPECT_EQ(aggregate(tasks_[0]).reports(), 2U);
  EXPECT_EQ(check().different, 0U);
  sweep(kFirstDay + 2);
  EXPECT_TRUE(report_keys().empty());
  EXPECT_EQ(aggregate(tasks_[0]).reports(), 2U);
}

}  // namespace retention_test
}  // namespace gauze::server
