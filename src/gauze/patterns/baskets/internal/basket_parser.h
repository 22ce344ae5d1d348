#pragma once

#include <string_view>
#include <vector>

#include "gauze/patterns/baskets/basket_file.h"
#include "gauze/patterns/baskets/internal/line_cells.h"
#include "gauze/patterns/baskets/internal/long_columns.h"
#include "gauze/table/string_interner.h"

namespace gauze::patterns {

/// How the cells of a file's lines are told apart.
[[nodiscard]] internal::CellRules cell_rules(BasketFormat format, char delimiter);

/// Which format a text seems to have, whose cells are separated by `delimiter` if that is given.
[[nodiscard]] BasketFormat find_basket_format(std::string_view text, std::optional<char> delimiter);

/// What the lines of a dat or csv file look separated by, if that is something else than `delimiter`; else nothing.
[[nodiscard]] std::string_view find_other_delimiter(std::string_view text, BasketFormat format, char delimiter);

/// Reads one file; holds what is needed only meanwhile.
class BasketParser {
 public:
  explicit BasketParser(BasketFile& file) : file_(file) {}
  Result<void> run(const BasketReading& reading);

 private:
  Item item_of(std::string_view name);
  Result<internal::CellReader::Step> step(internal::CellReader& cells);
  Result<void> read_line(std::size_t begin, std::size_t end);
  Result<std::vector<std::string>> read_names(std::size_t begin, std::size_t end);
  Result<void> read_matrix_header(std::size_t begin, std::size_t end);
  Result<void> read_matrix(std::size_t begin, std::size_t end);
  Result<void> read_long_header(std::size_t begin, std::size_t end, const BasketReading& reading);
  Result<void> read_long(std::size_t begin, std::size_t end);
  void end_row(std::size_t begin);
  void end_long();

  BasketFile& file_;
  internal::CellRules rules_;
  table::StringInterner names_;
  std::vector<Item> items_of_names_;    // by the numbers of names_
  std::vector<Item> items_of_numbers_;  // by small numbers that are names
  std::vector<Item> items_;             // of the row
  std::vector<Item> marks_;
  std::uint32_t anonymous_ = 0;
  std::uint64_t line_ = 0;
  // Of a long table:
  internal::LongColumns columns_;
  std::size_t column_count_ = 0;
  table::StringInterner transactions_;
  std::vector<std::uint32_t> row_of_line_;
  std::vector<Item> item_of_line_;
  std::vector<internal::CellKind> kind_of_line_;
};

}  // namespace gauze::patterns
