#include "gauze/mechanisms/selection/sparse_vector.h"

#include <array>
#include <cmath>
#include <utility>

#include "gauze/mechanisms/internal/parameters.h"
#include "gauze/mechanisms/noise/noise_observer.h"

namespace gauze {

SparseVector::SparseVector(const Options& options, Grid grid, Rational threshold_epsilon, Rational query_epsilon,
                           DiscreteLaplaceLaw query_noise)
    : grid_(grid),
      sensitivity_units_(grid.steps_up(options.sensitivity)),
      threshold_epsilon_(std::move(threshold_epsilon)),
      query_epsilon_(std::move(query_epsilon)),
      query_noise_(std::move(query_noise)),
      answers_left_(options.max_above) {}

SparseVector::SparseVector(SparseVector&& other) noexcept
    : grid_(other.grid_),
      sensitivity_units_(other.sensitivity_units_),
      threshold_epsilon_(other.threshold_epsilon_),
      query_epsilon_(other.query_epsilon_),
      query_noise_(other.query_noise_),
      noisy_threshold_(other.noisy_threshold_),
      answers_left_(std::exchange(other.answers_left_, 0)) {}

Result<SparseVector> SparseVector::make_with(const Options& options, RandomWords& random) {
  GAUZE_TRY_VOID(internal::check_epsilon(options.epsilon));
  GAUZE_TRY_VOID(internal::check_sensitivity(options.sensitivity));
  if (!options.threshold.is_defined()) return invalid_parameter("the threshold must be a finite number");
  if (options.max_above < 1 || options.max_above > 1'000'000) {
    return invalid_parameter("max_above must lie between 1 and 1000000, but is {}", options.max_above);
  }
  Rational share = options.threshold_share;
  if (share == Rational(0)) {
    const double m = static_cast<double>(options.max_above) * (options.monotone ? 1 : 2);
    share = Rational(1 / (1 + std::cbrt(m * m)));
  }
  if (!share.is_defined() || share.sign() <= 0 || share >= Rational(1)) {
    return invalid_parameter("the threshold's share of epsilon must lie between 0 and 1");
  }
  const Rational threshold_epsilon = options.epsilon * share;
  const Rational query_epsilon = options.epsilon - threshold_epsilon;

  const Grid grid = Grid::finer_than(options.sensitivity, 20);
  const Rational sensitivity = grid.steps_up(options.sensitivity);
  const Rational factor(options.monotone ? options.max_above : 2 * options.max_above);
  GAUZE_TRY(DiscreteLaplaceLaw query_noise, DiscreteLaplaceLaw::make(factor * sensitivity / query_epsilon));
  GAUZE_TRY(const DiscreteLaplaceLaw threshold_noise, DiscreteLaplaceLaw::make(sensitivity / threshold_epsilon));

  SparseVector result(options, grid, threshold_epsilon, query_epsilon, std::move(query_noise));
  std::array<std::int64_t, 1> noise{};
  threshold_noise.sample(random, noise);
  result.noisy_threshold_ = grid.round(options.threshold) + noise[0];
  return result;
}

Result<SparseVector> SparseVector::make(const Options& options, SecureRandom& random) {
  return make_with(options, random);
}

Result<SparseVector> SparseVector::make_simulation(const Options& options, SeededRandom& random) {
  return make_with(options, random);
}

Result<bool> SparseVector::answer(RandomWords& random, Int128 query) {
  if (answers_left_ == 0) {
    return make_error(ErrorCode::budget_exhausted,
                      "all answers that may be yes have been given; no query is answered");
  }
  NoiseObserver::report({.mechanism = "sparse-vector",
                         .norm = NoiseEvent::Norm::maximum,
                         .declared_sensitivity = sensitivity_units_,
                         .values = {&query, 1},
                         .exponent = grid_.exponent()});
  std::array<std::int64_t, 1> noise{};
  query_noise_.sample(random, noise);
  const bool above = query + noise[0] >= noisy_threshold_;
  if (above) --answers_left_;
  return above;
}

}  // namespace gauze
