#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gauze/base/words.h"
#include "gauze/patterns/baskets/database.h"
#include "gauze/table/encoding.h"

namespace gauze::patterns {

/// How transactions are written. docs/formats/baskets.md
enum class BasketFormat {
  dat,  ///< one transaction a line, items separated by blanks (FIMI)
  csv,  ///< one transaction a line, items separated by commas (or what is given), names may be quoted; lines are of any length
  matrix,      ///< a line of item names, then one line a transaction of 0, 1 and ?
  long_table,  ///< a line of column names, then one line an item, with the transaction it belongs to
};
inline constexpr Words<BasketFormat, 4> kBasketFormatWords = {{{BasketFormat::dat, "dat"},
                                                               {BasketFormat::csv, "csv"},
                                                               {BasketFormat::matrix, "matrix"},
                                                               {BasketFormat::long_table, "long"}}};

/// How a file is to be read. What is not given is found out from it.
struct BasketReading {
  std::optional<BasketFormat> format = {};
  std::optional<std::string> transaction = {};  ///< of a long table: the column that says which transaction
  std::optional<std::string> item = {};         ///< of a long table: the column with the item
  std::optional<char> delimiter = {};           ///< of all formats but dat: what separates cells
  std::optional<std::string> encoding = {};     ///< "utf-8", "utf-16", "gb18030", "latin-1"

  BasketReading() = default;
  BasketReading(std::nullopt_t) {}                                     // NOLINT(google-explicit-constructor)
  BasketReading(BasketFormat given) : format(given) {}                 // NOLINT(google-explicit-constructor)
  BasketReading(std::optional<BasketFormat> given) : format(given) {}  // NOLINT(google-explicit-constructor)
};

/// What reading found that is worth a word.
struct BasketNotes {
  std::uint64_t empty_rows = 0;
  std::uint64_t repeated_items = 0;  ///< occurrences of an item after its first in a row
  std::uint64_t comment_lines = 0;
  bool byte_order_mark = false;
  bool carriage_returns = false;
  std::string other_delimiter = {};  ///< dat and csv: what the lines look separated by, if that is something else
};

/// One cell of a transaction, and where it stands in the bytes of the file.
struct BasketCell {
  enum class Kind {
    item,
    mark,       ///< anchored: `?item`, or the ? of a matrix
    anonymous,  ///< `?`
    none,       ///< an empty cell of a long table, the 0 of a matrix
  };
  std::size_t begin = 0;  ///< of its bytes, quotes included
  std::size_t end = 0;
  std::size_t line_begin = 0;  ///< of the line it stands in
  std::size_t line_end = 0;    ///< without the line end
  Kind kind = Kind::item;
  std::string name;  ///< of the item or the marked item
};

/// A file of transactions that remembers where each stands in its bytes, so that a release differs from it in the marks alone.
class BasketFile {
 public:
  /// Reads the bytes of a file; what gzip or zstd packed is unpacked. The format is found out unless given: long when the first line names a transaction and an
  /// item column by usual names, matrix when the lines after the first hold nothing but 0, 1 and ?, not ? alone, and no
  /// name in the first is ?, csv when a line has a comma or a delimiter is given, else dat. A column that is given means a
  /// long table. The text is UTF-8, UTF-16 with a byte order mark or plainly GB 18030, unless its encoding is given. Total:
  /// any bytes give a file or `bad_data` with the line; `invalid_parameter` for what cannot be given.
  [[nodiscard]] static Result<BasketFile> parse(std::string bytes, const BasketReading& reading);
  [[nodiscard]] static Result<BasketFile> read(const std::string& path, const BasketReading& reading);
  /// Transactions that came from elsewhere: there are no bytes to mark, so nothing can be released of them.
  [[nodiscard]] static BasketFile without_bytes(Database database, const BasketNotes& notes);

  [[nodiscard]] const Database& database() const { return database_; }
  [[nodiscard]] BasketFormat format() const { return *reading_.format; }
  /// With which this file, and a release of it, reads the same way again.
  [[nodiscard]] const BasketReading& reading() const { return reading_; }
  [[nodiscard]] const BasketNotes& notes() const { return notes_; }
  /// The text as UTF-8: all places are in it.
  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  /// Such a text in the encoding of the file.
  [[nodiscard]] Result<std::string> encoded(std::string text) const;
  /// Whether encoded() gives the bytes of the file back; some encodings write a letter in two ways.
  [[nodiscard]] bool encodes_back() const { return encodes_back_; }
  [[nodiscard]] bool has_bytes() const { return has_bytes_; }
  /// What separates the cells of a csv, matrix or long file.
  [[nodiscard]] char delimiter() const { return delimiter_; }

  /// The cells of a row, in the order of the file; those of a csv or dat line without the empty ones. Read anew from the
  /// bytes at each call.
  [[nodiscard]] std::vector<BasketCell> cells(std::size_t row) const;
  /// The bytes of a row without its line end; of a long table, its first line.
  [[nodiscard]] std::pair<std::size_t, std::size_t> line(std::size_t row) const;

 private:
  friend class BasketParser;
  BasketFile() = default;
  [[nodiscard]] std::size_t end_of_line(std::size_t begin) const;

  std::string bytes_;
  table::Encoding encoding_ = table::Encoding::utf8;
  bool utf16_mark_ = false;
  bool encodes_back_ = true;
  BasketReading reading_;
  char delimiter_ = ',';
  std::size_t item_column_ = 1;  // of a long table
  bool has_bytes_ = true;
  Database database_;
  BasketNotes notes_;
  std::vector<std::uint64_t> lines_;  // where the lines of the rows begin, row by row
  std::vector<std::uint64_t>
      line_starts_;  // long: lines_[line_starts_[r]] is the first of row r; else one line a row
};

}  // namespace gauze::patterns
