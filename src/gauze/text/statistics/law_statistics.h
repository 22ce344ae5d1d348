#pragma once

#include <functional>

#include "gauze/text/statistics/word_statistics.h"

namespace gauze::text {

/// Fills p[y] = P[x -> y] for all words y.
using LawOfWord = std::function<void(std::size_t x, std::span<double> p)>;

/// The statistics by their definitions, from the law of every word: for mechanisms that are no SoftmaxMechanism. O(words)
/// of memory a thread, words x words of time. The same whatever the number of threads.
[[nodiscard]] Result<WordStatistics> statistics_of_laws(std::size_t words, const LawOfWord& law,
                                                        const StatisticsOptions& options,
                                                        Progress* progress = nullptr);

}  // namespace gauze::text
