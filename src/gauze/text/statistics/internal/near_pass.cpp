#include "gauze/text/statistics/internal/near_pass.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gauze::text::internal {

/// What a tile adds: for its rows in the first half, for its columns in the second.
struct NearPass::TileGathered {
  std::array<double, 2 * WordMetric::kTile> p{}, p2{}, p3{}, distinct{};
  std::array<std::uint32_t, 2 * WordMetric::kTile> outputs{}, inputs{};
};

NearPass::NearPass(const SoftmaxMechanism& mechanism, const SoftmaxMechanism::Sums& sums,
                   const StatisticsOptions& options)
    : mechanism_(mechanism), sums_(sums), options_(options), replaced_(mechanism.p().to_double()) {
  const std::size_t words = sums.weights.size();
  for (auto* const sum : {&gathered_.p, &gathered_.p2, &gathered_.p3, &gathered_.distinct}) sum->resize(words);
  gathered_.outputs.resize(words);
  gathered_.inputs.resize(words);
  contests_.push_back(begin_contest(mechanism, {}, sums.weights));
  if (!options.prior.empty()) contests_.push_back(begin_contest(mechanism, options.prior, sums.weights));
}

double NearPass::distinct_of(double p) const {
  return p >= 1 ? 1 : -std::expm1(static_cast<double>(options_.runs) * std::log1p(-p));
}

void NearPass::look(std::size_t x, double energy, std::size_t place_x, std::size_t place_y,
                    TileGathered& gathered) const {
  const double p = (is_output(x) ? 1 : replaced_) * std::exp(-energy) / sums_.weights[x];
  if (!reaches(p, near_chance(options_))) return;
  gathered.p[place_x] += p;
  gathered.p2[place_x] += p * p;
  gathered.p3[place_x] += p * p * p;
  gathered.distinct[place_x] += distinct_of(p);
  if (!reaches(p, options_.eta)) return;
  ++gathered.outputs[place_x];
  ++gathered.inputs[place_y];
}

void NearPass::look_at(const FoundPairs& found) {
  if (found.pairs.empty()) return;
  const bool diagonal = mechanism_.is_symmetric() && found.first_row == found.first_column;
  thread_local TileGathered gathered;
  gathered = {};
  for (const FoundPairs::Pair& pair : found.pairs) {
    const std::size_t x = found.first_row + pair.row;
    const std::size_t y = mechanism_.outputs()[found.first_column + pair.column];
    const double energy = mechanism_.energy(pair.granules);
    const std::size_t place_y = diagonal ? pair.column : WordMetric::kTile + pair.column;
    look(x, energy, pair.row, place_y, gathered);
    if (mechanism_.is_symmetric()) look(y, energy, place_y, pair.row, gathered);
  }
  const std::lock_guard lock(mutex_);
  add(found, gathered);
}

void NearPass::add(const FoundPairs& found, const TileGathered& gathered) {
  const auto raise = [&](std::size_t x, std::size_t y, double energy) {
    for (Contest& contest : contests_) contest.best[y] = std::max(contest.best[y], contest.score[x] - energy);
  };
  std::array<bool, 2 * WordMetric::kTile> done{};
  const auto add_word = [&](std::size_t place, std::size_t word) {
    if (std::exchange(done[place], true)) return;
    gathered_.p[word].add(gathered.p[place]);
    gathered_.p2[word].add(gathered.p2[place]);
    gathered_.p3[word].add(gathered.p3[place]);
    gathered_.distinct[word].add(gathered.distinct[place]);
    gathered_.outputs[word] += gathered.outputs[place];
    gathered_.inputs[word] += gathered.inputs[place];
  };
  const bool diagonal = mechanism_.is_symmetric() && found.first_row == found.first_column;
  for (const FoundPairs::Pair& pair : found.pairs) {
    const std::size_t x = found.first_row + pair.row;
    const std::size_t y = mechanism_.outputs()[found.first_column + pair.column];
    const double energy = mechanism_.energy(pair.granules);
    raise(x, y, energy);
    if (mechanism_.is_symmetric()) raise(y, x, energy);
    add_word(pair.row, x);
    add_word(diagonal ? pair.column : WordMetric::kTile + pair.column, y);
  }
}

double NearPass::success(const Contest& contest, std::span<const double> prior) const {
  double sum = 0;
  const std::size_t words = sums_.weights.size();
  const double even = 1 / static_cast<double>(words);
  for (std::size_t y = 0; y < words; ++y) {
    if (is_output(y))
      sum += std::exp(contest.best[y]) * (prior.empty() ? even : 1);
    else  // only the word itself is ever printed as this
      sum += (prior.empty() ? even : prior[y]) * (1 - replaced_);
  }
  return std::min(sum, 1.0);
}

WordStatistics NearPass::finish() const {
  WordStatistics result;
  const auto runs = static_cast<double>(options_.runs);
  const double pairs = runs * (runs - 1) / 2;
  const double triples = pairs * (runs - 2) / 3;
  const double tau = near_chance(options_);
  for (std::size_t x = 0; x < sums_.weights.size(); ++x) {
    const double z = sums_.weights[x];
    const bool drawn = is_output(x);
    const double q = drawn ? 1 : replaced_;
    const double stays = drawn ? q / z : 1 - q;
    double p = gathered_.p[x].value();
    double p2 = gathered_.p2[x].value();
    double p3 = gathered_.p3[x].value();
    double distinct = gathered_.distinct[x].value() + distinct_of(stays);
    if (drawn) {
      p += stays;
      p2 += stays * stays;
      p3 += stays * stays * stays;
    }
    const double far = std::max(q - p, 0.0);
    // What is left after taking off the near ones, as far as rounding lets it be seen: no far one is above tau.
    const double far2 = std::clamp(q * q * sums_.squares[x] / (z * z) - p2, 0.0, tau * far);
    const double far3 = std::clamp(q * q * q * sums_.cubes[x] / (z * z * z) - p3, 0.0, tau * tau * far);
    distinct += runs * far - pairs * far2 + triples * far3;
    result.stays.push_back(stays);
    result.outputs.push_back(gathered_.outputs[x] + (reaches(stays, options_.eta) ? 1U : 0U));
    result.inputs.push_back(gathered_.inputs[x] + (reaches(stays, options_.eta) ? 1U : 0U));
    result.distinct.push_back(distinct);
    double nats = q * (std::log(z) + sums_.energies[x] / z);
    if (q < 1) nats -= q * std::log(q) + (1 - q) * std::log(1 - q);
    result.entropy.push_back(std::max(nats, 0.0) / std::log(2.0));
  }
  result.bayes_uniform = success(contests_[0], {});
  if (!options_.prior.empty()) result.bayes_prior = success(contests_[1], options_.prior);
  return result;
}

}  // namespace gauze::text::internal
