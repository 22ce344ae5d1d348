#include "gauze/schema/policy/policy.h"

#include <algorithm>
#include <unordered_set>

#include "gauze/schema/policy/criterion_text.h"
#include "gauze/schema/policy/policy_rules.h"

namespace gauze::schema {
namespace {

bool same_input(const table::ReadOptions& a, const table::ReadOptions& b) {
  return a.delimiter == b.delimiter && a.quote == b.quote && a.header == b.header && a.names == b.names &&
         a.null_tokens == b.null_tokens && a.encoding == b.encoding && a.decimal == b.decimal;
}

Result<void> check_criteria(const Policy& policy) {
  GAUZE_TRY_VOID(check(policy.privacy));
  for (const auto& criterion : policy.privacy.l_diversity) {
    GAUZE_TRY_VOID(check_sensitive(policy, criterion.column, "l_diversity"));
  }
  for (const auto& criterion : policy.privacy.t_closeness) GAUZE_TRY_VOID(check_distance(policy, criterion));
  for (const auto& criterion : policy.privacy.delta_disclosure) {
    GAUZE_TRY_VOID(check_sensitive(policy, criterion.column, "delta_disclosure"));
  }
  for (const auto& criterion : policy.privacy.beta_likeness) {
    GAUZE_TRY_VOID(check_sensitive(policy, criterion.column, "beta_likeness"));
  }
  return {};
}

}  // namespace

bool PolicyColumn::has(Role role) const { return std::find(roles.begin(), roles.end(), role) != roles.end(); }

const PolicyColumn* Policy::find(std::string_view name) const {
  const auto found =
      std::find_if(columns.begin(), columns.end(), [&](const PolicyColumn& column) { return column.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

bool Policy::cleans() const {
  return std::any_of(columns.begin(), columns.end(), [](const PolicyColumn& column) { return column.is_cleaned(); });
}

std::vector<std::string> Policy::names_with(Role role) const {
  std::vector<std::string> names;
  for (const PolicyColumn& column : columns) {
    if (column.has(role)) names.push_back(column.name);
  }
  return names;
}

bool operator==(const Policy& a, const Policy& b) {
  return same_input(a.input, b.input) && a.columns == b.columns && a.privacy == b.privacy && a.search == b.search &&
         a.release == b.release && a.learn == b.learn && a.provenance == b.provenance;
}

Result<void> check_has_columns(const Policy& policy) {
  if (policy.columns.empty())
    return invalid_parameter("the policy has no columns: it is one for learning alone, as gauze train takes it");
  return {};
}

Result<const LearnPolicy*> learn_section(const Policy& policy) {
  if (!policy.learn)
    return invalid_parameter("the policy has no section learn: features, their bounds and values, a target");
  return &*policy.learn;
}

Result<void> check(const Policy& policy) {
  if (policy.learn) GAUZE_TRY_VOID(check(*policy.learn));
  std::unordered_set<std::string_view> names;
  for (const PolicyColumn& column : policy.columns) {
    GAUZE_TRY_VOID(check_column(column));
    GAUZE_TRY_VOID(check_cleaning(column, policy.input.null_tokens));
    if (!names.insert(column.name).second) {
      return invalid_parameter("the column '{}' is there twice", column.name);
    }
  }
  if (policy.names_with(Role::target).size() > 1) {
    return invalid_parameter("only one column can have the role target");
  }
  GAUZE_TRY_VOID(check_criteria(policy));
  GAUZE_TRY_VOID(check_search(policy.search));
  if (!policy.release) return {};
  for (const auto& [column, level] : policy.release->levels) GAUZE_TRY_VOID(check_level(policy, column, level));
  if (policy.release->unit) {
    GAUZE_TRY_VOID(check_unit(*policy.release->unit));
    GAUZE_TRY_VOID(check_id_column(policy, *policy.release->unit));
  }
  return check_shares(*policy.release);
}

}  // namespace gauze::schema
