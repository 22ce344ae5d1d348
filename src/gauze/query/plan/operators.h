#pragma once

#include <vector>

#include "gauze/query/plan/expression.h"

namespace gauze::query {

/// Makes expressions out of their parts: finds the common type, follows ranges and values, refuses what could overflow.
///
/// On the answer's side, where numbers are public, nothing is refused for its size.
class Operators {
 public:
  explicit Operators(bool on_answer = false) : on_answer_(on_answer) {}

  using Made = Result<ExpressionPtr>;
  /// + - * / % || and unary -, by their sign.
  [[nodiscard]] Made arithmetic(const std::string& sign, std::vector<ExpressionPtr> arguments, TextSpan span) const;
  [[nodiscard]] Made compare(Operation operation, ExpressionPtr a, ExpressionPtr b, TextSpan span) const;
  [[nodiscard]] Made connect(Operation operation, std::vector<ExpressionPtr> arguments, TextSpan span) const;
  [[nodiscard]] Made is_null(ExpressionPtr argument, bool negated, TextSpan span) const;
  [[nodiscard]] Made in_list(std::vector<ExpressionPtr> arguments, bool negated, TextSpan span) const;
  [[nodiscard]] Made like(ExpressionPtr text, ExpressionPtr pattern, bool any_case, bool negated,
                          TextSpan span) const;
  /// condition, result, ..., result
  [[nodiscard]] Made choose(std::vector<ExpressionPtr> arguments, TextSpan span) const;
  [[nodiscard]] Made coalesce(std::vector<ExpressionPtr> arguments, TextSpan span) const;
  [[nodiscard]] Made nullif(ExpressionPtr a, ExpressionPtr b, TextSpan span) const;
  [[nodiscard]] Made extreme(Operation operation, std::vector<ExpressionPtr> arguments, TextSpan span) const;
  [[nodiscard]] Made cast(ExpressionPtr argument, Type type, int scale, TextSpan span) const;

  /// Brings expressions to one type: numbers to the widest of theirs, NULL and text constants to that of the others.
  [[nodiscard]] Result<void> unify(std::vector<ExpressionPtr>& arguments, TextSpan span) const;
  /// A number as a real.
  [[nodiscard]] static ExpressionPtr as_real(const ExpressionPtr& argument);
  [[nodiscard]] Result<void> require_number(const Expression& argument, std::string_view what) const;
  [[nodiscard]] Result<void> require(const Expression& argument, Type type, std::string_view what) const;
  /// Refuses a real that could overflow or underflow.
  [[nodiscard]] Made checked(ExpressionPtr made) const;
  [[nodiscard]] bool on_answer() const { return on_answer_; }

 private:
  [[nodiscard]] Made numbers(const std::string& sign, ExpressionPtr a, ExpressionPtr b, TextSpan span) const;
  [[nodiscard]] Made divide(ExpressionPtr a, ExpressionPtr b, TextSpan span) const;
  [[nodiscard]] Made modulo(ExpressionPtr a, ExpressionPtr b, TextSpan span) const;
  [[nodiscard]] std::optional<Made> instants(const std::string& sign, const ExpressionPtr& a, const ExpressionPtr& b,
                                             TextSpan span) const;
  [[nodiscard]] Made concatenate(ExpressionPtr a, ExpressionPtr b, TextSpan span) const;
  [[nodiscard]] Made constant_as(const ExpressionPtr& argument, Type type, int scale) const;
  bool on_answer_;
};

/// A decimal of another scale, at least its own, that holds its range.
[[nodiscard]] ExpressionPtr rescaled(const ExpressionPtr& argument, int scale);

}  // namespace gauze::query
