#pragma once

#include <optional>
#include <string_view>

#include "gauze/schema/policy/policy.h"

namespace gauze::anonymize {

/// A word in a column's name, what it speaks for, and how easily outsiders learn such a thing (1 to 5).
struct ColumnWord {
  std::string_view text;
  schema::Role role = schema::Role::insensitive;
  int availability = 0;
  bool always = false;  ///< an identifier whatever else the name says: "email" in "email address"
};

/// Whether the name speaks of the kind, number or presence of something rather than of the thing: "phone_type", "email_opt_in".
[[nodiscard]] bool speaks_of_an_aspect(std::string_view name);

/// Whether it speaks of money or of a size: "amount", "net_price", 金额.
[[nodiscard]] bool speaks_of_an_amount(std::string_view name);

/// "id" of "diagnosis_id", "编号" of "病人编号": that it holds numbers or codes of something, whatever else the name says.
[[nodiscard]] std::optional<std::string_view> numbering_word(std::string_view name);

/// What the name of a column speaks of, if anything.
[[nodiscard]] const ColumnWord* find_word(std::string_view name);

}  // namespace gauze::anonymize
