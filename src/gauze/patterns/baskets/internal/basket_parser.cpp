#include "gauze/patterns/baskets/internal/basket_parser.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "gauze/base/utf8.h"

namespace gauze::patterns {

using internal::CellKind;
using internal::CellReader;
using internal::CellRules;
using internal::Lines;

namespace {

constexpr Item kNoItem = ~Item{0};
constexpr std::size_t kSmallNumbers = 1U << 20;

bool only_matrix_cells(std::string_view line, std::optional<char> delimiter) {
  bool cell = false;
  bool any = false;
  for (const char c : line) {
    if (c == '0' || c == '1' || c == '?') {
      if (cell) return false;
      cell = true;
      any = true;
    } else if (c == ',' || c == ';' || internal::is_blank(c) || c == delimiter) {
      cell = false;
    } else {
      return false;
    }
  }
  return any;
}

/// A line that is no comment and not blank.
bool has_cells(std::string_view line) {
  return !line.starts_with('#') && line.find_first_not_of(" \t") != std::string_view::npos;
}

/// A tab parts cells by itself, so that names may have blanks in them; unless it stands for a gap: doubled, or beside a blank.
char tab_or_blank(std::string_view header, std::string_view row) {
  const auto is_gap = [](std::string_view line) {
    for (std::size_t tab = line.find('\t'); tab != std::string_view::npos; tab = line.find('\t', tab + 1))
      if (tab + 1 < line.size() && line[tab + 1] == '\t') return true;
    return false;
  };
  return is_gap(header) || is_gap(row) || row.find(' ') != std::string_view::npos ? ' ' : '\t';
}

/// The one given, else what separates cells: they hold no sign of their own, while names may; else what separates names.
char matrix_delimiter(std::string_view header, std::string_view row, std::optional<char> given) {
  char found = given ? *given : internal::find_delimiter(row, ",;\t ");
  if (found == '\0') found = internal::find_delimiter(header, ",;\t ");
  if (found == '\t') return tab_or_blank(header, row);
  return found == '\0' ? ',' : found;
}

/// The next line that is no comment and not blank.
std::string_view next_row(Lines lines) {
  std::size_t begin = 0;
  std::size_t end = 0;
  while (lines.take(begin, end)) {
    const std::string_view line = lines.text.substr(begin, end - begin);
    if (has_cells(line)) return line;
  }
  return {};
}

char long_delimiter(std::string_view header, std::optional<char> given) {
  return given ? *given : internal::long_delimiter(header);
}

/// A delimiter is no part of names, marks, quotes and line ends.
bool may_delimit(char c) {
  const bool is_name = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  return c == '\t' || (c >= ' ' && c <= '~' && !is_name && c != '"' && c != '?' && c != '#');
}

/// Whether the line may name the items of a matrix: marks alone are no names.
bool may_be_matrix_header(std::string_view line, std::string_view row, std::optional<char> delimiter) {
  if (only_matrix_cells(line, delimiter)) return false;
  CellReader cells(line, 0, line.size(), cell_rules(BasketFormat::matrix, matrix_delimiter(line, row, delimiter)));
  while (cells.next() == CellReader::Step::cell)
    if (cells.name() == "?") return false;
  return true;
}

/// Whether the line names both columns of a long table by usual names.
bool is_long_header(std::string_view line, std::optional<char> given) {
  const char delimiter = long_delimiter(line, given);
  if (delimiter == '\0') return false;
  CellReader cells(line, 0, line.size(), cell_rules(BasketFormat::long_table, delimiter));
  std::vector<std::string> names;
  for (;;) {
    const CellReader::Step step = cells.next();
    if (step == CellReader::Step::end) break;
    if (step != CellReader::Step::cell) return false;
    names.emplace_back(cells.name());
  }
  const auto columns = internal::find_long_columns(names, std::nullopt, std::nullopt);
  return columns && columns->known;
}

/// A name that is a small number, written without leading zeros.
std::optional<std::size_t> small_number(std::string_view name) {
  if (name.empty() || name.size() > 7 || (name.front() == '0' && name.size() > 1)) return std::nullopt;
  std::size_t value = 0;
  for (const char c : name) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<std::size_t>(c - '0');
  }
  if (value >= kSmallNumbers) return std::nullopt;
  return value;
}

}  // namespace

CellRules cell_rules(BasketFormat format, char delimiter) {
  CellRules rules;
  rules.delimiter = format == BasketFormat::dat ? ' ' : delimiter;
  rules.with_quotes = format != BasketFormat::dat;
  rules.blanks_join = format == BasketFormat::dat || (format == BasketFormat::matrix && delimiter == ' ');
  rules.last_may_be_empty = format == BasketFormat::long_table;
  return rules;
}

