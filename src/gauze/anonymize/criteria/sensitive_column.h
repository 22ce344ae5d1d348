#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/schema/hierarchies/hierarchy.h"
#include "gauze/table/dictionary.h"

namespace gauze::anonymize {

/// A sensitive column over the records of the input.
struct SensitiveColumn {
  std::string name;
  std::vector<std::uint64_t> totals;  ///< records with each code
  std::uint64_t records = 0;          ///< their sum
  /// The codes in their natural order: numbers by size, then other values by their text.
  std::vector<std::uint32_t> order;
  /// parents[l][v]: the value at level l + 1 of value v at level l, for levels below the top; values of level 0 are the
  /// codes. Empty without a hierarchy.
  std::vector<std::vector<std::uint32_t>> parents;
  std::optional<std::uint32_t> missing = {};  ///< the code of "missing", which is no value to diversity
};

/// One value of a sensitive column in a class, and how many records of the class have it.
struct ValueCount {
  std::uint32_t value = 0;
  std::uint64_t count = 0;
};

/// The order of values that ordered distance means: the missing one, decimal numbers by size, other values by text. Which
/// values occur does not change the order of two of them: a release whose rows with a third one are gone has it too.
[[nodiscard]] std::vector<std::uint32_t> natural_order(const table::Dictionary& dictionary);

/// The tree that hierarchical distance means. Values the hierarchy does not cover are `bad_data`. Hierarchical distance
/// needs a single value at the top.
[[nodiscard]] Result<std::vector<std::vector<std::uint32_t>>> value_tree(const schema::Hierarchy& hierarchy,
                                                                         const table::Dictionary& dictionary);

}  // namespace gauze::anonymize
