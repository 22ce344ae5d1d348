#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/text/mechanisms/softmax_mechanism.h"

namespace gauze::text {

/// What a mechanism does to each word of a vocabulary, and what an attacker makes of it. Everything is public: it follows
/// from vectors, mechanism and epsilon.
struct WordStatistics {
  std::vector<double> stays;               ///< N_w: the chance that a word becomes itself
  std::vector<std::uint32_t> outputs;      ///< S_w: how many words it becomes with a chance of at least eta
  std::vector<std::uint32_t> inputs;       ///< S*_y: how many words become it with a chance of at least eta
  std::vector<double> distinct;            ///< expected number of different outputs in so many runs
  std::vector<double> entropy;             ///< of the output, in bits
  double bayes_uniform = 0;                ///< how often the best guess is right, all words being equally frequent
  std::optional<double> bayes_prior = {};  ///< the same for words as frequent as the prior says
};

struct StatisticsOptions {
  double eta = 0.01;                   ///< in (0, 1]
  std::uint64_t runs = 100;            ///< 1 to kMostRuns
  std::span<const double> prior = {};  ///< of each word, adding up to 1; empty: only the uniform one
  static constexpr std::uint64_t kMostRuns = 100'000;
};

/// Whether a chance counts as at least eta: within 2^-38, to which chances are known.
[[nodiscard]] inline bool reaches(double chance, double eta) { return chance >= eta * (1 - 0x1p-38); }

/// `invalid_parameter` when eta or runs cannot be.
[[nodiscard]] Result<void> check_options(const StatisticsOptions& options);

/// The statistics of SanText, SanText+ and TEM for several mechanisms on the same vectors with the same outputs, such as a
/// curve over epsilon; distances are computed once for all.
///
/// How exact: probabilities are those of the integer weights within 2^-38 relative; counts are those of these numbers;
/// `distinct` is within 1e-5 relative besides up to 2,000 runs, and within 5e-4 beyond: there the third term below is small
/// beside what it is left over from.
/// How fast : one pass over all pairs. Pairs with a probability above 0.05 / runs or eta are looked at one by one; all
/// others together enter `distinct` by the first three terms of 1 - (1 - P)^runs = runs P - ..., from sums of P, P^2, P^3.
/// Which pairs these are depends on sums that are known after the pass only: they are guessed first, and where the guess
/// was wrong a second pass follows. O(words) of memory: about 400 bytes a word and mechanism, and at most 70 MB or 1 KB a
/// word for pairs that wait.
[[nodiscard]] Result<std::vector<WordStatistics>> word_statistics(std::span<const SoftmaxMechanism> mechanisms,
                                                                  const StatisticsOptions& options,
                                                                  Progress* progress = nullptr);

/// N_w alone: one pass.
[[nodiscard]] Result<std::vector<double>> chances_to_stay(const SoftmaxMechanism& mechanism,
                                                          Progress* progress = nullptr);

/// One figure over the words of a vocabulary; quantiles interpolate between neighbours.
struct Spread {
  double mean = 0;
  double q05 = 0;
  double q50 = 0;
  double q95 = 0;
};
[[nodiscard]] Spread spread_of(std::span<const double> values);
[[nodiscard]] Spread spread_of(std::span<const std::uint32_t> values);
/// The q-quantile, 0 <= q <= 1; values are not empty.
[[nodiscard]] double quantile_of(std::span<const double> values, double q);

}  // namespace gauze::text