BasketFormat find_basket_format(std::string_view text, std::optional<char> delimiter) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  Lines lines{text, 0};
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t seen = 0;
  bool comma = false;
  bool matrix = true;
  bool known = false;  // a cell is 0 or 1
  std::size_t cells = 0;
  while (seen < 100 && lines.take(begin, end)) {
    const std::string_view line = text.substr(begin, end - begin);
    if (line.starts_with('#')) continue;
    comma = comma || line.find(',') != std::string_view::npos;
    if (seen > 0) {
      matrix = matrix && only_matrix_cells(line, delimiter);
      known = known || line.find_first_of("01") != std::string_view::npos;
      cells = std::max(cells, line.size());
    } else {
      if (is_long_header(line, delimiter)) return BasketFormat::long_table;
      matrix = may_be_matrix_header(line, next_row(lines), delimiter);  // names come first
    }
    ++seen;
  }
  if (seen > 1 && matrix && known && cells > 1) return BasketFormat::matrix;
  return delimiter.value_or(comma ? ',' : ' ') == ' ' ? BasketFormat::dat : BasketFormat::csv;
}

std::string_view find_other_delimiter(std::string_view text, BasketFormat format, char delimiter) {
  const bool by_blanks = format == BasketFormat::dat;
  if (!by_blanks && format != BasketFormat::csv) return {};
  constexpr std::array<std::string_view, 6> kOthers = {";", "|", "\t", ",", "，", "、"};
  std::array<std::size_t, kOthers.size()> with_other{};
  std::size_t with_own = 0;
  std::size_t seen = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  for (Lines lines{text, 0}; seen < 100 && lines.take(begin, end);) {
    const std::string_view line = text.substr(begin, end - begin);
    if (!has_cells(line)) continue;
    ++seen;
    with_own += line.find(delimiter) != std::string_view::npos ? 1 : 0;
    for (std::size_t i = 0; i < kOthers.size(); ++i)
      with_other[i] += line.find(kOthers[i]) != std::string_view::npos ? 1 : 0;
  }
  const auto most =
      static_cast<std::size_t>(std::max_element(with_other.begin(), with_other.end()) - with_other.begin());
  const bool is_own = by_blanks ? kOthers[most] == "\t" : kOthers[most].front() == delimiter;
  // Names may have blanks in them, also where they are alone on their lines: blanks say nothing against another sign.
  const bool is_odd =
      2 * with_other[most] >= seen && with_other[most] > 0 && (by_blanks || with_other[most] > with_own);
  return is_odd && !is_own ? kOthers[most] : std::string_view();
}

Result<void> BasketParser::run(const BasketReading& reading) {
  const std::string_view text = file_.bytes_;
  file_.notes_.byte_order_mark = text.starts_with(kByteOrderMark);
  if (text.find('\0') != std::string_view::npos)
    return make_error(ErrorCode::bad_data, "the file holds NUL bytes: it is no text");
  const bool has_columns = reading.transaction || reading.item;
  const BasketFormat format = reading.format ? *reading.format
                              : has_columns  ? BasketFormat::long_table
                                             : find_basket_format(text, reading.delimiter);
  if (has_columns && format != BasketFormat::long_table)
    return invalid_parameter("only a long table has a column of transactions and one of items");
  if (reading.delimiter && !may_delimit(*reading.delimiter))
    return invalid_parameter("a delimiter is one of the signs of ASCII, but no letter, digit, quote, # or ?");
  if (reading.delimiter && format == BasketFormat::dat && *reading.delimiter != ' ')
    return invalid_parameter("blanks separate the items of a dat file: one with a delimiter is csv");
  file_.reading_.format = format;
  file_.reading_.delimiter = reading.delimiter;
  file_.delimiter_ = reading.delimiter.value_or(',');
  rules_ = cell_rules(format, file_.delimiter_);
  file_.notes_.other_delimiter = find_other_delimiter(text, format, file_.delimiter_);
  Lines lines{text, file_.notes_.byte_order_mark ? kByteOrderMark.size() : 0};
  const bool has_returns = text.find('\r') != std::string_view::npos;
  std::size_t begin = 0;
  std::size_t end = 0;
  bool header = format == BasketFormat::matrix || format == BasketFormat::long_table;
  while (lines.take(begin, end)) {
    ++line_;
    if (has_returns && text.substr(begin, end - begin).find('\r') != std::string_view::npos)
      return make_error(ErrorCode::bad_data, "line {}: a carriage return within the line", line_);
    if (begin < end && text[begin] == '#') {
      ++file_.notes_.comment_lines;
      continue;
    }
    if (header) {
      if (format == BasketFormat::matrix)
        GAUZE_TRY_VOID(read_matrix_header(begin, end));
      else
        GAUZE_TRY_VOID(read_long_header(begin, end, reading));
      header = false;
      continue;
    }
    if (format == BasketFormat::long_table) {
      GAUZE_TRY_VOID(read_long(begin, end));
      continue;
    }
    if (format == BasketFormat::matrix)
      GAUZE_TRY_VOID(read_matrix(begin, end));
    else
      GAUZE_TRY_VOID(read_line(begin, end));
    end_row(begin);
  }
  if (header)
    return make_error(ErrorCode::bad_data,
                      "a matrix needs a first line with the names of its items, and a long table "
                      "one with the names of its columns");
  if (format == BasketFormat::long_table) end_long();
  file_.notes_.carriage_returns = lines.carriage_returns;
  return {};
}

