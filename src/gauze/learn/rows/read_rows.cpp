#include "gauze/learn/rows/read_rows.h"

namespace gauze::learn {

Result<void> read_rows(table::Source& source, const std::vector<std::string>& columns, table::RowSink& rows,
                       Progress& progress) {
  std::vector<std::size_t> places;
  for (const std::string& name : columns) {
    GAUZE_TRY(const std::size_t place, source.column(name));
    places.push_back(place);
  }
  progress.begin("reading", 0);
  GAUZE_TRY(const auto stream, source.scan(places, table::Cells::text, progress));
  std::vector<std::string_view> cells(columns.size());
  for (;;) {
    GAUZE_TRY(const auto batch, stream->next());
    if (!batch) return {};
    for (std::size_t row = 0; row < batch->rows; ++row) {
      for (std::size_t i = 0; i < cells.size(); ++i)
        cells[i] = batch->columns[i].is_null(row) ? std::string_view() : batch->columns[i].texts[row];
      rows.add(cells);
    }
    progress.advance(batch->rows);
  }
}

}  // namespace gauze::learn
