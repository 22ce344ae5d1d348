#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "gauze/patterns/baskets/basket_file.h"

namespace gauze::patterns::internal {

[[nodiscard]] inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// The lines of a text, without line ends; a last line without an end counts, an empty one after it does not.
struct Lines {
  std::string_view text;
  std::size_t next = 0;
  bool carriage_returns = false;

  bool take(std::size_t& begin, std::size_t& end) {
    if (next >= text.size()) return false;
    begin = next;
    const std::size_t found = text.find('\n', next);
    end = found == std::string_view::npos ? text.size() : found;
    next = found == std::string_view::npos ? text.size() : found + 1;
    if (end > begin && text[end - 1] == '\r') {
      --end;
      carriage_returns = true;
    }
    return true;
  }
};

/// How the cells of a line are told apart.
struct CellRules {
  char delimiter = ',';
  bool blanks_join = false;        ///< several blanks are one, also where a blank is the delimiter
  bool with_quotes = true;         ///< a name may stand in double quotes
  bool last_may_be_empty = false;  ///< a delimiter at the end of a line begins one more cell
};

/// Goes through the cells of one line.
class CellReader {
 public:
  CellReader(std::string_view text, std::size_t begin, std::size_t end, const CellRules& rules)
      : text_(text), place_(begin), end_(end), rules_(rules), more_(begin < end) {}

  enum class Step { cell, end, open_quote, text_after_quote };
  /// The next cell: its bytes [begin, end), quotes included, and its name.
  Step next();

  [[nodiscard]] std::size_t begin() const { return begin_; }
  [[nodiscard]] std::size_t end() const { return cell_end_; }
  /// Valid until the next step.
  [[nodiscard]] std::string_view name() const { return name_; }
  [[nodiscard]] bool quoted() const { return quoted_; }

 private:
  Step quoted_cell();
  [[nodiscard]] bool ends_cell(char c) const {
    return c == rules_.delimiter || (rules_.blanks_join && is_blank(rules_.delimiter) && is_blank(c));
  }
  [[nodiscard]] bool may_skip(char c) const { return is_blank(c) && (rules_.blanks_join || c != rules_.delimiter); }

  std::string_view text_;
  std::size_t place_;
  std::size_t end_;
  CellRules rules_;
  bool more_;
  std::size_t begin_ = 0;
  std::size_t cell_end_ = 0;
  std::string_view name_;
  std::string unquoted_;
  bool quoted_ = false;
};

/// The first of the candidates that separates cells of this line, which is one that stands outside of quoted names; NUL if
/// none does.
[[nodiscard]] char find_delimiter(std::string_view line, std::string_view candidates);

using CellKind = BasketCell::Kind;

/// What stands in a cell; of a mark `name` loses its question mark.
[[nodiscard]] CellKind kind_of(std::string_view& name, bool quoted);

/// A name as it must be written for such a line, with a question mark before it if it is a mark.
[[nodiscard]] std::string written_name(std::string_view name, bool mark, const CellRules& rules);

}  // namespace gauze::patterns::internal
