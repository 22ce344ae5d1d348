#include "gauze/mechanisms/selection/selection.h"

#include <numeric>

#include "gauze/mechanisms/internal/majorant_choice.h"
#include "gauze/mechanisms/internal/parameters.h"
#include "gauze/mechanisms/internal/selection_strategy.h"
#include "gauze/mechanisms/noise/noise_observer.h"

namespace gauze {
namespace {

Result<void> check_scores(std::span<const Rational> scores) {
  if (scores.empty()) return invalid_parameter("there must be at least one score");
  if (scores.size() > internal::MajorantChoice::kMaxPieces) {
    return invalid_parameter("there may be at most {} scores, but there are {}", internal::MajorantChoice::kMaxPieces,
                             scores.size());
  }
  for (const Rational& score : scores) {
    if (!score.is_defined()) return invalid_parameter("every score must be a finite number");
  }
  return {};
}

void report(std::span<const Rational> scores, const Rational& sensitivity) {
  const Grid grid(sensitivity.floor_log2() - 40);
  std::vector<Int128> units;
  units.reserve(scores.size());
  for (const Rational& score : scores) units.push_back(grid.round(score));
  NoiseObserver::report({.mechanism = "selection",
                         .norm = NoiseEvent::Norm::maximum,
                         .declared_sensitivity = grid.steps_up(sensitivity),
                         .values = units,
                         .exponent = grid.exponent()});
}

}  // namespace

SelectionMechanism::SelectionMechanism(const Options& options) : options_(options) {}

Result<SelectionMechanism> SelectionMechanism::make(const Options& options) {
  GAUZE_TRY_VOID(internal::check_epsilon(options.epsilon));
  GAUZE_TRY_VOID(internal::check_sensitivity(options.sensitivity));
  GAUZE_TRY_VOID(check_one_unit(options.neighbours));
  if (options.monotone && options.neighbours != Neighbours::add_remove) {
    return invalid_parameter(
        "monotone scores save half of the noise only when neighbours add or remove one unit: replacing one moves "
        "some scores up and others down; leave out monotone, or use add-remove");
  }
  return SelectionMechanism(options);
}

Result<std::unique_ptr<internal::SelectionStrategy>> SelectionMechanism::prepare(
    std::span<const Rational> scores) const {
  GAUZE_TRY_VOID(check_scores(scores));
  const Rational rate = options_.epsilon / (options_.sensitivity * Rational(options_.monotone ? 1 : 2));
  switch (options_.kind) {
    case Kind::exponential:
      return internal::make_exponential(scores, rate);
    case Kind::base2_exponential:
      return internal::make_base2_exponential(scores, rate);
    case Kind::permute_and_flip:
      return internal::make_permute_and_flip(scores, rate);
    case Kind::noisy_max:
      return internal::make_noisy_max(scores, rate, options_.sensitivity);
  }
  return make_error(ErrorCode::internal, "unknown selection mechanism");
}

Result<std::vector<std::size_t>> SelectionMechanism::select(RandomWords& random, std::span<const Rational> scores,
                                                            std::size_t count, Progress* progress) const {
  GAUZE_TRY(const auto strategy, prepare(scores));
  report(scores, options_.sensitivity);
  std::vector<std::size_t> selected(count);
  for (std::size_t& index : selected) {
    if (progress != nullptr) {
      GAUZE_TRY_VOID(progress->check());
      progress->advance();
    }
    index = strategy->draw(random);
  }
  return selected;
}

Result<std::vector<std::size_t>> SelectionMechanism::release(SecureRandom& random, std::span<const Rational> scores,
                                                             std::size_t count, Progress* progress) const {
  return select(random, scores, count, progress);
}

Result<std::vector<std::size_t>> SelectionMechanism::simulate(SeededRandom& random, std::span<const Rational> scores,
                                                              std::size_t count, Progress* progress) const {
  return select(random, scores, count, progress);
}

Result<std::vector<double>> SelectionMechanism::probabilities(std::span<const Rational> scores) const {
  GAUZE_TRY(const auto strategy, prepare(scores));
  GAUZE_TRY(std::vector<double> result, strategy->probabilities());
  // What rounding left of the sum beside 1 is spread evenly: no probability comes out above 1.
  const double total = std::accumulate(result.begin(), result.end(), 0.0);
  for (double& probability : result) probability /= total;
  return result;
}

}  // namespace gauze
