#include "gauze/text/mechanisms/softmax_mechanism.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <numeric>

#include "gauze/base/interval.h"
#include "gauze/text/mechanisms/internal/weight_kernels.h"
#include "gauze/text/mechanisms/internal/wide_sum.h"

namespace gauze::text {
namespace {

constexpr mpfr_prec_t kSumPrecision = 192;

/// distance / 2^-granule_bits, rounded up, at most the metric's cap.
std::uint32_t granules_up(const Interval& distance, int granule_bits) {
  const Interval granules = distance * Interval(Rational::power_of_two(granule_bits), kSumPrecision);
  const double up = std::ceil(granules.high());
  return up >= WordMetric::kMostGranules ? WordMetric::kMostGranules : static_cast<std::uint32_t>(std::max(up, 0.0));
}

Result<std::uint32_t> tem_cap(const SoftmaxMechanism::Options& options, const WordMetric& metric) {
  if (options.gamma.has_value() == options.beta.has_value()) {
    return invalid_parameter("tem needs either gamma or beta, one of them");
  }
  if (options.gamma) {
    if (!options.gamma->is_defined() || options.gamma->sign() <= 0) {
      return invalid_parameter("gamma must be finite and positive, but is {}", options.gamma->to_decimal());
    }
    return granules_up(Interval(*options.gamma, kSumPrecision), metric.granule_bits());
  }
  const Rational& beta = *options.beta;
  if (!beta.is_defined() || beta.sign() <= 0 || beta >= Rational(1)) {
    return invalid_parameter("beta must lie between 0 and 1, but is {}", beta.to_decimal());
  }
  const Rational others = static_cast<std::int64_t>(metric.vectors().size()) - 1;
  const Rational odds = (Rational(1) - beta) * others / beta;
  if (odds <= Rational(1)) return 0;  // the published gamma is not positive: all words are alike
  return granules_up(Interval(Rational(2) / options.epsilon, kSumPrecision) * Interval(odds, kSumPrecision).log(),
                     metric.granule_bits());
}

}  // namespace

std::string_view to_string(SoftmaxKind kind) {
  switch (kind) {
    case SoftmaxKind::santext:
      return "santext";
    case SoftmaxKind::santext_plus:
      return "santext+";
    case SoftmaxKind::tem:
      return "tem";
  }
  return "";
}

Result<SoftmaxMechanism> SoftmaxMechanism::make(WordMetric metric, const Options& options) {
  if (!options.epsilon.is_defined() || options.epsilon.sign() <= 0) {
    return invalid_parameter("epsilon must be finite and positive, but is {}", options.epsilon.to_decimal());
  }
  if (metric.vectors().size() > kMostWords) {
    return invalid_parameter("the vocabulary has {} words, at most {} are allowed", metric.vectors().size(),
                             kMostWords);
  }
  std::uint32_t cap = WordMetric::kMostGranules;
  if (options.kind == SoftmaxKind::tem) {
    GAUZE_TRY(cap, tem_cap(options, metric));
  } else if (options.gamma || options.beta) {
    return invalid_parameter("gamma and beta belong to tem, not to {}", to_string(options.kind));
  }
  GAUZE_TRY(ExactWeights weights, ExactWeights::make({.epsilon = options.epsilon,
                                                      .granule_bits = metric.granule_bits(),
                                                      .largest_granules = metric.largest_granules(),
                                                      .cap_granules = cap}));
  SoftmaxMechanism mechanism(std::move(metric), std::move(weights));
  mechanism.kind_ = options.kind;
  const std::size_t words = mechanism.metric_.vectors().size();
  if (options.kind == SoftmaxKind::santext_plus) {
    if (options.sensitive.size() != words) {
      return invalid_parameter("santext+ needs to know of every word whether it is sensitive");
    }
    GAUZE_TRY_VOID(mechanism.set_p(options));
    mechanism.sensitive_ = options.sensitive;
  } else if (!options.sensitive.empty()) {
    return invalid_parameter("sensitive words belong to santext+, not to {}", to_string(options.kind));
  }
  for (std::uint32_t word = 0; word < words; ++word) {
    if (mechanism.sensitive_.empty() || mechanism.sensitive_[word]) mechanism.outputs_.push_back(word);
  }
  if (mechanism.outputs_.empty()) return invalid_parameter("santext+ needs at least one sensitive word");
  return mechanism;
}

Result<void> SoftmaxMechanism::set_p(const Options& options) {
  const Rational& p = options.p;
  if (!p.is_defined() || p.sign() <= 0 || p > Rational(1)) {
    return invalid_parameter("p must be above 0 and at most 1, but is {}", p.to_decimal());
  }
  if (mpz_sizeinbase(mpq_denref(p.gmp()), 2) > 63)
    return invalid_parameter("p has too many digits, at most 18 are drawn exactly");
  p_ = p;
  p_numerator_ = mpz_get_ui(mpq_numref(p.gmp()));
  p_denominator_ = mpz_get_ui(mpq_denref(p.gmp()));
  return {};
}

double SoftmaxMechanism::epsilon0() const {
  if (sensitive_.empty()) return 0;
  return (-Interval(p_, kSumPrecision).log()).high();
}

std::vector<Weight> SoftmaxMechanism::weight_row(std::size_t x) const {
  std::vector<Weight> row;
  row.reserve(outputs_.size());
  for (const std::uint32_t y : outputs_) row.push_back(weights_.weight(metric_.granules(x, y)));
  return row;
}

SoftmaxMechanism::Law SoftmaxMechanism::law(std::size_t x) const {
  const std::vector<Weight> row = weight_row(x);
  Weight sum = 0;
  for (const Weight weight : row) sum += weight;
  Law law;
  const double log_sum = log_of(sum);
  const double replaced = may_stay(x) ? p_.to_double() : 1;
  if (may_stay(x)) law.stays = (Rational(1) - p_).to_double();
  for (const Weight weight : row) {
    law.p.push_back(replaced * (to_double(weight) / to_double(sum)));
    law.log_p.push_back(std::log(replaced) + log_of(weight) - log_sum);
  }
  return law;
}

namespace {

std::vector<std::uint32_t> all_words(const WordMetric& metric) {
  std::vector<std::uint32_t> all(metric.vectors().size());
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

}  // namespace

Result<void> SoftmaxMechanism::visit_distances(const WordMetric::TileVisitor& visit, Progress* progress) const {
  const std::vector<std::uint32_t> all = all_words(metric_);
  if (progress != nullptr)
    progress->begin("weighing words", is_symmetric() ? WordMetric::symmetric_steps(all.size())
                                                     : WordMetric::steps(all.size(), outputs_.size()));
  return is_symmetric() ? metric_.symmetric_tiles(all, visit, progress)
                        : metric_.tiles(all, outputs_, visit, progress);
}

Result<std::vector<Weight>> SoftmaxMechanism::normalisers(Progress* progress) const {
  std::vector<Weight> sums(metric_.vectors().size());
  std::mutex mutex;
  // Sums of integers: the order in which threads add does not matter.
  const auto visit = [&](const WordMetric::Tile& tile) {
    std::array<Weight, WordMetric::kTile> of_rows{};
    std::array<Weight, WordMetric::kTile> of_columns{};
    for (std::size_t r = 0; r < tile.rows; ++r) {
      Weight sum = 0;
      const auto granules = tile.row(r);
      for (std::size_t c = 0; c < tile.columns; ++c) {
        const Weight weight = weights_.weight(granules[c]);
        sum += weight;
        of_columns[c] += weight;
      }
      of_rows[r] = sum;
    }
    const std::lock_guard lock(mutex);
    for (std::size_t r = 0; r < tile.rows; ++r) sums[tile.first_row + r] += of_rows[r];
    if (!is_symmetric() || tile.first_row == tile.first_column) return;
    for (std::size_t c = 0; c < tile.columns; ++c) sums[tile.first_column + c] += of_columns[c];
  };
  GAUZE_TRY_VOID(visit_distances(visit, progress));
  return sums;
}

namespace {

/// Sums of one tile that are added to those of all.
class TileSums {
 public:
  void add(const WordMetric::Tile& tile, double rate, std::uint32_t cap) {
    for (auto& sums : columns_) sums.fill(0);
    const internal::ColumnSums places{
        {columns_[0].data(), columns_[1].data(), columns_[2].data(), columns_[3].data()}};
    internal::add_weights(tile.granules, tile.rows, tile.columns, rate, cap, places, rows_.data());
  }
  [[nodiscard]] double row(std::size_t s, std::size_t r) const { return rows_[r][s]; }
  [[nodiscard]] double column(std::size_t s, std::size_t c) const { return columns_[s][c]; }

