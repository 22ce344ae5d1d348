#pragma once

#include "gauze/files/json.h"
#include "gauze/learn/model/model_file.h"

namespace gauze::learn {

/// {"kind","inputs","target","layers","parameters"}, and of linear models {"intercept","coefficients"} (by class where there are several).
[[nodiscard]] Json model_json(const ModelFile& model);

/// An array as nested lists.
[[nodiscard]] Json nested_json(std::span<const double> values, std::span<const std::size_t> shape);

}  // namespace gauze::learn
