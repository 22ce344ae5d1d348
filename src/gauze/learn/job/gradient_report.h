#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gauze/files/json.h"
#include "gauze/learn/model/model_file.h"
#include "gauze/learn/rows/learning_rows.h"

namespace gauze::learn {

/// How gradients of a model are to be shown.
struct GradientRequest {
  Rational clip = 1;
  std::vector<std::pair<std::string, Rational>> scales = {};  ///< by name of input; others 1
  NormMode mode = NormMode::ghost;
};

/// Norms and factors of rows, and the sum of their clipped gradients, without noise: {"samples","sum","internal"}. For checking the
/// engine against others; INTERNAL. Rows without a target have norm 0.
[[nodiscard]] Result<Json> gradient_report(const ModelFile& model, const LearningRows& rows,
                                           const GradientRequest& request);

}  // namespace gauze::learn
