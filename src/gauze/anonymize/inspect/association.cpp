#include "gauze/anonymize/inspect/association.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gauze/base/error.h"

namespace gauze::anonymize {

namespace {

struct Margins {
  std::vector<double> first;
  std::vector<double> second;
  double total = 0;
};

Margins margins_of(const table::TupleCounts& pairs) {
  GAUZE_CHECK(pairs.codes.size() == 2);
  Margins margins{.first = std::vector<double>(pairs.dictionaries[0].values.size(), 0),
                  .second = std::vector<double>(pairs.dictionaries[1].values.size(), 0)};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto count = static_cast<double>(pairs.counts[i]);
    margins.first[pairs.codes[0][i]] += count;
    margins.second[pairs.codes[1][i]] += count;
    margins.total += count;
  }
  return margins;
}

}  // namespace

double mutual_information(const table::TupleCounts& pairs) {
  const Margins margins = margins_of(pairs);
  double sum = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto count = static_cast<double>(pairs.counts[i]);
    sum += count / margins.total *
           std::log(count * margins.total / (margins.first[pairs.codes[0][i]] * margins.second[pairs.codes[1][i]]));
  }
  return std::max(sum, 0.0);
}

namespace {

/// Chi-square / n: the sum of n_ij^2 / (n_i n_j), minus 1; cells that are empty add nothing.
double mean_square_contingency(const table::TupleCounts& pairs, const Margins& margins) {
  double sum = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto count = static_cast<double>(pairs.counts[i]);
    sum += count * count / (margins.first[pairs.codes[0][i]] * margins.second[pairs.codes[1][i]]);
  }
  return std::max(sum - 1, 0.0);
}

}  // namespace

double cramers_v(const table::TupleCounts& pairs) {
  const Margins margins = margins_of(pairs);
  const std::size_t smaller = std::min(margins.first.size(), margins.second.size());
  if (smaller < 2 || margins.total == 0) return 0;
  return std::sqrt(std::min(mean_square_contingency(pairs, margins) / static_cast<double>(smaller - 1), 1.0));
}

double cramers_v_without_chance(const table::TupleCounts& pairs) {
  const Margins margins = margins_of(pairs);
  const auto first = static_cast<double>(margins.first.size());
  const auto second = static_cast<double>(margins.second.size());
  const double rest = margins.total - 1;
  if (std::min(first, second) < 2 || rest <= 0) return 0;
  const double excess = mean_square_contingency(pairs, margins) - (first - 1) * (second - 1) / rest;
  const double size =
      std::min(first - 1 - (first - 1) * (first - 1) / rest, second - 1 - (second - 1) * (second - 1) / rest);
  return excess <= 0 || size <= 0 ? 0 : std::sqrt(std::min(excess / size, 1.0));
}

}  // namespace gauze::anonymize
