#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/engines/internal/text_table.h"
#include "gauze/table/csv_reader.h"
#include "gauze/table/row_stream.h"

namespace gauze::engines {

/// The rows of sound CSV files straight from the files: for passing over all rows that costs a third of what a database takes,
/// which makes values of its own of every cell.
class SoundCsvRows : public table::RowStream {
 public:
  /// `places`: which cells of a record the columns are, of `width`. The progress must outlive the stream.
  SoundCsvRows(std::vector<Column> columns, std::shared_ptr<const std::vector<SoundCsv>> files,
               std::vector<std::size_t> places, std::size_t width, Progress& progress);

  [[nodiscard]] Result<std::optional<table::ValueBatch>> next() override;

 private:
  /// A file that is being read.
  struct Open {
    explicit Open(const SoundCsv& csv) : source(csv.file, csv.name), reader(source, {csv.delimiter, '"'}, csv.name) {}
    FileSource source;
    table::CsvReader reader;
  };
  /// Where a cell of a batch lies in its memory.
  struct Cell {
    std::size_t begin = 0;
    std::size_t size = 0;
  };
  /// Copies the cells that are asked for.
  void keep_record(std::string& memory, std::vector<Cell>& cells) const;
  /// The next record of all files; false at the end.
  [[nodiscard]] Result<bool> next_record();

  std::shared_ptr<const std::vector<SoundCsv>> files_;
  std::vector<std::size_t> places_;
  std::size_t width_;
  Progress& progress_;
  std::size_t file_ = 0;
  std::unique_ptr<Open> open_;
  std::vector<std::string_view> record_;
};

}  // namespace gauze::engines
