#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/progress.h"
#include "gauze/files/byte_source.h"
#include "gauze/table/dictionary.h"
#include "gauze/table/row_sink.h"

namespace gauze::table {

/// A column that somebody declared before any row was read.
struct DeclaredColumn {
  std::string name;
  /// What a cell counts as that cannot be read: bytes that are no text, a nested value, a key that stands twice. The
  /// empty text is "missing".
  std::string unreadable = "other";
};

/// An input of which everything but its rows is known: what is about to be released under differential privacy.
///
/// Opening one looks at nothing that rows decide: that the file is there and can be read, its name (for its format), the
/// line of names, the schema of Parquet. Its rows are read by total rules (docs/formats/tables.md): each counts as one
/// row whatever it holds, and changes nothing about how others are read.
class DeclaredSource {
 public:
  virtual ~DeclaredSource() = default;

  /// The distinct tuples of the declared columns, in the order they were declared, with their counts. Fails only for
  /// what is wrong with the file as a whole: a quote that is never closed, damaged compression or Parquet pages, the
  /// disk. Messages tell no place.
  /// A witness, if there is one, is shown the bytes of every file in order, for a commitment to them: those that the rows were
  /// made of.
  [[nodiscard]] virtual Result<TupleCounts> group(Progress& progress, const ByteWitness& witness = {}) = 0;

  /// Hands over every row as text, in the order of the files; fails as group() does. Tokens for missing cells are the
  /// sink's business in CSV and JSON; a missing cell of Parquet is empty.
  [[nodiscard]] virtual Result<void> read(RowSink& rows, Progress& progress, const ByteWitness& witness = {}) = 0;

  /// What is taken for granted about whoever wrote the file, for labels; empty when nothing is.
  [[nodiscard]] virtual std::string assumption() const = 0;
};

}  // namespace gauze::table
