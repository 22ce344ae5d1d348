#include "gauze/anonymize/inspect/draft_policy.h"

#include <algorithm>

namespace gauze::anonymize {

using namespace schema;  // the vocabulary of this file

namespace {

/// What outsiders know, or nobody should learn, and what fairness is measured over may be one column.
std::vector<Role> roles_of(const Inspection& found, const Inspection::Column& column) {
  std::vector<Role> roles = {column.role};
  const auto& groups = found.protected_groups;
  const bool is_group = std::find(groups.begin(), groups.end(), column.name) != groups.end();
  if (is_group && (column.role == Role::quasi || column.role == Role::sensitive))
    roles.push_back(Role::protected_group);
  if (is_group && column.role == Role::insensitive) roles = {Role::protected_group};
  std::sort(roles.begin(), roles.end());
  return roles;
}

/// What looks alike, but for names and spellings that a policy would refuse.
std::vector<SameValues> same_of(const Inspection& found, const std::string& column,
                                const std::vector<std::string>& null_tokens) {
  std::vector<SameValues> same;
  for (const LookAlikes& group : found.spellings) {
    if (group.column != column) continue;
    SameValues one{.name = group.name, .spellings = {}};
    for (const LookAlikes::Value& value : group.values)
      if (value.value != group.name) one.spellings.push_back(value.value);
    same.push_back(std::move(one));
    if (!check(same, null_tokens)) same.pop_back();
  }
  return same;
}

}  // namespace

Policy draft_policy(const Inspection& found, const InspectionRequest& request) {
  Policy policy;
  policy.input.null_tokens = request.null_tokens;
  policy.privacy.k = request.k;
  for (const Inspection::Column& column : found.columns) {
    PolicyColumn made{.name = column.name, .roles = roles_of(found, column)};
    made.same = same_of(found, column.name, request.null_tokens);
    const auto bounds = found.bounds.find(column.name);
    if (bounds != found.bounds.end() && column.role != Role::identifier) made.valid = bounds->second;
    policy.columns.push_back(std::move(made));
  }
  return policy;
}

}  // namespace gauze::anonymize
