#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gauze/base/rational.h"

namespace gauze::text {

using Weight = unsigned __int128;

/// The integers that words are drawn by: weight(k) = ceil(2^100 exp(-epsilon g min(k, cap) / 2)) for a distance of k
/// granules g, exactly. The cap is public and such that every weight is at least 2^40, so rounding up adds less than
/// 2^-40 to the logarithm of any of them.
///
/// How it is exact: exp(-c k) = H[k >> m] L[k mod 2^m]; the tables hold lower bounds in units of 2^-127, each less than
/// 1 + 2^-90 units below the truth. Three products of 64 bits give `high` with  high <= 2^126 exp(-c k) < high + 5
/// (2^128 is divided out: less than 2 from the tables, 1 from the product of the low halves, 2 from two truncated ones).
/// For k > 0 the true value is no integer (e to a fraction is transcendental), so the ceiling is known unless an integer
/// times 2^26 lies among those five: then, about once in 10^7, intervals of growing precision decide.
/// Thread safety: const members may be called concurrently.
class ExactWeights {
 public:
  static constexpr int kOneBits = 100;   ///< weight of distance 0: 2^100
  static constexpr int kLeastBits = 40;  ///< no weight is below 2^40

  struct Options {
    Rational epsilon = 0;                      ///< positive
    int granule_bits = 20;                     ///< g = 2^-bits
    std::uint32_t largest_granules = 0;        ///< no distance is more; tables reach so far
    std::uint32_t cap_granules = 0x7FFF'FFFF;  ///< the metric is cut here (TEM's gamma)
  };
  /// Fails with `invalid_parameter` when epsilon is not positive, or so large that one granule is beyond the cap.
  [[nodiscard]] static Result<ExactWeights> make(const Options& options);

  [[nodiscard]] const Rational& epsilon() const { return epsilon_; }
  /// Distances count at most so many granules: d_max, or gamma if it is less.
  [[nodiscard]] std::uint32_t cap_granules() const { return cap_; }

  [[nodiscard]] Weight weight(std::uint32_t granules) const {
    granules = std::min(granules, last_);
    if (granules == 0) return Weight{1} << kOneBits;
    const Fixed& a = high_[granules >> split_];
    const Fixed& b = low_[granules & mask_];
    const Weight high = Weight{a.high} * b.high + ((Weight{a.high} * b.low) >> 64) + ((Weight{a.low} * b.high) >> 64);
    if ((static_cast<std::uint64_t>(high) & kFraction) > kFraction - 5) [[unlikely]]
      return slow_weight(granules);
    return (high >> kFractionBits) + 1;
  }
  /// The same as a fraction of 2^100, within 2^-38 relative: for statistics, never for drawing.
  [[nodiscard]] double approximate(std::uint32_t granules) const {
    granules = std::min(granules, last_);
    return rough_high_[granules >> split_] * rough_low_[granules & mask_];
  }
  /// weight() by intervals alone.
  [[nodiscard]] Weight slow_weight(std::uint32_t granules) const;

 private:
  struct Fixed {
    std::uint64_t high;
    std::uint64_t low;
  };
  static constexpr int kFractionBits = 26;
  static constexpr std::uint64_t kFraction = (std::uint64_t{1} << kFractionBits) - 1;

  ExactWeights() = default;
  void fill_tables(std::uint32_t largest);

  Rational epsilon_;
  Rational rate_;  ///< epsilon g / 2
  std::uint32_t cap_ = 0;
  std::uint32_t last_ = 0;  ///< the cap, or where the tables end: no distance is beyond
  int split_ = 0;
  std::uint32_t mask_ = 0;
  std::vector<Fixed> low_;
  std::vector<Fixed> high_;
  std::vector<double> rough_low_;
  std::vector<double> rough_high_;
};

/// A weight as a double (rounded), and its natural logarithm within 2^-50.
[[nodiscard]] double to_double(Weight weight);
[[nodiscard]] double log_of(Weight weight);

}  // namespace gauze::text
