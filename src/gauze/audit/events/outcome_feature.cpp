#include "gauze/audit/events/outcome_feature.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <optional>

#include "gauze/audit/events/discriminant.h"

namespace gauze::audit {
namespace {

/// Single coordinates are looked at in vectors up to this many; of longer ones those whose means differ most.
constexpr std::size_t kMostCoordinates = 32;

/// Of 0 the exponent of the least double, as if all bits below were set to nothing: it is a multiple of everything.
double lowest_bit(double value) {
  constexpr double kOfZero = 1'100;
  if (!std::isfinite(value)) return NAN;
  if (value == 0) return kOfZero;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);  // 0.5 <= |fraction| < 1, 53 bits
  const auto whole = static_cast<std::uint64_t>(std::abs(std::ldexp(fraction, 53)));
  return exponent - 53 + std::countr_zero(whole);
}

double coordinate_of(const Outcomes& side, std::size_t run, std::size_t coordinate) {
  const std::span<const double> numbers = side.numbers(run);
  return coordinate < numbers.size() ? numbers[coordinate] : NAN;
}

double sum_of(std::span<const double> numbers) {
  if (numbers.empty()) return NAN;
  double sum = 0;
  for (const double one : numbers) sum += std::isnan(one) ? 0 : one;
  return sum;
}

double text_of(const Outcomes& side, std::size_t run) {
  return side.kind(run) == Outcomes::Kind::text ? static_cast<double>(side.word(run)) : NAN;
}

/// What each side alone showed in its first runs; nothing where nothing was shown twice, since then nothing will be again.
std::optional<OutcomeFeature> seen_feature(const OutcomePair& pair, std::size_t left, std::size_t right,
                                           std::size_t coordinate, bool of_texts) {
  OutcomeFeature feature{.kind = OutcomeFeature::Kind::seen, .coordinate = coordinate, .of_texts = of_texts};
  bool has_repeats = false;
  const auto values_of = [&](const Outcomes& side, std::size_t runs) {
    std::vector<double> values;
    for (std::size_t run = 0; run < runs; ++run) {
      const double value = of_texts ? text_of(side, run) : coordinate_of(side, run, coordinate);
      if (!std::isnan(value)) values.push_back(value);
    }
    std::sort(values.begin(), values.end());
    const auto end = std::unique(values.begin(), values.end());
    has_repeats = has_repeats || end != values.end();
    values.erase(end, values.end());
    return values;
  };
  const std::vector<double> on_left = values_of(pair.left, left);
  const std::vector<double> on_right = values_of(pair.right, right);
  if (!has_repeats) return std::nullopt;
  std::set_difference(on_left.begin(), on_left.end(), on_right.begin(), on_right.end(),
                      std::back_inserter(feature.left_alone));
  std::set_difference(on_right.begin(), on_right.end(), on_left.begin(), on_left.end(),
                      std::back_inserter(feature.right_alone));
  if (feature.left_alone.empty() && feature.right_alone.empty()) return std::nullopt;
  return feature;
}

}  // namespace

double OutcomeFeature::of(const OutcomePair& pair, const Outcomes& side, std::size_t run) const {
  switch (kind) {
    case Kind::value:
      return coordinate_of(side, run, coordinate);
    case Kind::magnitude:
      return std::abs(coordinate_of(side, run, coordinate));
    case Kind::lowest_bit:
      return lowest_bit(coordinate_of(side, run, coordinate));
    case Kind::negative: {
      const double value = coordinate_of(side, run, coordinate);
      return std::isnan(value) ? NAN : static_cast<double>(std::signbit(value));
    }
    case Kind::present: {
      if (side.kind(run) != Outcomes::Kind::numbers) return NAN;
      return std::isnan(coordinate_of(side, run, coordinate)) ? 0 : 1;
    }
    case Kind::sum:
      return sum_of(side.numbers(run));
    case Kind::discriminant: {
      const std::span<const double> numbers = side.numbers(run);
      if (numbers.empty()) return NAN;
      double sum = 0;
      for (const auto& [place, weight] : weights)
        if (place < numbers.size() && std::isfinite(numbers[place])) sum += weight * numbers[place];
      return sum;
    }
    case Kind::dimensions:
      return side.kind(run) == Outcomes::Kind::numbers ? static_cast<double>(side.numbers(run).size()) : NAN;
    case Kind::kind:
      return static_cast<double>(side.kind(run));
    case Kind::text:
      return text_of(side, run);
    case Kind::seen: {
      const double value = of_texts ? text_of(side, run) : coordinate_of(side, run, coordinate);
      if (std::isnan(value)) return NAN;
      if (std::binary_search(left_alone.begin(), left_alone.end(), value)) return 1;
      return std::binary_search(right_alone.begin(), right_alone.end(), value) ? 2 : 0;
    }
    case Kind::length:
      if (side.kind(run) == Outcomes::Kind::failure) return NAN;
      return static_cast<double>(side.kind(run) == Outcomes::Kind::text ? pair.length(side.word(run))
                                                                        : side.word(run));
    case Kind::failure:
      return side.kind(run) == Outcomes::Kind::failure ? static_cast<double>(side.word(run)) : NAN;
  }
  return NAN;
}

bool OutcomeFeature::is_ordered() const {
  switch (kind) {
    case Kind::negative:
    case Kind::present:
    case Kind::kind:
    case Kind::text:
    case Kind::failure:
    case Kind::seen:
      return false;
    default:
      return true;
  }
}

std::vector<OutcomeFeature> features_of(const OutcomePair& pair, std::size_t left, std::size_t right) {
  using Kind = OutcomeFeature::Kind;
  std::vector<OutcomeFeature> features;
  const auto either = [&](Outcomes::Kind kind) { return pair.left.has(kind) || pair.right.has(kind); };
  // of events that tell the same the first is taken: that it fails says more than that it gives a value of at least 0
  if (either(Outcomes::Kind::failure)) features.push_back({.kind = Kind::failure});
  features.push_back({.kind = Kind::kind});
  if (either(Outcomes::Kind::numbers)) {
    const std::size_t width = std::max(pair.left.dimensions(), pair.right.dimensions());
    const DiscriminantSearch search(pair, left, right);
    const auto telling = search.telling_coordinates(kMostCoordinates);
    for (const std::size_t coordinate : telling)
      for (const Kind kind : {Kind::value, Kind::magnitude, Kind::lowest_bit, Kind::negative, Kind::present})
        features.push_back({.kind = kind, .coordinate = coordinate});
    if (pair.names.empty()) features.push_back({.kind = Kind::dimensions});  // else each may be present or not
    if (width > 1) {
      features.push_back({.kind = Kind::sum});
      for (auto& weights : search.discriminants())
        features.push_back({.kind = Kind::discriminant, .weights = std::move(weights)});
    }
    for (const std::size_t coordinate : telling)
      if (auto seen = seen_feature(pair, left, right, coordinate, false)) features.push_back(std::move(*seen));
  }
  if (either(Outcomes::Kind::text)) {
    features.push_back({.kind = Kind::text});
    if (auto seen = seen_feature(pair, left, right, 0, true)) features.push_back(std::move(*seen));
  }
  if (pair.left.has_lengths() || pair.right.has_lengths()) features.push_back({.kind = Kind::length});
  return features;
}

}  // namespace gauze::audit
