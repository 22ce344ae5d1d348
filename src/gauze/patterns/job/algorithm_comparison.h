#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/files/json.h"
#include "gauze/label/label.h"
#include "gauze/patterns/audit/hiding_metrics.h"
#include "gauze/patterns/hiding/hide.h"

namespace gauze::patterns {

/// One algorithm at one margin.
struct ComparedRun {
  std::uint64_t margin = 0;
  HidingResult result;  ///< without the transactions
  HidingMetrics metrics;
  double seconds = 0;  ///< of processor time, without that of an external solver
};

/// One algorithm at several margins, the smallest first.
struct ComparedAlgorithm {
  HidingAlgorithm algorithm = HidingAlgorithm::border;
  std::string skipped = {};  ///< why, when it did not run
  std::vector<ComparedRun> runs = {};

  [[nodiscard]] std::string_view name() const { return word_of(kAlgorithmWords, algorithm); }
};

/// What each way to hide the same patterns costs. For the owner alone: it names the patterns, and every figure is computed
/// from the original.
struct AlgorithmComparison {
  std::uint64_t transactions = 0;
  std::uint64_t items = 0;
  std::uint64_t min_count = 0;
  HidingLevel level = HidingLevel::h2;        ///< that was asked for
  std::vector<ComparedAlgorithm> algorithms;  ///< those that ran first; at least one ran
  std::vector<Warning> warnings = {};         ///< about figures that are not counted, and kPartProtected

  /// Of the algorithm that stands first, at the smallest margin.
  [[nodiscard]] const ComparedRun& first_run() const { return algorithms.front().runs.front(); }
  [[nodiscard]] bool reached(const ComparedRun& run) const { return run.result.level >= level; }
};

/// Hides with each algorithm at the margin of the options and at 10, 25 and 50 % of the threshold more, `exact` at the first
/// alone. `invalid_parameter` when there is no pattern to hide; `unsupported`, with its reason, when no algorithm can run.
[[nodiscard]] Result<AlgorithmComparison> compare_algorithms(const Database& database, const SensitiveList& sensitive,
                                                             const HidingOptions& options,
                                                             std::span<const HidingAlgorithm> algorithms,
                                                             Progress& progress);

/// The document that programs and the report read: docs/formats/json-output.md. `file`: what the transactions are called.
[[nodiscard]] Json to_json(const AlgorithmComparison& comparison, std::string_view file);

/// Hides and measures once, at the margin of the options. `unsupported` when the algorithm cannot run on these transactions.
[[nodiscard]] Result<ComparedRun> compared_run(const Database& database, const SensitiveList& sensitive,
                                               const HidingOptions& options, Progress& progress);
/// A run as it stands in documents; `wanted` is the level that was asked for.
[[nodiscard]] Json to_json(const ComparedRun& run, HidingLevel wanted);

/// INTERNAL: a comparison promises nothing and is not to be published.
[[nodiscard]] PrivacyLabel comparison_label();

}  // namespace gauze::patterns
