#include "gauze/audit/releases/table_rows.h"

#include <algorithm>

namespace gauze::audit {

TableRows rows_of(const table::TupleCounts& tuples) {
  TableRows rows;
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    RowCells cells(tuples.codes.size());
    for (std::size_t column = 0; column < cells.size(); ++column) {
      const table::Dictionary& dictionary = tuples.dictionaries[column];
      const std::uint32_t code = tuples.codes[column][i];
      if (dictionary.missing != code) cells[column] = dictionary.values[code];
    }
    rows[std::move(cells)] += tuples.counts[i];
  }
  return rows;
}

table::TupleCounts tuples_of(const TableRows& rows, std::size_t width) {
  table::TupleCounts tuples;
  tuples.dictionaries.resize(width);
  tuples.codes.resize(width);
  for (const auto& [cells, count] : rows) tuples.counts.push_back(count);
  for (std::size_t column = 0; column < width; ++column) {
    table::Dictionary& dictionary = tuples.dictionaries[column];
    bool is_missing = false;
    for (const auto& [cells, count] : rows) {
      if (cells[column])
        dictionary.values.push_back(*cells[column]);
      else
        is_missing = true;
    }
    std::sort(dictionary.values.begin(), dictionary.values.end());
    dictionary.values.erase(std::unique(dictionary.values.begin(), dictionary.values.end()), dictionary.values.end());
    if (is_missing) {  // the empty text comes first, and no cell that is there is empty
      dictionary.values.insert(dictionary.values.begin(), "");
      dictionary.missing = 0;
    }
    for (const auto& [cells, count] : rows) {
      const std::string text = cells[column].value_or("");
      const auto place = std::lower_bound(dictionary.values.begin(), dictionary.values.end(), text);
      tuples.codes[column].push_back(static_cast<std::uint32_t>(place - dictionary.values.begin()));
    }
  }
  return tuples;
}

}  // namespace gauze::audit
