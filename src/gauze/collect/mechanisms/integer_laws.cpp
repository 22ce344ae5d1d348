#include "gauze/collect/mechanisms/integer_laws.h"

#include <mpfr.h>

#include <cmath>

namespace gauze::collect {
namespace {

constexpr mpfr_prec_t kPrecision = 256;

/// A number in so many digits that only the last rounding, to an integer, counts.
class Figure {
 public:
  Figure() { mpfr_init2(value_, kPrecision); }
  Figure(const Figure&) = delete;
  Figure& operator=(const Figure&) = delete;
  ~Figure() { mpfr_clear(value_); }
  [[nodiscard]] mpfr_ptr get() { return value_; }

  [[nodiscard]] std::uint64_t to_integer(mpfr_rnd_t rounding) {
    mpfr_rint(value_, value_, rounding);
    const mpfr_exp_t digits = mpfr_get_exp(value_);
    if (mpfr_zero_p(value_) != 0 || digits <= 0) return 0;
    // mpfr_get_ui takes an unsigned long, which has 64 bits on the systems that a collector runs on.
    static_assert(sizeof(unsigned long) == sizeof(std::uint64_t));
    return mpfr_get_ui(value_, MPFR_RNDN);
  }

 private:
  mpfr_t value_;
};

/// e^(part * (epsilon - 5e-10)) from below; part = 1 or 1/2.
void exponential(Figure& out, std::uint64_t epsilon_nano, unsigned divisor) {
  mpfr_set_ui(out.get(), epsilon_nano, MPFR_RNDN);
  mpfr_sub_d(out.get(), out.get(), 0.5, MPFR_RNDN);
  mpfr_div_ui(out.get(), out.get(), 1'000'000'000, MPFR_RNDD);
  mpfr_div_ui(out.get(), out.get(), divisor, MPFR_RNDD);
  mpfr_exp(out.get(), out.get(), MPFR_RNDD);
}

}  // namespace

LocalLaw weights_law(std::uint64_t epsilon_nano, std::uint32_t parameter) {
  Figure weight;
  exponential(weight, epsilon_nano, 1);
  mpfr_mul_2ui(weight.get(), weight.get(), 32, MPFR_RNDD);
  return {{weight.to_integer(MPFR_RNDD), std::uint64_t{1} << 32, 0}, parameter};
}

LocalLaw symmetric_bits_law(std::uint64_t epsilon_nano) {
  Figure s;
  Figure more;
  exponential(s, epsilon_nano, 2);
  mpfr_add_ui(more.get(), s.get(), 1, MPFR_RNDU);
  mpfr_div(s.get(), s.get(), more.get(), MPFR_RNDD);
  mpfr_mul_2ui(s.get(), s.get(), 64, MPFR_RNDD);
  const std::uint64_t t1 = s.to_integer(MPFR_RNDD);
  return {{t1, std::uint64_t{0} - t1, 0}, 0};
}

LocalLaw optimised_bits_law(std::uint64_t epsilon_nano) {
  Figure e;
  exponential(e, epsilon_nano, 1);
  mpfr_add_ui(e.get(), e.get(), 1, MPFR_RNDD);
  mpfr_ui_div(e.get(), 1, e.get(), MPFR_RNDU);
  mpfr_mul_2ui(e.get(), e.get(), 64, MPFR_RNDU);
  return {{std::uint64_t{1} << 63, e.to_integer(MPFR_RNDU), 0}, 0};
}

double best_threshold(double epsilon) {
  const auto variance = [epsilon](double theta) {
    const double p = 1 - std::exp(epsilon * (theta - 1) / 2) / 2;
    const double q = std::exp(-epsilon * theta / 2) / 2;
    return q * (1 - q) / ((p - q) * (p - q));
  };
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double low = 0.5;
  double high = 1;
  while (high - low > 1e-11) {
    const double a = high - ratio * (high - low);
    const double b = low + ratio * (high - low);
    if (variance(a) < variance(b))
      high = b;
    else
      low = a;
  }
  return (low + high) / 2;
}

LocalLaw threshold_bits_law(std::uint64_t epsilon_nano) {
  const double theta = best_threshold(static_cast<double>(epsilon_nano) * 1e-9);
  const auto half_exponential = [&](Figure& out, double factor, mpfr_rnd_t rounding) {
    // factor is negative: what is below epsilon gives more
    mpfr_set_ui(out.get(), epsilon_nano, MPFR_RNDN);
    mpfr_sub_d(out.get(), out.get(), 0.5, MPFR_RNDN);
    mpfr_div_ui(out.get(), out.get(), 2'000'000'000, rounding);
    mpfr_mul_d(out.get(), out.get(), factor, rounding);
    mpfr_exp(out.get(), out.get(), rounding);
    mpfr_div_ui(out.get(), out.get(), 2, rounding);
  };
  Figure p;
  Figure q;
  half_exponential(p, theta - 1, MPFR_RNDU);
  mpfr_ui_sub(p.get(), 1, p.get(), MPFR_RNDD);
  mpfr_mul_2ui(p.get(), p.get(), 64, MPFR_RNDD);
  half_exponential(q, -theta, MPFR_RNDU);
  mpfr_mul_2ui(q.get(), q.get(), 64, MPFR_RNDU);
  return {{p.to_integer(MPFR_RNDD), q.to_integer(MPFR_RNDU), 0}, 0};
}

std::uint64_t hybrid_branch(std::uint64_t epsilon_nano) {
  const double root = std::sqrt(241.0);
  const double threshold = std::log((-5 + 2 * std::cbrt(6353 - 405 * root) + 2 * std::cbrt(6353 + 405 * root)) / 27);
  if (static_cast<double>(epsilon_nano) * 1e-9 <= threshold) return 0;
  Figure alpha;
  mpfr_set_ui(alpha.get(), epsilon_nano, MPFR_RNDN);
  mpfr_div_ui(alpha.get(), alpha.get(), 2'000'000'000, MPFR_RNDN);
  mpfr_neg(alpha.get(), alpha.get(), MPFR_RNDN);
  mpfr_expm1(alpha.get(), alpha.get(), MPFR_RNDN);
  mpfr_neg(alpha.get(), alpha.get(), MPFR_RNDN);
  mpfr_mul_2ui(alpha.get(), alpha.get(), 64, MPFR_RNDN);
  return alpha.to_integer(MPFR_RNDD);
}

}  // namespace gauze::collect
