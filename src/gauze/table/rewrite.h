#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/table/dictionary.h"

namespace gauze::table {

/// Some rows on their way through, as text: cells[column][row].
struct RowBatch {
  struct Cell {
    std::string_view text;
    bool missing = false;
  };
  std::size_t rows = 0;
  std::vector<std::vector<Cell>> cells;
};

/// What becomes of a batch: the new text of each rewritten column, and which rows stay.
struct RewrittenBatch {
  std::vector<std::vector<std::optional<std::string_view>>> cells;  ///< cells[output][row]; nothing: as it was read
  std::vector<std::uint8_t> keep;                                   ///< 0 drops the row
  std::deque<std::string> storage;                                  ///< for texts that live nowhere else
};

/// A change of some columns on the way from a source to a file.
struct Rewrite {
  std::vector<std::size_t> inputs = {};   ///< columns the function looks at
  std::vector<std::size_t> outputs = {};  ///< columns it writes anew, in place of what was there
  std::vector<std::size_t> dropped = {};  ///< columns that are left out of the output
  /// Called once a batch, from several threads at once unless `in_order`; batch.cells follow `inputs`, the result's
  /// cells follow `outputs` and have the size batch.rows, as has keep.
  std::function<void(const RowBatch& batch, RewrittenBatch& result)> rewrite = {};
  bool in_order = false;  ///< call it for one batch after the other, in the order of the rows
  /// Draws a number below its argument, each with the same chance. Given: rows are written in a uniformly random order; else
  /// they keep theirs. Never called by two threads at once.
  std::function<std::uint64_t(std::uint64_t)> shuffle = {};

  /// Where all rows of the source were read before, and what becomes of a row depends on some of its columns alone: their
  /// distinct tuples, which must outlive the rewrite. Rows in a random order are made of them without reading the source again where
  /// nothing else is written, and in any case what a tuple becomes is laid out once.
  struct Known {
    std::vector<std::size_t> columns = {};
    const TupleCounts* tuples = nullptr;
    /// As `rewrite`, of rows or tuples of which batch.cells has these columns alone.
    std::function<void(const RowBatch& batch, RewrittenBatch& result)> rewrite = {};
    /// For each row the place of its tuple, from the texts of these columns; kNoTuple where there is none, and the row is left out. Called
    /// from several threads at once.
    std::function<std::vector<std::uint32_t>(std::span<const std::span<const std::string_view>> texts)> find = {};
    /// Called from several threads at once with cells of other columns that are written as they were read.
    std::function<void(std::size_t column, std::span<const std::string_view> texts)> look = {};
  };
  static constexpr std::uint32_t kNoTuple = UINT32_MAX;
  Known known = {};
  /// Whether the known tuples say what is written, but for cells of other columns that stay as they were.
  [[nodiscard]] bool knows_changes(std::size_t columns) const;
  /// Whether all that is written of a table with so many columns follows from the known tuples.
  [[nodiscard]] bool knows_rows(std::size_t columns) const;
  /// The rewrite of known tuples.
  [[nodiscard]] Rewrite of_tuples() const;

  /// A result in which every cell stays as it was and every row is kept.
  [[nodiscard]] RewrittenBatch unchanged(std::size_t rows) const;
  /// Calls the function, if there is one, and checks that what it returns has the shape of the batch.
  void run(const RowBatch& batch, RewrittenBatch& result) const;
  /// The columns that are written of a table with so many, in their order.
  [[nodiscard]] std::vector<std::size_t> written(std::size_t columns) const;
};

}  // namespace gauze::table
