#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gauze/query/plan/relation.h"

namespace gauze::query {

/// What names mean inside one SELECT: the columns of what stands in its FROM, and around it those of the SELECT that it stands
/// in.
class Scope {
 public:
  explicit Scope(const Scope* outer = nullptr) : outer_(outer) {}

  void add(const std::string& qualifier, std::vector<RelationColumn> columns);
  /// Takes over what another scope has, behind its own.
  void append(const Scope& other);
  /// Replaces what is known of a column's values.
  void narrow(ColumnId column, const Shape& shape);
  /// Merges two columns of JOIN ... USING under one name: the second is only found with its table's name.
  void hide(ColumnId column);
  /// Marks all columns as possibly NULL: the side of an outer join that may be absent.
  void make_nullable();

  struct Found {
    RelationColumn column;
    bool is_outer = false;  ///< of a SELECT around this one
  };
  /// A column by its name, or table and name: exactly as written, else the only one that fits without regard to case.
  [[nodiscard]] Result<Found> find(const std::vector<std::string>& names, TextSpan span) const;
  /// All columns, or those of one table, for `*`.
  [[nodiscard]] Result<std::vector<RelationColumn>> all(const std::vector<std::string>& qualifier,
                                                        TextSpan span) const;

 private:
  struct Entry {
    std::string qualifier;
    RelationColumn column;
    bool hidden = false;
  };
  [[nodiscard]] std::vector<const Entry*> matches(std::string_view qualifier, std::string_view name,
                                                  bool any_case) const;

  std::vector<Entry> entries_;
  const Scope* outer_;
};

/// Whether two names are the same but for small and capital ASCII letters.
[[nodiscard]] bool same_but_case(std::string_view a, std::string_view b);

}  // namespace gauze::query
