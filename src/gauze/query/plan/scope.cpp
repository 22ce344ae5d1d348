#include "gauze/query/plan/scope.h"

#include <algorithm>

#include "gauze/base/ascii.h"
#include "gauze/base/did_you_mean.h"
#include "gauze/query/sql/parse_sql.h"

namespace gauze::query {

bool same_but_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return ascii_lower(x) == ascii_lower(y); });
}

void Scope::add(const std::string& qualifier, std::vector<RelationColumn> columns) {
  for (RelationColumn& column : columns) entries_.push_back({qualifier, std::move(column)});
}

void Scope::append(const Scope& other) {
  entries_.insert(entries_.end(), other.entries_.begin(), other.entries_.end());
}

void Scope::narrow(ColumnId column, const Shape& shape) {
  for (Entry& entry : entries_)
    if (entry.column.id == column) entry.column.shape = shape;
}

void Scope::hide(ColumnId column) {
  for (Entry& entry : entries_)
    if (entry.column.id == column) entry.hidden = true;
}

void Scope::make_nullable() {
  for (Entry& entry : entries_) entry.column.shape.nullable = true;
}

std::vector<const Scope::Entry*> Scope::matches(std::string_view qualifier, std::string_view name,
                                                bool any_case) const {
  const auto fits = [&](std::string_view own, std::string_view given) {
    return any_case ? same_but_case(own, given) : own == given;
  };
  std::vector<const Entry*> found;
  for (const Entry& entry : entries_)
    if (fits(entry.column.name, name) && (qualifier.empty() ? !entry.hidden : fits(entry.qualifier, qualifier)))
      found.push_back(&entry);
  return found;
}

Result<Scope::Found> Scope::find(const std::vector<std::string>& names, TextSpan span) const {
  if (names.empty() || names.size() > 2)
    return refused_at(ErrorCode::invalid_parameter, span,
                      "a column is named by its name, or by its table and its name");
  const std::string_view name = names.back();
  const std::string_view qualifier = names.size() == 2 ? std::string_view(names[0]) : std::string_view();
  for (const bool any_case : {false, true}) {
    const auto found = matches(qualifier, name, any_case);
    if (found.size() == 1) return Found{found[0]->column};
    if (found.size() > 1)
      return refused_at(ErrorCode::unknown_column, span, fmt::format("'{}' is a column of more than one table", name),
                        "write the table before it: t." + std::string(name));
  }
  if (outer_ != nullptr) {
    if (auto found = outer_->find(names, span)) {
      found->is_outer = true;
      return found;
    }
  }
  std::vector<std::string> candidates;
  bool table_known = qualifier.empty();
  for (const Entry& entry : entries_) {
    table_known = table_known || same_but_case(entry.qualifier, qualifier);
    if (qualifier.empty() || same_but_case(entry.qualifier, qualifier)) candidates.push_back(entry.column.name);
  }
  if (!table_known)
    return refused_at(ErrorCode::unknown_column, span, fmt::format("there is no table '{}' in this FROM", qualifier));
  return refused_at(ErrorCode::unknown_column, span,
                    fmt::format("there is no column '{}'{}", name, did_you_mean(name, candidates)),
                    "columns that the schema does not list do not exist here");
}

Result<std::vector<RelationColumn>> Scope::all(const std::vector<std::string>& qualifier, TextSpan span) const {
  std::vector<RelationColumn> columns;
  for (const Entry& entry : entries_)
    if (qualifier.empty() ? !entry.hidden : same_but_case(entry.qualifier, qualifier.back()))
      columns.push_back(entry.column);
  if (columns.empty()) return refused_at(ErrorCode::unknown_column, span, "there is no such table in this FROM");
  return columns;
}

}  // namespace gauze::query
