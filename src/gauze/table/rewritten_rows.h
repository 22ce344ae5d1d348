#pragma once

#include <deque>
#include <memory>

#include "gauze/base/progress.h"
#include "gauze/table/rewrite.h"
#include "gauze/table/row_stream.h"
#include "gauze/table/source.h"

namespace gauze::table {

/// The rows of a source as a rewrite changes them, all as text; their order stays. Some batches at a time are rewritten by
/// several threads. A batch from which every row was dropped is left out.
class RewrittenRows : public RowStream {
 public:
  /// Source, rewrite and progress must outlive the stream. Each row is a step of the progress.
  [[nodiscard]] static Result<std::unique_ptr<RewrittenRows>> open(Source& source, const Rewrite& rewrite,
                                                                   Progress& progress);
  /// The same of the tuples that the rewrite knows: each once, with its count. In no order of the source.
  [[nodiscard]] static Result<std::unique_ptr<RewrittenRows>> of_tuples(const Source& source, const Rewrite& rewrite,
                                                                        Progress& progress);
  [[nodiscard]] Result<std::optional<ValueBatch>> next() override;

 private:
  /// Which columns of the scan hold what.
  struct Layout {
    std::vector<std::size_t> selected;                  ///< columns of the source, as the scan returns them
    std::vector<std::size_t> inputs;                    ///< where the rewrite's inputs are in `selected`
    std::vector<std::size_t> written;                   ///< where the written columns are in `selected`
    std::vector<std::optional<std::size_t>> rewritten;  ///< for each written column its place among the outputs
  };
  struct Piece;
  [[nodiscard]] static std::vector<Column> columns_of(const Source& source, const Layout& layout);
  [[nodiscard]] static Layout plan(const Rewrite& rewrite, std::size_t columns);
  RewrittenRows(const Source& source, const Rewrite& rewrite, Layout layout, std::unique_ptr<RowStream> rows,
                Progress& progress);
  [[nodiscard]] Result<void> read_pieces();
  void take(Piece& piece) const;
  [[nodiscard]] ValueBatch put_together(Piece& piece) const;

  const MissingTokens& tokens_;
  std::unique_ptr<const Rewrite> made_;  // of tuples
  const Rewrite& rewrite_;
  Layout layout_;
  std::unique_ptr<RowStream> rows_;
  Progress& progress_;
  std::deque<ValueBatch> waiting_;
  bool ended_ = false;
};

}  // namespace gauze::table
