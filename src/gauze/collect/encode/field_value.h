#pragma once

#include <string_view>

#include "gauze/collect/task/task_spec.h"
#include "gauze/encoder/gauze_encoder.h"

namespace gauze::collect {

/// A cell or line as a value of the task's field. Total: what is no value of a category, and what is no number, is one that the encoder
/// takes for out of its domain. Numbers with more places than the field are rounded to the nearest unit; too large ones are clamped.
[[nodiscard]] gauze_value value_of_text(const TaskSpec& spec, std::string_view text);

}  // namespace gauze::collect
