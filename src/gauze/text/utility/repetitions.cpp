#include "gauze/text/utility/repetitions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/random/seeded_random.h"
#include "gauze/text/statistics/word_statistics.h"

namespace gauze::text {

RepeatedFigure over_repetitions(std::span<const double> values) {
  GAUZE_CHECK(!values.empty());
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  if (sorted.front() == sorted.back()) return {sorted.front(), sorted.front(), sorted.front(), 0};
  double sum = 0;
  for (const double value : sorted) sum += value;
  const auto n = static_cast<double>(sorted.size());
  double squares = 0;
  for (const double value : sorted) squares += (value - sum / n) * (value - sum / n);
  return {sum / n, quantile_of(sorted, 0.025), quantile_of(sorted, 0.975), std::sqrt(squares / (n - 1))};
}

std::uint64_t seed_at(std::uint64_t seed, const Rational& epsilon) {
  return SeededRandom(seed, std::bit_cast<std::uint64_t>(epsilon.to_double())).next();
}

std::uint64_t seed_of(std::uint64_t seed, std::size_t repetition, std::size_t set) {
  GAUZE_CHECK(set < 256);
  return SeededRandom(seed, std::uint64_t{repetition} << 8 | set).next();
}

}  // namespace gauze::text
