#pragma once

#include "gauze/mechanisms/aggregates/bounded_sum.h"

namespace gauze {

/// The number of rows, with geometric noise.
///
/// Guarantee      : epsilon-DP. Under replace-one neighbours with one row a unit the count is public and exact.
/// Proven         : docs/proofs/bounded-sum.md.
class PrivateCount {
 public:
  struct Options {
    Neighbours neighbours = Neighbours::add_remove;
    std::int64_t max_rows_per_unit = 1;
  };
  [[nodiscard]] static Result<PrivateCount> make(const Options& options);

  void add(std::int64_t rows) { rows_ += rows; }
  /// Adds what another count with the same options has collected.
  [[nodiscard]] Result<void> merge(const PrivateCount& other);

  /// 0 when the count is public.
  [[nodiscard]] Rational sensitivity() const;
  [[nodiscard]] Int128 exact() const { return rows_; }
  [[nodiscard]] Result<GridValue> release(SecureRandom& random, const Rational& epsilon) const;
  [[nodiscard]] Result<GridValue> simulate(SeededRandom& random, const Rational& epsilon) const;

 private:
  explicit PrivateCount(const Options& options) : options_(options) {}
  template <class Random, class Draw>
  [[nodiscard]] Result<GridValue> noisy(Random& random, const Rational& epsilon, Draw draw) const;

  Options options_;
  Int128 rows_ = 0;
};

/// The mean of clamped numbers: a noisy sum of distances from the middle of the bounds, divided by a noisy count.
///
/// Guarantee      : epsilon-DP for the whole answer; half of epsilon for the sum, half for the count (all of it
///                  for the sum when the count is public).
/// Proven         : docs/proofs/bounded-sum.md. The division is post-processing; the result is clamped to the bounds.
class BoundedMean {
 public:
  [[nodiscard]] static Result<BoundedMean> make(const BoundedSum::Options& options);

  void add(std::span<const double> values);
  [[nodiscard]] Result<void> merge(const BoundedMean& other);
  [[nodiscard]] Result<double> release(SecureRandom& random, const Rational& epsilon) const;
  [[nodiscard]] Result<double> simulate(SeededRandom& random, const Rational& epsilon) const;

 private:
  BoundedMean(const BoundedSum::Options& options, BoundedSum sum, PrivateCount count);
  template <class Draw>
  [[nodiscard]] Result<double> noisy(const Rational& epsilon, Draw draw) const;

  BoundedSum::Options options_;
  double middle_;
  BoundedSum sum_;
  PrivateCount count_;
};

/// The (population) variance of clamped numbers, from three noisy parts: squares, sum and count.
///
/// Guarantee      : epsilon-DP for the whole answer; a third of epsilon for each part (half each for squares and
///                  sum when the count is public).
/// Proven         : docs/proofs/bounded-sum.md. The result is clamped to what the bounds allow.
class BoundedVariance {
 public:
  [[nodiscard]] static Result<BoundedVariance> make(const BoundedSum::Options& options);

  void add(std::span<const double> values);
  [[nodiscard]] Result<void> merge(const BoundedVariance& other);
  [[nodiscard]] Result<double> release(SecureRandom& random, const Rational& epsilon) const;
  [[nodiscard]] Result<double> simulate(SeededRandom& random, const Rational& epsilon) const;

 private:
  BoundedVariance(const BoundedSum::Options& options, BoundedSum sum, BoundedSum squares, PrivateCount count);
  template <class Draw>
  [[nodiscard]] Result<double> noisy(const Rational& epsilon, Draw draw) const;

  BoundedSum::Options options_;
  double middle_;
  BoundedSum sum_;
  BoundedSum squares_;
  PrivateCount count_;
};

}  // namespace gauze
