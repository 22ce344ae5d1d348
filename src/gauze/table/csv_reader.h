#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/utf8_checker.h"
#include "gauze/files/byte_source.h"

namespace gauze::table {

/// How the cells of a CSV text are kept apart.
struct CsvDialect {
  char delimiter = ',';  ///< '\0': the text has one column, and nothing separates
  char quote = '"';      ///< '\0': nothing is quoted

  friend bool operator==(const CsvDialect&, const CsvDialect&) = default;
};

/// How every sequence of bytes is read as rows, so that no row makes reading fail or changes how others are read
/// (docs/formats/tables.md): what is undecodable, badly quoted, short or long is the business of its own record.
struct TotalRules {
  char line_end = '\n';  ///< what ends a record outside quotes: LF (a CR before it is a blank) or CR
  std::size_t longest_record = std::size_t{64} << 20;  ///< in bytes; the cells of a longer one are not told
  bool blank_lines_are_rows = false;  ///< of a file with one column: an empty cell is all that such a row has
};

/// What a reader met that another reader of CSV might take for something else.
struct CsvTraits {
  bool lf = false;                 ///< lines ended by LF
  bool crlf = false;               ///< by CR LF
  bool cr = false;                 ///< by CR alone
  bool quoted_line_ends = false;   ///< a line end inside quotes
  bool blanks_at_quotes = false;   ///< blanks between a quote and the delimiter
  bool stray_quotes = false;       ///< a quote inside a cell that is not quoted
  bool space_runs = false;         ///< spaces separate, and several stand together or at an end of a line
  bool blank_lines = false;        ///< lines without anything, which are no records
  bool lines_of_blanks = false;    ///< lines of blanks only, which are no records either
  std::size_t longest_record = 0;  ///< in bytes, with quotes and line end
};

/// What is wrong with a record.
enum class CsvFault { none, text_after_quote, open_quote, nul, not_utf8, too_long };

/// Reads CSV record by record: RFC 4180, with any of the three line ends, even mixed.
///
/// A quote opens a quoted cell only where the cell begins (blanks may stand before it) and must be closed before the
/// delimiter or line end; elsewhere it is a letter like any other. Where a space is the delimiter, several together
/// separate once, and those at the ends of a line not at all. Lines without content are skipped. Text that is not
/// UTF-8, a NUL byte, a quote that is not closed and a record of over 64 MiB are `bad_data`; messages name the line,
/// never a cell.
///
/// By total rules text after a closing quote belongs to the cell, NUL and bytes that are no text are passed on, a mark
/// U+FEFF at the front of a record is dropped, and nothing is `bad_data` but a quote that is never closed.
class CsvReader {
 public:
  static constexpr std::size_t kLongestRecord = std::size_t{64} << 20;

  /// The source must outlive the reader. `name` is what messages call the source; `block` is how much is read at once.
  CsvReader(ByteSource& source, const CsvDialect& dialect, std::string name,
            std::size_t block = std::size_t{1} << 18);
  CsvReader(ByteSource& source, const CsvDialect& dialect, std::string name, const TotalRules& rules,
            std::size_t block = std::size_t{1} << 18);

  /// The cells of the next record, as they are written but without quotes; false at the end. They are valid until the
  /// next call.
  [[nodiscard]] Result<bool> next(std::vector<std::string_view>& cells);

  /// By total rules: whether the record that was read last is longer than they allow. Its cells are not told.
  [[nodiscard]] bool is_oversized() const { return oversized_; }
  /// The line, from 1, in which the record that was read last began.
  [[nodiscard]] std::uint64_t line() const { return record_line_; }
  [[nodiscard]] const CsvTraits& traits() const { return traits_; }
  /// Whether a cell of the record that was read last stood in quotes.
  [[nodiscard]] bool is_quoted(std::size_t cell) const { return cells_[cell].quoted; }
  /// What the last error was about, and in which line; `none` when the source itself failed.
  [[nodiscard]] CsvFault fault() const { return fault_; }
  [[nodiscard]] std::uint64_t fault_line() const { return fault_line_; }

 private:
  enum class Outcome { record, blank, need_more, end, text_after_quote, open_quote, nul };
  struct Cell {
    std::size_t begin = 0;
    std::size_t size = 0;
    bool quoted = false;
    bool doubled_quotes = false;
    std::size_t tail_begin = 0;  // text after the closing quote (total rules)
    std::size_t tail_size = 0;
  };

  [[nodiscard]] Outcome parse_record();
  [[nodiscard]] Outcome parse_cell(std::size_t& place);
  [[nodiscard]] Outcome parse_quoted(std::size_t& place);
  [[nodiscard]] Outcome parse_tail(std::size_t& place);
  [[nodiscard]] Outcome parse_plain(std::size_t& place);
  [[nodiscard]] bool ends_record(char c) const { return total_ ? c == total_->line_end : c == '\n' || c == '\r'; }
  [[nodiscard]] bool is_blank_before_quote(char c) const;
  [[nodiscard]] bool is_too_long(std::size_t size) const { return total_ && size > total_->longest_record; }
  /// Passes over the record that is next, however long it is.
  [[nodiscard]] Result<void> skip_record();
  /// Where spaces separate, several of them separate once.
  [[nodiscard]] Outcome skip_spaces(std::size_t& place);
  /// Takes a line end at the place; need_more when a CR stands at the end of what is there.
  [[nodiscard]] Outcome take_line_end(std::size_t& place);
  [[nodiscard]] bool is_blank_record();
  [[nodiscard]] Result<void> refill();
  /// Whether the bytes that were just read go on with UTF-8.
  [[nodiscard]] Result<void> check_text(std::size_t got);
  void take_cells(std::vector<std::string_view>& cells);
  [[nodiscard]] static CsvFault fault_of(Outcome outcome);
  [[nodiscard]] tl::unexpected<Error> refusal(CsvFault fault, std::uint64_t line);

  ByteSource& source_;
  CsvDialect dialect_;
  std::string name_;
  std::optional<TotalRules> total_;
  bool special_[256] = {};
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // of the record that is next
  std::size_t end_ = 0;    // of what was read
  bool at_end_ = false;
  Utf8Checker utf8_;
  std::vector<Cell> cells_;
  std::size_t record_end_ = 0;
  std::uint64_t line_ = 1;             // in which the next record begins
  std::uint64_t lines_in_record_ = 0;  // line ends inside quotes, and the one at its end
  std::uint64_t record_line_ = 0;
  CsvTraits traits_;
  CsvTraits pending_;  // of a record that may have to be parsed again
  bool oversized_ = false;
  CsvFault fault_ = CsvFault::none;
  std::uint64_t fault_line_ = 0;
};

}  // namespace gauze::table
