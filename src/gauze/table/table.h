#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/progress.h"
#include "gauze/table/declared_source.h"
#include "gauze/table/dictionary.h"

namespace gauze::table {

/// How an input is to be read. What is not given is found out from the file.
struct ReadOptions {
  std::optional<std::string> delimiter = {};  ///< CSV: one ASCII character
  std::optional<std::string> quote = {};      ///< CSV: one ASCII character; the empty text: nothing is quoted
  std::optional<bool> header = {};            ///< CSV: whether the first line holds names
  std::vector<std::string> names = {};        ///< names of the columns, instead of those in the file
  std::vector<std::string> null_tokens = {};  ///< missing besides `?`, the empty text and NULL
  std::optional<std::string> encoding = {};   ///< "utf-8", "utf-16", "gb18030", "latin-1"
};

enum class FileFormat { csv, parquet, json_lines };

/// What a column seems to hold; its cells stay text as they were written.
enum class ColumnType { integer, number, date, boolean, text };
[[nodiscard]] std::string_view to_string(ColumnType type);

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

/// A change of some columns on the way from the input to a file.
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
};

struct WriteOptions {
  std::optional<FileFormat> format = {};  ///< default: by the name of the file, else CSV
  std::string delimiter = ",";
};

/// One column by itself, for inspection.
struct ColumnSummary {
  ColumnType type = ColumnType::text;
  std::uint64_t distinct = 0;                 ///< different values that are not missing, exact
  std::uint64_t missing = 0;                  ///< rows whose cell is missing
  std::optional<Dictionary> dictionary = {};  ///< the values, when there are not too many
  std::vector<std::uint64_t> counts = {};     ///< rows of each value of the dictionary
};

/// An opened input: one file, or several of the same shape. Grouping and counting happen in the engine that opened it.
///
/// Cells are text as it was written, without blanks around it (leading zeros and dates stay); a missing cell is
/// recognised by the tokens of ReadOptions.
/// Thread safety: one call at a time.
class Table {
 public:
  virtual ~Table() = default;

  [[nodiscard]] virtual const std::vector<std::string>& columns() const = 0;
  /// How CSV was read, so that output can look like the input: "," when the input was not CSV.
  [[nodiscard]] virtual const std::string& delimiter() const = 0;
  [[nodiscard]] virtual FileFormat format() const = 0;
  [[nodiscard]] virtual Result<std::uint64_t> row_count() = 0;

  /// The place of a column, or `unknown_column` with the nearest name.
  [[nodiscard]] Result<std::size_t> column(std::string_view name) const;

  /// The distinct tuples of the columns with their counts, in one grouped scan: memory follows distinct tuples.
  [[nodiscard]] virtual Result<TupleCounts> group(std::span<const std::size_t> columns, Progress& progress) = 0;

  /// Each of the columns by itself; the dictionaries of those with more than `max_values` values are left out.
  [[nodiscard]] virtual Result<std::vector<ColumnSummary>> summaries(std::span<const std::size_t> columns,
                                                                     std::size_t max_values, Progress& progress) = 0;

  /// Streams all rows through the rewrite into a file that appears whole or not at all ("-" is the standard output).
  [[nodiscard]] virtual Result<void> write(const Rewrite& rewrite, const std::filesystem::path& target,
                                           const WriteOptions& options, Progress& progress) = 0;
};

/// Something that can open tables: DuckDB inside the process, later a server.
class Engine {
 public:
  virtual ~Engine() = default;
  /// Opens a file, a glob, or "-" for the standard input. Errors name the file and the rule, never a cell.
  [[nodiscard]] virtual Result<std::unique_ptr<Table>> open(const std::string& source,
                                                            const ReadOptions& options) = 0;
  /// The same for a release, by names and options alone: what the options do not say is the usual (UTF-8, a header, double
  /// quotes, the delimiter that divides the header into the declared names). `unknown_column` when the file does not
  /// have a declared column, `invalid_parameter` when it cannot be known without looking at rows.
  [[nodiscard]] virtual Result<std::unique_ptr<DeclaredSource>> open_declared(
      const std::string& source, const std::vector<DeclaredColumn>& columns, const ReadOptions& options) = 0;
};

}  // namespace gauze::table
