#pragma once

#include <cstdint>
#include <vector>

#include "gauze/query/plan/question.h"

namespace gauze::query {

/// Which groups an answer can have.
struct GroupKeys {
  bool are_public = true;  ///< every key has finitely many values by what is public
  std::vector<std::vector<CellValue>> cells =
      {};  ///< all of them, in the order of an answer; one empty tuple without keys
};

/// Finds out whether the keys are public, and lists the cells: at most `most`, else `invalid_parameter`. Looks at public tables.
[[nodiscard]] Result<GroupKeys> find_group_keys(const Answer& answer, std::uint64_t most, PublicData& data);

/// All values of a shape in canonical spelling, sorted, without NULL; nothing where they are not finitely many, or too many to
/// list.
[[nodiscard]] std::optional<std::vector<std::string>> listed_values(const Shape& shape, std::uint64_t most);

/// How two values of a key stand in an answer: numbers and dates rising, texts by their bytes, NULL last.
[[nodiscard]] bool comes_before(const CellValue& a, const CellValue& b, Type type);

/// An integer number of 10^-scale as it is written: 1.50.
[[nodiscard]] std::string decimal_text(std::int64_t value, int scale);

}  // namespace gauze::query
