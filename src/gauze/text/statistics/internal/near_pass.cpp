#include "gauze/text/statistics/internal/near_pass.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gauze/base/parallel.h"

namespace gauze::text::internal {
namespace {

constexpr std::size_t kFavourites = 8;  // words that are tried first as a guess for every output
constexpr double kNever = -std::numeric_limits<double>::infinity();

/// Rounded to single precision and moved outwards by more than the rounding; what is beyond 1e18 does not matter.
float up(double value) {
  const double within = std::clamp(value, -1e18, 1e18);
  return static_cast<float>(within + std::abs(within) * 0x1p-22);
}
float down(double value) { return -up(-value); }

}  // namespace

/// What a tile's words are tested with.
struct NearPass::Lane {
  std::array<float, WordMetric::kTile> near{};
  std::array<std::array<float, WordMetric::kTile>, kContests> score{};
  std::array<std::array<float, WordMetric::kTile>, kContests> best{};
};

/// What a tile adds: for its rows in the first half, for its columns in the second.
struct NearPass::TileGathered {
  std::array<double, 2 * WordMetric::kTile> p{}, p2{}, p3{}, distinct{};
  std::array<std::uint32_t, 2 * WordMetric::kTile> outputs{}, inputs{};
  bool used = false;
};

NearPass::NearPass(const SoftmaxMechanism& mechanism, const SoftmaxMechanism::Sums& sums,
                   const StatisticsOptions& options)
    : mechanism_(mechanism),
      sums_(sums),
      options_(options),
      rate_(mechanism.epsilon().to_double() / 2),
      tau_(std::min(options.eta, 0.05 / static_cast<double>(options.runs))),
      error_(up(mechanism.metric().rough_error())) {
  const std::size_t words = sums.weights.size();
  if (mechanism.outputs().size() < words) {
    is_output_.resize(words);
    for (const std::uint32_t y : mechanism.outputs()) is_output_[y] = true;
  }
  for (std::size_t x = 0; x < words; ++x) {
    factor_.push_back(mechanism.may_stay(x) ? mechanism.p().to_double() : 1);
    // exp(-rate d) factor / Z >= tau; a little further, since weights are of distances rounded up or down.
    const double radius = std::log(factor_[x] / (tau_ * sums.weights[x])) / rate_;
    near_.push_back(radius < -1e-9
                        ? -error_ - 1
                        : up(radius >= mechanism.largest_distance() ? 1e18 : radius * radius * (1 + 1e-9) + 1e-9));
  }
  for (auto* const sum : {&gathered_.p, &gathered_.p2, &gathered_.p3, &gathered_.distinct}) sum->resize(words);
  gathered_.outputs.resize(words);
  gathered_.inputs.resize(words);
  contests_.reserve(kContests);
  add_contest({});
  if (!options.prior.empty()) add_contest(options.prior);
}

double NearPass::weight(std::uint32_t granules) const {
  return std::exp(-rate_ * mechanism_.metric().granule() * std::min(granules, mechanism_.weights().cap_granules()));
}

void NearPass::add_contest(std::span<const double> prior) {
  const std::size_t words = sums_.weights.size();
  contests_.push_back({{}, kNever, std::vector<std::atomic<double>>(words)});
  Contest& contest = contests_.back();
  for (std::size_t x = 0; x < words; ++x) {
    contest.log_score.push_back((prior.empty() ? 0 : std::log(prior[x])) + std::log(factor_[x] / sums_.weights[x]));
    contest.offset = std::max(contest.offset, contest.log_score[x]);
  }
  start_contest(contest);
}

void NearPass::start_contest(Contest& contest) {
  const std::size_t words = sums_.weights.size();
  std::vector<std::uint32_t> order(words);
  std::iota(order.begin(), order.end(), 0U);
  const std::size_t count = std::min(kFavourites, words);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](std::uint32_t a, std::uint32_t b) { return contest.log_score[a] > contest.log_score[b]; });
  parallel_for(words, 512, [&](std::size_t begin, std::size_t end) {
    for (std::size_t y = begin; y < end; ++y) {
      double best = contest.log_score[y];  // of a word for itself
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t x = order[i];
        best = std::max(best, contest.log_score[x] + std::log(weight(mechanism_.metric().granules(x, y))));
      }
      contest.best[y].store(best, std::memory_order_relaxed);
    }
  });
}

void NearPass::raise(Contest& contest, std::size_t y, double value) {
  double known = contest.best[y].load(std::memory_order_relaxed);
  while (value > known && !contest.best[y].compare_exchange_weak(known, value, std::memory_order_relaxed)) {
  }
}

double NearPass::distinct_of(double p) const {
  return p >= 1 ? 1 : -std::expm1(static_cast<double>(options_.runs) * std::log1p(-p));
}