Item BasketParser::item_of(std::string_view name) {
  const auto add = [&] {
    file_.database_.names.emplace_back(name);
    return static_cast<Item>(file_.database_.names.size() - 1);
  };
  if (const auto number = small_number(name)) {
    if (*number >= items_of_numbers_.size())
      items_of_numbers_.resize(std::min(kSmallNumbers, std::max<std::size_t>(64, *number * 2 + 1)), kNoItem);
    Item& item = items_of_numbers_[*number];
    if (item == kNoItem) item = add();
    return item;
  }
  const std::uint32_t place = names_.intern(name);
  if (place == items_of_names_.size()) items_of_names_.push_back(add());
  return items_of_names_[place];
}

Result<CellReader::Step> BasketParser::step(CellReader& cells) {
  const CellReader::Step one = cells.next();
  if (one == CellReader::Step::open_quote)
    return make_error(ErrorCode::bad_data, "line {}: a quote is not closed", line_);
  if (one == CellReader::Step::text_after_quote)
    return make_error(ErrorCode::bad_data, "line {}: something follows a closing quote", line_);
  return one;
}

Result<void> BasketParser::read_line(std::size_t begin, std::size_t end) {
  CellReader cells(file_.bytes_, begin, end, rules_);
  for (;;) {
    GAUZE_TRY(const CellReader::Step one, step(cells));
    if (one == CellReader::Step::end) return {};
    std::string_view name = cells.name();
    switch (internal::kind_of(name, cells.quoted())) {
      case CellKind::item:
        items_.push_back(item_of(name));
        break;
      case CellKind::mark:
        marks_.push_back(item_of(name));
        break;
      case CellKind::anonymous:
        ++anonymous_;
        break;
      case CellKind::none:
        break;
    }
  }
}

Result<std::vector<std::string>> BasketParser::read_names(std::size_t begin, std::size_t end) {
  CellReader cells(file_.bytes_, begin, end, rules_);
  std::vector<std::string> names;
  for (;;) {
    GAUZE_TRY(const CellReader::Step one, step(cells));
    if (one == CellReader::Step::end) return names;
    names.emplace_back(cells.name());
  }
}

Result<void> BasketParser::read_matrix_header(std::size_t begin, std::size_t end) {
  const std::string_view line = std::string_view(file_.bytes_).substr(begin, end - begin);
  file_.delimiter_ = matrix_delimiter(line, next_row({file_.bytes_, end}), file_.reading_.delimiter);
  rules_ = cell_rules(BasketFormat::matrix, file_.delimiter_);
  GAUZE_TRY(const std::vector<std::string> names, read_names(begin, end));
  for (const std::string& name : names) {
    if (name.empty()) return make_error(ErrorCode::bad_data, "line {}: an item of the matrix has no name", line_);
    const std::size_t before = file_.database_.names.size();
    static_cast<void>(item_of(name));
    if (file_.database_.names.size() == before)
      return make_error(ErrorCode::bad_data, "line {}: an item of the matrix is there twice", line_);
  }
  return {};
}

Result<void> BasketParser::read_matrix(std::size_t begin, std::size_t end) {
  const std::string_view line = std::string_view(file_.bytes_).substr(begin, end - begin);
  if (line.find_first_not_of(" \t") == std::string_view::npos) return {};
  CellReader cells(file_.bytes_, begin, end, rules_);
  const std::size_t columns = file_.database_.names.size();
  Item column = 0;
  for (;; ++column) {
    GAUZE_TRY(const CellReader::Step one, step(cells));
    if (one == CellReader::Step::end) break;
    if (column >= columns)
      return make_error(ErrorCode::bad_data, "line {}: more cells than the matrix has items", line_);
    if (cells.name() == "1")
      items_.push_back(column);
    else if (cells.name() == "?")
      marks_.push_back(column);
    else if (cells.name() != "0")
      return make_error(ErrorCode::bad_data, "line {}: a cell of a matrix is 0, 1 or ?", line_);
  }
  if (column != columns)
    return make_error(ErrorCode::bad_data, "line {}: fewer cells than the matrix has items", line_);
  return {};
}

