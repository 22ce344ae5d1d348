#include "gauze/collect/central/internal/query_noise.h"

#include <algorithm>

#include "gauze/mechanisms/noise/geometric.h"
#include "gauze/mechanisms/noise/laplace.h"

namespace gauze::collect::internal {
namespace {

constexpr std::uint64_t kMostValueCandidates = 4'096;
constexpr std::int64_t kGridCandidates = 1'024;

QueryNoise::Drawn with_reach(AdditiveMechanism mechanism, const Rational& level) {
  Rational reach = mechanism.noise_interval(level).to_rational();
  return {std::move(mechanism), std::move(reach)};
}

Result<AdditiveMechanism> noise_on_counts(const Rational& epsilon, const Rational& weight, std::size_t cells) {
  GAUZE_TRY(GeometricMechanism mechanism,
            GeometricMechanism::make(
                {.epsilon = epsilon, .l1_sensitivity = weight, .dimension = static_cast<std::int64_t>(cells)}));
  return AdditiveMechanism(std::move(mechanism));
}

/// On whole units where their mechanism holds the sensitivity and the noise; else on a public grid that goes by the noise.
Result<AdditiveMechanism> noise_on_sum(const Rational& epsilon, const Rational& sensitivity) {
  if (sensitivity <= Rational::power_of_two(52) && sensitivity / epsilon <= Rational::power_of_two(40)) {
    GAUZE_TRY(GeometricMechanism mechanism,
              GeometricMechanism::make({.epsilon = epsilon, .l1_sensitivity = sensitivity}));
    return AdditiveMechanism(std::move(mechanism));
  }
  GAUZE_TRY(LaplaceMechanism mechanism, LaplaceMechanism::make({.epsilon = epsilon, .l1_sensitivity = sensitivity}));
  return AdditiveMechanism(std::move(mechanism));
}

Rational largest_size(const NumberField& field) {
  const Rational low(field.low);
  return std::max(low.sign() < 0 ? -low : low,
                  Rational(field.high).sign() < 0 ? -Rational(field.high) : Rational(field.high));
}

}  // namespace

QuantileGrid::QuantileGrid(const NumberField& field)
    : low_(field.low),
      width_(Rational(field.high) - Rational(field.low)),
      is_value_each_(field.range() < kMostValueCandidates) {
  size_ = is_value_each_ ? static_cast<std::size_t>(field.range()) + 1 : static_cast<std::size_t>(kGridCandidates);
  if (is_value_each_) return;
  for (std::size_t i = 0; i < size_; ++i) edges_.push_back(*candidate(i).ceil().to_int64());
}

Rational QuantileGrid::candidate(std::size_t index) const {
  const auto place = static_cast<std::int64_t>(index);
  if (is_value_each_) return Rational(low_) + Rational(place);
  return Rational(low_) + width_ * Rational(place + 1, kGridCandidates);
}

std::size_t QuantileGrid::not_above(std::int64_t number) const {
  if (is_value_each_) return static_cast<std::size_t>(number - low_) + 1;
  return static_cast<std::size_t>(std::upper_bound(edges_.begin(), edges_.end(), number) - edges_.begin());
}

Result<QueryNoise> QueryNoise::make(QueryKind kind, const RecordField* field, const Rational& epsilon,
                                    const Rational& weight) {
  QueryNoise noise;
  noise.sensitivity = weight;
  const Rational level = kind == QueryKind::mean ? Rational(975, 1000) : Rational(95, 100);
  switch (kind) {
    case QueryKind::count: {
      GAUZE_TRY(AdditiveMechanism count, noise_on_counts(epsilon, weight, 1));
      noise.count = with_reach(std::move(count), level);
      break;
    }
    case QueryKind::histogram: {
      const auto cells = static_cast<std::size_t>(field->high() - field->low()) + 1;
      GAUZE_TRY(AdditiveMechanism count, noise_on_counts(epsilon, weight, cells));
      noise.count = with_reach(std::move(count), level);
      break;
    }
    case QueryKind::sum: {
      noise.sensitivity = weight * largest_size(field->number);
      GAUZE_TRY(AdditiveMechanism sum, noise_on_sum(epsilon, noise.sensitivity));
      noise.sum = with_reach(std::move(sum), level);
      break;
    }
    case QueryKind::mean: {
      const Rational half = epsilon / Rational(2);
      const Rational range = Rational(field->number.high) - Rational(field->number.low);
      noise.sensitivity = weight * range / Rational(2);
      GAUZE_TRY(AdditiveMechanism sum, noise_on_sum(half, weight * range));
      noise.sum = with_reach(std::move(sum), level);
      GAUZE_TRY(AdditiveMechanism count, noise_on_counts(half, weight, 1));
      noise.count = with_reach(std::move(count), level);
      break;
    }
    case QueryKind::quantile: {
      noise.grid.emplace(field->number);
      GAUZE_TRY(noise.choice, SelectionMechanism::make({.epsilon = epsilon, .sensitivity = weight}));
      break;
    }
  }
  return noise;
}

}  // namespace gauze::collect::internal
