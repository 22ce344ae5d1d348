#include "gauze/engines/internal/changed_csv.h"

#include <algorithm>
#include <cstring>
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

constexpr std::size_t kChangedBatchesAtOnce = 16;
constexpr std::size_t kChangedCellsAtOnce = std::size_t{1} << 22;
constexpr std::size_t kTuplesAtOnce = 2048;
constexpr std::size_t kNone = ~std::size_t{0};

using Size = std::uint32_t;

void append_size(std::string& text, std::size_t size) {
  const auto value = static_cast<Size>(size);
  text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

Size read_size(std::string_view text) {
  Size size = 0;
  std::memcpy(&size, text.data(), sizeof size);
  return size;
}

/// What the tuples of a rewrite become: forms, each a line of CSV with gaps, in which runs of cells of other columns stand. Many tuples
/// have the same form.
class LineForms {
 public:
  LineForms(const table::Source& source, const table::Rewrite& rewrite, const table::TextForm& text)
      : rewrite_(rewrite), known_(rewrite.known.columns), delimiter_(text.delimiter.front()) {
    line_end_ = text.crlf ? "\r\n" : "\n";
    const auto place = [](const std::vector<std::size_t>& list, std::size_t column) {
      const auto found = std::find(list.begin(), list.end(), column);
      return found == list.end() ? kNone : static_cast<std::size_t>(found - list.begin());
    };
    for (const std::size_t column : rewrite.written(source.columns().size())) {
      const Column one{column, place(known_, column), place(rewrite.outputs, column)};
      const bool opens_gap = one.known == kNone && (columns_.empty() || columns_.back().known != kNone);
      if (opens_gap) gap_begins_.push_back(others_.size());
      if (one.known == kNone) others_.push_back(one);
      columns_.push_back(one);
    }
    const table::TupleCounts& tuples = *rewrite.known.tuples;
    for (std::size_t begin = 0; begin < tuples.size(); begin += kTuplesAtOnce)
      add_tuples(begin, std::min(begin + kTuplesAtOnce, tuples.size()));
  }

  static constexpr std::uint32_t kLeftOut = UINT32_MAX;
  /// Of the columns that are no part of tuples, in the order in which they are written.
  struct Column {
    std::size_t column = 0;
    std::size_t known = kNone;   ///< among those of the tuples
    std::size_t output = kNone;  ///< among those that the rewrite writes
  };
  [[nodiscard]] const std::vector<Column>& others() const { return others_; }
  [[nodiscard]] std::uint32_t of_tuple(std::uint32_t tuple) const {
    return tuple == table::Rewrite::kNoTuple ? kLeftOut : form_of_[tuple];
  }
  /// What the cell of another column becomes; nothing: it stays.
  [[nodiscard]] const std::optional<std::string>& change(std::uint32_t form, std::size_t other) const {
    return changes_[change_of_[form]][other];
  }

  /// The rows of these forms with these cells of other columns (cells[other][row]), as they are kept until they are written.
  void pack(std::span<const std::uint32_t> forms, const std::vector<std::vector<std::string_view>>& cells,
            std::string& rows, std::vector<std::size_t>& ends) const {
    std::size_t bytes = forms.size() * (sizeof(Size) * (gap_begins_.size() + 1) + others_.size());
    for (const auto& column : cells)
      for (const std::string_view cell : column) bytes += cell.size();
    rows.reserve(bytes);
    ends.reserve(forms.size());
    for (std::size_t row = 0; row < forms.size(); ++row) {
      append_size(rows, forms[row]);
      for (std::size_t gap = 0; gap < gap_begins_.size(); ++gap) {
        const bool is_last = gap + 1 == gap_begins_.size();
        const std::size_t end = is_last ? others_.size() : gap_begins_[gap + 1];
        std::size_t size = end - gap_begins_[gap] - 1;
        for (std::size_t other = gap_begins_[gap]; !is_last && other < end; ++other) size += cells[other][row].size();
        if (!is_last) append_size(rows, size);
        for (std::size_t other = gap_begins_[gap]; other < end; ++other) {
          if (other > gap_begins_[gap]) rows += delimiter_;
          rows += cells[other][row];
        }
      }
      ends.push_back(rows.size());
    }
  }
  /// Adds the line of a packed row.
  void unpack(std::string_view row, std::string& lines) const {
    const std::size_t pieces = gap_begins_.size() + 1;
    const std::size_t first = pieces * read_size(row);
    row.remove_prefix(sizeof(Size));
    lines += piece(first);
    for (std::size_t gap = 0; gap + 1 < pieces; ++gap) {
      std::size_t size = row.size();
      if (gap + 2 < pieces) {
        size = read_size(row);
        row.remove_prefix(sizeof(Size));
      }
      lines += row.substr(0, size);
      row.remove_prefix(size);
      lines += piece(first + gap + 1);
    }
  }

 private:
  [[nodiscard]] std::string_view piece(std::size_t number) const {
    const std::size_t begin = number == 0 ? 0 : piece_ends_[number - 1];
    return std::string_view(pieces_).substr(begin, piece_ends_[number] - begin);
  }

  void add_tuples(std::size_t begin, std::size_t end) {
    const table::TupleCounts& tuples = *rewrite_.known.tuples;
    table::RowBatch batch{.rows = end - begin, .cells = {}};
    for (std::size_t i = 0; i < known_.size(); ++i) {
      const table::Dictionary& dictionary = tuples.dictionaries[i];
      auto& cells = batch.cells.emplace_back();
      for (std::size_t tuple = begin; tuple < end; ++tuple) {
        const std::uint32_t code = tuples.codes[i][tuple];
        cells.push_back({dictionary.values[code], dictionary.missing == code});
      }
    }
    table::RewrittenBatch result = rewrite_.unchanged(batch.rows);
    rewrite_.of_tuples().run(batch, result);
    for (std::size_t row = 0; row < batch.rows; ++row)
      form_of_.push_back(result.keep[row] == 0 ? kLeftOut : form_of(batch, result, row));
  }

  std::uint32_t form_of(const table::RowBatch& batch, const table::RewrittenBatch& result, std::size_t row) {
    std::vector<std::string> pieces(1);
    std::vector<std::optional<std::string>> changes;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const Column& one = columns_[i];
      std::optional<std::string_view> text;
      if (one.output != kNone) text = result.cells[one.output][row];
      // Delimiters inside gaps are those of the gap.
      const bool in_gap = one.known == kNone && i > 0 && columns_[i - 1].known == kNone;
      if (i > 0 && !in_gap) pieces.back() += delimiter_;
      if (one.known != kNone) {
        table::append_csv_cell(pieces.back(), text.value_or(batch.cells[one.known][row].text), delimiter_);
        continue;
      }
      changes.push_back(text ? std::optional(std::string(*text)) : std::nullopt);
      if (!in_gap) pieces.emplace_back();
    }
    pieces.back() += line_end_;
    std::string key;
    for (const std::string& one : pieces) {
      append_size(key, one.size());
      key += one;
    }
    const auto change =
        static_cast<std::uint32_t>(std::find(changes_.begin(), changes_.end(), changes) - changes_.begin());
    if (change == changes_.size()) changes_.push_back(std::move(changes));
    append_size(key, change);
    const std::uint32_t form = known_forms_.intern(key);
    if (form < change_of_.size()) return form;
    change_of_.push_back(change);
    for (const std::string& one : pieces) {
      pieces_ += one;
      piece_ends_.push_back(pieces_.size());
    }
    return form;
  }

  const table::Rewrite& rewrite_;
  const std::vector<std::size_t>& known_;
  char delimiter_;
  std::string_view line_end_;
  std::vector<Column> columns_;          // that are written
  std::vector<Column> others_;           // of them, those that are not known
  std::vector<std::size_t> gap_begins_;  // of each gap, among the others
  std::vector<std::uint32_t> form_of_;   // by tuple
  table::StringInterner known_forms_;
  std::string pieces_;  // of all forms: one more than there are gaps, for each
  std::vector<std::size_t> piece_ends_;
  std::vector<std::uint32_t> change_of_;  // by form
  std::vector<std::vector<std::optional<std::string>>>
      changes_;  // of other columns; there are few ways to change them
};

