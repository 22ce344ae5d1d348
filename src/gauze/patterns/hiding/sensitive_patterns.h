#pragma once

#include <array>
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
  /// Patterns with an item that does not occur, which has a place behind those of the database. There is nothing to hide;
  /// psh as published counts them in its first choice.
  std::vector<Itemset> absent = {};
  std::vector<Warning> warnings;  ///< patterns with items that do not occur, or that are there twice
};

/// What becomes of a pattern with an item that no transaction has. A slip of the pen would leave what is sensitive in the file.
enum class UnknownItems {
  refuse,     ///< `invalid_parameter`
  leave_out,  ///< there is nothing to hide; a warning
};

struct SensitiveReading {
  UnknownItems unknown = UnknownItems::refuse;
  std::optional<std::string> encoding = {};  ///< found out unless given, as of transactions
};

/// Commas of Chinese texts. They separate as commas do, except in a name that an item has.
inline constexpr std::array<std::string_view, 2> kWideCommas = {"，", "、"};

/// Reads one pattern a line: items separated by commas where the line has one, else by blanks; quotes allowed; `X => Y`;
/// ` @ 0.02` at the end is a threshold of its own; `#` begins a comment line, ` # ` a remark. What stands in quotes is only
/// ever a name. `invalid_parameter` names the line; a list that names nothing is one, too. `bad_data` for what is no text.
[[nodiscard]] Result<SensitiveList> parse_sensitive(std::string_view bytes, const Database& database,
                                                    const SensitiveReading& reading = {});

}  // namespace gauze::patterns
