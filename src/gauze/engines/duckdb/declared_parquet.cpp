#include "gauze/engines/duckdb/internal/declared_parquet.h"

#include <numeric>

namespace gauze::engines {
namespace {

class DeclaredParquet : public table::DeclaredSource {
 public:
  DeclaredParquet(std::unique_ptr<SqlSource> source, InputBytes bytes)
      : source_(std::move(source)), bytes_(std::move(bytes)) {}

  [[nodiscard]] Result<table::TupleCounts> group(Progress& progress, const ByteWitness& witness) override {
    std::vector<std::size_t> columns(source_->columns().size());
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    if (!witness) return source_->group(columns, progress);
    // DuckDB reads the pages where it wants: the file must be the same before, between and after.
    GAUZE_TRY_VOID(bytes_.hand_over(witness));
    GAUZE_TRY(table::TupleCounts tuples, source_->group(columns, progress));
    GAUZE_TRY_VOID(bytes_.check_unchanged());
    return tuples;
  }
  [[nodiscard]] std::string assumption() const override {
    return "a damaged file: whoever wrote the Parquet file is trusted that its pages are whole, and that columns of text "
           "hold text";
  }

 private:
  std::unique_ptr<SqlSource> source_;
  InputBytes bytes_;
};

}  // namespace

std::unique_ptr<table::DeclaredSource> declared_parquet(std::unique_ptr<SqlSource> source, InputBytes bytes) {
  return std::make_unique<DeclaredParquet>(std::move(source), std::move(bytes));
}

}  // namespace gauze::engines
