#pragma once

#include <span>
#include <string>
#include <vector>

#include "gauze/patterns/job/algorithm_comparison.h"

namespace gauze::patterns {

/// One algorithm at one place of a series.
struct SeriesRun {
  HidingAlgorithm algorithm = HidingAlgorithm::border;
  std::string skipped = {};  ///< why, when it did not run
  std::optional<ComparedRun> run = {};
};

/// The same work with another threshold, or with another number of patterns.
struct SeriesPoint {
  HidingThreshold threshold;
  std::size_t patterns = 0;     ///< so many of the list, the first ones
  std::vector<SeriesRun> runs;  ///< one for each algorithm, in the order asked for
};

/// What hiding costs as the threshold moves and as patterns are added: the figures that papers on hiding draw. For the owner alone.
struct ComparisonSeries {
  std::vector<SeriesPoint> thresholds;  ///< all patterns, each hidden below this threshold
  std::vector<SeriesPoint> numbers;     ///< the first patterns of the list, at the threshold of the options
  std::vector<Warning> warnings = {};   ///< about figures that are not counted; each once

  [[nodiscard]] bool is_empty() const { return thresholds.empty() && numbers.empty(); }
};

/// Where the series have their points.
struct SeriesPlan {
  std::vector<HidingThreshold> thresholds = {};
  std::vector<std::size_t> numbers = {};
};

/// Hides at each point with each algorithm, at the margin of the options. Thresholds that patterns bring of their own stay.
/// `invalid_parameter` when a number is 0 or larger than the list is.
[[nodiscard]] Result<ComparisonSeries> compare_series(const Database& database, const SensitiveList& sensitive,
                                                      const HidingOptions& options,
                                                      std::span<const HidingAlgorithm> algorithms,
                                                      const SeriesPlan& plan, Progress& progress);

/// `thresholds` and `numbers`, each a list of points: docs/formats/json-output.md.
[[nodiscard]] Json to_json(const ComparisonSeries& series, HidingLevel wanted);

}  // namespace gauze::patterns
