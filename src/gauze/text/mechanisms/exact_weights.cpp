#include "gauze/text/mechanisms/exact_weights.h"

#include <bit>
#include <cmath>

#include "gauze/base/interval.h"

namespace gauze::text {
namespace {

constexpr mpfr_prec_t kWeightPrecision = 256;

/// The largest k with exp(-rate k) >= 2^-60, at most 2^31 - 1. ln 2 from below, so never one too many.
std::uint32_t farthest(const Rational& rate) {
  const Rational bits = ExactWeights::kOneBits - ExactWeights::kLeastBits;
  const Interval reach = Interval(bits, kWeightPrecision) * Interval(Rational(2), kWeightPrecision).log() /
                         Interval(rate, kWeightPrecision);
  const double low = std::floor(reach.low());
  return low >= 0x7FFF'FFFF ? 0x7FFF'FFFF : static_cast<std::uint32_t>(low);
}

class Mpfr {
 public:
  Mpfr() { mpfr_init2(value_, kWeightPrecision); }
  Mpfr(const Mpfr&) = delete;
  Mpfr& operator=(const Mpfr&) = delete;
  ~Mpfr() { mpfr_clear(value_); }
  operator mpfr_ptr() { return value_; }

 private:
  mpfr_t value_;
};

}  // namespace

Result<ExactWeights> ExactWeights::make(const Options& options) {
  if (!options.epsilon.is_defined() || options.epsilon.sign() <= 0) {
    return invalid_parameter("epsilon must be finite and positive, but is {}", options.epsilon.to_decimal());
  }
  ExactWeights weights;
  weights.epsilon_ = options.epsilon;
  weights.rate_ = options.epsilon * Rational::power_of_two(-options.granule_bits - 1);
  const std::uint32_t reach = farthest(weights.rate_);
  if (reach == 0) {
    return invalid_parameter("epsilon {} is too large for a granule of 2^-{}: all words would look equally far",
                             options.epsilon.to_decimal(), options.granule_bits);
  }
  weights.cap_ = std::min(reach, options.cap_granules);
  weights.fill_tables(std::min(weights.cap_, options.largest_granules));
  return weights;
}

void ExactWeights::fill_tables(std::uint32_t largest) {
  last_ = largest;
  split_ = (static_cast<int>(std::bit_width(largest)) + 1) / 2;
  mask_ = (std::uint32_t{1} << split_) - 1;
  // Powers by repeated multiplication, always rounded down: entry i is at most i + 1 roundings of 2^-256 relative, and
  // the error of the base times i, below the truth: together less than 2^-90 of a unit for 2^17 entries.
  const auto fill = [](const Rational& step, std::size_t size, std::vector<Fixed>& table,
                       std::vector<double>& rough) {
    Mpfr base;
    Mpfr power;
    Mpfr scaled;
    const Interval first = (-Interval(step, kWeightPrecision)).exp();
    mpfr_set(base, first.low_end(), MPFR_RNDD);
    mpfr_set_ui(power, 1, MPFR_RNDD);
    for (std::size_t i = 0; i < size; ++i) {
      rough.push_back(mpfr_get_d(power, MPFR_RNDN));
      mpfr_mul_2si(scaled, power, 63, MPFR_RNDD);
      const std::uint64_t high = mpfr_get_ui(scaled, MPFR_RNDD);
      mpfr_sub_ui(scaled, scaled, high, MPFR_RNDD);  // exact
      mpfr_mul_2si(scaled, scaled, 64, MPFR_RNDD);
      table.push_back({high, static_cast<std::uint64_t>(mpfr_get_ui(scaled, MPFR_RNDD))});
      mpfr_mul(power, power, base, MPFR_RNDD);
    }
  };
  fill(rate_, std::size_t{1} << split_, low_, rough_low_);
  fill(rate_ * Rational::power_of_two(split_), (std::size_t{largest} >> split_) + 1, high_, rough_high_);
}

Weight ExactWeights::slow_weight(std::uint32_t granules) const {
  granules = std::min(granules, last_);
  if (granules == 0) return Weight{1} << kOneBits;
  const Rational energy = rate_ * Rational(std::int64_t{granules});
  for (mpfr_prec_t precision = 192;; precision += 64) {
    Interval value = (-Interval(energy, precision)).exp() * Interval(Rational::power_of_two(kOneBits), precision);
    mpfr_ceil(value.low_end(), value.low_end());
    mpfr_ceil(value.high_end(), value.high_end());
    if (mpfr_equal_p(value.low_end(), value.high_end()) == 0) continue;
    mpz_t whole;
    mpz_init(whole);
    mpfr_get_z(whole, value.low_end(), MPFR_RNDN);
    Weight weight = 0;
    for (int word = 1; word >= 0; --word) {
      mpz_t part;
      mpz_init(part);
      mpz_fdiv_q_2exp(part, whole, static_cast<mp_bitcnt_t>(64 * word));
      weight = (weight << 64) | mpz_getlimbn(part, 0);
      mpz_clear(part);
    }
    mpz_clear(whole);
    return weight;
  }
}

double to_double(Weight weight) {
  return std::ldexp(static_cast<double>(static_cast<std::uint64_t>(weight >> 64)), 64) +
         static_cast<double>(static_cast<std::uint64_t>(weight));
}

double log_of(Weight weight) { return std::log(to_double(weight)); }

}  // namespace gauze::text
