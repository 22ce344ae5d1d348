#pragma once

#include <string_view>
#include <variant>

#include "gauze/collect/task/any_task_spec.h"
#include "gauze/collect/task/central_task.h"
#include "gauze/collect/task/task.h"

namespace gauze::collect {

/// A task of either kind, for whoever keeps them side by side. What is done with reports depends on the kind.
using AnyTask = std::variant<Task, CentralTask>;

[[nodiscard]] Result<AnyTask> make_any_task(AnyTaskSpec spec);
/// Reads the document of a task back, by its `mode`: Task::parse() or CentralTask::parse().
[[nodiscard]] Result<AnyTask> parse_any_task(std::string_view json);

/// What both kinds have.
[[nodiscard]] const DeviceTask& device_task(const AnyTask& task);
/// check() of either kind.
[[nodiscard]] Result<void> check_any_task(const AnyTask& task);

}  // namespace gauze::collect
