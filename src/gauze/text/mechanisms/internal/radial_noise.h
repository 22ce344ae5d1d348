#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gauze/base/rational.h"
#include "gauze/random/random_words.h"

namespace gauze::text::internal {

/// Noise of density proportional to exp(-epsilon |z|) in n dimensions (radius Gamma(n, 1/epsilon), direction uniform), added
/// to a vector and rounded to a public lattice: the rounded sum has exactly the law that real numbers would give it.
///
/// z = sqrt(W) G / epsilon, G standard normal in n dimensions, W chi-square with n + 1 degrees of freedom, independent:
/// exp(-r) is the integral of (2 pi w)^(-1/2) exp(-w/2 - r^2/(2 w)) dw, so W has density w^((n-1)/2) exp(-w/2).
/// G by Box and Muller from uniform numbers, W from exponential ones (and one more normal where n is even).
///
/// Exact: uniform numbers are digits drawn when they are needed. The doubles of the fast path carry a bound on their
/// distance to the real numbers; a coordinate nearer than that to the edge of a lattice cell sends the whole vector to
/// intervals, which take more digits of the same uniform numbers until every coordinate is certain (fewer than one
/// vector in a thousand). The bounds grant log, log1p, sin, cos and sqrt an error of 2^-50 relative (8 units in the
/// last place; glibc states less than one) and every other operation 2^-52.
class RadialNoise {
 public:
  static constexpr std::int64_t kLargest = std::int64_t{1}
                                           << 34;  ///< lattice steps; beyond it coordinates are clamped

  /// lattice_bits: the lattice is 2^-bits Z^n.
  RadialNoise(std::size_t dimensions, Rational epsilon, int lattice_bits);

  /// out[i] = round(2^lattice_bits (row[i] 2^-scale_bits + z_i)), half up.
  void add(std::span<const std::int32_t> row, int scale_bits, RandomWords& random, std::span<std::int64_t> out) const;
  /// The same by intervals alone.
  void add_slowly(std::span<const std::int32_t> row, int scale_bits, RandomWords& random,
                  std::span<std::int64_t> out) const;
  /// How many vectors went to the intervals since the beginning of this thread; for tests and benchmarks.
  [[nodiscard]] static std::uint64_t slow_count();

 private:
  /// The digits of all uniform numbers, most significant word first.
  using Digits = std::vector<std::vector<std::uint64_t>>;
  [[nodiscard]] std::size_t uniforms() const { return 2 * pairs_ + exponentials_; }
  [[nodiscard]] bool try_doubles(std::span<const std::int32_t> row, int scale_bits,
                                 std::span<const std::uint64_t> first, std::span<const std::uint64_t> second,
                                 std::span<std::int64_t> out) const;
  [[nodiscard]] bool try_intervals(std::span<const std::int32_t> row, int scale_bits, const Digits& digits,
                                   std::span<std::int64_t> out) const;
  void refine(std::span<const std::int32_t> row, int scale_bits, Digits digits, RandomWords& random,
              std::span<std::int64_t> out) const;

  std::size_t dimensions_;
  Rational epsilon_;
  int lattice_bits_;
  std::size_t pairs_;         ///< of normal numbers
  std::size_t exponentials_;  ///< that make up W
  double factor_;             ///< 2^lattice_bits / epsilon
};

}  // namespace gauze::text::internal
