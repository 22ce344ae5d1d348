#pragma once

#include "gauze/base/words.h"
#include "gauze/patterns/baskets/database.h"

namespace gauze::patterns {

/// What is done to an item of a transaction.
enum class Operation {
  mark,    ///< an item that is there becomes unknown
  remove,  ///< an item that is there becomes absent
  decoy,   ///< an item that is absent becomes unknown
};

/// How a mark is written: with the item it stands for, or without (docs/formats/baskets.md).
enum class MarkStyle { anchored, anonymous };
inline constexpr Words<MarkStyle, 2> kMarkStyleWords = {
    {{MarkStyle::anchored, "anchored"}, {MarkStyle::anonymous, "anonymous"}}};

/// One change of a transaction.
struct Edit {
  std::size_t row = 0;
  Item item = 0;
  Operation operation = Operation::mark;
  friend bool operator==(const Edit&, const Edit&) = default;
};

}  // namespace gauze::patterns
