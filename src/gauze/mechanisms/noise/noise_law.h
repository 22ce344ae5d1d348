#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "gauze/base/interval.h"
#include "gauze/base/rational.h"
#include "gauze/random/random_words.h"

namespace gauze {

namespace internal {
class StripSampler;
}

/// A symmetric law on the integers that noise is drawn from, exactly as stated, together with its own tail.
///
/// The figures are those of the law that is drawn (discrete), not of a continuous one beside it.
/// Thread safety: const members may be called concurrently.
class NoiseLaw {
 public:
  virtual ~NoiseLaw() = default;

  /// Independent draws.
  virtual void sample(RandomWords& random, std::span<std::int64_t> out) const = 0;

  /// P[Z >= m] for m >= 1, enclosed.
  [[nodiscard]] virtual Interval upper_tail(std::int64_t m, mpfr_prec_t precision = 128) const = 0;

  /// The variance, rounded up.
  [[nodiscard]] virtual double variance() const = 0;

  /// P[Z >= m] for any m.
  [[nodiscard]] Interval tail(std::int64_t m, mpfr_prec_t precision = 128) const;

  /// The smallest a with P[|Z| <= a] >= level; level between 0 and 1, both excluded.
  [[nodiscard]] std::int64_t interval_radius(const Rational& level) const;

  /// The smallest integer m with P[Z >= m] certainly at most p, for p in (0, 1).
  [[nodiscard]] std::int64_t smallest_with_tail_at_most(const Interval& p) const;
};

/// P[x] proportional to exp(-|x| / scale).
class DiscreteLaplaceLaw final : public NoiseLaw {
 public:
  [[nodiscard]] static Result<DiscreteLaplaceLaw> make(const Rational& scale);

  void sample(RandomWords& random, std::span<std::int64_t> out) const override;
  [[nodiscard]] Interval upper_tail(std::int64_t m, mpfr_prec_t precision = 128) const override;
  [[nodiscard]] double variance() const override;

 private:
  explicit DiscreteLaplaceLaw(const Rational& scale);
  Rational scale_;
  std::shared_ptr<const internal::StripSampler> sampler_;
};

/// P[x] proportional to exp(-x^2 / (2 sigma^2)).
class DiscreteGaussianLaw final : public NoiseLaw {
 public:
  [[nodiscard]] static Result<DiscreteGaussianLaw> make(const Rational& sigma);

  void sample(RandomWords& random, std::span<std::int64_t> out) const override;
  [[nodiscard]] Interval upper_tail(std::int64_t m, mpfr_prec_t precision = 128) const override;
  [[nodiscard]] double variance() const override;

 private:
  explicit DiscreteGaussianLaw(const Rational& sigma);
  Rational sigma_;
  std::shared_ptr<const internal::StripSampler> sampler_;
};

/// The continuous normal law N(0, sigma^2), rounded to the nearest integer.
class RoundedGaussianLaw final : public NoiseLaw {
 public:
  [[nodiscard]] static Result<RoundedGaussianLaw> make(const Rational& sigma);

  void sample(RandomWords& random, std::span<std::int64_t> out) const override;
  [[nodiscard]] Interval upper_tail(std::int64_t m, mpfr_prec_t precision = 128) const override;
  [[nodiscard]] double variance() const override;

 private:
  explicit RoundedGaussianLaw(const Rational& sigma);
  Rational sigma_;
  std::shared_ptr<const internal::StripSampler> sampler_;
};

}  // namespace gauze