/// A batch on its way: rows, and how they are kept.
struct PackedRows {
  table::ValueBatch batch;
  std::string rows;
  std::vector<std::size_t> ends;  // of each
};

void pack(PackedRows& piece, const table::Rewrite& rewrite, const LineForms& forms, char delimiter) {
  const std::size_t known = rewrite.known.columns.size();
  std::vector<std::span<const std::string_view>> texts;
  for (std::size_t i = 0; i < known; ++i) texts.emplace_back(piece.batch.columns[i].texts);
  std::vector<std::uint32_t> form = rewrite.known.find(texts);
  std::vector<std::uint32_t> rows;  // that are written
  for (std::uint32_t row = 0; row < form.size(); ++row) {
    form[row] = forms.of_tuple(form[row]);
    if (form[row] != LineForms::kLeftOut) rows.push_back(row);
  }
  std::vector<std::vector<std::string_view>> cells;
  std::deque<std::string> room;
  for (std::size_t other = 0; other < forms.others().size(); ++other) {
    const std::vector<std::string_view>& read = piece.batch.columns[known + other].texts;
    auto& column = cells.emplace_back();
    column.reserve(rows.size());
    for (const std::uint32_t row : rows) {
      const auto& change = forms.change(form[row], other);
      column.push_back(change ? std::string_view(*change) : read[row]);
    }
    if (rewrite.known.look) rewrite.known.look(forms.others()[other].column, column);
    for (std::string_view& cell : column) {
      if (!table::needs_quotes(cell, delimiter)) continue;
      table::append_quoted_cell(room.emplace_back(), cell);
      cell = room.back();
    }
  }
  std::erase(form, LineForms::kLeftOut);
  forms.pack(form, cells, piece.rows, piece.ends);
  piece.batch = {};
}

