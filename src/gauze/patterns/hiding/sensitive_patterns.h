#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/label/warning.h"
#include "gauze/patterns/baskets/database.h"

namespace gauze::patterns {

/// A pattern that must not be found: an itemset, or a rule X => Y.
struct SensitivePattern {
  Itemset items;     ///< of both sides of a rule
  Itemset left;      ///< of a rule: X; empty for an itemset
  std::string text;  ///< as it was written
  std::size_t line = 0;
  std::optional<Rational> min_support = {};  ///< its own threshold
};

struct SensitiveList {
  std::vector<SensitivePattern> patterns;
  std::vector<Warning> warnings;  ///< patterns with items that do not occur, or that are there twice
};

/// Reads one pattern a line: items separated by commas where the line has one, else by blanks; quotes allowed; `X => Y`;
/// ` @ 0.02` at the end is a threshold of its own; `#` begins a comment line, ` # ` a remark. What stands in quotes is only
/// ever a name. `invalid_parameter` names the line; a list that names nothing is one, too.
[[nodiscard]] Result<SensitiveList> parse_sensitive(std::string_view text, const Database& database);

}  // namespace gauze::patterns
