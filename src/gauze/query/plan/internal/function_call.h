#pragma once

#include <string>
#include <vector>

#include "gauze/query/plan/operators.h"

namespace gauze::query {

/// A call of a listed function, none of whose arguments is a bare NULL (but those of concat).
struct FunctionCall {
  const Operators& operators;
  std::string name;
  std::vector<ExpressionPtr> arguments;
  TextSpan span;

  [[nodiscard]] bool nullable() const;
  [[nodiscard]] Result<ExpressionPtr> made(Shape shape) const;
};

// Of text: text_functions.cpp.
[[nodiscard]] Result<ExpressionPtr> make_text_function(const FunctionCall& call);
[[nodiscard]] Result<ExpressionPtr> make_text_part(const FunctionCall& call);
[[nodiscard]] Result<ExpressionPtr> make_text_measure(const FunctionCall& call);
[[nodiscard]] Result<ExpressionPtr> make_concat(const FunctionCall& call);
[[nodiscard]] Result<ExpressionPtr> make_starts_with(const FunctionCall& call);
// Of dates: date_functions.cpp.
[[nodiscard]] Result<ExpressionPtr> make_extract(const FunctionCall& call);
[[nodiscard]] Result<ExpressionPtr> make_date_trunc(const FunctionCall& call);

}  // namespace gauze::query
