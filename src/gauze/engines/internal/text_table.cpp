#include "gauze/engines/internal/text_table.h"

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>

#include "gauze/base/utf8.h"
#include "gauze/table/csv_dialect.h"
#include "gauze/table/csv_text.h"

namespace gauze::engines {
namespace {

using table::CsvDialect;
using table::CsvReader;
using table::CsvTraits;

Result<std::optional<char>> one_character(const std::optional<std::string>& text, std::string_view what) {
  if (!text) return std::optional<char>{};
  GAUZE_TRY(const char mark, table::parse_mark(*text, what));
  return std::optional<char>(mark);
}

Result<table::SniffOptions> sniff_options(const table::ReadOptions& options) {
  table::SniffOptions result;
  GAUZE_TRY(result.delimiter, one_character(options.delimiter, "delimiter"));
  if (options.quote && options.quote->empty()) {
    result.quote = '\0';
  } else {
    GAUZE_TRY(result.quote, one_character(options.quote, "quote"));
  }
  if (result.delimiter && result.delimiter == result.quote)
    return invalid_parameter("delimiter and quote must differ, but both are '{}'", *options.delimiter);
  result.header = options.header;
  result.decimal = options.decimal;
  return result;
}

/// Whether a reader that knows delimiter, quote and line end reads the file as Gauze did.
bool is_sound(const CsvDialect& dialect, const CsvTraits& traits, std::size_t columns) {
  constexpr std::size_t kLongRecord = std::size_t{1} << 20;
  if (dialect.quote != '"' || dialect.delimiter == '\0' || columns == 1) return false;
  if (traits.cr || (traits.crlf && (traits.lf || traits.quoted_line_ends)) || traits.longest_record > kLongRecord)
    return false;
  return !traits.blanks_at_quotes && !traits.stray_quotes && !traits.space_runs && !traits.lines_of_blanks;
}

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

/// Reads all records of a file; writes them anew if there is a writer.
Result<SoundCsv> scan(const InputFile& file, const CsvDialect& dialect, bool header, std::size_t columns,
                      SoundCsvWriter* writer, CsvTraits& traits) {
  GAUZE_TRY(const auto source, file.text());
  CsvReader reader(*source, dialect, file.name());
  SoundCsv csv;
  csv.name = file.name();
  csv.delimiter = dialect.delimiter;
  csv.header = header;
  std::vector<std::string_view> cells;
  SoundLines lines;
  for (bool first = true;; first = false) {
    GAUZE_TRY(const bool more, reader.next(cells));
    if (!more) break;
    if (cells.size() != columns) {
      return make_error(ErrorCode::bad_data, "{}: line {} has {} cells, but the first record has {}", file.name(),
                        reader.line(), cells.size(), columns);
    }
    if (first && header) continue;
    ++csv.rows;
    if (writer == nullptr) continue;
    lines.add(cells);
    if (lines.text.size() < kBufferBytes) continue;
    GAUZE_TRY_VOID(writer->write(lines));
    lines = {};
  }
  if (writer != nullptr) GAUZE_TRY_VOID(writer->write(lines));
  traits = reader.traits();
  csv.crlf = traits.crlf;
  csv.quoted_line_ends = traits.quoted_line_ends;
  csv.longest_record = traits.longest_record;
  return csv;
}

Result<SoundCsv> make_sound(InputFile& file, const CsvDialect& dialect, bool header, std::size_t columns,
                            const std::filesystem::path& temporary) {
  CsvTraits traits;
  if (file.is_plain() && dialect.quote == '"' && columns > 1) {
    GAUZE_TRY(SoundCsv csv, scan(file, dialect, header, columns, nullptr, traits));
    if (is_sound(dialect, traits, columns)) {
      csv.file = file.take_descriptor();
      return csv;
    }
  }
  GAUZE_TRY(SoundCsvWriter writer, SoundCsvWriter::create(temporary, file.name()));
  GAUZE_TRY_VOID(scan(file, dialect, header, columns, &writer, traits));
  return writer.finish();
}

}  // namespace

std::uint64_t TextTable::rows() const {
  std::uint64_t sum = 0;
  for (const auto& file : files) sum += file.rows;
  return sum;
}

Result<std::vector<std::string>> name_columns(const std::vector<std::string>& given, std::vector<std::string> header,
                                              std::size_t count, const std::string& file) {
  if (count > kMostColumns)
    return make_error(ErrorCode::bad_data, "{} has {} columns; tables of up to {} are read", file, count,
                      kMostColumns);
  if (!given.empty() && given.size() != count)
    return invalid_parameter("{} names are given, but {} has {} columns", given.size(), file, count);
  std::vector<std::string> names = given.empty() ? std::move(header) : given;
  names.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (names[i].empty()) names[i] = fmt::format("column{}", i + 1);
  }
  std::unordered_set<std::string_view> seen;
  for (const auto& name : names) {
    if (seen.insert(name).second) continue;
    if (!given.empty()) return invalid_parameter("the name '{}' is given to two columns", name);
    return make_error(ErrorCode::bad_data, "{}: two columns are called '{}'; give names to all columns", file, name);
  }
  return names;
}

