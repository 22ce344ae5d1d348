#pragma once

#include "gauze/assess/evaluation/baselines.h"
#include "gauze/assess/evaluation/sweep.h"

namespace gauze::assess {

/// k-anonymity alone, differential privacy alone, and both: side by side, at one epsilon, over repetitions.
struct Comparison {
  struct Method {
    std::string name;  ///< "k-anonymity", "differential-privacy", "hybrid"
    std::optional<std::uint64_t> k;
    std::optional<Rational> epsilon;
    double suppressed = 0;  ///< share of the rows in classes smaller than k
    FigureList figures;
    std::vector<std::vector<double>> values;  ///< [figure][repetition]
  };
  Rational epsilon;
  double generalisation_loss = 0;
  std::vector<Method> methods;
  [[nodiscard]] Json to_json() const;
};

/// `view` is the table at the levels compared; all methods use the same.
[[nodiscard]] Result<Comparison> compare(const EvaluationSetting& setting, const EvaluationData& data,
                                         const LevelView& view, const Rational& epsilon,
                                         const std::optional<Baselines>& baselines, Progress& progress);

}  // namespace gauze::assess
