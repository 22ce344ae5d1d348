#include "gauze/patterns/baskets/long_table.h"

#include <array>
#include <numeric>

#include "gauze/base/utf8.h"
#include "gauze/files/byte_source.h"
#include "gauze/patterns/baskets/internal/line_cells.h"
#include "gauze/patterns/baskets/internal/long_columns.h"
#include "gauze/table/csv_dialect.h"
#include "gauze/table/csv_reader.h"
#include "gauze/table/csv_text.h"
#include "gauze/table/string_interner.h"

namespace gauze::patterns {

Result<BasketFile> read_long_table(table::Source& table, const BasketReading& reading, Progress& progress) {
  if (reading.format && *reading.format != BasketFormat::long_table)
    return invalid_parameter(
        "a table of this kind is read as a long table: a column of transactions and one of items");
  GAUZE_TRY(const internal::LongColumns columns,
            internal::find_long_columns(table.columns(), reading.transaction, reading.item));
  GAUZE_TRY(const table::TupleCounts tuples,
            table.group(std::array<std::size_t, 2>{columns.transaction, columns.item}, progress));
  const table::Dictionary& transactions = tuples.dictionaries[0];
  if (transactions.missing)
    return make_error(ErrorCode::bad_data, "the transaction is missing in some rows of the table");
  const table::Dictionary& texts = tuples.dictionaries[1];
  // What each text of the item column stands for.
  Database database;
  table::StringInterner names;
  std::vector<internal::CellKind> kinds(texts.values.size(), internal::CellKind::none);
  std::vector<Item> items(texts.values.size(), 0);
  for (std::size_t code = 0; code < texts.values.size(); ++code) {
    if (texts.missing == code) continue;
    std::string_view name = texts.values[code];
    kinds[code] = internal::kind_of(name, false);
    if (kinds[code] != internal::CellKind::item && kinds[code] != internal::CellKind::mark) continue;
    items[code] = names.intern(name);
    if (items[code] == database.names.size()) database.names.emplace_back(name);
  }
  BasketNotes notes;
  std::vector<Item> row;
  std::vector<Item> marks;
  std::uint32_t anonymous = 0;
  for (std::size_t i = 0; i < tuples.size(); ++i) {  // in the order of transactions
    const std::uint32_t code = tuples.codes[1][i];
    if (kinds[code] == internal::CellKind::item) {
      row.push_back(items[code]);
      notes.repeated_items += tuples.counts[i] - 1;
    }
    if (kinds[code] == internal::CellKind::mark) marks.push_back(items[code]);
    if (kinds[code] == internal::CellKind::anonymous) anonymous += static_cast<std::uint32_t>(tuples.counts[i]);
    if (i + 1 < tuples.size() && tuples.codes[0][i + 1] == tuples.codes[0][i]) continue;
    if (row.empty() && marks.empty() && anonymous == 0) ++notes.empty_rows;
    database.add_row(row, marks, anonymous);
    row.clear();
    marks.clear();
    anonymous = 0;
  }
  return BasketFile::without_bytes(std::move(database), notes);
}

Result<std::string> long_table_text(table::Source& table, Progress& progress) {
  std::string text;
  table::append_csv_line(text, table.columns(), ',');
  std::vector<std::size_t> all(table.columns().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  GAUZE_TRY(const std::uint64_t rows, table.row_count());
  progress.begin("reading", rows);
  GAUZE_TRY(const auto stream, table.scan(all, table::Cells::text, progress));
  std::vector<std::string_view> cells(all.size());
  for (;;) {
    GAUZE_TRY(const auto batch, stream->next());
    if (!batch) return text;
    for (std::size_t row = 0; row < batch->rows; ++row) {
      for (const std::size_t column : all) cells[column] = batch->columns[column].texts[row];
      table::append_csv_line(text, cells, ',');
    }
    progress.advance(batch->rows);
    GAUZE_TRY_VOID(progress.check());
  }
}

Result<std::unique_ptr<table::RowStream>> long_table_rows(const BasketFile& file) {
  const std::string_view text = file.bytes();
  const std::string name = "the release";
  GAUZE_TRY(
      const table::SniffedCsv found,
      table::sniff_csv(text, true, {.delimiter = file.delimiter(), .header = true}, table::MissingTokens(), name));
  const auto bytes = std::make_shared<TextSource>(text);
  const auto reader = std::make_shared<table::CsvReader>(*bytes, found.dialect, name);
  std::vector<std::string_view> names;
  GAUZE_TRY_VOID(reader->next(names));
  const auto next = [bytes, reader, name,
                     width = names.size()](std::vector<std::string_view>& cells) -> Result<bool> {
    GAUZE_TRY(const bool more, reader->next(cells));
    if (more && cells.size() != width)
      return make_error(ErrorCode::bad_data, "{}: line {} has {} cells, but the first record has {}", name,
                        reader->line(), cells.size(), width);
    for (std::string_view& cell : cells) cell = trimmed(cell);
    return more;
  };
  return std::make_unique<table::MadeRows>(found.first_record, next);
}

}  // namespace gauze::patterns
