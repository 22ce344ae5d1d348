#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "gauze/base/progress.h"
#include "gauze/patterns/baskets/basket_file.h"
#include "gauze/table/row_stream.h"
#include "gauze/table/source.h"

namespace gauze::patterns {

/// Transactions from a table with a column of transactions and one of items: Parquet, JSON lines, compressed files.
///
/// Columns are found as in a long table of text. Transactions are numbered in byte order of their ids, since such a table has
/// no order of its own. A missing item means a transaction without (more) items, and so does `?`; `?item` is a mark. There
/// are no bytes to mark: the result can be mined and judged, not released.
[[nodiscard]] Result<BasketFile> read_long_table(table::Source& table, const BasketReading& reading,
                                                 Progress& progress);

/// The same table as the text of a long table, in the order of its rows, so that a release can be made of it.
[[nodiscard]] Result<std::string> long_table_text(table::Source& table, Progress& progress);

/// The way back: the rows of a long table that is text, for writers of other formats. Cells are without the blanks around
/// them. `bad_data` for a line of another width than the first. The file must outlive the rows.
[[nodiscard]] Result<std::unique_ptr<table::RowStream>> long_table_rows(const BasketFile& file);

}  // namespace gauze::patterns
