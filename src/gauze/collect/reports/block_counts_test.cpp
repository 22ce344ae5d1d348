#include "gauze/collect/reports/block_counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gauze/collect/count/count_figures.h"
#include "gauze/collect/reports/testing/report_files.h"
#include "gauze/files/testing/folder.h"

namespace gauze::collect {
namespace block_counts_test {

using testing::direct_task;
using testing::header_of;
using testing::random_block;

std::span<const unsigned char> bytes_of(std::string_view text) {
  return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
}

ReportTask with_parts(ReportTask task) {
  task.has_part_byte = true;
  return task;
}

TEST(BlockCounts, AWalkFindsWhatTheReadingOfAFileFinds) {
  const ReportTask task = direct_task(10);
  std::mt19937_64 random(3);
  for (int round = 0; round < 200; ++round) {
    std::string text;
    for (int i = 0; i < 6; ++i) {
      std::string block = random_block(task, random, 7, static_cast<std::uint32_t>(random() % 5 + 1));
      if (random() % 3 == 0) block[random() % block.size()] ^= static_cast<char>(1U << (random() % 8));
      if (random() % 5 == 0) block.resize(random() % block.size());
      if (random() % 7 == 0) block = "noise" + block;
      text += block;
    }
    if (text.find("GZR1") == std::string::npos) continue;  // another format
    RejectedReports rejected;
    std::uint64_t counted = 0;
    BlockWalk walk(bytes_of(text));
    while (const auto piece = walk.next()) {
      if (piece->block.empty()) {
        ++rejected.malformed;
        continue;
      }
      const BlockHeader header = parse_block_header(piece->block.data());
      if (!piece->is_whole)
        rejected.damaged += header.count;
      else
        counted += header.count;
    }
    const Folder folder;
    const auto read = aggregate_reports({folder.write("reports", text)}, task);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->rejected, rejected) << round;
    EXPECT_EQ(read->reports(), counted) << round;
  }
}

TEST(BlockCounts, EveryReportIsCountedInThePartThatItNames) {
  const ReportTask task = with_parts(direct_task(3));
  std::vector<PartCounts> parts = empty_parts(task);
  const std::string reports("\0\2\1\0\1\2\0\2\1\0\2\0\0\3", 14);
  EXPECT_EQ(count_reports(task, bytes_of(reports), parts), 2U);
  EXPECT_EQ(parts[0], (PartCounts{.reports = 2, .cells = {0, 0, 2}}));
  EXPECT_EQ(parts[1], (PartCounts{.reports = 3, .cells = {2, 0, 1}}));
}

TEST(BlockCounts, OneReportOutOfRangeIsFoundWhereverItStands) {
  const ReportTask task = direct_task(200);
  std::string reports(50, '\7');
  EXPECT_TRUE(are_in_range(task, bytes_of(reports)));
  for (char& report : reports) {
    report = static_cast<char>(200);
    EXPECT_FALSE(are_in_range(task, bytes_of(reports)));
    report = '\7';
  }
  const ReportTask parts = with_parts(task);
  EXPECT_TRUE(are_in_range(parts, bytes_of(std::string("\1\7\0\7", 4))));
  EXPECT_FALSE(are_in_range(parts, bytes_of(std::string("\1\7\2\7", 4))));
}

TEST(BlockCounts, AskingForTheRangeAgainAndAgainStaysCorrect) {
  const ReportTask task{.hash = testing::hash_of(1),
                        .shape = {.size = 1, .clamp = 2'147'483'647, .payload_bytes = 4},
                        .count = count_figure,
                        .cells = 1};
  const std::string largest("\xff\xff\xff\x7f", 4);
  for (int i = 0; i < 70'000; ++i) ASSERT_TRUE(are_in_range(task, bytes_of(largest)));
}

}  // namespace block_counts_test
}  // namespace gauze::collect
