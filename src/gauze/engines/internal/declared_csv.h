#pragma once

#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/progress.h"
#include "gauze/engines/internal/input_file.h"
#include "gauze/table/csv_reader.h"
#include "gauze/table/declared_source.h"
#include "gauze/table/read_options.h"
#include "gauze/table/row_sink.h"

namespace gauze::engines {

/// A CSV file whose rows are read by total rules.
class DeclaredCsv {
 public:
  /// Looks at the first line alone, and only if it holds names.
  [[nodiscard]] static Result<DeclaredCsv> open(InputFile file, const std::vector<table::DeclaredColumn>& columns,
                                                const table::ReadOptions& options);

  [[nodiscard]] std::uint64_t byte_count() const { return file_.byte_count(); }
  /// Hands over every row.
  [[nodiscard]] Result<void> read(table::RowSink& rows, const Progress& progress, const ByteWitness& witness) const;

 private:
  explicit DeclaredCsv(InputFile file) : file_(std::move(file)) {}
  /// The first line with content, without its end; finds out what ends lines.
  [[nodiscard]] Result<std::string> read_header();
  [[nodiscard]] Result<void> find_in_header(const std::vector<table::DeclaredColumn>& columns,
                                            const table::ReadOptions& options);
  [[nodiscard]] Result<void> find_in_names(const std::vector<table::DeclaredColumn>& columns,
                                           const std::vector<std::string>& names);

  InputFile file_;
  table::CsvDialect dialect_;
  table::TotalRules rules_;
  bool header_ = true;
  std::vector<std::size_t> places_;  // of the declared columns in a record
};

}  // namespace gauze::engines