void NearPass::look(std::size_t x, std::size_t y, double weight, std::size_t place_x, std::size_t place_y,
                    TileGathered& gathered) {
  if (!is_output(y)) return;
  const double p = chance(x, weight);
  for (Contest& contest : contests_) raise(contest, y, contest.log_score[x] + std::log(weight));
  if (p < tau_) return;
  gathered.used = true;
  gathered.p[place_x] += p;
  gathered.p2[place_x] += p * p;
  gathered.p3[place_x] += p * p * p;
  gathered.distinct[place_x] += distinct_of(p);
  if (p < options_.eta) return;
  ++gathered.outputs[place_x];
  ++gathered.inputs[place_y];
}

void NearPass::prepare(Lane& lane, std::size_t first, std::size_t count) const {
  for (std::size_t i = 0; i < count; ++i) lane.near[i] = near_[first + i];
  for (std::size_t j = 0; j < contests_.size(); ++j) {
    const Contest& contest = contests_[j];
    for (std::size_t i = 0; i < count; ++i) {
      // Relative to the best of all, so that single precision is fine where it matters.
      lane.score[j][i] = up((contest.log_score[first + i] - contest.offset) / rate_);
      const double best = contest.best[first + i].load(std::memory_order_relaxed);
      lane.best[j][i] = down((best - contest.offset) / rate_) - 1e-6F;
    }
  }
}

void NearPass::visit(const WordMetric::RoughTile& tile) {
  thread_local Lane rows;
  thread_local Lane columns;
  thread_local TileGathered gathered;
  gathered = {};
  prepare(rows, tile.first_row, tile.rows);
  prepare(columns, tile.first_column, tile.columns);
  const ColumnTests tests{columns.near.data(),
                          {columns.score[0].data(), columns.score[1].data()},
                          {columns.best[0].data(), columns.best[1].data()}};
  const bool diagonal = tile.first_row == tile.first_column;
  std::array<std::uint16_t, WordMetric::kTile> found{};
  for (std::size_t r = 0; r < tile.rows; ++r) {
    const PairTest row{rows.near[r], {rows.score[0][r], rows.score[1][r]}, {rows.best[0][r], rows.best[1][r]}};
    const std::size_t count = find_near(tile.row(r).data(), diagonal ? r + 1 : 0, tile.columns, error_, row, tests,
                                        contests_.size(), found.data());
    const std::size_t x = tile.first_row + r;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t y = tile.first_column + found[i];
      const double w = weight(mechanism_.metric().granules(x, y));
      const std::size_t place_y = diagonal ? found[i] : WordMetric::kTile + found[i];
      look(x, y, w, r, place_y, gathered);
      look(y, x, w, place_y, r, gathered);
    }
  }
  if (!gathered.used) return;
  const std::lock_guard lock(mutex_);
  const auto add = [&](std::size_t place, std::size_t word) {
    gathered_.p[word].add(gathered.p[place]);
    gathered_.p2[word].add(gathered.p2[place]);
    gathered_.p3[word].add(gathered.p3[place]);
    gathered_.distinct[word].add(gathered.distinct[place]);
    gathered_.outputs[word] += gathered.outputs[place];
    gathered_.inputs[word] += gathered.inputs[place];
  };
  for (std::size_t r = 0; r < tile.rows; ++r) add(r, tile.first_row + r);
  for (std::size_t c = 0; c < tile.columns && !diagonal; ++c) add(WordMetric::kTile + c, tile.first_column + c);
}

double NearPass::success(const Contest& contest, std::span<const double> prior) const {
  double sum = 0;
  const std::size_t words = sums_.weights.size();
  const double even = 1 / static_cast<double>(words);
  for (std::size_t y = 0; y < words; ++y) {
    if (is_output(y))
      sum += std::exp(contest.best[y].load(std::memory_order_relaxed)) * (prior.empty() ? even : 1);
    else  // only the word itself is ever printed as this
      sum += (prior.empty() ? even : prior[y]) * (1 - factor_[y]);
  }
  return std::min(sum, 1.0);
}

WordStatistics NearPass::finish() {
  WordStatistics result;
  const auto runs = static_cast<double>(options_.runs);
  const double pairs = runs * (runs - 1) / 2;
  const double triples = pairs * (runs - 2) / 3;
  for (std::size_t x = 0; x < sums_.weights.size(); ++x) {
    const double z = sums_.weights[x];
    const double q = factor_[x];
    const bool drawn = is_output(x);
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
    const double far2 = std::clamp(q * q * sums_.squares[x] / (z * z) - p2, 0.0, tau_ * far);
    const double far3 = std::clamp(q * q * q * sums_.cubes[x] / (z * z * z) - p3, 0.0, tau_ * tau_ * far);
    distinct += runs * far - pairs * far2 + triples * far3;
    result.stays.push_back(stays);
    result.outputs.push_back(gathered_.outputs[x] + (stays >= options_.eta ? 1U : 0U));
    result.inputs.push_back(gathered_.inputs[x] + (stays >= options_.eta ? 1U : 0U));
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
