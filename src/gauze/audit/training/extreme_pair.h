#pragma once

#include <string>
#include <vector>

#include "gauze/audit/model/recipe.h"
#include "gauze/learn/rows/learning_rows.h"

namespace gauze::audit {

/// Two neighbouring tables of almost nothing, as far apart as the policy allows, and where to look for the difference.
///
/// add-remove  : no row, or one unit.
/// replace-one : one unit, or another one in its place; where samples have a fixed size, in all other places units like the one.
struct ExtremePair {
  learn::LearningRows left;
  learn::LearningRows right;
  std::string what = {};              ///< in words
  double norm = 0;                    ///< of the gradient of the extreme record before it is clipped, in clips
  std::vector<double> in_sum = {};    ///< what the record changes of a step's sum, by coordinate, of length 1
  std::vector<double> in_model = {};  ///< what it changes of the weights of the model, of length 1; empty: nothing
};

/// Tries the ends of the policy's domain, with the largest weight: the gradient of such a record lies above the clip wherever the policy
/// allows it. Records are judged by the first step with everybody in it, by the code of `train`.
[[nodiscard]] Result<ExtremePair> extreme_pair(const Recipe& recipe, const schema::Policy& policy,
                                               const Progress& progress);

/// A policy for pairs where nobody named one: one number, two classes, weights that lift any gradient far above a clip.
[[nodiscard]] schema::Policy policy_of_pairs();

/// A cell of a numeric column, in the decimal sign of the policy's tables.
[[nodiscard]] std::string number_cell(double value, table::DecimalSign sign);

}  // namespace gauze::audit
