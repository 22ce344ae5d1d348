#include "gauze/engines/internal/csv_writing.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "gauze/base/parallel.h"
#include "gauze/engines/internal/encoded_output.h"
#include "gauze/engines/internal/row_shuffle.h"
#include "gauze/table/csv_text.h"
#include "gauze/table/string_interner.h"

namespace gauze::engines {
namespace {

constexpr std::size_t kBatchesAtOnce = 16;
constexpr std::size_t kCellsAtOnce = std::size_t{1} << 22;

/// A batch on its way: rows, and their lines.
struct Piece {
  table::ValueBatch rows;
  std::string lines;
  std::vector<std::size_t> ends;  // of each line
};

/// The cells of a batch as they stand in lines: without quotes where they need none, else written out in `room`.
std::vector<std::vector<std::string_view>> written_cells(const Piece& piece,
                                                         const std::vector<table::RowStream::Column>& columns,
                                                         char delimiter, std::deque<std::string>& room) {
  std::vector<std::vector<std::string_view>> cells(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const table::ValueColumn& column = piece.rows.columns[i];
    const bool is_text = columns[i].type == table::ValueType::text;
    cells[i].reserve(piece.rows.rows);
    for (std::size_t row = 0; row < piece.rows.rows; ++row) {
      if (is_text && !table::needs_quotes(column.texts[row], delimiter)) {
        cells[i].push_back(column.texts[row]);
        continue;
      }
      std::string value;
      table::append_value(value, column, columns[i].type, row);
      table::append_csv_cell(room.emplace_back(), value, delimiter);
      cells[i].push_back(room.back());
    }
  }
  return cells;
}

void lay_out(Piece& piece, const std::vector<table::RowStream::Column>& columns, const table::TextForm& form) {
  const char delimiter = form.delimiter.front();
  const std::string_view line_end = form.crlf ? "\r\n" : "\n";
  constexpr std::string_view kNothing = "\"\"";  // a line of nothing would be no line
  std::deque<std::string> room;
  const auto cells = written_cells(piece, columns, delimiter, room);
  std::size_t bytes = piece.rows.rows * (columns.size() + line_end.size() + kNothing.size());
  for (const auto& column : cells)
    for (const std::string_view cell : column) bytes += cell.size();
  piece.lines.resize(bytes);
  piece.ends.reserve(piece.rows.rows);
  char* at = piece.lines.data();
  const auto put = [&](std::string_view text) { at = std::copy(text.begin(), text.end(), at); };
  for (std::size_t row = 0; row < piece.rows.rows; ++row) {
    const char* const begin = at;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i > 0) *at++ = delimiter;
      put(cells[i][row]);
    }
    if (at == begin) put(kNothing);
    put(line_end);
    piece.ends.push_back(static_cast<std::size_t>(at - piece.lines.data()));
  }
  piece.lines.resize(static_cast<std::size_t>(at - piece.lines.data()));
}

/// The next pieces, laid out; none at the end.
Result<std::vector<Piece>> next_pieces(table::RowStream& rows, const table::TextForm& form) {
  std::vector<Piece> pieces;
  pieces.reserve(kBatchesAtOnce);
  std::size_t cells = 0;
  while (pieces.size() < kBatchesAtOnce && cells < kCellsAtOnce) {
    GAUZE_TRY(auto batch, rows.next());
    if (!batch) break;
    cells += batch->rows * rows.columns().size();
    pieces.emplace_back().rows = std::move(*batch);
  }
  parallel_for(pieces.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) lay_out(pieces[i], rows.columns(), form);
  });
  return pieces;
}

Result<void> add_lines(RowShuffle& shuffle, const Piece& piece) {
  std::size_t begin = 0;
  for (const std::size_t end : piece.ends) {
    GAUZE_TRY_VOID(shuffle.add(std::string_view(piece.lines).substr(begin, end - begin)));
    begin = end;
  }
  return {};
}

/// The lines of tuples: many of them have become equal.
class CountedLines {
 public:
  void add(const Piece& piece) {
    std::size_t begin = 0;
    for (std::size_t row = 0; row < piece.ends.size(); ++row) {
      const std::size_t end = piece.ends[row];
      const std::uint32_t line = lines_.intern(std::string_view(piece.lines).substr(begin, end - begin));
      counts_.resize(lines_.size(), 0);
      counts_[line] += piece.rows.counts[row];
      begin = end;
    }
  }
  [[nodiscard]] Result<void> hand_over(RowShuffle& shuffle) const {
    for (std::uint32_t line = 0; line < counts_.size(); ++line)
      GAUZE_TRY_VOID(shuffle.add(lines_.text(line), counts_[line]));
    return {};
  }

 private:
  table::StringInterner lines_;
  std::vector<std::uint64_t> counts_;
};

Result<void> write_shuffled(RowShuffle& shuffle, EncodedOutput& output, Progress& progress) {
  std::string lines;
  const auto put = [&](std::string_view line) -> Result<void> {
    lines += line;
    if (lines.size() < EncodedOutput::kBlock) return {};
    GAUZE_TRY_VOID(progress.check());
    GAUZE_TRY_VOID(output.write(lines));
    lines.clear();
    return {};
  };
  GAUZE_TRY_VOID(shuffle.finish(put));
  return output.write(lines);
}

}  // namespace

Result<void> write_csv(table::RowStream& rows, const std::string& target, const CsvWriting& writing,
                       Progress& progress) {
  GAUZE_TRY(EncodedOutput output, EncodedOutput::create(target, writing.form.encoding));
  std::vector<std::string_view> names;
  for (const auto& column : rows.columns()) names.push_back(column.name);
  GAUZE_TRY_VOID(output.write_names(names, writing.form));
  std::optional<RowShuffle> shuffle;
  if (writing.shuffle) shuffle.emplace(writing.shuffle, writing.shuffle_bytes, writing.temporary);
  CountedLines counted;
  for (;;) {
    GAUZE_TRY(const std::vector<Piece> pieces, next_pieces(rows, writing.form));
    if (pieces.empty()) break;
    for (const Piece& piece : pieces) {
      if (!piece.rows.counts.empty()) {
        GAUZE_CHECK(shuffle);  // tuples have no order
        counted.add(piece);
      } else {
        GAUZE_TRY_VOID(shuffle ? add_lines(*shuffle, piece) : output.write(piece.lines));
      }
    }
    GAUZE_TRY_VOID(progress.check());
  }
  if (shuffle) GAUZE_TRY_VOID(counted.hand_over(*shuffle));
  if (shuffle) GAUZE_TRY_VOID(write_shuffled(*shuffle, output, progress));
  return output.commit();
}

}  // namespace gauze::engines
