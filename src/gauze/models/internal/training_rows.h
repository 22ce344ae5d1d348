#pragma once

#include "gauze/models/examples.h"

namespace gauze::models::internal {

/// Examples as the trainers read them: row by row, without rows that weigh nothing and values that do not occur, and
/// with weights of about one in total.
struct TrainingRows {
  std::size_t features = 0;
  std::vector<std::uint32_t>
      columns;                   ///< columns[row * features + feature]: one-hot columns, numbered over all features
  std::vector<double> positive;  ///< divided by unit
  std::vector<double> negative;  ///< divided by unit
  std::vector<std::uint32_t> first_column;  ///< by feature, and the number of columns at the end
  std::vector<std::uint32_t> code_of;       ///< the code that a column stands for
  double unit = 1;                          ///< a power of two
  double total_positive = 0;                ///< not divided
  double total_negative = 0;                ///< not divided

  [[nodiscard]] std::size_t size() const { return positive.size(); }
  [[nodiscard]] std::uint32_t column_count() const { return first_column.back(); }
  [[nodiscard]] bool one_class() const { return total_positive == 0 || total_negative == 0; }
};

/// The unit is the power of two at or below the total weight or `at_least`, whichever is more.
[[nodiscard]] Result<TrainingRows> training_rows(const Examples& examples, double at_least);

/// Ends the process if the columns are not those of the features or a code is too large.
void check_codes(CodeColumns codes, std::span<const std::uint32_t> cardinalities, std::size_t tuples);

}  // namespace gauze::models::internal
