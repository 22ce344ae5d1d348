#include "gauze/mechanisms/noise/noise_law.h"

#include <cmath>

#include "gauze/mechanisms/internal/discrete_gaussian_sum.h"
#include "gauze/mechanisms/internal/strip_sampler.h"

namespace gauze {
namespace {

using internal::Energy;
using internal::StripSampler;

constexpr mpfr_prec_t kLawPrecision = 160;
/// At a scale of 2^52, the largest, P[Z >= 2^62] is exp(-1024): less than any delta in use.
constexpr std::int64_t kLargestRadius = std::int64_t{1} << 62;

Result<void> check_scale(std::string_view name, const Rational& scale) {
  if (!scale.is_defined() || scale.sign() <= 0) {
    return invalid_parameter("the {} of the noise must be finite and positive", name);
  }
  if (scale > Rational::power_of_two(StripSampler::kMaxScaleBits)) {
    return invalid_parameter(
        "the {} of integer noise must be at most 2^{}, but is about {:.3g}; use a larger epsilon, or laplace or "
        "gaussian, whose grid adapts",
        name, StripSampler::kMaxScaleBits, scale.to_double());
  }
  if (scale < Rational::power_of_two(-200)) {
    return invalid_parameter(
        "the {} of the noise must be at least 2^-200, but is about {:.3g}; use a smaller epsilon", name,
        scale.to_double());
  }
  return {};
}

Interval integer(std::int64_t value, mpfr_prec_t precision) { return {Rational(value), precision}; }

/// sigma^2 + 1/12 but for terms below exp(-2 pi^2 sigma^2), summed where these matter.
double rounded_gaussian_variance(const RoundedGaussianLaw& law, const Rational& sigma) {
  if (sigma >= Rational(6)) return ((sigma * sigma) + Rational(1, 12)).to_double_up() * (1 + 0x1p-50);
  // E[X^2] = 2 * sum over m >= 1 of (2m - 1) P[X >= m].
  Interval sum(kLawPrecision);
  const auto last = static_cast<std::int64_t>(std::ceil(sigma.to_double() * 20)) + 2;
  for (std::int64_t m = 1; m <= last; ++m)
    sum = sum + integer(2 * (2 * m - 1), kLawPrecision) * law.upper_tail(m, kLawPrecision);
  return sum.high() * (1 + 0x1p-50);
}

}  // namespace

Interval NoiseLaw::tail(std::int64_t m, mpfr_prec_t precision) const {
  if (m >= 1) return upper_tail(m, precision);
  return integer(1, precision) - upper_tail(1 - m, precision);  // symmetric: P[Z >= m] = 1 - P[Z >= 1 - m]
}

std::int64_t NoiseLaw::interval_radius(const Rational& level) const {
  const Rational outside = Rational(1) - level;
  GAUZE_CHECK(level.sign() > 0 && outside.sign() > 0);
  return smallest_with_tail_at_most(Interval(outside * Rational(1, 2), kLawPrecision)) - 1;
}

std::int64_t NoiseLaw::smallest_with_tail_at_most(const Interval& p) const {
  const auto fits = [&](std::int64_t m) { return tail(m, kLawPrecision).certainly_at_most(p); };
  GAUZE_CHECK(fits(kLargestRadius));
  std::int64_t bad = -kLargestRadius;
  std::int64_t good = kLargestRadius;
  // The tail falls, so widen from zero first: most answers are small compared with the range.
  for (std::int64_t step = 1; step < kLargestRadius; step *= 4) {
    if (fits(step)) {
      good = step;
      break;
    }
    bad = step;
  }
  if (bad < 0) {
    for (std::int64_t step = 1; step < kLargestRadius; step *= 4) {
      if (!fits(-step)) {
        bad = -step;
        break;
      }
      good = -step;
    }
  }
  while (good - bad > 1) {
    const std::int64_t middle = bad + (good - bad) / 2;
    (fits(middle) ? good : bad) = middle;
  }
  return good;
}

DiscreteLaplaceLaw::DiscreteLaplaceLaw(const Rational& scale)
    : scale_(scale),
      sampler_(std::make_shared<StripSampler>(Energy::Shape::exponential, StripSampler::Points::integers, scale)) {}

void DiscreteLaplaceLaw::sample(RandomWords& random, std::span<std::int64_t> out) const {
  sampler_->sample(random, out);
}

Result<DiscreteLaplaceLaw> DiscreteLaplaceLaw::make(const Rational& scale) {
  GAUZE_TRY_VOID(check_scale("scale", scale));
  return DiscreteLaplaceLaw(scale);
}

Interval DiscreteLaplaceLaw::upper_tail(std::int64_t m, mpfr_prec_t precision) const {
  // r^m / (1 + r) with r = exp(-1 / scale).
  const Interval rate = integer(1, precision) / Interval(scale_, precision);
  const Interval r = (-rate).exp();
  return (-(rate * integer(m, precision))).exp() / (integer(1, precision) + r);
}

double DiscreteLaplaceLaw::variance() const {
  // 2 r / (1 - r)^2 = 1 / (2 sinh^2(1 / (2 scale))), written so that nothing cancels.
  const Interval rate = integer(1, kLawPrecision) / Interval(scale_, kLawPrecision);
  const Interval below_one = -(-rate).expm1();
  return (integer(2, kLawPrecision) * (-rate).exp() / (below_one * below_one)).high();
}

DiscreteGaussianLaw::DiscreteGaussianLaw(const Rational& sigma)
    : sigma_(sigma),
      sampler_(std::make_shared<StripSampler>(Energy::Shape::gaussian, StripSampler::Points::integers, sigma)) {}

void DiscreteGaussianLaw::sample(RandomWords& random, std::span<std::int64_t> out) const {
  sampler_->sample(random, out);
}

Result<DiscreteGaussianLaw> DiscreteGaussianLaw::make(const Rational& sigma) {
  GAUZE_TRY_VOID(check_scale("sigma", sigma));
  return DiscreteGaussianLaw(sigma);
}

Interval DiscreteGaussianLaw::upper_tail(std::int64_t m, mpfr_prec_t precision) const {
  return internal::discrete_gaussian_tail(sigma_, m, precision);
}

double DiscreteGaussianLaw::variance() const { return internal::discrete_gaussian_variance(sigma_); }

RoundedGaussianLaw::RoundedGaussianLaw(const Rational& sigma)
    : sigma_(sigma),
      sampler_(std::make_shared<StripSampler>(Energy::Shape::gaussian, StripSampler::Points::rounded_reals, sigma)) {}

void RoundedGaussianLaw::sample(RandomWords& random, std::span<std::int64_t> out) const {
  sampler_->sample(random, out);
}

Result<RoundedGaussianLaw> RoundedGaussianLaw::make(const Rational& sigma) {
  GAUZE_TRY_VOID(check_scale("sigma", sigma));
  if (sigma < Rational::power_of_two(-12)) {
    return invalid_parameter("the sigma of rounded Gaussian noise must be at least 2^-12 grid steps");
  }
  return RoundedGaussianLaw(sigma);
}

Interval RoundedGaussianLaw::upper_tail(std::int64_t m, mpfr_prec_t precision) const {
  const Interval edge(Rational(m) - Rational(1, 2), precision);
  return (edge / Interval(sigma_, precision)).normal_tail();
}

double RoundedGaussianLaw::variance() const { return rounded_gaussian_variance(*this, sigma_); }

}  // namespace gauze
