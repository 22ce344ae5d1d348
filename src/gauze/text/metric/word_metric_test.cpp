#include "gauze/text/metric/word_metric.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <mutex>

#include "gauze/base/parallel.h"
#include "gauze/text/testing/small_vocabularies.h"

namespace gauze::text {
namespace word_metric_test {

using testing::all_of;
using testing::random_words;
using testing::words_at;

/// The definition: the smallest k with k^2 4^(scale - granule bits) >= D, in integers of 128 bits and by bisection.
std::uint32_t defined_granules(const WordVectors& vectors, std::size_t x, std::size_t y, int granule_bits) {
  unsigned __int128 squared = 0;
  for (std::size_t d = 0; d < vectors.dimensions(); ++d) {
    const std::int64_t difference = std::int64_t{vectors.fixed_row(x)[d]} - vectors.fixed_row(y)[d];
    squared += static_cast<std::uint64_t>(difference * difference);
  }
  const int shift = 2 * (vectors.scale_bits() - granule_bits);
  const auto reaches = [&](std::uint64_t k) {
    const unsigned __int128 square = static_cast<unsigned __int128>(k) * k;
    return shift >= 0 ? square << shift >= squared : square >= squared << -shift;
  };
  std::uint64_t low = 0;
  std::uint64_t high = std::uint64_t{1} << 34;
  if (!reaches(high)) return WordMetric::kMostGranules;
  while (low < high) {
    const std::uint64_t middle = (low + high) / 2;
    if (reaches(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(low, WordMetric::kMostGranules));
}

/// All tiles into one matrix.
std::vector<std::uint32_t> matrix(const WordMetric& metric, bool symmetric) {
  const auto all = all_of(metric.vectors());
  std::vector<std::uint32_t> result(all.size() * all.size(), 0xFFFF'FFFF);
  std::vector<int> visits(result.size());
  std::mutex mutex;
  const auto visit = [&](const WordMetric::Tile& tile) {
    const std::lock_guard lock(mutex);
    for (std::size_t r = 0; r < tile.rows; ++r) {
      for (std::size_t c = 0; c < tile.columns; ++c) {
        const std::size_t place = (tile.first_row + r) * all.size() + tile.first_column + c;
        const std::size_t mirror = (tile.first_column + c) * all.size() + tile.first_row + r;
        result[place] = tile.row(r)[c];
        visits[place] += 1;
        if (symmetric && tile.first_row != tile.first_column) {
          result[mirror] = tile.row(r)[c];
          visits[mirror] += 1;
        }
      }
    }
  };
  EXPECT_TRUE(symmetric ? metric.symmetric_tiles(all, visit) : metric.tiles(all, all, visit));
  EXPECT_TRUE(std::all_of(visits.begin(), visits.end(), [](int n) { return n == 1; }));
  return result;
}

void expect_exact(const WordVectors& vectors, int granule_bits) {
  const WordMetric metric = WordMetric::make(vectors, {.granule_bits = granule_bits}).value();
  const auto tiles = matrix(metric, false);
  const auto mirrored = matrix(metric, true);
  std::size_t wrong = 0;
  for (std::size_t x = 0; x < vectors.size(); ++x) {
    for (std::size_t y = 0; y < vectors.size(); ++y) {
      const std::uint32_t expected = defined_granules(vectors, x, y, granule_bits);
      wrong += tiles[x * vectors.size() + y] != expected;
      wrong += mirrored[x * vectors.size() + y] != expected;
      wrong += metric.granules(x, y) != expected;
      wrong += metric.granules(x, y) > metric.largest_granules();
    }
  }
  EXPECT_EQ(wrong, 0U) << "granule 2^-" << granule_bits << ", scale 2^" << vectors.scale_bits();
}

TEST(WordMetric, IsWhatIntegersGiveForRandomWords) {
  for (const double spread : {1e-3, 0.4, 3.0, 1000.0}) {
    for (const int bits : {0, 12, 20, 30}) expect_exact(random_words(70, 100, spread, 1), bits);
  }
  expect_exact(random_words(300, 7, 1.0, 2), 20);  // more than one tile
}

TEST(WordMetric, IsWhatIntegersGiveNearGridLines) {
  // Distances that are a granule, or the finest step of the vectors away from one, on a line and in the plane (where
  // 3, 4, 5 gives distances exactly on grid lines), short and as long as the grid allows.
  for (const double start : {0.0, 1.0, 1.9}) {
    std::vector<std::vector<float>> rows;
    for (int i = -3; i <= 3; ++i) {
      rows.push_back({static_cast<float>(start + i * 0x1p-20), 0});
      rows.push_back({static_cast<float>(start + i * 0x1p-24), 0});
      rows.push_back({static_cast<float>(3 * i * 0x1p-20), static_cast<float>(4 * i * 0x1p-20)});
      rows.push_back({static_cast<float>(-start), static_cast<float>(i * 0x1p-23)});
    }
    for (const int bits : {18, 20, 24, 30}) expect_exact(words_at(rows), bits);
  }
}

TEST(WordMetric, IsWhatIntegersGiveForTheLongestVectors) {
  // Squared norms as near to 2^50 as they come: the largest sums that doubles must hold.
  std::vector<std::vector<float>> rows;
  for (int i = 0; i < 40; ++i) {
    const float length = 31.99F - 1e-4F * static_cast<float>(i);
    rows.push_back({i % 2 == 0 ? length : -length, static_cast<float>(i) * 1e-3F});
  }
  const WordVectors vectors = words_at(rows);
  EXPECT_EQ(vectors.scale_bits(), 20);
  for (const int bits : {10, 20, 21, 30}) expect_exact(vectors, bits);
}

// A BLAS without locks gives wrong tiles when eight threads call it: this failed in five runs of five.
TEST(WordMetric, GivesTheSameTilesHoweverManyThreadsAskForThem) {
  const WordVectors vectors = random_words(2600, 3, 1.0, 21);
  const WordMetric metric = WordMetric::make(vectors).value();
  const auto words = all_of(vectors);
  const auto sums = [&] {
    std::atomic<std::uint64_t> result = 0;
    (void)metric.symmetric_tiles(words, [&](const WordMetric::Tile& tile) {
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < tile.rows * tile.columns; ++i) sum += tile.granules[i] * (i % 97 + tile.first_row);
      result += sum;
    });
    return result.load();
  };
  set_thread_count(1);
  const auto expected = sums();
  set_thread_count(8);
  int wrong = 0;
  for (int i = 0; i < 60; ++i) wrong += sums() == expected ? 0 : 1;
  set_thread_count(0);
  EXPECT_EQ(wrong, 0);
}

TEST(WordMetric, KeepsTheTriangleInequalityWhichRoundingToNearestBreaks) {
  const WordVectors vectors = words_at({{0}, {0.25F}, {0.5F}, {0.75F}, {1.0F}});
  const WordMetric metric = WordMetric::make(vectors, {.granule_bits = 1}).value();
  bool nearest_breaks = false;
  const auto nearest = [&](std::size_t x, std::size_t y) {
    return std::nearbyint(2 * std::abs(0.25 * static_cast<double>(x) - 0.25 * static_cast<double>(y)));
  };
  for (std::size_t x = 0; x < 5; ++x) {
    for (std::size_t y = 0; y < 5; ++y) {
      for (std::size_t z = 0; z < 5; ++z) {
        EXPECT_LE(metric.granules(x, z), metric.granules(x, y) + metric.granules(y, z));
        nearest_breaks = nearest_breaks || nearest(x, z) > nearest(x, y) + nearest(y, z);
      }
    }
  }
  EXPECT_TRUE(nearest_breaks);
  EXPECT_EQ(metric.granules(0, 1), 1U);  // 0.25 in halves: up
  EXPECT_EQ(metric.granules(0, 2), 1U);  // 0.5: exactly one
  EXPECT_EQ(metric.granules(0, 3), 2U);
}

TEST(WordMetric, DoesNotDependOnTheNumberOfThreads) {
  const WordMetric metric = WordMetric::make(random_words(700, 25, 1.0, 3)).value();
  set_thread_count(1);
  const auto one = matrix(metric, true);
  set_thread_count(4);
  const auto four = matrix(metric, true);
  set_thread_count(0);
  EXPECT_EQ(one, four);
}

TEST(WordMetric, CapsDistancesBeyondItsRange) {
  const WordVectors vectors = words_at({{0.0F}, {1.0e6F}});
  const WordMetric metric = WordMetric::make(vectors).value();
  EXPECT_EQ(metric.granules(0, 1), WordMetric::kMostGranules);
  EXPECT_EQ(matrix(metric, false)[1], WordMetric::kMostGranules);
}

TEST(WordMetric, StopsWhenAsked) {
  const WordMetric metric = WordMetric::make(random_words(20, 3, 1.0, 4)).value();
  Progress progress;
  progress.request_stop();
  const auto stopped = metric.tiles(
      all_of(metric.vectors()), all_of(metric.vectors()), [](const auto&) {}, &progress);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::interrupted);
}

TEST(WordMetric, RefusesGranulesOutOfRange) {
  EXPECT_FALSE(WordMetric::make(words_at({{1.0F}}), {.granule_bits = 31}));
  EXPECT_FALSE(WordMetric::make(words_at({{1.0F}}), {.granule_bits = -1}));
}

}  // namespace word_metric_test
}  // namespace gauze::text
