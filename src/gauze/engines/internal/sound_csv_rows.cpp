#include "gauze/engines/internal/sound_csv_rows.h"

#include <algorithm>
#include <utility>

namespace gauze::engines {
namespace {

constexpr std::size_t kBatchRows = 2048;

}  // namespace

SoundCsvRows::SoundCsvRows(std::vector<Column> columns, std::shared_ptr<const std::vector<SoundCsv>> files,
                           std::vector<std::size_t> places, std::size_t width, Progress& progress)
    : RowStream(std::move(columns)),
      files_(std::move(files)),
      places_(std::move(places)),
      width_(width),
      progress_(progress) {}

Result<bool> SoundCsvRows::next_record() {
  for (; file_ < files_->size(); ++file_, open_.reset()) {
    const SoundCsv& csv = (*files_)[file_];
    if (!open_) {
      open_ = std::make_unique<Open>(csv);
      if (csv.header) GAUZE_TRY_VOID(open_->reader.next(record_));
    }
    GAUZE_TRY(const bool more, open_->reader.next(record_));
    if (!more) continue;
    if (record_.size() != width_) return make_error(ErrorCode::io, "{} changed while it was being read", csv.name);
    return true;
  }
  return false;
}

void SoundCsvRows::keep_record(std::string& memory, std::vector<Cell>& cells) const {
  if (places_.empty()) return;
  // The cells of a record lie in one buffer: they are copied together, unless much lies between those that are asked for.
  const char* begin = record_[places_.front()].data();
  const char* end = begin;
  std::size_t bytes = 0;
  for (const std::size_t place : places_) {
    const std::string_view cell = record_[place];
    begin = std::min(begin, cell.data());
    end = std::max(end, cell.data() + cell.size());
    bytes += cell.size();
  }
  const std::size_t base = memory.size();
  const auto length = static_cast<std::size_t>(end - begin);
  const bool together = length <= bytes + 4 * places_.size();
  if (together) memory.append(begin, length);
  for (const std::size_t place : places_) {
    const std::string_view cell = record_[place];
    cells.push_back({together ? base + static_cast<std::size_t>(cell.data() - begin) : memory.size(), cell.size()});
    if (!together) memory += cell;
  }
}

Result<std::optional<table::ValueBatch>> SoundCsvRows::next() {
  GAUZE_TRY_VOID(progress_.check());
  table::ValueBatch batch;
  const auto memory = std::make_shared<std::string>();
  std::vector<Cell> cells;  // row by row
  cells.reserve(kBatchRows * places_.size());
  while (batch.rows < kBatchRows) {
    GAUZE_TRY(const bool more, next_record());
    if (!more) break;
    keep_record(*memory, cells);
    ++batch.rows;
  }
  if (batch.rows == 0) return std::optional<table::ValueBatch>{};
  batch.columns.resize(places_.size());
  for (table::ValueColumn& column : batch.columns) column.texts.reserve(batch.rows);
  const std::string_view text = *memory;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    table::ValueColumn& column = batch.columns[i];
    for (std::size_t row = 0; row < batch.rows; ++row) {
      const Cell& cell = cells[row * places_.size() + i];
      column.texts.push_back(text.substr(cell.begin, cell.size));
      if (cell.size > 0) continue;
      column.nulls.resize(batch.rows, 0);
      column.nulls[row] = 1;
    }
  }
  batch.memory = memory;
  return std::optional(std::move(batch));
}

}  // namespace gauze::engines
