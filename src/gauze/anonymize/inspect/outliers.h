#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/schema/cleaning/cleaning_rules.h"
#include "gauze/table/source.h"

namespace gauze::anonymize {

/// Cells of a column that lie far from all others, or that cannot be.
struct Outliers {
  enum class Why {
    far,         ///< more than three interquartile ranges below the lower or above the upper quartile
    impossible,  ///< an age below 0 or above 120, a day that has not come yet
  };
  std::string column;
  std::string low;  ///< the extremes among them: decimals, or days
  std::string high;
  std::uint64_t rows = 0;
  Why why = Why::far;
  bool is_date = false;
};
inline constexpr Words<Outliers::Why, 2> kOutlierWords = {
    {{Outliers::Why::far, "far"}, {Outliers::Why::impossible, "impossible"}}};

struct FoundOutliers {
  std::vector<Outliers> outliers;                  ///< of one column; the impossible first
  std::optional<schema::ValidBounds> bounds = {};  ///< within which the rest lies: a draft that came from the data
};

/// Columns of numbers and dates, and those that are nearly that. `today` decides which days have not come yet. Numbers that count or
/// code something (postcodes, ids) are not measured, and quartiles that agree say nothing of what is far.
/// Quotes values: for the owner's own eyes.
[[nodiscard]] FoundOutliers find_outliers(std::string_view column, const table::ColumnSummary& summary,
                                          const schema::Date& today);

[[nodiscard]] schema::Date date_of_today();

}  // namespace gauze::anonymize
