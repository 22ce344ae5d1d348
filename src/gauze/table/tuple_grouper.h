#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/table/dictionary.h"
#include "gauze/table/missing_tokens.h"
#include "gauze/table/row_sink.h"
#include "gauze/table/tuple_encoder.h"

namespace gauze::table {

/// Groups rows of text as they come: equal ones are counted, memory follows distinct texts and tuples. What it returns
/// does not depend on the order of the rows.
class TupleGrouper final : public RowSink {
 public:
  /// `unreadable[i]` is what a cell of column i becomes that is not UTF-8. The tokens must outlive the grouper.
  TupleGrouper(std::vector<std::string> unreadable, const MissingTokens& tokens);

  /// One row; as many cells as there are columns.
  void add(std::span<const std::string_view> cells) override;
  /// One row none of whose cells can be read.
  void add_unreadable() override;

  /// Ends the grouper's life.
  [[nodiscard]] TupleCounts finish();

 private:
  [[nodiscard]] std::uint32_t code_of(std::size_t column, std::string_view cell);
  void count(std::span<const std::uint32_t> tuple);
  void grow();
  /// Takes texts out of the dictionary of a column that no tuple has: those that could not be read.
  static void drop_unused(Dictionary& dictionary, std::vector<std::uint32_t>& codes);

  std::vector<std::string> unreadable_;
  TupleEncoder encoder_;
  std::vector<std::vector<std::uint32_t>> stands_for_;  // by column and number of the text: the text it counts as
  bool met_unreadable_ = false;
  std::vector<std::uint32_t> tuple_;   // the row that is being added
  std::vector<std::uint32_t> tuples_;  // those seen, one after the other
  std::vector<std::uint32_t> slots_;   // a power of two of them, at most half full
};

}  // namespace gauze::table
