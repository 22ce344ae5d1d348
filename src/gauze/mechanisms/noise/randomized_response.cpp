#include "gauze/mechanisms/noise/randomized_response.h"

#include <algorithm>

#include "gauze/mechanisms/internal/exact_bernoulli.h"
#include "gauze/mechanisms/internal/parameters.h"
#include "gauze/mechanisms/noise/noise_observer.h"

namespace gauze {
namespace {

/// 1 / (1 + (k - 1) e^-epsilon): the same probability, without overflow.
Interval keep(const Rational& epsilon, std::uint64_t categories, mpfr_prec_t precision) {
  const Interval one(Rational(1), precision);
  const Interval others(Rational(static_cast<std::int64_t>(categories - 1)), precision);
  return one / (one + others * (-Interval(epsilon, precision)).exp());
}

}  // namespace

RandomizedResponse::RandomizedResponse(const Options& options)
    : epsilon_(options.epsilon), categories_(options.categories) {
  keep_ = std::make_shared<const internal::FixedProbability>(
      [epsilon = epsilon_, categories = categories_](mpfr_prec_t precision) {
        return keep(epsilon, categories, precision);
      });
}

Result<RandomizedResponse> RandomizedResponse::make(const Options& options) {
  GAUZE_TRY_VOID(internal::check_epsilon(options.epsilon));
  if (options.categories < 2 || options.categories > std::uint64_t{1} << 53) {
    return invalid_parameter("randomised response needs between 2 and 2^53 categories, but has {}",
                             options.categories);
  }
  return RandomizedResponse(options);
}

std::uint64_t RandomizedResponse::answer(RandomWords& random, std::uint64_t value) const {
  value = std::min(value, categories_ - 1);
  const Int128 observed = static_cast<Int128>(value);
  NoiseObserver::report({.mechanism = "randomized-response",
                         .norm = NoiseEvent::Norm::maximum,
                         .declared_sensitivity = Rational(static_cast<std::int64_t>(categories_ - 1)),
                         .values = {&observed, 1},
                         .exponent = 0});
  if (keep_->draw(random)) return value;
  const std::uint64_t other = random.below(categories_ - 1);
  return other < value ? other : other + 1;
}

double RandomizedResponse::keep_probability() const { return keep(epsilon_, categories_, 128).middle(); }

double RandomizedResponse::variance() const {
  const Interval one(Rational(1), 192);
  const Interval p = keep(epsilon_, categories_, 192);
  const Interval others(Rational(static_cast<std::int64_t>(categories_ - 1)), 192);
  const Interval q = (one - p) / others;
  // p - q without cancellation: (e^epsilon - 1) / (e^epsilon + k - 1) = (1 - e^-epsilon) p.
  const Interval gap = -(-Interval(epsilon_, 192)).expm1() * p;
  return (q * (one - q) / (gap * gap)).high();
}

}  // namespace gauze
