#include "gauze/collect/reports/internal/block_scanner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "gauze/collect/reports/testing/report_files.h"

namespace gauze::collect::internal {
namespace block_scanner_test {

using testing::direct_task;
using testing::header_of;
using testing::random_block;

std::span<const unsigned char> bytes_of(const std::string& text) {
  return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
}

ScannedBlocks scan(const std::string& text, const ReportTask& task) {
  ScannedBlocks out;
  scan_blocks({.bytes = bytes_of(text)}, {}, text.size(), task, out);
  return out;
}

std::uint64_t accepted(const ScannedBlocks& scanned) {
  std::uint64_t sum = 0;
  for (const Run& run : scanned.found.runs) sum += run.count;
  return sum;
}

TEST(BlockHeader, ReadsBackWhatIsWritten) {
  const ReportTask task = direct_task(300);
  const BlockHeader header = header_of(task, 0x0123'4567'89AB'CDEF, 0xFEDC'BA98, 3);
  const std::string block = encode_block(header, "abcdef");
  ASSERT_EQ(block.size(), 62U + 6U + 4U);
  EXPECT_EQ(block.substr(0, 4), "GZR1");
  EXPECT_EQ(block.substr(52, 10), std::string("\x98\xBA\xDC\xFE\2\0\3\0\0\0", 10));
  EXPECT_EQ(parse_block_header(bytes_of(block).data()), header);
  EXPECT_TRUE(block_is_whole(bytes_of(block)));
}

TEST(BlockHeader, HasLimits) {
  BlockHeader header{.payload_bytes = 1, .count = 4'096};
  EXPECT_TRUE(header.within_limits());
  header.count = 4'097;
  EXPECT_FALSE(header.within_limits());
  header.count = 0;
  EXPECT_FALSE(header.within_limits());
  header = {.payload_bytes = 63'934, .count = 1};
  EXPECT_TRUE(header.within_limits());
  header.payload_bytes = 63'935;
  EXPECT_FALSE(header.within_limits());
  header = {.payload_bytes = 65'535, .count = 0xFFFF'FFFF};
  EXPECT_FALSE(header.within_limits());
}

TEST(ScanBlocks, FindsEveryFlippedBit) {
  const ReportTask task = direct_task(200);
  std::mt19937_64 random(1);
  const std::string before = random_block(task, random, 1, 3);
  const std::string block = random_block(task, random, 1, 5);
  const std::string after = random_block(task, random, 1, 7);
  for (std::size_t bit = 0; bit < 8 * block.size(); ++bit) {
    std::string flipped = block;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    const ScannedBlocks out = scan(before + flipped + after, task);
    ASSERT_EQ(accepted(out), 10U) << bit;
    const RejectedReports& rejected = out.found.rejected;
    ASSERT_EQ((rejected.malformed > 0) + (rejected.damaged > 0), 1) << bit;
    ASSERT_LE(rejected.malformed, 1U) << bit;
    ASSERT_TRUE(bit < 8 * 62 || rejected.damaged == 5) << bit;
    ASSERT_EQ(out.end.position, before.size() + block.size() + after.size());
  }
}

/// Blocks, parts of blocks and bytes that look like them.
std::string any_source(const ReportTask& task, std::mt19937_64& random) {
  std::string out;
  for (std::size_t i = random() % 30; i > 0; --i) {
    std::string block = random_block(task, random, static_cast<std::uint32_t>(random() % 4),
                                     static_cast<std::uint32_t>(1 + random() % 60));
    switch (random() % 8) {
      case 0:
        block.resize(random() % block.size());
        break;
      case 1:
        block[random() % block.size()] ^= 1;
        break;
      case 2:
        block = "GZR1" + block;
        break;
      case 3:
        block += std::string(random() % 100, 'R');
        break;
      case 4:
        block = encode_block(header_of(task, random(), 1, static_cast<std::uint32_t>(block.size())), block);
        break;
      default:
        break;
    }
    out += block;
  }
  return out;
}

TEST(ScanBlocks, DoesNotDependOnHowItIsCut) {
  const bool holds = rc::check("stretches, each from where the one before ended, give what one reading gives", [] {
    const ReportTask task = direct_task(200);
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    const std::string text = any_source(task, random);
    const ScannedBlocks whole = scan(text, task);
    ScanState state;
    RejectedReports rejected;
    std::vector<const unsigned char*> runs;
    for (std::size_t until = 0; until < text.size();) {
      until = std::min(text.size(), until + 1 + random() % 300);
      ScannedBlocks piece;
      scan_blocks({.bytes = bytes_of(text)}, state, until, task, piece);
      state = piece.end;
      rejected += piece.found.rejected;
      for (const auto& run : piece.found.runs) runs.push_back(run.reports);
    }
    RC_ASSERT(rejected == whole.found.rejected);
    RC_ASSERT(runs.size() == whole.found.runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i) RC_ASSERT(runs[i] == whole.found.runs[i].reports);
    RC_ASSERT(text.empty() || state == whole.end);
  });
  EXPECT_TRUE(holds);
}

TEST(ScanBlocks, AGuessIsAWholeBlockOrNothing) {
  const ReportTask task = direct_task(200);
  std::mt19937_64 random(3);
  const std::string block = random_block(task, random, 1, 40);
  const std::string text = block + block + block;
  ScannedBlocks out;
  scan_blocks_ahead({.bytes = bytes_of(text)}, 5, text.size(), task, out);
  EXPECT_EQ(out.begin, (ScanState{.position = block.size()}));
  EXPECT_EQ(accepted(out), 80U);
  scan_blocks_ahead({.bytes = bytes_of(text)}, 5, block.size(), task, out);
  EXPECT_GT(out.begin.position, text.size());
  EXPECT_TRUE(out.found.runs.empty());
}

TEST(ScanBlocks, WaitsForWhatComesBehindTheBytes) {
  const ReportTask task = direct_task(200);
  const std::string text(70'000, 'G');
  const BlockBytes open{.bytes = bytes_of(text), .is_end = false};
  EXPECT_EQ(open.decided(), 6'000U);
  ScannedBlocks out;
  scan_blocks(open, {}, open.decided(), task, out);
  EXPECT_EQ(out.end, (ScanState{.position = 69'997, .searching = true}));
  EXPECT_EQ(out.found.rejected.malformed, 1U);
}

}  // namespace block_scanner_test
}  // namespace gauze::collect::internal
