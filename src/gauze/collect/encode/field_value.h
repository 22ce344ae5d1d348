#pragma once

#include <string_view>

#include "gauze/collect/task/central_spec.h"
#include "gauze/collect/task/task_spec.h"
#include "gauze/encoder/gauze_encoder.h"

namespace gauze::collect {

/// A cell or line as a value of the task's field. Total: what is no value of a category, and what is no number, is one that the encoder
/// takes for out of its domain. Numbers with more places than the field are rounded to the nearest unit; too large ones are clamped.
[[nodiscard]] gauze_value value_of_text(const TaskSpec& spec, std::string_view text);
/// The same for a field of a central task.
[[nodiscard]] gauze_value value_of_text(const RecordField& field, std::string_view text);
/// No value at all.
inline constexpr gauze_value kNoValue = {-1, 0, nullptr, 0};

}  // namespace gauze::collect
