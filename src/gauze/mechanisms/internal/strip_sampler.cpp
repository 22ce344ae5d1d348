#include "gauze/mechanisms/internal/strip_sampler.h"

#include <bit>
#include <cmath>

#include "gauze/base/error.h"
#include "gauze/mechanisms/internal/exact_bernoulli.h"

namespace gauze::internal {
namespace {

/// The fineness of strips: small tables that stay in the first-level cache, few undecided draws.
int strips_per_scale_bits(Energy::Shape shape) { return shape == Energy::Shape::gaussian ? 6 : 5; }

double inverse_energy(Energy::Shape shape, double scale, double energy) {
  return shape == Energy::Shape::gaussian ? scale * std::sqrt(2 * energy) : scale * energy;
}

}  // namespace

double Energy::at(double y) const {
  const double z = y / approximate_scale;
  return shape == Shape::gaussian ? z * z / 2 : z;
}

Interval Energy::at(const Interval& y) const {
  const Interval z = y / Interval(scale, y.precision());
  return shape == Shape::gaussian ? z * z * Interval(Rational(1, 2), y.precision()) : z;
}

/// Where a draw has landed: [whole, whole + 1) for reals, whole for integers.
struct StripSampler::Place {
  std::uint64_t whole = 0;
  bool half_bit = false;  // first binary digit of the fraction, for reals
};

StripSampler::StripSampler(Energy::Shape shape, Points points, const Rational& scale, Tuning tuning)
    : energy_{.shape = shape, .scale = scale, .approximate_scale = scale.to_double()},
      points_(points),
      always_exact_(tuning.always_exact) {
  GAUZE_CHECK(scale.sign() > 0 && scale <= Rational::power_of_two(kMaxScaleBits));
  build(tuning);
}

void StripSampler::build(const Tuning& tuning) {
  const double scale = energy_.approximate_scale;
  const int scale_bits = energy_.scale.floor_log2();
  width_bits_ = std::max(0, scale_bits - strips_per_scale_bits(energy_.shape));
  const double width = std::ldexp(1.0, width_bits_);
  const auto count = static_cast<std::size_t>(
      std::max(1.0, std::ceil(inverse_energy(energy_.shape, scale, tuning.last_energy) / width)));
  const double end = static_cast<double>(count) * width;

  // Beyond `end` the bound must at least halve from one wider strip to the next: energy(y + S) - energy(y) >= 0.75.
  const double needed = energy_.shape == Energy::Shape::gaussian ? 0.75 * scale * scale / end : 0.75 * scale;
  beyond_bits_ = std::max(width_bits_, static_cast<int>(std::ceil(std::log2(std::max(needed, 1.0)))));
  const double beyond_widths = std::ldexp(1.0, beyond_bits_ - width_bits_);

  std::vector<double> highest(count + 1);
  std::vector<double> lowest(count + 1, 0.0);
  for (std::size_t j = 0; j < count; ++j) {
    highest[j] = std::exp(-energy_.at(static_cast<double>(j) * width));
    // The lowest f on the strip: at its last integer, or (reals) at its right end.
    const double last = static_cast<double>(j + 1) * width - (points_ == Points::integers ? 1 : 0);
    if (!always_exact_) lowest[j] = std::exp(-energy_.at(last));
  }
  highest[count] = 2 * beyond_widths * std::exp(-energy_.at(end));
  choice_ = MajorantChoice(highest, lowest);
}

bool StripSampler::accept_exactly(RandomWords& random, std::uint64_t word, const Place& place,
                                  std::uint64_t fraction_word, const Rational& factor) const {
  LazyUniform uniform(word);
  LazyUniform fraction(fraction_word);
  const Rational half(1, 2);
  for (mpfr_prec_t precision = 192;; precision += 64) {
    const Rational whole = Rational(static_cast<std::int64_t>(place.whole));
    Interval y(whole, precision);
    if (points_ == Points::rounded_reals) {
      const Rational start = place.half_bit ? whole + half : whole;
      y = Interval(start + fraction.low() * half, start + fraction.high() * half, precision);
    }
    const Interval p = (-energy_.at(y)).exp() * Interval(factor, precision);
    if (p.certainly_at_least(uniform.high())) return true;
    if (p.certainly_at_most(uniform.low())) return false;
    uniform.draw_more(random);
    fraction.draw_more(random);
  }
}

bool StripSampler::accept(RandomWords& random, std::uint64_t word, const Place& place, std::size_t strip) const {
  double y = static_cast<double>(place.whole);
  std::uint64_t fraction_word = 0;
  if (points_ == Points::rounded_reals) {
    fraction_word = random.next();
    y += (place.half_bit ? 0.5 : 0.0) + std::ldexp(static_cast<double>(fraction_word), -65);
  }
  const double probability = std::exp(-energy_.at(y)) * choice_.factor(strip);
  switch (always_exact_ ? MajorantChoice::Verdict::unclear : MajorantChoice::compare(word, probability)) {
    case MajorantChoice::Verdict::accept:
      return true;
    case MajorantChoice::Verdict::reject:
      return false;
    case MajorantChoice::Verdict::unclear:
      break;
  }
  return accept_exactly(random, word, place, fraction_word, choice_.exact_factor(strip));
}

/// A place beyond the last strip: the m-th wider strip with probability 2^-(m+1), uniformly in it.
template <StripSampler::Points points>
bool StripSampler::draw_beyond(RandomWords& random, Place& place) const {
  std::uint64_t m = 0;
  for (;;) {
    const std::uint64_t coins = random.next();
    m += static_cast<std::uint64_t>(std::countr_zero(coins));
    if (coins != 0) break;
  }
  const std::uint64_t start = (choice_.size() - 1) << width_bits_;
  const std::uint64_t offset = beyond_bits_ == 0 ? 0 : random.next() >> (64 - beyond_bits_);
  GAUZE_CHECK(m < 256);  // fails with probability 2^-256
  place.whole = start + (m << beyond_bits_) + offset;
  // f(y) * constant * 2^(m+1) * (wide width / width) / weight
  const Rational factor = choice_.exact_factor(choice_.size() - 1) *
                          Rational::power_of_two(static_cast<int>(m) + 1 + beyond_bits_ - width_bits_);
  const std::uint64_t word = random.next();
  return accept_exactly(random, word, place, points == Points::integers ? 0 : random.next(), factor);
}

template <StripSampler::Points points>
std::int64_t StripSampler::draw(RandomWords& random) const {
  for (;;) {
    const auto [index, negative, half_bit] = choice_.choose(random.next());
    Place place{.whole = 0, .half_bit = half_bit};
    if (index + 1 == choice_.size()) [[unlikely]] {
      if (!draw_beyond<points>(random, place)) continue;
    } else {
      const std::uint64_t offset = width_bits_ == 0 ? 0 : random.next() >> (64 - width_bits_);
      place.whole = (static_cast<std::uint64_t>(index) << width_bits_) + offset;
      const std::uint64_t word = random.next();
      if (word >= choice_.sure(index) && !accept(random, word, place, index)) continue;
    }
    if constexpr (points == Points::integers) {
      if (place.whole == 0 && negative) continue;  // zero has one sign only
      const auto magnitude = static_cast<std::int64_t>(place.whole);
      return negative ? -magnitude : magnitude;
    } else {
      const auto magnitude = static_cast<std::int64_t>(place.whole) + (place.half_bit ? 1 : 0);
      return negative ? -magnitude : magnitude;
    }
  }
}

void StripSampler::sample(RandomWords& random, std::span<std::int64_t> out) const {
  if (points_ == Points::integers) {
    for (std::int64_t& value : out) value = draw<Points::integers>(random);
  } else {
    for (std::int64_t& value : out) value = draw<Points::rounded_reals>(random);
  }
}

}  // namespace gauze::internal
