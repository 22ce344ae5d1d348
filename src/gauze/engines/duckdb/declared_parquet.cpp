#include "gauze/engines/duckdb/internal/declared_parquet.h"

#include <numeric>

namespace gauze::engines {
namespace {

class DeclaredParquet : public table::DeclaredSource {
 public:
  explicit DeclaredParquet(std::unique_ptr<SqlSource> source) : source_(std::move(source)) {}

  [[nodiscard]] Result<table::TupleCounts> group(Progress& progress) override {
    std::vector<std::size_t> columns(source_->columns().size());
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    return source_->group(columns, progress);
  }
  [[nodiscard]] std::string assumption() const override {
    return "a damaged file: whoever wrote the Parquet file is trusted that its pages are whole, and that columns of text "
           "hold text";
  }

 private:
  std::unique_ptr<SqlSource> source_;
};

}  // namespace

std::unique_ptr<table::DeclaredSource> declared_parquet(std::unique_ptr<SqlSource> source) {
  return std::make_unique<DeclaredParquet>(std::move(source));
}

}  // namespace gauze::engines
