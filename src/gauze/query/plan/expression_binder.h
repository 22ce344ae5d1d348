#pragma once

#include <functional>
#include <optional>

#include "gauze/query/plan/operators.h"
#include "gauze/query/plan/scope.h"
#include "gauze/query/sql/syntax.h"

namespace gauze::query {

/// Gives names and signs of an expression their meaning.
class ExpressionBinder {
 public:
  /// What a subexpression is when it is no plain one: a group key, an aggregate. Nothing: it is a plain one.
  using Special = std::function<Result<std::optional<ExpressionPtr>>(const Syntax&)>;
  /// What a subquery is: EXISTS, IN, or a single value.
  using Subquery = std::function<Result<ExpressionPtr>(const Syntax&, ExpressionBinder&)>;

  ExpressionBinder(const Scope& scope, Operators operators, std::int64_t today)
      : scope_(scope), operators_(operators), today_(today) {}
  void set_special(Special special) { special_ = std::move(special); }
  void set_subquery(Subquery subquery) { subquery_ = std::move(subquery); }
  /// Whether a column of a SELECT around this one was used.
  [[nodiscard]] bool is_correlated() const { return correlated_; }

  [[nodiscard]] Result<ExpressionPtr> bind(const Syntax& syntax);
  [[nodiscard]] Result<std::vector<ExpressionPtr>> bind_all(const std::vector<SyntaxPtr>& list);
  /// A condition: a truth value.
  [[nodiscard]] Result<ExpressionPtr> bind_condition(const Syntax& syntax, std::string_view clause);
  [[nodiscard]] const Operators& operators() const { return operators_; }
  [[nodiscard]] const Scope& scope() const { return scope_; }

 private:
  [[nodiscard]] Result<ExpressionPtr> bind_any(const Syntax& syntax);
  [[nodiscard]] Result<ExpressionPtr> bind_column(const Syntax& syntax);
  [[nodiscard]] Result<ExpressionPtr> bind_operation(const Syntax& syntax);
  [[nodiscard]] Result<ExpressionPtr> bind_call(const Syntax& syntax);
  [[nodiscard]] Result<ExpressionPtr> bind_case(const Syntax& syntax);
  [[nodiscard]] Result<ExpressionPtr> bind_cast(const Syntax& syntax);
  [[nodiscard]] Result<ExpressionPtr> bind_between(const Syntax& syntax);
  [[nodiscard]] Result<ExpressionPtr> bind_truth(const Syntax& syntax);

  const Scope& scope_;
  Operators operators_;
  std::int64_t today_;
  Special special_;
  Subquery subquery_;
  bool correlated_ = false;
};

/// The months, days and microseconds of '1 year 3 days'.
[[nodiscard]] std::optional<TimeSpan> parse_time_span(std::string_view text);

}  // namespace gauze::query