 private:
  std::array<internal::RowSums, WordMetric::kTile> rows_{};
  std::array<std::array<double, WordMetric::kTile>, internal::kWeightSums> columns_{};
};

}  // namespace

Result<SoftmaxMechanism::Sums> SoftmaxMechanism::approximate_sums(Progress* progress) const {
  GAUZE_TRY(auto sums, approximate_sums(std::span(this, 1), progress));
  return std::move(sums.front());
}

namespace {

/// Sums of each of several mechanisms, by word.
class SumsByWord {
 public:
  SumsByWord(std::span<const SoftmaxMechanism> mechanisms, std::size_t words)
      : mechanisms_(mechanisms), totals_(mechanisms.size()) {
    for (auto& total : totals_)
      for (auto& sums : total) sums.resize(words);
  }
  /// From several threads at once. `mirrored`: the tile stands for its mirror image, too.
  void add(const WordMetric::Tile& tile, bool mirrored) {
    thread_local TileSums tile_sums;
    for (std::size_t m = 0; m < mechanisms_.size(); ++m) {
      tile_sums.add(tile, mechanisms_[m].energy(1), mechanisms_[m].weights().cap_granules());
      const std::lock_guard lock(mutex_);
      for (std::size_t s = 0; s < internal::kWeightSums; ++s) {
        auto& total = totals_[m][s];
        for (std::size_t r = 0; r < tile.rows; ++r) total[tile.first_row + r].add(tile_sums.row(s, r));
        for (std::size_t c = 0; c < tile.columns && mirrored; ++c)
          total[tile.first_column + c].add(tile_sums.column(s, c));
      }
    }
  }
  [[nodiscard]] std::vector<SoftmaxMechanism::Sums> values() const {
    std::vector<SoftmaxMechanism::Sums> result(mechanisms_.size());
    for (std::size_t m = 0; m < mechanisms_.size(); ++m) {
      SoftmaxMechanism::Sums& sums = result[m];
      const std::array<std::vector<double>*, internal::kWeightSums> places = {&sums.weights, &sums.energies,
                                                                              &sums.squares, &sums.cubes};
      for (std::size_t s = 0; s < internal::kWeightSums; ++s)
        for (const internal::WideSum& sum : totals_[m][s]) places[s]->push_back(sum.value());
    }
    return result;
  }

