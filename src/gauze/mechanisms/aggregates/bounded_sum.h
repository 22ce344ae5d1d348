#pragma once

#include <span>

#include "gauze/label/neighbours.h"
#include "gauze/mechanisms/aggregates/fixed_point.h"
#include "gauze/mechanisms/noise/grid.h"
#include "gauze/random/secure_random.h"
#include "gauze/random/seeded_random.h"

namespace gauze {

/// The exact sum of numbers that are clamped to public bounds, in 128-bit fixed point.
///
/// Each number is clamped and turned into a whole number of public granules on its own, and integers are added:
/// neither order nor splitting nor the number of threads changes a single bit, and no rounding adds to the
/// sensitivity. NaN counts as a public value. Nothing overflows below 2^70 numbers.
///
/// Privacy unit   : the owner of at most max_rows_per_unit numbers.
/// Neighbours     : as stated in the options.
/// Guarantee      : release() is epsilon-DP.
/// Proven         : docs/proofs/bounded-sum.md.
/// Not covered    : the caller's claim about max_rows_per_unit; bounds chosen by looking at the data.
/// Thread safety  : none; give each thread its own and merge.
class BoundedSum {
 public:
  struct Options {
    double lower = 0;  ///< required: finite, lower < upper
    double upper = 0;
    Neighbours neighbours = Neighbours::add_remove;
    std::int64_t max_rows_per_unit = 1;
    double nan_as = 0;  ///< what NaN counts as; clamped like any other number
  };
  [[nodiscard]] static Result<BoundedSum> make(const Options& options);

  void add(std::span<const double> values);
  void add(double value) { add(std::span<const double>(&value, 1)); }
  /// Adds what another sum with the same options has collected.
  [[nodiscard]] Result<void> merge(const BoundedSum& other);

  /// The true sum, in granules of 2^exponent. Not for release.
  [[nodiscard]] GridValue exact() const { return {units_, grid_.exponent()}; }
  /// How far the sum of two neighbours can lie apart, exactly.
  [[nodiscard]] Rational sensitivity() const;
  /// The bounds as used: put on the granule, inwards.
  [[nodiscard]] Rational lower() const { return Rational(how_.lower) * grid_.granularity(); }
  [[nodiscard]] Rational upper() const { return Rational(how_.upper) * grid_.granularity(); }

  /// The sum with exact Laplace noise.
  [[nodiscard]] Result<GridValue> release(SecureRandom& random, const Rational& epsilon) const;
  [[nodiscard]] Result<GridValue> simulate(SeededRandom& random, const Rational& epsilon) const;

 private:
  BoundedSum(const Options& options, Grid grid, FixedPoint how);

  Options options_;
  Grid grid_;
  FixedPoint how_;
  Int128 units_ = 0;
};

}  // namespace gauze
