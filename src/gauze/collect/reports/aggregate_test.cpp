#include "gauze/collect/reports/aggregate.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <unistd.h>

#include "gauze/base/parallel.h"
#include "gauze/collect/reports/state_file.h"
#include "gauze/collect/reports/testing/report_files.h"
#include "gauze/files/compression.h"
#include "gauze/files/testing/folder.h"

namespace gauze::collect {
namespace aggregate_test {

using testing::direct_task;
using ::testing::HasSubstr;
using testing::header_of;
using testing::line_of;
using testing::random_block;

Result<Aggregate> aggregate(const std::vector<std::string>& files, const ReportTask& task, bool distinct = false,
                            int threads = 2) {
  set_thread_count(threads);
  auto out = aggregate_reports({files.begin(), files.end()}, task, {.distinct = distinct});
  set_thread_count(0);
  return out;
}

struct Expected {
  std::uint64_t reports = 0;
  RejectedReports rejected = {};
};

void expect(const Result<Aggregate>& out, const Expected& expected) {
  ASSERT_TRUE(out) << out.error().message;
  EXPECT_EQ(out->reports(), expected.reports);
  EXPECT_EQ(out->rejected.malformed, expected.rejected.malformed);
  EXPECT_EQ(out->rejected.damaged, expected.rejected.damaged);
  EXPECT_EQ(out->rejected.unknown_task, expected.rejected.unknown_task);
  EXPECT_EQ(out->rejected.parameter_mismatch, expected.rejected.parameter_mismatch);
  EXPECT_EQ(out->rejected.out_of_range, expected.rejected.out_of_range);
}

TEST(AggregateReports, CountsBlocksByPeriod) {
  const ReportTask task = direct_task(3);
  const Folder folder;
  std::string bytes = encode_block(header_of(task, 1, 7, 4), std::string("\0\1\2\2", 4));
  bytes += encode_block(header_of(task, 2, 9, 3), std::string("\2\3\0", 3));
  const auto out = aggregate({folder.write("r", bytes)}, task);
  expect(out, {.reports = 6, .rejected = {.out_of_range = 1}});
  ASSERT_EQ(out->periods.size(), 2U);
  EXPECT_THAT(out->periods.at(7)[0].cells, ::testing::ElementsAre(1, 1, 2));
  EXPECT_EQ(out->periods.at(7)[0].reports, 4U);
  EXPECT_THAT(out->periods.at(9)[0].cells, ::testing::ElementsAre(1, 0, 1));
  EXPECT_THAT(out->total()[0].cells, ::testing::ElementsAre(2, 1, 3));
  EXPECT_EQ(out->sources.size(), 1U);
  EXPECT_EQ(out->duplicates, 0U);
}

TEST(AggregateReports, SaysWhyReportsWereRejected) {
  const ReportTask task = direct_task(3);
  ReportTask other = task;
  other.hash[5] ^= 1;
  ReportTask wide = task;
  wide.shape.payload_bytes = 2;
  const std::string good = encode_block(header_of(task, 1, 7, 2), std::string("\0\1", 2));
  std::string damaged = encode_block(header_of(task, 2, 7, 3), std::string("\0\1\2", 3));
  damaged.back() ^= 1;
  std::string many = encode_block(header_of(task, 3, 7, 1), std::string("\0", 1));
  many[59] = 0x20;  // 8,193 reports
  const std::string cut = encode_block(header_of(task, 4, 7, 2), std::string("\0\1", 2)).substr(0, 65);
  const std::string foreign = encode_block(header_of(other, 5, 7, 5), std::string(5, '\0'));
  const std::string mismatch = encode_block(header_of(wide, 6, 7, 6), std::string(12, '\0'));
  const Folder folder;
  expect(aggregate(
             {folder.write("a", "garbage" + good + damaged + good + "more" + many + foreign + mismatch + good + cut)},
             task),
         {.reports = 6, .rejected = {.malformed = 4, .damaged = 3, .unknown_task = 5, .parameter_mismatch = 6}});
  // A block that is longer than the file hides none behind its first byte.
  std::string longer = encode_block(header_of(task, 7, 7, 4'000), std::string(4'000, '\0')).substr(0, 62);
  expect(aggregate({folder.write("b", longer + good)}, task), {.reports = 2, .rejected = {.malformed = 1}});
  // Nor does a damaged one that states more than it holds.
  longer[59] = 0;
  longer[58] = 100;
  expect(aggregate({folder.write("c", longer + good + good)}, task), {.reports = 4, .rejected = {.damaged = 100}});
  expect(aggregate({folder.write("d", "G\1Z")}, task), {.reports = 0, .rejected = {.malformed = 1}});
}

TEST(AggregateReports, EmptyFilesAreNoSources) {
  const Folder folder;
  const auto out = aggregate({folder.write("a", ""), folder.write("b", "")}, direct_task(3));
  expect(out, {});
  EXPECT_TRUE(out->sources.empty());
  EXPECT_TRUE(out->periods.empty());
}

TEST(AggregateReports, ReadsLines) {
  const ReportTask task = direct_task(3);
  const std::string hash = to_hex({reinterpret_cast<const char*>(task.hash.data()), 32});
  const Folder folder;
  const std::string good = line_of(task, 7, std::string("\2", 1));
  const std::string text = good + "{\"payload\" : \"Ag==\", \"task\":\"" + hash + "\",\"period\":7 }\r\n" + "\n" +
                           "{}\n" + line_of(direct_task(3), 8, "\1\1") + "{\"task\":\"" + hash + "\",\"task\":\"" +
                           hash + "\",\"period\":7,\"payload\":\"Ag==\"}\n" + line_of(task, 9, "\3");
  const auto out = aggregate({folder.write("l", text.substr(0, text.size() - 1))}, task);
  expect(out, {.reports = 2, .rejected = {.malformed = 3, .parameter_mismatch = 1, .out_of_range = 1}});
  EXPECT_EQ(out->periods.size(), 1U);
}

TEST(AggregateReports, CountsALongLineOnce) {
  const ReportTask task = direct_task(3);
  const Folder folder;
  const std::string good = line_of(task, 7, std::string("\2", 1));
  for (const std::size_t size : {65'536UL, 65'537UL, 200'000UL, 4'194'304UL, 9'000'000UL, 20'000'000UL}) {
    const auto out =
        aggregate({folder.write("l", good + std::string(size, '{') + "\n" + good + std::string(size, 'x'))}, task);
    expect(out, {.reports = 2, .rejected = {.malformed = 2}});
  }
}

TEST(AggregateReports, UnpacksFiles) {
  const ReportTask task = direct_task(200);
  std::mt19937_64 random(1);
  std::string bytes;
  for (int i = 0; i < 50; ++i) bytes += random_block(task, random, 3, 100);
  const Folder folder;
  const auto plain = aggregate({folder.write("a", bytes)}, task);
  const auto packed = aggregate({folder.write("b", *compress_piece(bytes, Compression::zstd))}, task);
  ASSERT_TRUE(plain && packed);
  EXPECT_TRUE(*plain == *packed);
  const auto both = aggregate({folder / "a", folder / "b"}, task);
  ASSERT_FALSE(both);
  EXPECT_EQ(both.error().code, ErrorCode::bad_data);
}

TEST(AggregateReports, RefusesASourceThatIsGivenTwice) {
  const ReportTask task = direct_task(3);
  std::mt19937_64 random(1);
  const Folder folder;
  const std::string a = folder.write("a", random_block(task, random, 1, 10));
  const std::string b = folder.write("b", random_block(task, random, 1, 10));
  const std::string lines = folder.write("l", line_of(task, 1, "\1"));
  for (const auto& files : {std::vector{a, b, a}, std::vector{lines, a, lines}}) {
    const auto out = aggregate(files, task);
    ASSERT_FALSE(out);
    EXPECT_EQ(out.error().code, ErrorCode::bad_data);
    EXPECT_THAT(out.error().message, HasSubstr("given twice"));
  }
  const auto state = aggregate({a, b}, task);
  const std::string kept = folder.write("s.gza", encode_state(*state));
  EXPECT_FALSE(aggregate({kept, b}, task));
  EXPECT_FALSE(aggregate({b, kept}, task));
  EXPECT_FALSE(aggregate({kept, kept}, task));
  const auto more = aggregate({kept, lines}, task);
  const auto once = aggregate({a, b, lines}, task);
  ASSERT_TRUE(more && once);
  EXPECT_TRUE(*more == *once);
}

TEST(AggregateReports, TakesEveryIdOnceWhenAsked) {
  const ReportTask task = direct_task(3);
  const Folder folder;
  const std::string first = encode_block(header_of(task, 1, 7, 2), std::string("\0\0", 2));
  const std::string same_id = encode_block(header_of(task, 1, 7, 3), std::string("\1\1\1", 3));
  const std::string other = encode_block(header_of(task, 2, 7, 1), std::string("\2", 1));
  const std::string a = folder.write("a", first + other);
  const std::string b = folder.write("b", same_id + first);
  auto out = aggregate({a, b}, task, true);
  expect(out, {.reports = 3});
  EXPECT_EQ(out->duplicates, 5U);
  EXPECT_THAT(out->total()[0].cells, ::testing::ElementsAre(2, 0, 1));
  out = aggregate({b, a}, task, true);
  expect(out, {.reports = 4});
  EXPECT_EQ(out->duplicates, 4U);
  EXPECT_THAT(out->total()[0].cells, ::testing::ElementsAre(0, 3, 1));
  expect(aggregate({b, a}, task), {.reports = 8});
}

TEST(AggregateReports, KeepsPartsApart) {
  ReportTask task = direct_task(3);
  task.has_part_byte = true;
  const Folder folder;
  const std::string payloads("\0\1\1\2\1\2\2\0\1\3", 10);
  const auto out = aggregate({folder.write("a", encode_block(header_of(task, 1, 7, 5), payloads))}, task);
  expect(out, {.reports = 3, .rejected = {.out_of_range = 2}});
  EXPECT_EQ(out->total()[0].reports, 1U);
  EXPECT_THAT(out->total()[0].cells, ::testing::ElementsAre(0, 1, 0));
  EXPECT_EQ(out->total()[1].reports, 2U);
  EXPECT_THAT(out->total()[1].cells, ::testing::ElementsAre(0, 0, 2));
}

TEST(AggregateReports, RefusesMorePeriodsThanItKeeps) {
  const ReportTask task = direct_task(3);
  const Folder folder;
  std::string bytes;
  for (std::uint32_t period = 0; period < kMostPeriods; ++period)
    bytes += encode_block(header_of(task, period, period * 1'000'000, 1), "\1");
  expect(aggregate({folder.write("a", bytes)}, task), {.reports = kMostPeriods});
  bytes += encode_block(header_of(task, 1U << 20U, 1, 1), "\1");
  const auto out = aggregate({folder.write("b", bytes)}, task);
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().code, ErrorCode::bad_data);
  EXPECT_THAT(out.error().message, HasSubstr("4096 periods"));
  EXPECT_EQ(most_periods(1, 1U << 24U), 8U);
}

TEST(AggregateReports, ReadsTheStandardInput) {
  const ReportTask task = direct_task(200);
  std::mt19937_64 random(5);
  const Folder folder;
  const std::string path = folder.write("a", random_block(task, random, 1, 2'000) + random_block(task, random, 1, 7));
  const auto expected = aggregate({path}, task);
  const int kept = ::dup(STDIN_FILENO);
  const int file = ::open(path.c_str(), O_RDONLY);
  ::dup2(file, STDIN_FILENO);
  const auto out = aggregate({"-"}, task);
  ::dup2(kept, STDIN_FILENO);
  ::close(file);
  ::close(kept);
  ASSERT_TRUE(out && expected);
  EXPECT_TRUE(*out == *expected);
}

TEST(AggregateReports, FailsWithoutAFile) {
  const auto out = aggregate({"/nowhere/at/all"}, direct_task(3));
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().code, ErrorCode::io);
}

/// Blocks with damage here and there, several windows long.
std::string long_source(const ReportTask& task, std::uint64_t seed, std::size_t size) {
  std::mt19937_64 random(seed);
  std::string bytes;
  while (bytes.size() < size) {
    const auto count = static_cast<std::uint32_t>(random() % 3 == 0 ? 1 + random() % 4'096 : 1 + random() % 20);
    std::string block = random_block(task, random, static_cast<std::uint32_t>(random() % 3), count, count / 9);
    if (random() % 50 == 0) block[random() % block.size()] ^= 4;
    if (random() % 50 == 0) block.resize(random() % block.size());
    if (random() % 100 == 0) block += "GZR1";
    if (random() % 300 == 0) block += std::string(random() % 300'000, 'G');
    // A block inside the payload of another is no block.
    if (random() % 200 == 0) {
      std::string inner;
      while (inner.size() < 3'000) inner += random_block(task, random, 99, 5);
      block += encode_block(header_of(task, random(), 1, static_cast<std::uint32_t>(inner.size())), inner);
    }
    bytes += block;
  }
  return bytes;
}

TEST(AggregateReports, DoesNotDependOnThreads) {
  const ReportTask task = direct_task(200);
  const Folder folder;
  const std::string a = folder.write("a", long_source(task, 1, 11'000'000));
  const std::string b = folder.write("b", long_source(task, 2, 5'000'000));
  for (const bool distinct : {false, true}) {
    const auto one = aggregate({a, b}, task, distinct, 1);
    ASSERT_TRUE(one);
    EXPECT_GT(one->rejected.damaged, 0U);
    EXPECT_GT(one->rejected.malformed, 0U);
    for (const int threads : {2, 5}) {
      const auto more = aggregate({a, b}, task, distinct, threads);
      ASSERT_TRUE(more);
      EXPECT_TRUE(*one == *more) << threads;
    }
    const auto swapped = aggregate({b, a}, task, distinct, 2);
    ASSERT_TRUE(swapped);
    EXPECT_TRUE(distinct || *one == *swapped);
  }
}

TEST(Merge, EqualsOneRun) {
  const bool holds = rc::check("states of parts, merged in any order, are the state of the whole", [] {
    const ReportTask task = direct_task(200);
    const Folder folder;
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    std::vector<std::string> files;
    for (int i = 0; i < 4; ++i)
      files.push_back(folder.write(std::to_string(i), long_source(task, random(), 1 + random() % 100'000)));
    const auto whole = aggregate(files, task);
    const auto first = aggregate({files[0], files[2]}, task);
    const auto second = aggregate({files[3]}, task);
    const auto third = aggregate({files[1]}, task);
    RC_ASSERT(whole && first && second && third);
    auto merged = merge(*third, *merge(*second, *first));
    RC_ASSERT(merged.has_value());
    RC_ASSERT(*merged == *whole);
    RC_ASSERT(encode_state(*merged) == encode_state(*whole));
    RC_ASSERT(!merge(*merged, *second));
  });
  EXPECT_TRUE(holds);
}

TEST(Merge, RefusesAnotherTask) {
  Aggregate a;
  a.cells = 3;
  Aggregate b = a;
  b.task[0] = 1;
  EXPECT_FALSE(merge(a, b));
  b = a;
  b.cells = 4;
  EXPECT_FALSE(merge(a, b));
  EXPECT_TRUE(merge(a, a));
}

TEST(Merge, RefusesSumsThatDoNotFit) {
  Aggregate a;
  a.cells = 1;
  a.periods[1] = {{.reports = 1, .cells = {std::numeric_limits<std::int64_t>::max()}}};
  EXPECT_FALSE(merge(a, a));
  Aggregate b = a;
  b.periods = {{2, {{.reports = 1, .cells = {1}}}}};
  EXPECT_FALSE(merge(a, b));
}

}  // namespace aggregate_test
}  // namespace gauze::collect
