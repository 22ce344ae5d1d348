#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/table/source.h"

namespace gauze::anonymize {

/// Values of a column that look like one value in several spellings.
struct LookAlikes {
  struct Value {
    std::string value;
    std::uint64_t rows = 0;
  };
  std::string column;
  std::string name;           ///< the commonest of them
  std::vector<Value> values;  ///< all of them, the commonest first; at least two
};

/// What looks alike: the same but for case, width, blanks and punctuation; long words one letter apart; words for male
/// and female, yes and no in English, Chinese, German and French, 1 and 0 where they stand among those. Numbers and dates look like no
/// other value. A guess for somebody to review: two codes may well differ in case alone. Quotes values: for the owner's own eyes.
[[nodiscard]] std::vector<LookAlikes> find_look_alikes(std::string_view column, const table::ColumnSummary& summary);

}  // namespace gauze::anonymize
