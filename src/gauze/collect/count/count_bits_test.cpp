#include "gauze/collect/count/count_bits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <vector>

#include "gauze/collect/count/testing/every_processor.h"

namespace gauze::collect {
namespace count_bits_test {

using testing::on_every_processor;

struct Counted {
  std::vector<std::int64_t> cells;
  std::uint64_t rejected = 0;
  friend bool operator==(const Counted&, const Counted&) = default;
};

/// As the format says it, bit by bit. `ones` is the number a report must have, or -1.
Counted reference(std::uint32_t size, int ones, const std::vector<unsigned char>& bytes, std::size_t stride,
                  std::size_t count) {
  Counted out{.cells = std::vector<std::int64_t>(size, 0)};
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned char* row = bytes.data() + i * stride;
    const auto bit = [&](std::size_t v) { return (row[v / 8] >> (v % 8)) & 1; };
    int set = 0;
    bool good = true;
    for (std::size_t v = 0; v < (size + 7) / 8 * 8; ++v) {
      if (v >= size && bit(v)) good = false;
      set += bit(v);
    }
    if (!good || (ones >= 0 && set != ones)) {
      ++out.rejected;
      continue;
    }
    for (std::size_t v = 0; v < size; ++v) out.cells[v] += bit(v);
  }
  return out;
}

std::vector<unsigned char> random_rows(std::uint32_t size, std::size_t stride, std::size_t count,
                                       std::mt19937_64& random, unsigned percent_bad) {
  std::vector<unsigned char> bytes(stride * count);
  for (auto& byte : bytes) byte = static_cast<unsigned char>(random());
  const std::size_t last = (size + 7) / 8 - 1;
  for (std::size_t i = 0; i < count; ++i)
    if (size % 8 != 0 && random() % 100 >= percent_bad)
      bytes[i * stride + last] &= static_cast<unsigned char>((1U << (size % 8)) - 1);
  return bytes;
}

Counted counted(CountReports count_reports, const ReportShape& shape, const std::vector<unsigned char>& bytes,
                std::size_t stride, std::size_t count) {
  // No byte behind the last one: a reader that goes too far is found by the sanitizers.
  Counted out{.cells = std::vector<std::int64_t>(shape.size, 0)};
  out.rejected = count_reports(shape, bytes.data(), stride, count, out.cells);
  return out;
}

TEST(CountBits, AgreesWithTheFormat) {
  std::mt19937_64 random(1);
  for (const std::uint32_t size : {2U,   3U,   4U,   5U,   7U,   8U,   9U,   31U,   64U,   127U,    128U,
                                   129U, 255U, 256U, 257U, 511U, 513U, 600U, 1024U, 1031U, 17'000U, 33'001U}) {
    const std::size_t bytes_of = (size + 7) / 8;
    for (const std::size_t count : {0UL, 1UL, 15UL, 16UL, 17UL, 239UL, 240UL, 241UL, 700UL, 4'100UL}) {
      if (size > 2'000 && count > 300) continue;
      for (const std::size_t gap : {0UL, 1UL, 3UL}) {
        const ReportShape shape{.size = size, .payload_bytes = bytes_of};
        const auto bytes = random_rows(size, bytes_of + gap, count, random, 20);
        const Counted expected = reference(size, -1, bytes, bytes_of + gap, count);
        on_every_processor([&] { EXPECT_EQ(counted(count_bits, shape, bytes, bytes_of + gap, count), expected); });
      }
    }
  }
}

TEST(CountBits, HoldsRowsOfOnesAlone) {
  const ReportShape shape{.size = 1000, .payload_bytes = 125};
  const std::vector<unsigned char> bytes(125 * 5'000, 0xFF);
  on_every_processor([&] {
    const Counted out = counted(count_bits, shape, bytes, 125, 5'000);
    EXPECT_EQ(out.rejected, 0U);
    EXPECT_THAT(out.cells, ::testing::Each(5'000));
  });
}

TEST(CountBits, AddsToWhatIsThere) {
  const ReportShape shape{.size = 9, .payload_bytes = 2};
  const std::vector<unsigned char> bytes{0x01, 0x01, 0xFF, 0x02};
  std::vector<std::int64_t> cells(9, 10);
  EXPECT_EQ(count_bits(shape, bytes.data(), 2, 2, cells), 1U);
  EXPECT_THAT(cells, ::testing::ElementsAre(11, 10, 10, 10, 10, 10, 10, 10, 11));
}

TEST(CountSubsets, TakesExactlyAsManyOnesAsTheTaskSays) {
  std::mt19937_64 random(2);
  for (const std::uint32_t size : {2U, 5U, 8U, 20U, 128U, 300U, 1031U}) {
    const std::size_t bytes_of = (size + 7) / 8;
    const std::uint32_t ones = std::max(1U, size / 4);
    const std::size_t count = 500;
    std::vector<unsigned char> bytes(bytes_of * count, 0);
    for (std::size_t i = 0; i < count; ++i) {
      // Runs of reports with one too many, one too few, and bits behind the end that make the number right.
      const std::size_t kind = i / 7 % 5;
      const std::size_t wanted = kind == 1 ? ones + 1 : kind == 2 || kind == 3 ? ones - 1 : ones;
      for (std::size_t set = 0; set < std::min<std::size_t>(wanted, size);) {
        const std::size_t v = random() % size;
        unsigned char& byte = bytes[i * bytes_of + v / 8];
        const auto bit = static_cast<unsigned char>(1U << (v % 8));
        if ((byte & bit) != 0) continue;
        byte |= bit;
        ++set;
      }
      if (kind == 3 && size % 8 != 0) bytes[i * bytes_of + bytes_of - 1] |= 0x80;
    }
    const ReportShape shape{.size = size, .parameter = ones, .payload_bytes = bytes_of};
    const Counted expected = reference(size, static_cast<int>(ones), bytes, bytes_of, count);
    EXPECT_GT(expected.rejected, 0U);
    on_every_processor([&] { EXPECT_EQ(counted(count_subsets, shape, bytes, bytes_of, count), expected); });
  }
}

}  // namespace count_bits_test
}  // namespace gauze::collect
