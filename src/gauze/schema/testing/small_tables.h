#pragma once
// Small tables and columns for the tests.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "gauze/schema/domain/domain_column.h"

namespace gauze::schema {

/// A column with the declared values name0, name1, ... and "other".
inline std::shared_ptr<const DomainColumn> values_column(const std::string& name, int values) {
  PolicyColumn column;
  column.name = name;
  for (int i = 0; i < values; ++i) column.values.push_back(name + std::to_string(i));
  return std::make_shared<const DomainColumn>(*DomainColumn::make(column));
}

/// What a grouped scan would return, but that equal rows may be there twice.
inline table::TupleCounts make_tuples(const std::vector<std::vector<std::string>>& rows,
                                      const std::vector<std::uint64_t>& counts) {
  table::TupleCounts tuples;
  const std::size_t width = rows.empty() ? 0 : rows.front().size();
  for (std::size_t c = 0; c < width; ++c) {
    table::Dictionary dictionary;
    for (const auto& row : rows) dictionary.values.push_back(row[c]);
    std::sort(dictionary.values.begin(), dictionary.values.end());
    dictionary.values.erase(std::unique(dictionary.values.begin(), dictionary.values.end()), dictionary.values.end());
    std::vector<std::uint32_t>& codes = tuples.codes.emplace_back();
    for (std::uint32_t code = 0; code < dictionary.values.size(); ++code)
      if (dictionary.values[code] == "?" || dictionary.values[code].empty()) dictionary.missing = code;
    for (const auto& row : rows)
      codes.push_back(static_cast<std::uint32_t>(
          std::lower_bound(dictionary.values.begin(), dictionary.values.end(), row[c]) - dictionary.values.begin()));
    tuples.dictionaries.push_back(std::move(dictionary));
  }
  tuples.counts = counts;
  return tuples;
}

}  // namespace gauze::schema