Result<void> BasketParser::read_long_header(std::size_t begin, std::size_t end, const BasketReading& reading) {
  const char delimiter =
      long_delimiter(std::string_view(file_.bytes_).substr(begin, end - begin), file_.reading_.delimiter);
  file_.delimiter_ = delimiter == '\0' ? ',' : delimiter;
  rules_ = cell_rules(BasketFormat::long_table, file_.delimiter_);
  GAUZE_TRY(const std::vector<std::string> names, read_names(begin, end));
  GAUZE_TRY(columns_, internal::find_long_columns(names, reading.transaction, reading.item));
  column_count_ = names.size();
  file_.item_column_ = columns_.item;
  file_.reading_.transaction = names[columns_.transaction];
  file_.reading_.item = names[columns_.item];
  if (std::count(names.begin(), names.end(), names[columns_.transaction]) > 1 ||
      std::count(names.begin(), names.end(), names[columns_.item]) > 1)
    return make_error(ErrorCode::bad_data, "line {}: two columns of the long table have the same name", line_);
  return {};
}

Result<void> BasketParser::read_long(std::size_t begin, std::size_t end) {
  const std::string_view line = std::string_view(file_.bytes_).substr(begin, end - begin);
  if (line.find_first_not_of(" \t") == std::string_view::npos) return {};
  if (row_of_line_.size() >= ~std::uint32_t{0})
    return make_error(ErrorCode::unsupported, "more than 4 billion lines in one file are not supported");
  CellReader cells(file_.bytes_, begin, end, rules_);
  std::size_t column = 0;
  CellKind kind = CellKind::none;
  Item item = 0;
  std::uint32_t row = 0;
  for (;; ++column) {
    GAUZE_TRY(const CellReader::Step one, step(cells));
    if (one == CellReader::Step::end) break;
    std::string_view name = cells.name();
    if (column == columns_.transaction) {
      if (name.empty()) return make_error(ErrorCode::bad_data, "line {}: the transaction is missing", line_);
      row = transactions_.intern(name);
    } else if (column == columns_.item) {
      kind = internal::kind_of(name, cells.quoted());
      if (kind == CellKind::item || kind == CellKind::mark) item = item_of(name);
    }
  }
  if (column != column_count_)
    return make_error(ErrorCode::bad_data, "line {}: {} cells, but the long table has {} columns", line_, column,
                      column_count_);
  row_of_line_.push_back(row);
  item_of_line_.push_back(item);
  kind_of_line_.push_back(kind);
  file_.lines_.push_back(begin);
  return {};
}

void BasketParser::end_row(std::size_t begin) {
  const std::size_t written = items_.size();
  if (items_.empty() && marks_.empty() && anonymous_ == 0) ++file_.notes_.empty_rows;
  file_.database_.add_row(items_, marks_, anonymous_);
  file_.notes_.repeated_items += written - items_.size();
  if (file_.format() != BasketFormat::long_table) file_.lines_.push_back(begin);
  items_.clear();
  marks_.clear();
  anonymous_ = 0;
}

/// Brings the lines of each transaction together; those of one stay in their order.
void BasketParser::end_long() {
  std::vector<std::uint64_t>& starts = file_.line_starts_;
  starts.assign(transactions_.size() + 1, 0);
  for (const std::uint32_t row : row_of_line_) ++starts[row + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<std::uint64_t> next(starts.begin(), starts.end() - 1);
  std::vector<std::uint32_t> order(row_of_line_.size());
  for (std::uint32_t line = 0; line < row_of_line_.size(); ++line) order[next[row_of_line_[line]]++] = line;
  std::vector<std::uint64_t> begins(order.size());
  for (std::size_t row = 0; row + 1 < starts.size(); ++row) {
    for (std::uint64_t i = starts[row]; i < starts[row + 1]; ++i) {
      const std::uint32_t line = order[i];
      begins[i] = file_.lines_[line];
      if (kind_of_line_[line] == CellKind::item) items_.push_back(item_of_line_[line]);
      if (kind_of_line_[line] == CellKind::mark) marks_.push_back(item_of_line_[line]);
      if (kind_of_line_[line] == CellKind::anonymous) ++anonymous_;
    }
    end_row(0);
  }
  file_.lines_ = std::move(begins);
}

}  // namespace gauze::patterns
