#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gauze/base/error.h"

namespace gauze::query {

struct Select;
struct Syntax;
using SyntaxPtr = std::unique_ptr<Syntax>;

/// The name of a type as it is written: `numeric(10, 2)`.
struct TypeName {
  std::string name = {};  ///< lower case, without the catalogue's prefix
  std::vector<int> modifiers = {};
  bool is_array = false;
};

/// ORDER BY of one expression.
struct SortKey {
  SyntaxPtr expression = {};
  bool descending = false;
  std::optional<bool> nulls_first = {};
};

/// An expression as it was written, before anybody knows what its names mean.
struct Syntax {
  enum class Kind {
    column,   ///< names: one to three
    star,     ///< `*` or `t.*`
    number,   ///< text
    text,     ///< text
    boolean,  ///< text: "true", "false"
    null,
    operation,  ///< text: the operator; one or two arguments
    and_,
    or_,
    not_,
    call,     ///< text: the function
    case_,    ///< arguments: condition, result, condition, result, ...; `otherwise`; `operand`
    cast,     ///< arguments: one; type
    in_list,  ///< arguments: what, then the list
    between,  ///< arguments: what, low, high
    is_null,
    is_truth,  ///< text: "true", "false", "unknown"
    distinct_from,
    like,  ///< arguments: what, pattern
    array,
    exists,         ///< select
    in_select,      ///< arguments: what; select
    scalar_select,  ///< select
    current_date,
    volatile_value,  ///< now() and its kin under another name
  };

  Kind kind = Kind::null;
  TextSpan span = {};
  std::string text = {};
  std::vector<std::string> names = {};
  std::vector<SyntaxPtr> arguments = {};
  SyntaxPtr operand = {};
  SyntaxPtr otherwise = {};
  TypeName type = {};
  bool negated = false;       ///< NOT IN, NOT BETWEEN, IS NOT ...
  bool ignores_case = false;  ///< ILIKE
  std::unique_ptr<Select> select = {};
  // of a call:
  bool has_star = false;
  bool is_distinct = false;
  SyntaxPtr filter = {};
  std::vector<SortKey> within_group = {};
  bool has_window = false;                         ///< OVER (...)
  bool has_empty_window = false;                   ///< OVER ()
  std::optional<TextSpan> ordered_arguments = {};  ///< f(x ORDER BY y): where
};

/// One thing that stands in FROM.
struct FromItem {
  enum class Kind { table, subquery, join };
  enum class Join { inner, left, right, full, cross };

  Kind kind = Kind::table;
  TextSpan span = {};
  std::string table = {};
  std::string alias = {};
  std::vector<std::string> column_aliases = {};
  std::unique_ptr<Select> select = {};
  Join join = Join::inner;
  std::unique_ptr<FromItem> left = {};
  std::unique_ptr<FromItem> right = {};
  SyntaxPtr on = {};
  std::vector<std::string> using_columns = {};
};

/// One column of a result.
struct Target {
  SyntaxPtr expression = {};
  std::string alias = {};
  TextSpan span = {};
};

/// WITH name (columns) AS (...).
struct CommonTable {
  std::string name = {};
  std::vector<std::string> columns = {};
  std::shared_ptr<Select> select = {};
  TextSpan span = {};
};

/// SELECT, VALUES, or two of them joined by UNION ALL.
struct Select {
  TextSpan span = {};
  std::vector<CommonTable> with = {};
  bool is_distinct = false;
  std::vector<Target> targets = {};
  std::vector<FromItem> from = {};
  SyntaxPtr where = {};
  std::vector<SyntaxPtr> group_by = {};
  SyntaxPtr having = {};
  std::vector<SortKey> order_by = {};
  SyntaxPtr limit = {};
  SyntaxPtr offset = {};
  std::vector<std::vector<SyntaxPtr>> values = {};
  std::unique_ptr<Select> union_left = {};  ///< both or none
  std::unique_ptr<Select> union_right = {};
};

}  // namespace gauze::query
