#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"

namespace gauze::assess {

/// What a steward demands of every release: `tvd<=0.05`, `accuracy>=0.78`, `eod.sex<=0.05`.
struct Requirement {
  std::string text;    ///< as given
  std::string figure;  ///< its path in an epsilon's document, with points: "fairness.sex.eod_max"
  bool at_most = true;
  double bound = 0;

  /// `accuracy` is that of the first model, `eod.X` is `fairness.X.eod_max`, all else a path. Whether there is such a figure is
  /// seen when something was measured.
  [[nodiscard]] static Result<Requirement> parse(std::string_view text);
  /// What is not scored (NaN) is not met.
  [[nodiscard]] bool met(double value) const;
};

/// How often something held, and whether that is often enough.
struct Confirmation {
  std::size_t hits = 0;
  std::size_t runs = 0;
  double low = 0;  ///< Clopper and Pearson's lower bound of the probability, one-sided, 95 %
  [[nodiscard]] double share() const { return runs > 0 ? static_cast<double>(hits) / static_cast<double>(runs) : 0; }
};
/// Runs in which every requirement is met: values[requirement][run].
[[nodiscard]] Confirmation confirm(const std::vector<Requirement>& requirements,
                                   const std::vector<std::vector<double>>& values);

/// The fewest repetitions that can confirm a certainty (above 0, below 1), all of them hits: 29 for 0.9, 59 for 0.95.
[[nodiscard]] std::size_t repetitions_for(double certainty);

/// The first of a list from which on all pass; its size when the last does not.
[[nodiscard]] std::size_t first_passing(const std::vector<Confirmation>& list, double certainty);

}  // namespace gauze::assess
