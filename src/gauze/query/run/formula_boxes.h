#pragma once

#include <optional>
#include <set>

#include "gauze/query/run/answer_values.h"

namespace gauze::query {

/// Between which ends an expression of noisy numbers lies before noise, with 95 %: each measurement in it at the level
/// 1 - 0.05 / k, then arithmetic of intervals.
class FormulaBoxes {
 public:
  FormulaBoxes(const QueryPlan& plan, const NoisyTable& table, const AnswerValues& values)
      : plan_(plan), table_(table), values_(values) {}

  /// Nothing where the formula has a part of which nothing is known.
  [[nodiscard]] std::optional<Box> box(const ExpressionPtr& formula, std::size_t row) const;

 private:
  [[nodiscard]] std::optional<Box> evaluate(const Expression& formula, std::size_t row, const Rational& level) const;
  [[nodiscard]] std::optional<Box> divided(const Expression& formula, std::size_t row, const Rational& level) const;
  [[nodiscard]] std::optional<Box> function(const Expression& formula, std::size_t row, const Rational& level) const;
  [[nodiscard]] std::optional<Box> column(ColumnId id, std::size_t row, const Rational& level) const;
  [[nodiscard]] std::optional<std::size_t> aggregate_of(ColumnId id) const;

  const QueryPlan& plan_;
  const NoisyTable& table_;
  const AnswerValues& values_;
};

/// Whether a formula is a share: x / SUM(x) OVER ().
[[nodiscard]] bool is_share(const Expression& formula);

}  // namespace gauze::query
