#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace gauze::text::internal {

/// Which pairs of a tile of squared distances (in single precision, within `error`) may matter to a statistic.
///
/// A pair (x, y) at squared distance s is found when s - error <= max(near[x], near[y]), or when for one of the contests
/// t > 0 and s - error <= t^2 with t = max(score[x] - best[y], score[y] - best[x]): word x may be a better guess for the
/// output y than the best one known, or the other way round.
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
[[nodiscard]] std::size_t find_near(const float* squared, std::size_t first, std::size_t columns, float error,
                                    const PairTest& row, const ColumnTests& tests, std::size_t contests,
                                    std::uint16_t* found);

}  // namespace gauze::text::internal