 private:
  std::span<const SoftmaxMechanism> mechanisms_;
  std::vector<std::array<std::vector<internal::WideSum>, internal::kWeightSums>> totals_;
  std::mutex mutex_;
};

}  // namespace

Result<std::vector<SoftmaxMechanism::Sums>> SoftmaxMechanism::approximate_sums(
    std::span<const SoftmaxMechanism> mechanisms, Progress* progress, const WordMetric::TileVisitor& besides) {
  if (mechanisms.empty()) return std::vector<Sums>();
  const SoftmaxMechanism& first = mechanisms.front();
  const std::size_t words = first.metric_.vectors().size();
  for (const SoftmaxMechanism& one : mechanisms)
    GAUZE_CHECK(one.metric_.vectors().size() == words && one.outputs_ == first.outputs_);
  SumsByWord sums(mechanisms, words);
  const auto visit = [&](const WordMetric::Tile& tile) {
    sums.add(tile, first.is_symmetric() && tile.first_row != tile.first_column);
    if (besides) besides(tile);
  };
  GAUZE_TRY_VOID(first.visit_distances(visit, progress));
  return sums.values();
}

Result<std::vector<SoftmaxMechanism::Sums>> SoftmaxMechanism::partial_sums(
    std::span<const SoftmaxMechanism> mechanisms, std::span<const std::uint32_t> outputs) {
  if (mechanisms.empty()) return std::vector<Sums>();
  const WordMetric& metric = mechanisms.front().metric_;
  const std::vector<std::uint32_t> all = all_words(metric);
  SumsByWord sums(mechanisms, all.size());
  GAUZE_TRY_VOID(metric.tiles(all, outputs, [&](const WordMetric::Tile& tile) { sums.add(tile, false); }));
  return sums.values();
}

}  // namespace gauze::text
