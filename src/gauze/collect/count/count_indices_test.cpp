#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <vector>

#include "gauze/collect/count/count_direct.h"
#include "gauze/collect/count/count_hadamard.h"
#include "gauze/collect/count/count_means.h"

namespace gauze::collect {
namespace count_indices_test {

using ::testing::ElementsAre;

TEST(IndexBytes, AreTheFewestThatTellTheNumbersApart) {
  EXPECT_EQ(index_bytes(2), 1U);
  EXPECT_EQ(index_bytes(256), 1U);
  EXPECT_EQ(index_bytes(257), 2U);
  EXPECT_EQ(index_bytes(65'536), 2U);
  EXPECT_EQ(index_bytes(65'537), 3U);
  EXPECT_EQ(index_bytes(1U << 24U), 3U);
  EXPECT_EQ(index_bytes((1U << 24U) + 1), 4U);
}

TEST(CountDirect, AgreesWithTheFormat) {
  std::mt19937_64 random(6);
  for (const std::uint32_t size : {2U, 3U, 128U, 255U, 256U, 257U, 1000U, 65'536U, 65'537U, 1U << 24U})
    for (const std::size_t count : {0UL, 1UL, 7UL, 1'023UL, 1'024UL, 1'031UL, 9'001UL})
      for (const std::size_t gap : {0UL, 2UL}) {
        const std::size_t bytes_of = index_bytes(size);
        std::vector<unsigned char> bytes((bytes_of + gap) * count);
        std::vector<std::int64_t> expected(size, 0);
        std::uint64_t rejected = 0;
        for (std::size_t i = 0; i < count; ++i) {
          // Runs of bad ones, where there are any: a fifth is the bound itself or anything.
          std::uint64_t value = i / 10 % 5 == 1 ? (i % 2 == 0 ? size : random()) : random() % size;
          value %= std::uint64_t{1} << (8 * bytes_of);
          for (std::size_t k = 0; k < bytes_of; ++k)
            bytes[i * (bytes_of + gap) + k] = static_cast<unsigned char>(value >> (8 * k));
          if (value < size)
            ++expected[value];
          else
            ++rejected;
        }
        std::vector<std::int64_t> cells(size, 0);
        const ReportShape shape{.size = size, .payload_bytes = bytes_of};
        EXPECT_EQ(count_direct(shape, bytes.data(), bytes_of + gap, count, cells), rejected) << size;
        EXPECT_TRUE(cells == expected) << size;
      }
}

TEST(CountHadamard, SupportsAreThoseOfTheFormat) {
  std::mt19937_64 random(7);
  for (const std::uint32_t size : {2U, 3U, 4U, 5U, 127U, 128U, 300U}) {
    const std::uint32_t k = std::bit_ceil(size + 1);
    const std::size_t bytes_of = index_bytes(k);
    const std::size_t count = 3'000;
    std::vector<unsigned char> bytes;
    std::vector<std::int64_t> expected(size, 0);
    std::uint64_t rejected = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto y = static_cast<std::uint32_t>(random() % (k + 1) % (std::uint64_t{1} << (8 * bytes_of)));
      for (std::size_t b = 0; b < bytes_of; ++b) bytes.push_back(static_cast<unsigned char>(y >> (8 * b)));
      if (y >= k) {
        ++rejected;
        continue;
      }
      for (std::uint32_t v = 0; v < size; ++v) expected[v] += std::popcount((v + 1) & y) % 2 == 0 ? 1 : 0;
    }
    std::vector<std::int64_t> cells(k, 0);
    const ReportShape shape{.size = size, .parameter = k, .payload_bytes = bytes_of};
    EXPECT_EQ(count_hadamard(shape, bytes.data(), bytes_of, count, cells), rejected);
    EXPECT_EQ(hadamard_supports(cells, size), expected);
  }
}

TEST(CountSides, TakesNothingButZeroAndOne) {
  const std::vector<unsigned char> bytes{0, 1, 1, 2, 255, 1};
  std::vector<std::int64_t> cells(2, 0);
  EXPECT_EQ(count_sides({.payload_bytes = 1}, bytes.data(), 1, bytes.size(), cells), 2U);
  EXPECT_THAT(cells, ElementsAre(1, 3));
}

TEST(CountCells, TakesEveryCell) {
  const std::vector<unsigned char> bytes{0, 0, 255, 255, 1, 2};
  std::vector<std::int64_t> cells(kGridCells, 0);
  EXPECT_EQ(count_cells({.payload_bytes = 2}, bytes.data(), 2, 3, cells), 0U);
  EXPECT_EQ(cells[0], 1);
  EXPECT_EQ(cells[65'535], 1);
  EXPECT_EQ(cells[0x0201], 1);
}

TEST(CountBranches, KeepsTheBranchesApart) {
  const std::vector<unsigned char> bytes{1, 255, 255, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 2, 0, 0, 1, 1, 0};
  std::vector<std::int64_t> cells(kGridCells + 2, 0);
  EXPECT_EQ(count_branches({.payload_bytes = 3}, bytes.data(), 3, 7, cells), 3U);
  EXPECT_EQ(cells[65'535], 1);
  EXPECT_EQ(cells[1], 1);
  EXPECT_EQ(cells[kGridCells], 1);
  EXPECT_EQ(cells[kGridCells + 1], 1);
}

}  // namespace count_indices_test
}  // namespace gauze::collect
