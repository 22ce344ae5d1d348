#include "gauze/text/mechanisms/internal/radial_noise.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "gauze/base/interval.h"

namespace gauze::text::internal {
namespace {

thread_local std::uint64_t slow_vectors = 0;

/// Below this a uniform number (or its distance to 1) needs a second word of digits for a full double.
constexpr std::uint64_t kShort = std::uint64_t{1} << 54;

bool is_short(std::uint64_t word) { return word < kShort || ~word < kShort; }

/// -ln U for U in [w, w + 1] 2^-64, or with the second word's digits where the first is short; within 2^-49 relative for
/// every U of the cell, or NaN where even two words are too few.
double exponential(std::uint64_t first, std::uint64_t second) {
  const bool near_one = first >> 63 != 0;
  const std::uint64_t head = near_one ? ~first : first;  // U, or 1 - U, begins with these digits
  double value = 0;
  if (head >= kShort) {
    value = (static_cast<double>(head) + 0.5) * 0x1p-64;  // off by half a unit of 2^-64 at most: 2^-55 relative
  } else {
    if (head == 0) return std::numeric_limits<double>::quiet_NaN();
    const std::uint64_t tail = near_one ? ~second : second;
    value = std::fma(static_cast<double>(head), 0x1p-64, static_cast<double>(tail) * 0x1p-128);
  }
  return near_one ? -std::log1p(-value) : -std::log(value);
}

/// The whole number of the digits, as an interval of U = digits / 2^(64 words).
Interval uniform_interval(const std::vector<std::uint64_t>& words, mpfr_prec_t precision) {
  mpz_t whole;
  mpz_init(whole);
  mpz_import(whole, words.size(), 1, sizeof(std::uint64_t), 0, 0, words.data());
  Interval result(precision);
  const auto shift = -static_cast<long>(64 * words.size());
  mpfr_set_z(result.low_end(), whole, MPFR_RNDD);
  mpz_add_ui(whole, whole, 1);
  mpfr_set_z(result.high_end(), whole, MPFR_RNDU);
  mpz_clear(whole);
  mpfr_mul_2si(result.low_end(), result.low_end(), shift, MPFR_RNDD);
  mpfr_mul_2si(result.high_end(), result.high_end(), shift, MPFR_RNDU);
  return result;
}

struct CosSin {
  Interval cos;
  Interval sin;
};
/// Of 2 pi U: the values at one point of the interval, widened by its length (derivatives are at most 1 in size).
CosSin cos_sin(const std::vector<std::uint64_t>& words, mpfr_prec_t precision) {
  const Interval angle =
      uniform_interval(words, precision) * Interval(Rational(2), precision) * Interval::pi(precision);
  mpfr_t width;
  mpfr_init2(width, 64);
  mpfr_sub(width, angle.high_end(), angle.low_end(), MPFR_RNDU);
  CosSin result{Interval(precision), Interval(precision)};
  const auto around = [&](Interval& value, int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)) {
    function(value.low_end(), angle.low_end(), MPFR_RNDD);
    function(value.high_end(), angle.low_end(), MPFR_RNDU);
    mpfr_sub(value.low_end(), value.low_end(), width, MPFR_RNDD);
    mpfr_add(value.high_end(), value.high_end(), width, MPFR_RNDU);
  };
  around(result.cos, &mpfr_cos);
  around(result.sin, &mpfr_sin);
  mpfr_clear(width);
  return result;
}

/// floor(value + 1/2) if it is certain, clamped.
bool certain_round(const Interval& value, std::int64_t& out) {
  if (mpfr_number_p(value.low_end()) == 0 || mpfr_number_p(value.high_end()) == 0) return false;
  Interval shifted = value + Interval(Rational(1, 2), value.precision());
  mpfr_floor(shifted.low_end(), shifted.low_end());
  mpfr_floor(shifted.high_end(), shifted.high_end());
  if (mpfr_equal_p(shifted.low_end(), shifted.high_end()) == 0) return false;
  const double whole =
      std::clamp(mpfr_get_d(shifted.low_end(), MPFR_RNDN), -static_cast<double>(RadialNoise::kLargest),
                 static_cast<double>(RadialNoise::kLargest));
  out = static_cast<std::int64_t>(whole);
  return true;
}

}  // namespace

RadialNoise::RadialNoise(std::size_t dimensions, Rational epsilon, int lattice_bits)
    : dimensions_(dimensions), epsilon_(std::move(epsilon)), lattice_bits_(lattice_bits) {
  const bool odd = dimensions % 2 == 1;
  pairs_ = odd ? (dimensions + 1) / 2 : dimensions / 2 + 1;
  exponentials_ = odd ? (dimensions + 1) / 2 : dimensions / 2;
  factor_ = (Rational::power_of_two(lattice_bits) / epsilon_).to_double();
}

std::uint64_t RadialNoise::slow_count() { return slow_vectors; }

void RadialNoise::add(std::span<const std::int32_t> row, int scale_bits, RandomWords& random,
                      std::span<std::int64_t> out) const {
  thread_local std::vector<std::uint64_t> first;
  thread_local std::vector<std::uint64_t> second;  // 0 where it was not drawn
  first.resize(uniforms());
  second.assign(uniforms(), 0);
  random.fill(first);
  const auto draws_second = [&](std::size_t i) { return !(i < 2 * pairs_ && i % 2 == 1) && is_short(first[i]); };
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (draws_second(i)) second[i] = random.next();
  }
  if (!try_doubles(row, scale_bits, first, second, out)) {
    Digits digits(first.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
      digits[i] = {first[i]};
      if (draws_second(i)) digits[i].push_back(second[i]);
    }
    refine(row, scale_bits, std::move(digits), random, out);
  }
  std::fill(first.begin(), first.end(), 0);
  std::fill(second.begin(), second.end(), 0);
}

