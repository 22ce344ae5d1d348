#pragma once

#include <string>
#include <vector>

#include "gauze/query/plan/operators.h"

namespace gauze::query {

/// The call of a listed function. `unsupported` for one that is not listed: volatile functions, and those of which nobody
/// has said what they do with every value.
[[nodiscard]] Result<ExpressionPtr> make_call(const Operators& operators, const std::string& name,
                                              std::vector<ExpressionPtr> arguments, TextSpan span);

/// All names of listed functions, for "did you mean".
[[nodiscard]] std::vector<std::string> function_names();

}  // namespace gauze::query
