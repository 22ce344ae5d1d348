#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gauze/table/source.h"

namespace gauze::anonymize {

/// What the values of a column are like. Quotes them: for the owner's own eyes.
struct ColumnFigures {
  struct Common {
    std::string value;
    std::uint64_t rows = 0;
  };
  /// Different values / rows that have one. 1: everybody has a value of their own.
  double distinction = 0;
  /// The share of pairs of rows that the column tells apart, missing being a value of its own (Motwani and Xu, 2007). Nothing
  /// when there are fewer than two rows, or too many values to count.
  std::optional<double> separation;
  std::optional<std::string> least;  ///< by size for numbers, by time for dates, else by text
  std::optional<std::string> largest;
  std::vector<Common> commonest;  ///< up to three; none where no value repeats
};

[[nodiscard]] ColumnFigures column_figures(const table::ColumnSummary& summary, std::uint64_t rows);

}  // namespace gauze::anonymize
