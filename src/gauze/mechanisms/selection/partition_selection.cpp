#include "gauze/mechanisms/selection/partition_selection.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "gauze/mechanisms/internal/exact_bernoulli.h"
#include "gauze/mechanisms/internal/parameters.h"
#include "gauze/mechanisms/noise/gaussian.h"
#include "gauze/mechanisms/noise/laplace.h"
#include "gauze/mechanisms/noise/noise_observer.h"

namespace gauze {
namespace {

constexpr mpfr_prec_t kPartitionPrecision = 256;

Interval partition_number(const Rational& value, mpfr_prec_t precision = kPartitionPrecision) {
  return {value, precision};
}

/// 1 - (1 - delta)^(1/M): what one of M groups may use so that all together use delta.
Interval delta_a_partition(const Rational& delta, std::int64_t max_partitions,
                           mpfr_prec_t precision = kPartitionPrecision) {
  const Interval log_keep = (-partition_number(delta, precision)).log1p();
  return -(log_keep / partition_number(Rational(max_partitions), precision)).expm1();
}

Result<void> check(const PartitionSelection::Options& options) {
  GAUZE_TRY_VOID(internal::check_epsilon(options.epsilon));
  GAUZE_TRY_VOID(internal::check_delta(options.delta));
  if (options.max_partitions < 1 || options.max_partitions > 1'000'000'000) {
    return invalid_parameter("the partitions a person can be in must lie between 1 and 1e9, but are {}",
                             options.max_partitions);
  }
  if (options.min_group < 1 || options.min_group > std::int64_t{1} << 40) {
    return invalid_parameter("the minimum group size must lie between 1 and 2^40, but is {}", options.min_group);
  }
  return {};
}

}  // namespace

/// The truncated geometric rule (Desfontaines, Voss, Gipson, Mandayam 2022) at epsilon / M and delta' a group:
/// pi(n) = min(e^eps pi(n - 1) + delta', 1 - e^-eps (1 - pi(n - 1) - delta'), 1), pi(0) = 0, in closed form.
class PartitionSelection::Optimal {
 public:
  explicit Optimal(const Options& options)
      : epsilon_(std::min(options.epsilon / Rational(options.max_partitions), Rational(kLargestEpsilon))),
        delta_(options.delta),
        max_partitions_(options.max_partitions) {
    // The first branch rules while pi(n - 1) <= (1 - delta') / (e^eps + 1).
    const Interval delta = share(kPartitionPrecision);
    const Interval one = partition_number(1);
    const Interval growth = partition_number(epsilon_).exp();
    const Interval less = partition_number(epsilon_).expm1();
    const Interval bound = one + (one - delta) * less / (delta * (growth + one));
    crossing_ = 1 + floor_of(bound.log() / partition_number(epsilon_));
    const Interval kappa = delta / less;
    const Interval left = (one + kappa - rising(crossing_, kPartitionPrecision)) / kappa;
    certain_ = crossing_ + (left.high() <= 1 ? 0 : -floor_of(-(left.log() / partition_number(epsilon_))));
  }

  /// The smallest n with pi(n) = 1.
  [[nodiscard]] std::int64_t certain() const { return certain_; }

  [[nodiscard]] Interval probability(std::int64_t n, mpfr_prec_t precision) const {
    if (n <= 0) return partition_number(0, precision);
    if (n >= certain_) return partition_number(1, precision);
    if (n <= crossing_) return rising(n, precision);
    const Interval one = partition_number(1, precision);
    const Interval kappa = share(precision) / partition_number(epsilon_, precision).expm1();
    const Interval decay = (-partition_number(epsilon_ * Rational(n - crossing_), precision)).exp();
    return (one - decay) * (one + kappa) + decay * rising(crossing_, precision);
  }

 private:
  /// A smaller epsilon is always safe. Beyond this one nothing changes but digits after the 400,000th, and soon
  /// e^epsilon would exceed the exponents of the intervals.
  static constexpr std::int64_t kLargestEpsilon = 1'000'000;

  [[nodiscard]] Interval share(mpfr_prec_t precision) const {
    return delta_a_partition(delta_, max_partitions_, precision);
  }
  /// delta' (e^(n eps) - 1) / (e^eps - 1)
  [[nodiscard]] Interval rising(std::int64_t n, mpfr_prec_t precision) const {
    return share(precision) * partition_number(epsilon_ * Rational(n), precision).expm1() /
           partition_number(epsilon_, precision).expm1();
  }
  /// The floor of a number that is never an integer, but for rounding: either neighbour then gives the same pi.
  static std::int64_t floor_of(const Interval& value) { return mpfr_get_si(value.low_end(), MPFR_RNDD); }

