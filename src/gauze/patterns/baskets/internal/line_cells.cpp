#include "gauze/patterns/baskets/internal/line_cells.h"

#include <algorithm>

namespace gauze::patterns::internal {

CellReader::Step CellReader::next() {
  if (!more_) return Step::end;
  while (place_ < end_ && may_skip(text_[place_])) ++place_;
  if (place_ == end_ && rules_.blanks_join) return Step::end;
  quoted_ = false;
  begin_ = place_;
  const bool quote = rules_.with_quotes && place_ < end_ && text_[place_] == '"';
  const bool marked_quote =
      rules_.with_quotes && place_ + 1 < end_ && text_[place_] == '?' && text_[place_ + 1] == '"';
  if (quote || marked_quote) {
    if (const Step step = quoted_cell(); step != Step::cell) return step;
  } else {
    while (place_ < end_ && !ends_cell(text_[place_])) ++place_;
    cell_end_ = place_;
    while (cell_end_ > begin_ && is_blank(text_[cell_end_ - 1])) --cell_end_;
    name_ = text_.substr(begin_, cell_end_ - begin_);
  }
  more_ = place_ < end_;
  if (more_ && ends_cell(text_[place_])) ++place_;
  if (place_ == end_ && !rules_.last_may_be_empty) more_ = false;
  return Step::cell;
}

CellReader::Step CellReader::quoted_cell() {
  unquoted_.clear();
  quoted_ = true;
  if (text_[place_] == '?') unquoted_ += text_[place_++];
  ++place_;
  for (;;) {
    if (place_ >= end_) return Step::open_quote;
    if (text_[place_] == '"') {
      if (place_ + 1 >= end_ || text_[place_ + 1] != '"') break;
      ++place_;
    }
    unquoted_ += text_[place_++];
  }
  cell_end_ = ++place_;
  name_ = unquoted_;
  while (place_ < end_ && may_skip(text_[place_])) ++place_;
  return place_ < end_ && !ends_cell(text_[place_]) && !(rules_.blanks_join && is_blank(text_[place_ - 1]))
             ? Step::text_after_quote
             : Step::cell;
}

char find_delimiter(std::string_view line, std::string_view candidates) {
  std::size_t best = candidates.size();
  bool quoted = false;
  bool at_begin = true;  // of a cell: only there a quote opens a name
  for (const char c : line) {
    const std::size_t candidate = candidates.find(c);
    if (quoted) {
      quoted = c != '"';
      at_begin = !quoted;  // a doubled quote goes on
    } else if (c == '"' && at_begin) {
      quoted = true;
    } else if (candidate != std::string_view::npos) {
      best = std::min(best, candidate);
      at_begin = true;
    } else if (!is_blank(c) && c != '?') {
      at_begin = false;
    }
  }
  return best < candidates.size() ? candidates[best] : '\0';
}

CellKind kind_of(std::string_view& name, bool quoted) {
  if (name.empty()) return CellKind::none;
  if (name.front() != '?') return CellKind::item;
  name.remove_prefix(1);
  while (!quoted && !name.empty() && is_blank(name.front())) name.remove_prefix(1);
  return name.empty() ? CellKind::anonymous : CellKind::mark;
}

std::string written_name(std::string_view name, bool mark, const CellRules& rules) {
  std::string text = mark ? "?" : "";
  const bool quoted = rules.with_quotes && (name.find(rules.delimiter) != std::string_view::npos ||
                                            name.find('"') != std::string_view::npos ||
                                            (!name.empty() && (is_blank(name.front()) || is_blank(name.back()))));
  if (!quoted) return text.append(name);
  text.insert(0, 1, '"');
  for (const char c : name) {
    if (c == '"') text += '"';
    text += c;
  }
  return text += '"';
}

}  // namespace gauze::patterns::internal
