#pragma once

#include <optional>
#include <string_view>

#include "gauze/label/label.h"

namespace gauze::internal {

/// What a parameter of a label looks like. Nothing else has a place in one.
enum class ParameterShape {
  plain,      ///< a number, a text, true, false or null
  list,       ///< of plain ones
  digests,    ///< an object of SHA-256 whose keys are public names of files or tables
  by_column,  ///< an object of numbers whose keys are names of columns, which may be any text; or null
};

/// How a parameter of this name looks in a label of this definition; nothing when the definition declares none of it.
///
/// All names are of public choices: how the data was treated, never what it was. Whoever adds a mechanism declares its
/// parameters here, and has them read by somebody else.
[[nodiscard]] std::optional<ParameterShape> declared_shape(Definition definition, Neighbours neighbours,
                                                           std::string_view name);

}  // namespace gauze::internal
