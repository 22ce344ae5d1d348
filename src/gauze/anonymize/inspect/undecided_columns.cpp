#include "gauze/anonymize/inspect/undecided_columns.h"

#include <fmt/format.h>

#include "gauze/anonymize/inspect/column_roles.h"
#include "gauze/anonymize/job/pseudonyms.h"
#include "gauze/anonymize/job/suppressed_rows.h"

namespace gauze::anonymize {

Result<UndecidedColumns> find_undecided(table::Source& table, const std::vector<std::size_t>& columns,
                                        Progress& progress) {
  constexpr std::size_t kMostValues = 100'000;
  UndecidedColumns undecided;
  if (columns.empty()) return undecided;
  GAUZE_TRY(const std::uint64_t rows, table.row_count());
  GAUZE_TRY(const std::vector<table::ColumnSummary> summaries, table.summarise(columns, kMostValues, progress));
  GAUZE_TRY(const std::vector<IdentifierEvidence> evidence, gather_evidence(table, columns, summaries, progress));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string& name = table.columns()[columns[i]];
    SuggestedRole suggested = suggest_role(name, summaries[i], evidence[i], rows);
    if (suggested.role == schema::Role::identifier)
      undecided.identifiers.push_back({name, std::move(suggested.reason)});
    else if (suggested.role == schema::Role::quasi)
      undecided.quasi.push_back({name, std::move(suggested.reason)});
  }
  return undecided;
}

Result<std::vector<UndecidedColumn>> find_without_pseudonyms(table::Source& table,
                                                             const std::vector<std::size_t>& columns,
                                                             Progress& progress) {
  std::vector<UndecidedColumn> found;
  for (const std::size_t column : columns) {
    GAUZE_TRY(const table::TupleCounts values, table.group({&column, 1}, progress));
    const table::Dictionary& dictionary = values.dictionaries.front();
    for (std::size_t code = 0; code < dictionary.values.size(); ++code) {
      const std::string& value = dictionary.values[code];
      if (code == dictionary.missing || value == kSuppressedText || looks_like_pseudonym(value)) continue;
      found.push_back({table.columns()[column], "it should hold pseudonyms, and has cells that are none"});
      break;
    }
  }
  return found;
}

std::string to_text(const std::vector<UndecidedColumn>& columns) {
  std::string text;
  for (const UndecidedColumn& column : columns)
    text += fmt::format("{}'{}' ({})", text.empty() ? "" : ", ", column.name, column.reason);
  return text;
}

Json to_json(const std::vector<UndecidedColumn>& columns) {
  Json list = Json::array();
  for (const UndecidedColumn& column : columns)
    list.push(Json::object({{"column", column.name}, {"reason", column.reason}}));
  return list;
}

}  // namespace gauze::anonymize
