#include "gauze/engines/duckdb/internal/declared_parquet.h"

#include <numeric>

namespace gauze::engines {
namespace {

class DeclaredParquet : public table::DeclaredSource {
 public:
  explicit DeclaredParquet(std::unique_ptr<DuckDbTable> table) : table_(std::move(table)) {}

  [[nodiscard]] Result<table::TupleCounts> group(Progress& progress) override {
    std::vector<std::size_t> columns(table_->columns().size());
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    return table_->group(columns, progress);
  }
  [[nodiscard]] std::string assumption() const override {
    return "a damaged file: whoever wrote the Parquet file is trusted that its pages are whole, and that columns of text "
           "hold text";
  }

 private:
  std::unique_ptr<DuckDbTable> table_;
};

}  // namespace

Result<std::unique_ptr<table::DeclaredSource>> open_declared_parquet(
    std::shared_ptr<const void> engine, const EngineSettings& settings, Connection connection,
    std::vector<InputFile> files, const std::vector<table::DeclaredColumn>& columns,
    const table::ReadOptions& options) {
  GAUZE_TRY(Relation relation, open_parquet(connection, std::move(files), options.names, columns));
  return std::make_unique<DeclaredParquet>(std::make_unique<DuckDbTable>(
      std::move(engine), settings, std::move(connection), std::move(relation), options.null_tokens));
}

}  // namespace gauze::engines