/// The next pieces, packed; none at the end.
Result<std::vector<PackedRows>> next_packed(table::RowStream& rows, const table::Rewrite& rewrite,
                                            const LineForms& forms, char delimiter, Progress& progress) {
  std::vector<PackedRows> pieces;
  pieces.reserve(kChangedBatchesAtOnce);
  std::uint64_t read = 0;
  while (pieces.size() < kChangedBatchesAtOnce && read * rows.columns().size() < kChangedCellsAtOnce) {
    GAUZE_TRY(auto batch, rows.next());
    if (!batch) break;
    read += batch->rows;
    pieces.emplace_back().batch = std::move(*batch);
  }
  parallel_for(pieces.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) pack(pieces[i], rewrite, forms, delimiter);
  });
  progress.advance(read);
  GAUZE_TRY_VOID(progress.check());
  return pieces;
}

}  // namespace

Result<void> write_changed_csv(table::Source& source, const table::Rewrite& rewrite, const std::string& target,
                               const CsvWriting& writing, Progress& progress) {
  const LineForms forms(source, rewrite, writing.form);
  std::vector<std::size_t> columns = rewrite.known.columns;
  for (const LineForms::Column& other : forms.others()) columns.push_back(other.column);
  GAUZE_TRY(const auto rows, source.scan(columns, table::Cells::text, progress));
  GAUZE_TRY(EncodedOutput output, EncodedOutput::create(target, writing.form.encoding));
  std::vector<std::string_view> names;
  for (const std::size_t column : rewrite.written(source.columns().size())) names.push_back(source.columns()[column]);
  GAUZE_TRY_VOID(output.write_names(names, writing.form));
  std::string lines;
  const auto put = [&](std::string_view row) -> Result<void> {
    forms.unpack(row, lines);
    if (lines.size() < EncodedOutput::kBlock) return {};
    GAUZE_TRY_VOID(progress.check());
    GAUZE_TRY_VOID(output.write(lines));
    lines.clear();
    return {};
  };
  std::optional<RowShuffle> shuffle;
  if (writing.shuffle) shuffle.emplace(writing.shuffle, writing.shuffle_bytes, writing.temporary);
  for (;;) {
    GAUZE_TRY(const std::vector<PackedRows> pieces,
              next_packed(*rows, rewrite, forms, writing.form.delimiter.front(), progress));
    if (pieces.empty()) break;
    for (const PackedRows& piece : pieces) {
      std::size_t begin = 0;
      for (const std::size_t end : piece.ends) {
        const std::string_view row = std::string_view(piece.rows).substr(begin, end - begin);
        GAUZE_TRY_VOID(shuffle ? shuffle->add(row) : put(row));
        begin = end;
      }
    }
  }
  if (shuffle) GAUZE_TRY_VOID(shuffle->finish(put));
  GAUZE_TRY_VOID(output.write(lines));
  return output.commit();
}

}  // namespace gauze::engines
