#pragma once

#include <vector>

#include "gauze/base/progress.h"
#include "gauze/table/dictionary.h"
#include "gauze/table/row_stream.h"

namespace gauze::table {

/// Tuples that were read, as rows of text: each once, with its count. A missing cell is NULL only where it is the empty text.
class TupleRows : public RowStream {
 public:
  /// `places`: of the columns among those of the tuples. Tuples and progress must outlive the stream.
  TupleRows(const TupleCounts& tuples, std::vector<std::size_t> places, Progress& progress);

  [[nodiscard]] Result<std::optional<ValueBatch>> next() override;

 private:
  const TupleCounts& tuples_;
  std::vector<std::size_t> places_;
  Progress& progress_;
  std::size_t tuple_ = 0;
};

}  // namespace gauze::table
