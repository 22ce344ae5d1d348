#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace gauze::text::internal {

/// Which pairs of a tile of distances may matter to a statistic.
///
/// A pair of a row word x and a column word y at k granules is found when k <= max(near[x], near[y]), or when for one of the
/// contests k <= max(score[x] - best[y], score[y] - best[x]): word x may be a better guess for the output y than the best one
/// known, or the other way round. Granules are rounded to single precision: bounds must allow for 2^-24 relative.
inline constexpr std::size_t kContests = 2;

struct PairTest {
  float near = 0;
  std::array<float, kContests> score{};
  std::array<float, kContests> best{};
};
struct ColumnTests {
  const float* near = nullptr;
  std::array<const float*, kContests> score{};
  std::array<const float*, kContests> best{};
};

/// Writes the columns, ascending, among [first, columns) that are found for a row; returns how many. `contests` says how
/// many of the contests are held. `found` has room for all columns.
[[nodiscard]] std::size_t find_near(const std::uint32_t* granules, std::size_t first, std::size_t columns,
                                    const PairTest& row, const ColumnTests& tests, std::size_t contests,
                                    std::uint16_t* found);

}  // namespace gauze::text::internal
