#include <algorithm>
#include <vector>

#include "gauze/base/did_you_mean.h"
#include "gauze/table/csv_dialect.h"
#include "gauze/table/csv_reader.h"
#include "gauze/table/csv_text.h"
#include "gauze/text/documents/internal/document_form.h"

namespace gauze::text::internal {
namespace {

class CsvForm final : public DocumentForm {
 public:
  CsvForm(Source source, std::string name, const table::CsvDialect& dialect)
      : source_(std::move(source)), name_(std::move(name)), dialect_(dialect), reader_(*source_, dialect, name_) {}

  /// Reads the line of names.
  Result<void> begin(const std::string& column) {
    std::vector<std::string_view> cells;
    GAUZE_TRY(const bool found, reader_.next(cells));
    if (!found) return make_error(ErrorCode::bad_data, "{}: the file is empty", name_);
    const std::vector<std::string> names(cells.begin(), cells.end());
    line_end_ = reader_.traits().crlf ? "\r\n" : reader_.traits().cr ? "\r" : "\n";
    const auto place = std::find(names.begin(), names.end(), column);
    if (place == names.end())
      return make_error(ErrorCode::unknown_column, "{}: there is no column {}{}", name_, column,
                        did_you_mean(column, names));
    if (std::count(names.begin(), names.end(), column) > 1)
      return make_error(ErrorCode::unknown_column, "{}: more than one column is called {}", name_, column);
    column_ = static_cast<std::size_t>(place - names.begin());
    width_ = names.size();
    write_line(header_, names);
    return {};
  }

  Result<bool> next(std::string& document) override {
    std::vector<std::string_view> cells;
    GAUZE_TRY(const bool found, reader_.next(cells));
    if (!found) return false;
    if (cells.size() != width_)
      return make_error(ErrorCode::bad_data, "{}: line {} has {} cells, the first line {}", name_, reader_.line(),
                        cells.size(), width_);
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
  void write_line(std::string& text, const std::vector<std::string>& cells) const {
    table::append_csv_line(text, cells, dialect_.delimiter == '\0' ? ',' : dialect_.delimiter);
    text.pop_back();
    text += line_end_;
  }

  Source source_;
  std::string name_;
  table::CsvDialect dialect_;
  table::CsvReader reader_;
  std::size_t column_ = 0;
  std::size_t width_ = 0;
  std::string_view line_end_ = "\n";  ///< that of the first line, for all
  std::string header_;
  std::vector<std::vector<std::string>> records_;
};

}  // namespace

Result<std::unique_ptr<DocumentForm>> make_csv_form(Source source, std::string name, std::string column,
                                                    std::string_view beginning, bool whole) {
  table::SniffOptions options;
  options.header = true;
  GAUZE_TRY(const table::SniffedCsv sniffed,
            table::sniff_csv(beginning, whole, options, table::MissingTokens(), name));
  auto form = std::make_unique<CsvForm>(std::move(source), std::move(name), sniffed.dialect);
  GAUZE_TRY_VOID(form->begin(column));
  return std::unique_ptr<DocumentForm>(std::move(form));
}

}  // namespace gauze::text::internal
