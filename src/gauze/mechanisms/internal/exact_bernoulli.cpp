#include "gauze/mechanisms/internal/exact_bernoulli.h"

#include <limits>

namespace gauze::internal {
namespace {

constexpr std::uint64_t kAllOnes = std::numeric_limits<std::uint64_t>::max();

Rational from_word(std::uint64_t word) {
  return Rational(static_cast<std::int64_t>(word >> 32)) * Rational::power_of_two(32) +
         Rational(static_cast<std::int64_t>(word & 0xffffffffU));
}

}  // namespace

std::uint64_t leading_word(mpfr_srcptr end) {
  mpfr_t scaled;
  mpfr_init2(scaled, mpfr_get_prec(end));
  mpfr_mul_2ui(scaled, end, 64, MPFR_RNDD);
  std::uint64_t word = 0;
  if (mpfr_sgn(scaled) > 0) {
    word = mpfr_fits_ulong_p(scaled, MPFR_RNDD) != 0 ? mpfr_get_ui(scaled, MPFR_RNDD) : kAllOnes;
  }
  mpfr_clear(scaled);
  return word;
}

LazyUniform::LazyUniform(std::uint64_t first_word)
    : low_(from_word(first_word) * Rational::power_of_two(-64)), unit_(Rational::power_of_two(-64)) {}

void LazyUniform::draw_more(RandomWords& random) {
  unit_ *= Rational::power_of_two(-64);
  low_ += from_word(random.next()) * unit_;
}

FixedProbability::FixedProbability(std::function<Interval(mpfr_prec_t)> enclosure)
    : enclosure_(std::move(enclosure)) {
  const Interval p = enclosure_(128);
  low_word_ = leading_word(p.low_end());
  high_word_ = leading_word(p.high_end());
}

}  // namespace gauze::internal
