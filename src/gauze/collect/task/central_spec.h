#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/collect/count/report_shape.h"
#include "gauze/collect/task/number_field.h"
#include "gauze/collect/task/task_terms.h"
#include "gauze/collect/task/value_list.h"

namespace gauze::collect {

/// A field of the records of a central task.
struct RecordField {
  std::string name;
  ValueList values = {};  ///< of a category, none of a number
  bool other = false;     ///< the last of them stands for all that is not listed
  NumberField number = {};

  [[nodiscard]] bool is_category() const { return values.size() != 0; }
  /// How it lies in a record: the number of a category in as few bytes as hold it, a number of units in eight.
  [[nodiscard]] std::size_t bytes() const;
  /// Every value as a number: 0 and up of a category, units of a number.
  [[nodiscard]] std::int64_t low() const { return is_category() ? 0 : number.low; }
  [[nodiscard]] std::int64_t high() const {
    return is_category() ? static_cast<std::int64_t>(values.size()) - 1 : number.high;
  }
};

/// What a person says who wants records to be sent to a curator as they are, and asked with noise (docs/formats/collect.md).
struct CentralSpec : TaskTerms {
  std::vector<RecordField> fields;       ///< in the order of their values in a record
  std::uint32_t reports_per_period = 1;  ///< L: what a curator takes of one enrolment, at most

  [[nodiscard]] std::optional<std::size_t> find(std::string_view field) const;
  /// How records lie in bytes.
  [[nodiscard]] RecordLayout layout() const;
};

/// What every specification of a central task must obey: its name, its epsilon, 1 to 16 fields of different names, and the ceiling of its
/// profile (`not_private`).
[[nodiscard]] Result<void> check_central_spec(const CentralSpec& spec);

}  // namespace gauze::collect
