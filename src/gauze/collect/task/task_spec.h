#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gauze/base/error.h"
#include "gauze/collect/mechanisms/local_mechanism.h"
#include "gauze/collect/task/number_field.h"
#include "gauze/collect/task/task_terms.h"
#include "gauze/collect/task/value_list.h"

namespace gauze::collect {

/// What a task lets a device spend, on top of the app's own limits.
struct TaskLimits {
  std::optional<std::uint32_t> reports_per_period = {};
  std::optional<std::int64_t> window_seconds = {};
  std::optional<std::uint64_t> window_nano = {};
  std::optional<std::uint64_t> lifetime_nano = {};
};

/// What a person says who wants to collect something under local differential privacy (docs/formats/collect.md).
struct TaskSpec : TaskTerms {
  Question question = Question::frequency;
  ValueList values;    ///< of a frequency
  bool other = false;  ///< the last of them stands for all that is not listed
  NumberField number;  ///< of a mean
  bool variance = false;
  std::string mechanism = "auto";
  TaskLimits limits;

  [[nodiscard]] std::uint32_t size() const { return question == Question::frequency ? values.size() : 0; }
};

/// Reads the specification of a local task. Total: any bytes give one or an error with its line.
[[nodiscard]] Result<TaskSpec> parse_task_spec(std::string_view yaml, std::string_view name = "");

/// What every specification must obey, wherever it comes from: the name, the ceiling of its profile (`not_private`).
[[nodiscard]] Result<void> check_task_spec(const TaskSpec& spec);

}  // namespace gauze::collect
