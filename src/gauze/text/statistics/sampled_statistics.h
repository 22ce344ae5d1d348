#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/random/seeded_random.h"
#include "gauze/text/statistics/word_statistics.h"

namespace gauze::text {

/// Draws an output for each of the words.
using DrawWords =
    std::function<void(std::span<const std::uint32_t> words, SeededRandom& random, std::span<std::uint32_t> out)>;

struct SamplingOptions {
  StatisticsOptions figures = {};
  std::uint64_t draws = 1000;  ///< of each word: at least figures.runs and 2, at most kMostDraws
  std::uint64_t seed = 0;
  static constexpr std::uint64_t kMostDraws = 1'000'000;
  static constexpr std::uint64_t kMostInAll = 50'000'000;  ///< words that are looked at, times draws
};

/// A figure's mean over the vocabulary: its 95 % interval, and the deviation between the words that were looked at.
struct MeanInterval {
  double low = 0;
  double high = 0;
  double sd = 0;
};

/// How often the best guess is right, from both sides.
struct SampledGuess {
  double success = 0;  ///< of who learns from one half of the draws of every word and is tested on the other half
  double low = 0;      ///< success less 1.96 standard errors: on average nobody beats the best guess
  double high =
      0;  ///< of the best guess on the very draws it was learnt from, and 1.96 standard errors: too good on average
};

/// What draws tell of a mechanism without a closed form.
///
/// stays   : the share of draws. Interval: Wilson's for the draws, and the spread of words that were not looked at.
/// outputs : words that make up a share eta of the draws or more. A share near eta may be on the other side of it by chance:
///           `low` counts words that come too often for that, but for 0.5 %, `high` all that are not too rare for it.
/// distinct: in `runs` of the draws, on average over all choices of so many (rarefaction): unbiased. The interval has room
///           for rare outputs that never came, as that of the entropy has.
/// entropy : of the shares it is too small on average, by at most log2(1 + (V - 1) / draws) (Paninski 2003). Reported is the
///           estimate of Miller and Madow, not beyond that; the interval begins below the one and ends above the other.
/// Guesses : see SampledGuess; standard errors by bounded differences (McDiarmid 1989), at
///           least as large as those of any mechanism.
struct SampledStatistics {
  std::uint64_t draws = 0;           ///< of each word
  std::vector<std::uint32_t> words;  ///< that were looked at; the next four are by these
  std::vector<double> stays;
  std::vector<std::uint32_t> outputs;
  std::vector<double> distinct;
  std::vector<double> entropy;
  MeanInterval mean_stays;
  MeanInterval mean_outputs;
  MeanInterval mean_inputs;  ///< that of outputs: both count the same pairs; sd is not a number without `inputs`
  MeanInterval mean_distinct;
  MeanInterval mean_entropy;
  /// Where all words were looked at: by output, the words that become it with a share eta or more; how often a guess is right.
  std::optional<std::vector<std::uint32_t>> inputs;
  std::optional<SampledGuess> bayes_uniform;
  std::optional<SampledGuess> bayes_prior;
};

/// Different words of a vocabulary, of which a sample may be all. O(vocabulary) of memory. Simulation: the same seed gives
/// the same whatever the number of threads. `invalid_parameter` when there are no words, or the options cannot be.
[[nodiscard]] Result<SampledStatistics> sample_statistics(std::size_t vocabulary, std::vector<std::uint32_t> words,
                                                          const DrawWords& draw, const SamplingOptions& options,
                                                          Progress* progress = nullptr);

/// So many words, ascending, one at random from each of as many equal stretches of the vocabulary; or all if they are
/// fewer.
[[nodiscard]] std::vector<std::uint32_t> spread_words(std::size_t vocabulary, std::size_t sample, std::uint64_t seed);

}  // namespace gauze::text
