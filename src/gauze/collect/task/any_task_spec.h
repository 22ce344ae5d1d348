#pragma once

#include <string_view>
#include <variant>

#include "gauze/collect/task/central_spec.h"
#include "gauze/collect/task/task_spec.h"

namespace gauze::collect {

/// A specification of either kind.
using AnyTaskSpec = std::variant<TaskSpec, CentralSpec>;

/// Reads a specification, by its `mode`. Total: any bytes give one or an error with its line.
[[nodiscard]] Result<AnyTaskSpec> parse_any_task_spec(std::string_view yaml, std::string_view name = "");

}  // namespace gauze::collect
