#include <algorithm>
#include <vector>

#include "gauze/base/did_you_mean.h"
#include "gauze/base/utf8.h"
#include "gauze/table/csv_dialect.h"
#include "gauze/table/csv_reader.h"
#include "gauze/table/csv_text.h"
#include "gauze/text/documents/internal/document_form.h"

namespace gauze::text::internal {
namespace {

using table::CsvFault;

std::string described(CsvFault fault, const SourceName& name) {
  switch (fault) {
    case CsvFault::open_quote:
      return "opens a quote that is never closed";
    case CsvFault::text_after_quote:
      return "has text after a closing quote: a quote inside a quoted cell is written twice";
    case CsvFault::nul:
      return "holds a NUL byte and is no text";
    case CsvFault::too_long:
      return "begins a record that is too long";
    default:
      return name.not_text();
  }
}

/// Whether a cell that begins with a single quote ends where that quote closes.
bool closes_single_quote(std::string_view cell) {
  std::size_t place = 1;
  while (place < cell.size()) {
    if (cell[place] != '\'') {
      ++place;
    } else if (place + 1 < cell.size() && cell[place + 1] == '\'') {
      place += 2;
    } else {
      break;
    }
  }
  return place + 1 == cell.size();
}

/// Whether what follows the cell may be meant to belong to it.
bool ends_with_escape(std::string_view cell) {
  const std::size_t last = cell.find_last_not_of('\\');
  const std::size_t backslashes = cell.size() - (last == std::string_view::npos ? 0 : last + 1);
  return backslashes % 2 == 1;
}

/// Cells but those of the column are printed as they are. So no line may be taken for a record that might be the next line of
/// a text: wherever another writer of CSV could have meant that, reading ends with an error.
class CsvForm final : public DocumentForm {
 public:
  CsvForm(Source source, SourceName name, const table::CsvDialect& dialect)
      : source_(std::move(source)),
        name_(std::move(name)),
        dialect_(dialect),
        reader_(*source_, dialect, name_.name) {}

  /// Reads the line of names.
  Result<void> begin(const std::string& column) {
    std::vector<std::string_view> cells;
    GAUZE_TRY(const bool found, read(cells));
    if (!found) return make_error(ErrorCode::bad_data, "{}: the file is empty", name_.name);
    const std::vector<std::string> names(cells.begin(), cells.end());
    line_end_ = reader_.traits().crlf ? "\r\n" : reader_.traits().cr ? "\r" : "\n";
    const auto place = std::find(names.begin(), names.end(), column);
    if (place == names.end())
      return make_error(ErrorCode::unknown_column, "{}: there is no column {}{}", name_.name, column,
                        did_you_mean(column, names));
    if (std::count(names.begin(), names.end(), column) > 1)
      return make_error(ErrorCode::unknown_column, "{}: more than one column is called {}", name_.name, column);
    column_ = static_cast<std::size_t>(place - names.begin());
    width_ = names.size();
    write_line(header_, names);
    return {};
  }

  Result<bool> next(std::string& document) override {
    std::vector<std::string_view> cells;
    GAUZE_TRY(const bool found, read(cells));
    if (!found) return false;
    if (cells.size() != width_) {
      if (!name_.tells_numbers()) return refuse(reader_.line(), "has more or fewer cells than the first line");
      return make_error(ErrorCode::bad_data, "{} has {} cells, the first line {}", name_.line(reader_.line()),
                        cells.size(), width_);
    }
    document = std::string(cells[column_]);
    records_.emplace_back(cells.begin(), cells.end());
    return true;
  }
  void begin_batch() override { records_.clear(); }
  void append(std::string& text, std::size_t place, const std::string& document) override {
    records_[place][column_] = document;
    write_line(text, records_[place]);
  }
  [[nodiscard]] std::string before() const override { return header_; }

 private:
  Result<bool> read(std::vector<std::string_view>& cells) {
    auto found = reader_.next(cells);
    if (!found && reader_.fault() != CsvFault::none)
      return refuse(reader_.fault_line(), described(reader_.fault(), name_));
    if (found && *found && cells.size() > 1) GAUZE_TRY_VOID(check_ends(cells));
    return found;
  }

  Result<void> check_ends(const std::vector<std::string_view>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (ends_with_escape(cells[i]))
        return refuse(reader_.line(), "has a cell that ends with a backslash, as if it went on behind it");
      if (reader_.is_quoted(i)) {
        has_quotes_ = true;
      } else if (may_open(trimmed(cells[i]))) {
        return refuse(
            reader_.line(),
            "has a cell that begins with a quote and may end in another line: put the cell in double quotes, and "
            "write those inside it twice");
      }
    }
    return {};
  }

  /// Whether a cell without quotes begins with one of another kind. An apostrophe may begin a text; it is taken for that beside
  /// double quotes, and between tabs, which texts do not hold.
  [[nodiscard]] bool may_open(std::string_view cell) const {
    if (dialect_.quote == '\'') return cell.starts_with('"');
    return apostrophes_may_quote() && !has_quotes_ && cell.starts_with('\'') && !closes_single_quote(cell);
  }
  [[nodiscard]] bool apostrophes_may_quote() const { return dialect_.delimiter != '\t'; }

  /// What was written is to be read again by the same rules, with an empty cell between spaces, and not as JSON.
  [[nodiscard]] bool needs_quotes(std::string_view cell, std::size_t cells, char delimiter) const {
    if (cell.empty()) return cells == 1 || delimiter == ' ';
    return cell.front() == '{' || (cell.front() == '\'' && apostrophes_may_quote());
  }

  void write_line(std::string& text, const std::vector<std::string>& cells) const {
    const char delimiter = dialect_.delimiter == '\0' ? ',' : dialect_.delimiter;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) text += delimiter;
      needs_quotes(cells[i], cells.size(), delimiter) ? table::append_quoted_cell(text, cells[i])
                                                      : table::append_csv_cell(text, cells[i], delimiter);
    }
    text += line_end_;
  }

  [[nodiscard]] tl::unexpected<Error> refuse(std::uint64_t line, std::string_view what) const {
    return make_error(ErrorCode::bad_data, "{} {}", name_.line(line), what);
  }

  Source source_;
  SourceName name_;
  table::CsvDialect dialect_;
  table::CsvReader reader_;
  bool has_quotes_ = false;  ///< some cell was quoted
  std::size_t column_ = 0;
  std::size_t width_ = 0;
  std::string_view line_end_ = "\n";  ///< that of the first line, for all
  std::string header_;
  std::vector<std::vector<std::string>> records_;
};

}  // namespace

Result<std::unique_ptr<DocumentForm>> make_csv_form(Source source, SourceName name, const CsvLayout& layout,
                                                    std::string_view beginning, bool whole) {
  table::SniffOptions options;
  options.delimiter = layout.delimiter;
  options.header = true;
  const auto sniffed = table::sniff_csv(beginning, whole, options, table::MissingTokens(), name.name);
  // Where there is no first record to learn from, reading it says why.
  const table::CsvDialect dialect = sniffed ? sniffed->dialect : table::CsvDialect();
  auto form = std::make_unique<CsvForm>(std::move(source), std::move(name), dialect);
  GAUZE_TRY_VOID(form->begin(layout.column));
  return std::unique_ptr<DocumentForm>(std::move(form));
}

}  // namespace gauze::text::internal
