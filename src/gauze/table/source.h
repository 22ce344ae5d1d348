#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/progress.h"
#include "gauze/table/dictionary.h"
#include "gauze/table/missing_tokens.h"
#include "gauze/table/read_options.h"
#include "gauze/table/row_stream.h"

namespace gauze::table {

/// What a column seems to hold; its cells stay text as they were written.
enum class ColumnType { integer, number, date, boolean, text };
[[nodiscard]] std::string_view to_string(ColumnType type);

/// How a source stores a column. Files of text store text.
enum class StoredType { text, integer, wide_integer, decimal, real, boolean, date, time, timestamp, other };

/// One column by itself, for inspection.
struct ColumnSummary {
  ColumnType type = ColumnType::text;
  std::uint64_t distinct = 0;                 ///< different values that are not missing, exact
  std::uint64_t missing = 0;                  ///< rows whose cell is missing
  std::optional<Dictionary> dictionary = {};  ///< the values, when there are not too many
  std::vector<std::uint64_t> counts = {};     ///< rows of each value of the dictionary
};

/// What the cells of a key count as. A missing cell stays missing, and a cell becomes missing if its new text is a token.
struct KeyRecoding {
  std::unordered_map<std::string, std::string> texts;
  std::optional<std::string> otherwise = {};  ///< of texts that are not listed; nothing: they stay
};

/// By what rows are grouped, and which of them.
struct Grouping {
  struct Key {
    std::size_t column = 0;
    std::optional<KeyRecoding> recoding = {};
    /// By the letters, as a reader of the file sees them: blanks around a text count, and no text means missing. Not together
    /// with a recoding.
    bool as_written = false;
  };
  /// Rows whose cell is one of these texts and not missing.
  struct Filter {
    std::size_t column = 0;
    std::vector<std::string> texts;
  };
  std::vector<Key> keys;
  std::vector<Filter> filters = {};  ///< a row must pass each of them
};

/// As what scanned cells come: stored, each of the type nearest to that of its column, or as the text that groups show. A
/// stored float of 32 bits comes as the same number in 64 bits, whose own text has more digits.
enum class Cells { stored, text };

/// A table that can be read, wherever it lies. Grouping and counting happen in the engine that opened it.
///
/// A cell reads as text by one rule for all sources (docs/formats/tables.md), without blanks around it; it is missing when
/// it is NULL or one of the tokens. Every Source passes the suite of testing/source_conformance.h.
/// Thread safety: one call at a time, and no other call while a stream of scan() is read.
class Source {
 public:
  struct Column {
    std::string name;
    StoredType type = StoredType::text;
  };
  virtual ~Source() = default;

  [[nodiscard]] const std::vector<Column>& schema() const { return schema_; }
  /// The names of the schema.
  [[nodiscard]] const std::vector<std::string>& columns() const { return names_; }
  /// The place of a column, or `unknown_column` with the nearest name.
  [[nodiscard]] Result<std::size_t> column(std::string_view name) const;
  /// `unknown_column` unless there are columns of all these numbers.
  [[nodiscard]] Result<void> check_columns(std::span<const std::size_t> columns) const;
  [[nodiscard]] const MissingTokens& missing() const { return missing_; }
  /// How the numbers of a column are written: what is stored as text as the file has it, all others with a point.
  [[nodiscard]] virtual DecimalSign decimal(std::size_t column) const;

  [[nodiscard]] virtual Result<std::uint64_t> row_count() = 0;

  /// The distinct tuples of the keys with their counts, in one grouped scan: memory follows distinct tuples.
  [[nodiscard]] virtual Result<TupleCounts> group(const Grouping& grouping, Progress& progress) = 0;
  /// The same for all rows and columns as they are.
  [[nodiscard]] Result<TupleCounts> group(std::span<const std::size_t> columns, Progress& progress);

  /// All rows in the order of the source, with these columns. A stop that is asked for ends the stream with `interrupted`;
  /// the caller reports how far it is. Source and progress must outlive the stream.
  [[nodiscard]] virtual Result<std::unique_ptr<RowStream>> scan(std::span<const std::size_t> columns, Cells cells,
                                                                Progress& progress) = 0;

  /// Each of the columns by itself; the dictionaries of those with more than `max_values` values are left out.
  [[nodiscard]] virtual Result<std::vector<ColumnSummary>> summarise(std::span<const std::size_t> columns,
                                                                     std::size_t max_values, Progress& progress) = 0;

 protected:
  Source(std::vector<Column> schema, const std::vector<std::string>& null_tokens,
         DecimalSign decimal = DecimalSign::point);
  Source(Source&&) = default;
  Source(const Source&) = default;

 private:
  std::vector<Column> schema_;
  std::vector<std::string> names_;
  MissingTokens missing_;
  DecimalSign decimal_;
};

/// The type in which stored cells of a column come.
[[nodiscard]] ValueType value_type(StoredType type);

/// What a cell counts as; the cell must not be missing.
[[nodiscard]] std::string_view recode(const KeyRecoding& recoding, std::string_view text);

/// How a further source is opened by whoever does not choose its engine.
using SourceOpener =
    std::function<Result<std::unique_ptr<Source>>(const std::string& uri, const ReadOptions& options)>;

}  // namespace gauze::table
