#include "gauze/engines/duckdb/internal/declared_parquet.h"

#include <numeric>

namespace gauze::engines {
namespace {

class DeclaredParquet : public table::DeclaredSource {
 public:
  DeclaredParquet(std::unique_ptr<SqlSource> source, InputBytes bytes)
      : source_(std::move(source)), bytes_(std::move(bytes)) {}

  [[nodiscard]] Result<table::TupleCounts> group(Progress& progress, const ByteWitness& witness) override {
    GAUZE_TRY_VOID(begin(witness));
    GAUZE_TRY(table::TupleCounts tuples, source_->group(all_columns(), progress));
    GAUZE_TRY_VOID(end(witness));
    return tuples;
  }
  [[nodiscard]] Result<void> read(table::RowSink& rows, Progress& progress, const ByteWitness& witness) override {
    GAUZE_TRY_VOID(begin(witness));
    progress.begin("reading", source_->relation().rows);
    GAUZE_TRY(const auto stream, source_->scan(all_columns(), table::Cells::text, progress));
    for (;;) {
      GAUZE_TRY(const auto batch, stream->next());
      if (!batch) break;
      hand_over(*batch, rows);
      progress.advance(batch->rows);
      GAUZE_TRY_VOID(progress.check());
    }
    return end(witness);
  }
  [[nodiscard]] std::string assumption() const override {
    return "a damaged file: whoever wrote the Parquet file is trusted that its pages are whole, and that columns of text "
           "hold text";
  }

 private:
  [[nodiscard]] std::vector<std::size_t> all_columns() const {
    std::vector<std::size_t> columns(source_->columns().size());
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    return columns;
  }
  // DuckDB reads the pages where it wants: the file must be the same before, between and after.
  [[nodiscard]] Result<void> begin(const ByteWitness& witness) {
    return witness ? bytes_.hand_over(witness) : Result<void>();
  }
  [[nodiscard]] Result<void> end(const ByteWitness& witness) {
    return witness ? bytes_.check_unchanged() : Result<void>();
  }
  static void hand_over(const table::ValueBatch& batch, table::RowSink& rows) {
    std::vector<std::string_view> cells(batch.columns.size());
    for (std::size_t row = 0; row < batch.rows; ++row) {
      for (std::size_t i = 0; i < cells.size(); ++i)
        cells[i] = batch.columns[i].is_null(row) ? std::string_view() : batch.columns[i].texts[row];
      rows.add(cells);
    }
  }

  std::unique_ptr<SqlSource> source_;
  InputBytes bytes_;
};

}  // namespace

std::unique_ptr<table::DeclaredSource> declared_parquet(std::unique_ptr<SqlSource> source, InputBytes bytes) {
  return std::make_unique<DeclaredParquet>(std::move(source), std::move(bytes));
}

}  // namespace gauze::engines
