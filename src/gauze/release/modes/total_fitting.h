#pragma once

#include <cstdint>
#include <vector>

namespace gauze::release {

/// How noisy counts are made to add up to a noisy total. Uses noisy values alone, so it costs nothing. It helps where the
/// classes hold everybody; where many records lie outside them, it takes part of those for noise.
struct TotalFitting {
  std::int64_t total = 0;  ///< noisy; below 0 counts as 0
  std::int64_t floor = 0;  ///< no count is made smaller than this; a class that would be is dropped
  double spread = 0;       ///< standard deviation of (total - sum of counts) that noise alone explains
  /// Which counts may well stand for nothing: where the sum is larger than noise explains, these go first. Empty: none.
  std::vector<bool> doubtful = {};
};

struct FittedCounts {
  std::vector<std::int64_t> counts;  ///< 0: dropped
  std::int64_t remainder = 0;        ///< total - sum of counts
};

/// A sum far above the total (more than two standard deviations) first loses its doubtful counts, smallest first. A sum
/// above the total is lowered by taking the same from every count (one that would be left with less than half of the floor
/// is dropped instead) (the nearest counts that add up, in the sense of
/// least squares), the smallest dropping out first where the floor leaves too little room. A sum below it is raised
/// evenly by what noise explains (two standard deviations); the rest is for records that no released class holds.
[[nodiscard]] FittedCounts fit_to_total(const std::vector<std::int64_t>& noisy, const TotalFitting& fitting);

}  // namespace gauze::release