  Rational epsilon_;
  Rational delta_;
  std::int64_t max_partitions_;
  std::int64_t crossing_ = 0;
  std::int64_t certain_ = 0;
};

PartitionSelection::PartitionSelection(const Options& options) : min_group_(options.min_group) {}

Int128 naming_threshold(const NoiseLaw& noise, Int128 min_group, const Interval& delta_per_group) {
  // P[k + Z >= tau] <= delta' iff P[Z >= tau - k] <= delta'.
  return min_group + noise.smallest_with_tail_at_most(delta_per_group);
}

Result<PartitionSelection> PartitionSelection::make_with_noise(const Options& options) {
  PartitionSelection result(options);
  Rational delta = options.delta;
  Grid grid(0);
  if (options.noise == Noise::gaussian) {
    // One person moves at most M counts by one: L2 sensitivity sqrt(M).
    delta = delta / Rational(2);
    const double l2 = std::sqrt(static_cast<double>(options.max_partitions));
    const bool square = l2 == std::floor(l2) && l2 * l2 == static_cast<double>(options.max_partitions);
    GAUZE_TRY(const GaussianMechanism noise,
              GaussianMechanism::make({.epsilon = options.epsilon,
                                       .delta = delta,
                                       .l2_sensitivity = square ? l2 : std::nextafter(l2, HUGE_VAL)}));
    // A count is a whole number: a grid no coarser than 1 holds it exactly.
    grid = Grid(std::min(0, noise.grid().exponent()));
    GAUZE_TRY(RoundedGaussianLaw law, RoundedGaussianLaw::make(noise.sigma() / grid.granularity()));
    result.law_ = std::make_shared<RoundedGaussianLaw>(std::move(law));
  } else {
    const Rational scale = Rational(options.max_partitions) / options.epsilon;
    if (options.noise == Noise::laplace) grid = Grid(std::min(0, scale.floor_log2() - 40));
    GAUZE_TRY(DiscreteLaplaceLaw law, DiscreteLaplaceLaw::make(scale / grid.granularity()));
    result.law_ = std::make_shared<DiscreteLaplaceLaw>(std::move(law));
  }
  result.threshold_ = {naming_threshold(*result.law_, grid.round(Rational(options.min_group)),
                                        delta_a_partition(delta, options.max_partitions)),
                       grid.exponent()};
  return result;
}

Result<PartitionSelection> PartitionSelection::make(const Options& options) {
  GAUZE_TRY_VOID(check(options));
  if (options.noise != Noise::optimal) return make_with_noise(options);
  if (options.epsilon / Rational(options.max_partitions) < Rational(1, 1'000'000'000)) {
    return invalid_parameter("epsilon divided by the number of partitions must be at least 1e-9");
  }
  PartitionSelection result(options);
  result.optimal_ = std::make_shared<const Optimal>(options);
  result.threshold_ = {static_cast<Int128>(result.optimal_->certain()) + options.min_group - 1, 0};
  return result;
}

double PartitionSelection::keep_probability(std::int64_t users) const {
  if (users < min_group_) return 0;
  if (optimal_) return optimal_->probability(users - min_group_ + 1, kPartitionPrecision).middle();
  const Int128 needed = threshold_.units - Grid(threshold_.exponent).round(Rational(users));
  constexpr Int128 kFar = Int128{1} << 61;
  if (needed > kFar) return 0;
  if (needed < -kFar) return 1;
  return law_->tail(static_cast<std::int64_t>(needed)).middle();
}

bool PartitionSelection::keep(RandomWords& random, std::int64_t users) const {
  const Int128 observed = users;
  NoiseObserver::report({.mechanism = "partition-selection",
                         .norm = NoiseEvent::Norm::maximum,
                         .declared_sensitivity = Rational(1),
                         .values = {&observed, 1},
                         .exponent = 0});
  if (optimal_) {
    const bool heads = internal::exact_bernoulli(random, [&](mpfr_prec_t precision) {
      return optimal_->probability(std::max<std::int64_t>(users - min_group_ + 1, 0), precision);
    });
    return heads && users >= min_group_;
  }
  std::array<std::int64_t, 1> noise{};
  law_->sample(random, noise);
  const Int128 noisy = Grid(threshold_.exponent).round(Rational(users)) + noise[0];
  return users >= min_group_ && noisy >= threshold_.units;
}

}  // namespace gauze