void RadialNoise::add_slowly(std::span<const std::int32_t> row, int scale_bits, RandomWords& random,
                             std::span<std::int64_t> out) const {
  refine(row, scale_bits, Digits(uniforms()), random, out);
}

void RadialNoise::refine(std::span<const std::int32_t> row, int scale_bits, Digits digits, RandomWords& random,
                         std::span<std::int64_t> out) const {
  ++slow_vectors;
  for (std::size_t words = 2;; ++words) {
    for (auto& number : digits) {
      while (number.size() < words) number.push_back(random.next());
    }
    if (try_intervals(row, scale_bits, digits, out)) return;
  }
}

bool RadialNoise::try_doubles(std::span<const std::int32_t> row, int scale_bits, std::span<const std::uint64_t> first,
                              std::span<const std::uint64_t> second, std::span<std::int64_t> out) const {
  // Errors, in the order of the computation. e = 2^-48 stands for all of the elementary ones:
  //   an exponential is within 2^-49 relative; r = sqrt(2 L) within e/2; the angle within 2^-49, so cos and sin within e;
  //   a normal number g = r cos within 2 e r;  W = 2 sum L + g0^2 within (n 2^-52 + e) W + 5 e r0^2;
  //   sqrt(W) within error(W) / sqrt(W), because |sqrt(a) - sqrt(b)| <= |a - b| / sqrt(b).
  constexpr double e = 0x1p-48;
  thread_local std::vector<double> normals;
  thread_local std::vector<double> lengths;
  normals.resize(2 * pairs_);
  lengths.resize(pairs_);
  for (std::size_t j = 0; j < pairs_; ++j) {
    const double r = std::sqrt(2 * exponential(first[2 * j], second[2 * j]));
    const double angle = 2 * std::numbers::pi * ((static_cast<double>(first[2 * j + 1]) + 0.5) * 0x1p-64);
    lengths[j] = r;
    normals[2 * j] = r * std::cos(angle);
    normals[2 * j + 1] = r * std::sin(angle);
  }
  double w = 0;
  for (std::size_t i = 2 * pairs_; i < first.size(); ++i) w += exponential(first[i], second[i]);
  w *= 2;
  double w_error = 0;
  if (dimensions_ % 2 == 0) {
    const double extra = normals[2 * (pairs_ - 1)];
    w += extra * extra;
    w_error = 5 * e * lengths[pairs_ - 1] * lengths[pairs_ - 1];
  }
  w_error += (static_cast<double>(dimensions_) * 0x1p-52 + e) * w;
  const double root = std::sqrt(w);
  const double root_error = w_error / root + e * root;
  const double row_unit = std::ldexp(1.0, lattice_bits_ - scale_bits);
  for (std::size_t i = 0; i < dimensions_; ++i) {
    const double r = lengths[i / 2];
    const double value = factor_ * (root * normals[i]) + row_unit * row[i];
    // Twice the sum of what is above, to be safe from the rounding of the bounds themselves.
    const double error = 2 * (factor_ * r * (3 * e * root + root_error) + 0x1p-50 * std::abs(row_unit * row[i]));
    const double whole = std::floor(value + 0.5);
    const double inside = std::min(value + 0.5 - whole, whole + 0.5 - value);
    // NaN compares false, and so goes to the intervals.
    if (!(inside > error + 0x1p-50 * std::abs(value)) || !(std::abs(whole) < 0x1p33)) return false;
    out[i] = static_cast<std::int64_t>(whole);
  }
  return true;
}

bool RadialNoise::try_intervals(std::span<const std::int32_t> row, int scale_bits, const Digits& digits,
                                std::span<std::int64_t> out) const {
  const auto precision = static_cast<mpfr_prec_t>(64 * digits[0].size() + 128);
  const Interval two(Rational(2), precision);
  const auto doubled_exponential = [&](std::size_t i) {
    return -(uniform_interval(digits[i], precision).log() * two);
  };
  std::vector<Interval> normals;
  for (std::size_t j = 0; j < pairs_; ++j) {
    const Interval r = doubled_exponential(2 * j).sqrt();
    const CosSin direction = cos_sin(digits[2 * j + 1], precision);
    normals.push_back(r * direction.cos);
    normals.push_back(r * direction.sin);
  }
  Interval w(precision);
  for (std::size_t i = 2 * pairs_; i < digits.size(); ++i) w = w + doubled_exponential(i);
  if (dimensions_ % 2 == 0) w = w + normals[2 * (pairs_ - 1)] * normals[2 * (pairs_ - 1)];
  const Interval scale = w.sqrt() * Interval(Rational::power_of_two(lattice_bits_) / epsilon_, precision);
  const Rational row_unit = Rational::power_of_two(lattice_bits_ - scale_bits);
  for (std::size_t i = 0; i < dimensions_; ++i) {
    const Interval value = scale * normals[i] + Interval(row_unit * Rational(std::int64_t{row[i]}), precision);
    if (!certain_round(value, out[i])) return false;
  }
  return true;
}

}  // namespace gauze::text::internal
