#pragma once

#include <functional>

#include "gauze/random/seeded_random.h"
#include "gauze/text/statistics/word_statistics.h"

namespace gauze::text {

/// Fills p[y] = P[x -> y] for all words y.
using LawOfWord = std::function<void(std::size_t x, std::span<double> p)>;

/// The statistics by their definitions, from the law of every word: for mechanisms that are no SoftmaxMechanism. O(words)
/// of memory a thread, words x words of time. The same whatever the number of threads.
[[nodiscard]] Result<WordStatistics> statistics_of_laws(std::size_t words, const LawOfWord& law,
                                                        const StatisticsOptions& options,
                                                        Progress* progress = nullptr);

/// Draws an output for each of the words.
using DrawWords =
    std::function<void(std::span<const std::uint32_t> words, SeededRandom& random, std::span<std::uint32_t> out)>;

/// The 95 % interval of the mean that sampled values come from: normal, from their spread.
struct MeanInterval {
  double low = 0;
  double high = 0;
  double sd = 0;  ///< of the values
};
[[nodiscard]] MeanInterval mean_interval(std::span<const std::uint32_t> values);

/// What so many runs of a mechanism without a closed form tell, as the published experiments count it.
struct SampledStatistics {
  std::vector<std::uint32_t> words;     ///< that were looked at
  std::vector<double> stays;            ///< by those words: the share of runs in which it became itself
  std::vector<std::uint32_t> outputs;   ///< words that made up at least a share eta of the runs
  std::vector<std::uint32_t> distinct;  ///< different words
  MeanInterval mean_stays;              ///< of the mean of `stays` over the vocabulary; noise of the runs is in it
};
/// Looks at `sample` words, spread evenly over the vocabulary (public, and the same each time), or at all if they are
/// fewer. Simulation: the same seed gives the same.
[[nodiscard]] Result<SampledStatistics> sample_statistics(std::size_t vocabulary, std::size_t sample,
                                                          const DrawWords& draw, const StatisticsOptions& options,
                                                          std::uint64_t seed, Progress* progress = nullptr);
/// The same for chosen words.
[[nodiscard]] Result<SampledStatistics> sample_statistics(std::vector<std::uint32_t> words, const DrawWords& draw,
                                                          const StatisticsOptions& options, std::uint64_t seed,
                                                          Progress* progress = nullptr);

}  // namespace gauze::text
