#include "gauze/patterns/baskets/basket_file.h"

#include <algorithm>
#include <unordered_map>

#include "gauze/base/atomic_file.h"
#include "gauze/base/utf8.h"

namespace gauze::patterns {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kMostBytes = std::size_t{8} << 30;

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// [begin, end) of each line, without line ends; a last line without an end counts, an empty one after it does not.
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

bool only_matrix_cells(std::string_view line, char& delimiter) {
  bool cell = false;
  bool any = false;
  delimiter = '\0';
  for (const char c : line) {
    if (c == '0' || c == '1' || c == '?') {
      if (cell) return false;
      cell = true;
      any = true;
    } else if (c == ',' || c == ';' || is_blank(c)) {
      if (delimiter == '\0' || is_blank(delimiter)) delimiter = c;
      cell = false;
    } else {
      return false;
    }
  }
  return any;
}

}  // namespace

/// Reads one file; holds what is needed only meanwhile.
class BasketParser {
 public:
  explicit BasketParser(BasketFile& file) : file_(file) {}

  Result<void> run(std::optional<BasketFormat> format) {
    std::string_view text = file_.bytes_;
    std::size_t start = 0;
    if (text.starts_with(kByteOrderMark)) {
      file_.notes_.byte_order_mark = true;
      start = kByteOrderMark.size();
    }
    if (text.find('\0') != std::string_view::npos)
      return make_error(ErrorCode::bad_data, "the file holds NUL bytes: it is no text");
    if (find_invalid_utf8(text)) return make_error(ErrorCode::bad_data, "the file is not UTF-8");
    file_.format_ = format.value_or(find_format(text.substr(start)));
    Lines lines{text, start};
    std::size_t begin = 0;
    std::size_t end = 0;
    bool header = file_.format_ == BasketFormat::matrix;
    while (lines.take(begin, end)) {
      ++line_;
      if (begin < end && text[begin] == '#') {
        ++file_.notes_.comment_lines;
        continue;
      }
      if (header) {
        GAUZE_TRY_VOID(read_header(begin, end));
        header = false;
        continue;
      }
      if (file_.format_ == BasketFormat::dat)
        GAUZE_TRY_VOID(read_blanks(begin, end));
      else if (file_.format_ == BasketFormat::csv)
        GAUZE_TRY_VOID(read_csv(begin, end));
      else
        GAUZE_TRY_VOID(read_matrix(begin, end));
      end_row(begin, end);
    }
    if (header) return make_error(ErrorCode::bad_data, "a matrix needs a first line with the names of its items");
    file_.notes_.carriage_returns = lines.carriage_returns;
    return {};
  }

 private:
  static BasketFormat find_format(std::string_view text) {
    Lines lines{text, 0};
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t seen = 0;
    bool comma = false;
    bool matrix = true;
    std::size_t cells = 0;
    while (seen < 100 && lines.take(begin, end)) {
      const std::string_view line = text.substr(begin, end - begin);
      if (line.starts_with('#')) continue;
      comma = comma || line.find(',') != std::string_view::npos;
      char delimiter = '\0';
      if (seen > 0) {
        matrix = matrix && only_matrix_cells(line, delimiter);
        cells = std::max(cells, line.size());
      } else if (only_matrix_cells(line, delimiter)) {
        matrix = false;  // names come first
      }
      ++seen;
    }
    if (seen > 1 && matrix && cells > 1) return BasketFormat::matrix;
    return comma ? BasketFormat::csv : BasketFormat::dat;
  }

  Item item_of(std::string_view name) {
    const auto [found, added] =
        places_.try_emplace(std::string(name), static_cast<Item>(file_.database_.names.size()));
    if (added) file_.database_.names.emplace_back(name);
    return found->second;
  }

  /// A name as it stands in a row: an item, `?item` an anchored mark, `?` an anonymous one.
  void add(std::string_view name, std::size_t begin, std::size_t end) {
    if (name == "?") {
      ++anonymous_;
      return;
    }
    if (name.starts_with('?')) {
      marks_.push_back(item_of(name.substr(1)));
      return;
    }
    const Item item = item_of(name);
    items_.push_back(item);
    file_.tokens_.push_back({begin, end, item});
  }

  Result<void> read_blanks(std::size_t begin, std::size_t end) {
    const std::string_view text = file_.bytes_;
    while (begin < end) {
      while (begin < end && is_blank(text[begin])) ++begin;
      const std::size_t from = begin;
      while (begin < end && !is_blank(text[begin])) ++begin;
      if (begin > from) add(text.substr(from, begin - from), from, begin);
    }
    return {};
  }

