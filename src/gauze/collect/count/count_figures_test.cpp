#include "gauze/collect/count/count_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "gauze/collect/count/testing/every_processor.h"

namespace gauze::collect {
namespace count_figures_test {

using testing::on_every_processor;

std::vector<unsigned char> bytes_of(const std::vector<std::int32_t>& figures) {
  std::vector<unsigned char> bytes(figures.size() * 4);
  std::memcpy(bytes.data(), figures.data(), bytes.size());
  return bytes;
}

TEST(CountFigures, SumsReportsWithinTheClampAlone) {
  std::mt19937_64 random(8);
  constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::min();
  for (const std::uint32_t size : {2U, 3U, 4U, 5U, 8U, 16U, 17U, 100U})
    for (const std::int64_t clamp : {5'000LL, 81'921'024LL, 2'147'483'647LL}) {
      const std::size_t count = 300;
      std::vector<std::int32_t> figures(size * count);
      for (auto& figure : figures)
        figure = static_cast<std::int32_t>(
            static_cast<std::int64_t>(random() % (2 * static_cast<std::uint64_t>(clamp) + 1)) - clamp);
      for (std::size_t i = 10; i < 60; ++i)
        figures[i * size + random() % size] =
            static_cast<std::int32_t>(i % 4 == 0   ? kLowest
                                      : i % 4 == 1 ? -clamp - 1
                                      : i % 4 == 2 ? std::min<std::int64_t>(clamp + 1, 2'147'483'647)
                                                   : clamp);
      std::vector<std::int64_t> expected(size, 0);
      std::uint64_t rejected = 0;
      for (std::size_t i = 0; i < count; ++i) {
        bool good = true;
        for (std::size_t v = 0; v < size; ++v) good = good && std::abs(std::int64_t{figures[i * size + v]}) <= clamp;
        if (!good) ++rejected;
        for (std::size_t v = 0; good && v < size; ++v) expected[v] += figures[i * size + v];
      }
      EXPECT_GT(rejected, 0U);
      std::vector<unsigned char> shifted(1);  // no figure lies where the processor would like it
      const auto bytes = bytes_of(figures);
      shifted.insert(shifted.end(), bytes.begin(), bytes.end());
      const ReportShape shape{.size = size, .clamp = clamp, .payload_bytes = 4 * size};
      on_every_processor([&] {
        std::vector<std::int64_t> cells(size, 0);
        EXPECT_EQ(count_figures(shape, shifted.data() + 1, 4 * size, count, cells), rejected);
        EXPECT_EQ(cells, expected) << size << " values within " << clamp;
      });
    }
}

TEST(CountFigure, SumsWhatIsWithinTheClamp) {
  const auto bytes = bytes_of({100, -100, 101, -101, 7, std::numeric_limits<std::int32_t>::min()});
  std::vector<std::int64_t> cells(1, 0);
  EXPECT_EQ(count_figure({.clamp = 100, .payload_bytes = 4}, bytes.data(), 4, 6, cells), 3U);
  EXPECT_THAT(cells, ::testing::ElementsAre(7));
}

}  // namespace count_figures_test
}  // namespace gauze::collect
