#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gauze/collect/estimate/estimates.h"
#include "gauze/collect/reports/aggregate.h"
#include "gauze/collect/task/any_task.h"

namespace gauze::collect {

/// What is asked of counted reports besides every value by itself.
struct ResultRequest {
  Consistency consistency = Consistency::norm_sub;
  std::vector<std::vector<std::string>> sums = {};                    ///< sets of values by their texts
  std::vector<std::pair<std::string, std::string>> comparisons = {};  ///< a minus b
};

/// What a task's reports say, with errors.
struct CollectedResult {
  struct Sum {
    std::vector<std::string> values;
    std::optional<NoisyFigure> figure;  ///< none without reports
  };
  struct Comparison {
    std::string a;
    std::string b;
    std::optional<NoisyFigure> figure;
  };

  const Task* task = nullptr;
  std::uint64_t reports = 0;
  RejectedReports rejected;
  std::uint64_t duplicates = 0;
  std::optional<FrequencyEstimate> frequency;
  std::optional<std::vector<double>> consistent;
  std::optional<std::vector<std::uint64_t>> consistent_counts;
  std::optional<std::vector<std::string>> percents;
  std::vector<Sum> sums;
  std::vector<Comparison> comparisons;
  std::optional<MeanEstimate> mean;
  std::vector<Warning> warnings;

  [[nodiscard]] PrivacyLabel label() const;
};

/// What counting needs to know of a task.
[[nodiscard]] ReportTask report_task(const Task& task);
/// Of a central one: no cells, and a counter that tells which records are out of range.
[[nodiscard]] ReportTask report_task(const CentralTask& task);
[[nodiscard]] ReportTask report_task(const AnyTask& task);

/// `invalid_parameter` for a value that the task does not have, one that is twice in a sum, and for what does not fit the question. The
/// task must outlive the result.
[[nodiscard]] Result<CollectedResult> make_result(const Task& task, const Aggregate& aggregate,
                                                  const ResultRequest& request);
[[nodiscard]] Json to_json(const CollectedResult& result);

/// {"estimate","sd","low","high"}, or null.
[[nodiscard]] Json to_json(const std::optional<NoisyFigure>& figure);

/// {"malformed","damaged","unknown_task","parameter_mismatch","out_of_range"}
[[nodiscard]] Json to_json(const RejectedReports& rejected);

}  // namespace gauze::collect