  /// One cell of a CSV line from `place` on; moves `place` behind the comma after it. Sets [from, to) to its bytes.
  Result<std::string> next_cell(std::size_t& place, std::size_t end, char delimiter, std::size_t& from,
                                std::size_t& to) {
    const std::string_view text = file_.bytes_;
    while (place < end && is_blank(text[place])) ++place;
    from = place;
    std::string name;
    if (place < end && text[place] == '"') {
      ++place;
      for (;;) {
        if (place >= end) return make_error(ErrorCode::bad_data, "line {}: a quote is not closed", line_);
        if (text[place] == '"') {
          if (place + 1 < end && text[place + 1] == '"') {
            name += '"';
            place += 2;
            continue;
          }
          ++place;
          break;
        }
        name += text[place++];
      }
      to = place;
      while (place < end && is_blank(text[place])) ++place;
      if (place < end && text[place] != delimiter)
        return make_error(ErrorCode::bad_data, "line {}: something follows a closing quote", line_);
    } else {
      while (place < end && text[place] != delimiter) ++place;
      to = place;
      while (to > from && is_blank(text[to - 1])) --to;
      name = std::string(text.substr(from, to - from));
    }
    if (place < end) ++place;
    return name;
  }

  Result<void> read_csv(std::size_t begin, std::size_t end) {
    std::size_t place = begin;
    while (place < end) {
      std::size_t from = 0;
      std::size_t to = 0;
      GAUZE_TRY(const std::string name, next_cell(place, end, ',', from, to));
      if (!name.empty()) add(name, from, to);
    }
    return {};
  }

  Result<void> read_header(std::size_t begin, std::size_t end) {
    const std::string_view line = std::string_view(file_.bytes_).substr(begin, end - begin);
    for (const char candidate : {',', ';', '\t', ' '}) {
      if (line.find(candidate) == std::string_view::npos) continue;
      delimiter_ = candidate;
      break;
    }
    std::size_t place = begin;
    while (place < end) {
      std::size_t from = 0;
      std::size_t to = 0;
      GAUZE_TRY(const std::string name, next_cell(place, end, delimiter_, from, to));
      if (name.empty()) return make_error(ErrorCode::bad_data, "line {}: an item of the matrix has no name", line_);
      const std::size_t before = file_.database_.names.size();
      columns_.push_back(item_of(name));
      if (file_.database_.names.size() == before)
        return make_error(ErrorCode::bad_data, "line {}: an item of the matrix is there twice", line_);
    }
    return {};
  }

  Result<void> read_matrix(std::size_t begin, std::size_t end) {
    const std::string_view text = file_.bytes_;
    std::size_t place = begin;
    std::size_t column = 0;
    while (place < end) {
      std::size_t from = 0;
      std::size_t to = 0;
      GAUZE_TRY(const std::string cell, next_cell(place, end, delimiter_, from, to));
      if (column >= columns_.size())
        return make_error(ErrorCode::bad_data, "line {}: more cells than the matrix has items", line_);
      if (cell == "1") {
        items_.push_back(columns_[column]);
        file_.tokens_.push_back({from, to, columns_[column]});
      } else if (cell == "?") {
        marks_.push_back(columns_[column]);
      } else if (cell != "0") {
        return make_error(ErrorCode::bad_data, "line {}: a cell of a matrix is 0, 1 or ?", line_);
      }
      ++column;
    }
    if (column != columns_.size() &&
        text.substr(begin, end - begin).find_first_not_of(" \t") != std::string_view::npos)
      return make_error(ErrorCode::bad_data, "line {}: fewer cells than the matrix has items", line_);
    return {};
  }

  void end_row(std::size_t begin, std::size_t end) {
    const std::size_t written = items_.size();
    if (items_.empty() && marks_.empty() && anonymous_ == 0) ++file_.notes_.empty_rows;
    file_.database_.add_row(items_, marks_, anonymous_);
    file_.notes_.repeated_items += written - items_.size();
    file_.token_starts_.push_back(file_.tokens_.size());
    file_.lines_.emplace_back(begin, end);
    items_.clear();
    marks_.clear();
    anonymous_ = 0;
  }

  BasketFile& file_;
  std::unordered_map<std::string, Item> places_;
  std::vector<Item> columns_;  // of a matrix
  char delimiter_ = ',';       // of a matrix
  std::vector<Item> items_;
  std::vector<Item> marks_;
  std::uint32_t anonymous_ = 0;
  std::uint64_t line_ = 0;
};

Result<BasketFile> BasketFile::parse(std::string bytes, std::optional<BasketFormat> format) {
  BasketFile file;
  file.bytes_ = std::move(bytes);
  BasketParser parser(file);
  GAUZE_TRY_VOID(parser.run(format));
  return file;
}

Result<BasketFile> BasketFile::read(const std::string& path, std::optional<BasketFormat> format) {
  GAUZE_TRY(std::string bytes, read_file(path, kMostBytes));
  auto file = parse(std::move(bytes), format);
  if (!file) return make_error(file.error().code, "{}: {}", path, file.error().message);
  return file;
}

}  // namespace gauze::patterns