Result<TextTable> read_csv_files(std::vector<InputFile> files, const table::ReadOptions& options,
                                 const std::filesystem::path& temporary) {
  GAUZE_TRY(table::SniffOptions known, sniff_options(options));
  const table::MissingTokens tokens(options.null_tokens);
  TextTable result;
  for (auto& file : files) {
    GAUZE_TRY(table::SniffedCsv sniffed,
              table::sniff_csv(file.beginning(), file.beginning_is_all(), known, tokens, file.name()));
    const std::size_t count = sniffed.first_record.size();
    GAUZE_TRY(auto names, name_columns(options.names,
                                       sniffed.header ? std::move(sniffed.first_record) : std::vector<std::string>{},
                                       count, file.name()));
    if (result.files.empty()) {
      result.columns = std::move(names);
      if (sniffed.dialect.delimiter != '\0') result.form.delimiter = sniffed.dialect.delimiter;
      result.form.encoding = file.encoding();
      result.form.decimal = sniffed.decimal;
      const std::size_t line_end = file.beginning().find('\n');
      result.form.crlf = line_end != std::string::npos && line_end > 0 && file.beginning()[line_end - 1] == '\r';
      known.header = sniffed.header;  // the others are read like the first
    } else if (names != result.columns) {
      return make_error(ErrorCode::bad_data, "{} and {} do not have the same columns", files.front().name(),
                        file.name());
    }
    GAUZE_TRY(SoundCsv csv, make_sound(file, sniffed.dialect, sniffed.header, count, temporary));
    result.files.push_back(std::move(csv));
  }
  return result;
}

Result<SoundCsvWriter> SoundCsvWriter::create(const std::filesystem::path& temporary, std::string name) {
  SoundCsvWriter writer;
  GAUZE_TRY(writer.csv_.file, open_nameless(temporary));
  writer.csv_.name = std::move(name);
  return writer;
}

Result<void> SoundCsvWriter::write(const SoundLines& lines) {
  csv_.rows += lines.rows;
  csv_.longest_record = std::max(csv_.longest_record, lines.longest_record);
  csv_.quoted_line_ends |= lines.quoted_line_ends;
  return write_all(csv_.file, lines.text, "a temporary file");
}

template <class Cells>
void SoundLines::add_cells(const Cells& cells) {
  constexpr char kDelimiter = ',';  // as SoundCsv has it
  const std::size_t begin = text.size();
  bool first = true;
  for (const std::string_view cell : cells) {
    if (!std::exchange(first, false)) text += kDelimiter;
    quoted_line_ends |= cell.find_first_of("\n\r") != std::string_view::npos;
    table::append_csv_cell(text, cell, kDelimiter);
  }
  if (text.size() == begin) text += "\"\"";
  text += '\n';
  longest_record = std::max(longest_record, text.size() - begin);
  ++rows;
}

void SoundLines::add(std::span<const std::string_view> cells) { add_cells(cells); }
void SoundLines::add(const std::vector<std::string>& cells) { add_cells(cells); }

}  // namespace gauze::engines
