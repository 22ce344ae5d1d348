#include "gauze/release/modes/level_selection.h"

namespace gauze::release {

using namespace schema;  // the vocabulary of this file

LevelSelection::LevelSelection(Options options, SelectionMechanism mechanism)
    : options_(std::move(options)), mechanism_(std::move(mechanism)) {}

Result<LevelSelection> LevelSelection::make(Options options) {
  GAUZE_TRY(SelectionMechanism mechanism,
            SelectionMechanism::make({.kind = SelectionMechanism::Kind::exponential,
                                      .epsilon = options.epsilon,
                                      .sensitivity = Rational(static_cast<std::int64_t>(options.most_rows)),
                                      .monotone = options.neighbours == Neighbours::add_remove,
                                      .neighbours = options.neighbours}));
  std::size_t combinations = 1;
  for (const auto& column : options.quasi) {
    combinations *= static_cast<std::size_t>(column->height() - column->lowest() + 1);
    if (combinations > kMostCandidates)
      return invalid_parameter("the quasi-identifiers have more than {} combinations of levels to choose from",
                               kMostCandidates);
  }
  LevelSelection result(std::move(options), std::move(mechanism));
  const auto& quasi = result.options_.quasi;
  std::vector<int> levels;
  for (const auto& column : quasi) levels.push_back(column->lowest());
  const Rational mean_noise(result.options_.mean_noise);
  for (std::size_t i = 0; i < combinations; ++i) {
    std::uint64_t cells = result.options_.other_cells;
    bool too_large = cells > result.options_.most_cells;
    for (std::size_t c = 0; c < quasi.size() && !too_large; ++c) {
      too_large = quasi[c]->size(levels[c]) > result.options_.most_cells / cells;
      if (!too_large) cells *= quasi[c]->size(levels[c]);
    }
    if (!too_large) {
      result.candidates_.push_back(levels);
      result.penalties_.push_back(Rational(static_cast<std::int64_t>(cells)) * mean_noise);
    }
    for (std::size_t c = quasi.size(); c-- > 0;) {
      if (++levels[c] <= quasi[c]->height()) break;
      levels[c] = quasi[c]->lowest();
    }
  }
  if (result.candidates_.empty())
    return invalid_parameter("the domain has more than {} cells at every combination of levels",
                             result.options_.most_cells);
  return result;
}

std::vector<Rational> LevelSelection::scores(const table::TupleCounts& tuples,
                                             std::span<const std::uint64_t> counts) const {
  Rational weight_sum = 0;
  for (const Rational& weight : options_.weights) weight_sum += weight;
  // sums[column][level]: over all records, the share their value stands for; 1 outside the domain.
  std::vector<std::vector<Rational>> sums(options_.quasi.size());
  for (std::size_t c = 0; c < options_.quasi.size(); ++c) {
    const DomainColumn& column = *options_.quasi[c];
    std::vector<std::uint64_t> by_value(tuples.dictionaries[c].values.size(), 0);
    for (std::size_t i = 0; i < counts.size(); ++i) by_value[tuples.codes[c][i]] += counts[i];
    for (int level = 0; level <= column.height(); ++level) {
      Rational sum = 0;
      if (level >= column.lowest()) {
        const std::vector<std::uint32_t> codes = column.encode(tuples.dictionaries[c], level);
        for (std::size_t value = 0; value < codes.size(); ++value) {
          const Rational share = codes[value] == kOutside ? Rational(1) : column.share(level, codes[value]);
          sum += share * Rational(static_cast<std::int64_t>(by_value[value]));
        }
      }
      sums[c].push_back(sum * options_.weights[c] / weight_sum);
    }
  }
  std::vector<Rational> result;
  result.reserve(candidates_.size());
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    Rational loss = penalties_[i];
    for (std::size_t c = 0; c < sums.size(); ++c) loss += sums[c][static_cast<std::size_t>(candidates_[i][c])];
    result.push_back(-loss);
  }
  return result;
}

Result<std::vector<int>> LevelSelection::release(SecureRandom& random, const std::vector<Rational>& scores) const {
  GAUZE_TRY(const std::vector<std::size_t> chosen, mechanism_.release(random, scores));
  return candidates_[chosen.front()];
}

Result<std::vector<int>> LevelSelection::simulate(SeededRandom& random, const std::vector<Rational>& scores) const {
  GAUZE_TRY(const std::vector<std::size_t> chosen, mechanism_.simulate(random, scores));
  return candidates_[chosen.front()];
}

}  // namespace gauze::release
