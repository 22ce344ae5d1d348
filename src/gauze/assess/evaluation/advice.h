#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/assess/evaluation/evaluation.h"

namespace gauze::assess {

/// What the thesis advises for the scenario of an evaluation, held against its sweep.
struct Advice {
  std::string_view source;  ///< "closing list", "Table 4.7"
  Rational epsilon;
  std::optional<double>
      won;  ///< share of the repetitions in which it had the highest score, with any k; none: not tried
  bool above_ceiling =
      false;  ///< it lies above what the scenario's profile lets a release spend, so that it cannot win
};

/// Empty without a scenario.
[[nodiscard]] std::vector<Advice> advice_of(const Evaluation& evaluation);
/// The same in words, a sentence each.
[[nodiscard]] std::string advice_text(const Evaluation& evaluation);

}  // namespace gauze::assess
