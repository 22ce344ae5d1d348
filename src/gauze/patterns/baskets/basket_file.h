#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/patterns/baskets/database.h"

namespace gauze::patterns {

/// How transactions are written. docs/formats/baskets.md
enum class BasketFormat {
  dat,     ///< one transaction a line, items separated by blanks (FIMI)
  csv,     ///< one transaction a line, items separated by commas, names may be quoted; lines are of any length
  matrix,  ///< a line of item names, then one line a transaction of 0, 1 and ?
};
inline constexpr std::array<std::string_view, 3> kBasketFormatWords = {"dat", "csv", "matrix"};

/// What reading found that is worth a word.
struct BasketNotes {
  std::uint64_t empty_rows = 0;
  std::uint64_t repeated_items = 0;  ///< occurrences of an item after its first in a row
  std::uint64_t comment_lines = 0;
  bool byte_order_mark = false;
  bool carriage_returns = false;
};

/// A file of transactions with the place of every item in its bytes, so that a release differs from it in the marks alone.
class BasketFile {
 public:
  /// Reads the bytes of a file. The format is found out unless given: matrix when the second line holds nothing but 0, 1
  /// and ?, csv when a line has a comma, else dat. Total: any bytes give a file or `bad_data` with the line.
  [[nodiscard]] static Result<BasketFile> parse(std::string bytes, std::optional<BasketFormat> format);
  [[nodiscard]] static Result<BasketFile> read(const std::string& path, std::optional<BasketFormat> format);

  [[nodiscard]] const Database& database() const { return database_; }
  [[nodiscard]] BasketFormat format() const { return format_; }
  [[nodiscard]] const BasketNotes& notes() const { return notes_; }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

  /// Where an item stands in the bytes: of a row all its occurrences, in order.
  struct Token {
    std::size_t begin = 0;
    std::size_t end = 0;
    Item item = 0;
  };
  [[nodiscard]] std::span<const Token> tokens(std::size_t row) const {
    return std::span(tokens_).subspan(token_starts_[row], token_starts_[row + 1] - token_starts_[row]);
  }
  /// The bytes of a row without its line end.
  [[nodiscard]] std::pair<std::size_t, std::size_t> line(std::size_t row) const { return lines_[row]; }

 private:
  friend class BasketParser;
  BasketFile() = default;
  std::string bytes_;
  BasketFormat format_ = BasketFormat::dat;
  Database database_;
  BasketNotes notes_;
  std::vector<Token> tokens_;
  std::vector<std::size_t> token_starts_ = {0};
  std::vector<std::pair<std::size_t, std::size_t>> lines_;
};

}  // namespace gauze::patterns
