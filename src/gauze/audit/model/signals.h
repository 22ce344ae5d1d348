#pragma once

#include <span>
#include <vector>

#include "gauze/files/json.h"
#include "gauze/learn/model/model_file.h"
#include "gauze/learn/rows/learning_rows.h"

namespace gauze::audit {

/// What a model says of records, f_y being its probability of the true class: what attacks read. A record is a unit: means over its rows.
/// Every figure is computed from the outputs before the softmax, so that a model that is sure still differs from one that is surer. The
/// margins of a support vector machine are taken for such outputs.
struct Signals {
  std::vector<double> logit = {};       ///< ln f_y less ln of the sum of all other probabilities
  std::vector<double> confidence = {};  ///< f_y
  std::vector<double> loss = {};        ///< ln f_y
  std::vector<double> entropy = {};     ///< sum of p ln p
  std::vector<double> modified_entropy =
      {};                           ///< (1 - p_y) ln p_y + sum over others of p ln(1 - p) (Song, Mittal 2021)
  std::vector<double> right = {};   ///< 1 where the largest output is the true class
  std::vector<float> answers = {};  ///< the probabilities, class by class

  [[nodiscard]] std::size_t records() const { return logit.size(); }
};

/// Of these units, in this order; each has at least one row.
[[nodiscard]] Result<Signals> signals_of(const learn::ModelFile& model, const learn::LearningRows& rows,
                                         std::span<const std::uint32_t> units);

}  // namespace gauze::audit
