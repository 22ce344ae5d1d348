#include "gauze/schema/policy/policy_rules.h"

#include <algorithm>
#include <unordered_set>

#include "gauze/base/did_you_mean.h"
#include "gauze/label/printable_text.h"
#include "gauze/schema/hierarchies/hierarchy_builder.h"
#include "gauze/schema/policy/criterion_text.h"
#include "gauze/table/missing_tokens.h"

namespace gauze::schema {
namespace {

/// Roles that exclude each other, with the reason.
struct Conflict {
  Role one;
  Role other;
  std::string_view reason;
};

constexpr int kLongestSearch = 1'000'000'000;

constexpr std::array<Conflict, 6> kConflicts = {{
    {Role::quasi, Role::sensitive, "a quasi-identifier is known to outsiders, a sensitive value is not"},
    {Role::quasi, Role::insensitive, "a quasi-identifier is generalised, an insensitive column is not"},
    {Role::sensitive, Role::insensitive, "a column is one of the two"},
    {Role::protected_group, Role::target, "fairness of a prediction is not measured over what is predicted"},
    {Role::protected_group, Role::insensitive, "a group that is protected is not insensitive"},
    {Role::target, Role::insensitive, "a target is more than insensitive"},
}};

Result<void> check_roles(const PolicyColumn& column) {
  if (column.roles.empty() && column.action != IdentifierAction::keep)
    return invalid_parameter("the column '{}' needs a role, or action: keep", column.name);
  for (const Conflict& conflict : kConflicts) {
    if (column.has(conflict.one) && column.has(conflict.other)) {
      return invalid_parameter("the column '{}' cannot be both {} and {}: {}", column.name,
                               word_of(kRoleWords, conflict.one), word_of(kRoleWords, conflict.other),
                               conflict.reason);
    }
  }
  if (column.has(Role::identifier) && column.roles.size() > 1) {
    return invalid_parameter("the column '{}' is an identifier and can have no other role", column.name);
  }
  return {};
}

Result<void> check_values(const PolicyColumn& column) {
  if (column.values.empty()) return {};
  if (column.has(Role::identifier) || column.has(Role::insensitive) || column.roles.empty()) {
    return invalid_parameter("the column '{}': values belong to quasi, sensitive, protected and target columns",
                             column.name);
  }
  std::unordered_set<std::string_view> seen;
  for (const std::string& value : column.values) {
    if (!seen.insert(value).second) {
      return invalid_parameter("the column '{}' lists the value '{}' twice", column.name, value);
    }
  }
  if (column.positive && !seen.contains(*column.positive)) {
    return invalid_parameter("the column '{}': positive must be one of its values", column.name);
  }
  return {};
}

}  // namespace

Result<void> check_column(const PolicyColumn& column) {
  if (column.name.empty()) return invalid_parameter("a column needs a name");
  GAUZE_TRY_VOID(check_roles(column));
  if (!(column.weight > 0)) {
    return invalid_parameter("the column '{}': weight must be positive, but is {}", column.name,
                             column.weight.to_decimal());
  }
  if (column.weight != 1 && !column.has(Role::quasi)) {
    return invalid_parameter("the column '{}': weight belongs to the role quasi", column.name);
  }
  if (column.action != IdentifierAction::drop && !column.has(Role::identifier) && !column.roles.empty()) {
    return invalid_parameter("the column '{}': action belongs to the role identifier", column.name);
  }
  if (!column.key_file.empty() && column.action != IdentifierAction::pseudonym) {
    return invalid_parameter("the column '{}': key belongs to action: pseudonym", column.name);
  }
  if (column.positive && !column.has(Role::target)) {
    return invalid_parameter("the column '{}': positive belongs to the role target", column.name);
  }
  GAUZE_TRY_VOID(check_values(column));
  if (!column.hierarchy) return {};
  if (!column.has(Role::quasi) && !column.has(Role::sensitive) && !column.has(Role::target)) {
    return invalid_parameter("the column '{}': a hierarchy belongs to quasi, sensitive and target columns",
                             column.name);
  }
  if (const auto checked = check(*column.hierarchy); !checked) {
    return invalid_parameter("the column '{}': {}", column.name, checked.error().message);
  }
  return {};
}

Result<void> check_cleaning(const PolicyColumn& column, const std::vector<std::string>& null_tokens) {
  if (const auto checked = check(column.same, null_tokens); !checked)
    return invalid_parameter("the column '{}': {}", column.name, checked.error().message);
  const auto check_text = [&](std::string_view key, const std::string& text) -> Result<void> {
    const std::string* const name = name_of(column.same, text);
    if (name == nullptr) return {};
    return invalid_parameter("the column '{}': {} names '{}', which same turns into '{}': name that", column.name,
                             key, text, *name);
  };
  for (const std::string& value : column.values) GAUZE_TRY_VOID(check_text("values", value));
  if (column.positive) GAUZE_TRY_VOID(check_text("positive", *column.positive));
  if (!column.valid) return {};
  if (const auto checked = check(*column.valid); !checked)
    return invalid_parameter("the column '{}': {}", column.name, checked.error().message);
  if (column.valid->outside == OutsideCells::other && table::MissingTokens(null_tokens).contains(kOtherValue))
    return invalid_parameter(
        "the column '{}': '{}' means missing, so that outside: other says what outside: missing does", column.name,
        kOtherValue);
  return {};
}

Result<void> check_id_column(const Policy& policy, const PersonUnit& unit) {
  const PolicyColumn* const column = policy.find(unit.id);
  if (column == nullptr || !column->is_cleaned()) return {};
  return invalid_parameter(
      "the column '{}' tells persons apart, and {} could make one person of several: take it out, and clean the ids "
      "before",
      unit.id, column->valid ? "valid" : "same");
}

Result<void> check_sensitive(const Policy& policy, const std::string& column, std::string_view criterion) {
  const PolicyColumn* found = policy.find(column);
  if (found == nullptr) {
    return invalid_parameter("{} names the column '{}', which is not among the columns{}", criterion, column,
                             did_you_mean(column, policy.names_with(Role::sensitive)));
  }
  if (!found->has(Role::sensitive)) {
    return invalid_parameter("{} names the column '{}', which does not have the role sensitive", criterion, column);
  }
  return {};
}

Result<void> check_distance(const Policy& policy, const TCloseness& criterion) {
  GAUZE_TRY_VOID(check_sensitive(policy, criterion.column, "t_closeness"));
  if (criterion.distance != Distance::hierarchical || policy.find(criterion.column)->hierarchy) return {};
  return invalid_parameter("t_closeness: the hierarchical distance needs a hierarchy of the column '{}'",
                           criterion.column);
}

Result<void> check_search(const PolicySearch& search) {
  if (!(search.suppression >= 0 && search.suppression <= 1)) {
    return invalid_parameter("suppression must lie between 0 and 1, but is {}", search.suppression.to_decimal());
  }
  if (search.relaxed && search.kind != SearchKind::mondrian) {
    return invalid_parameter("relaxed belongs to kind: mondrian");
  }
  const auto& limit = search.time_limit_seconds;
  if (limit && !(*limit > 0 && *limit <= kLongestSearch)) {
    return invalid_parameter("time_limit must be positive and at most {} seconds, but is {}", kLongestSearch,
                             limit->to_decimal());
  }
  return {};
}

Result<void> check_level(const Policy& policy, const std::string& column, int level) {
  const PolicyColumn* found = policy.find(column);
  if (found == nullptr || !found->has(Role::quasi)) {
    return invalid_parameter("levels names the column '{}', which is not a quasi-identifier{}", column,
                             did_you_mean(column, policy.names_with(Role::quasi)));
  }
  int top = static_cast<int>(HierarchyBuilder::kMostLevels) - 1;
  if (found->hierarchy) top = known_height(*found->hierarchy).value_or(top);
  if (level >= 0 && level <= top) return {};
  return invalid_parameter("the level of the column '{}' must lie between 0 and {}, but is {}", column, top, level);
}

Result<void> check_shares(const PolicyRelease& release) {
  if (!(release.total_share >= 0 && release.total_share < 1)) {
    return invalid_parameter("total_share must be at least 0 and below 1, but is {}",
                             release.total_share.to_decimal());
  }
  if (!(release.select_share > 0 && release.select_share < 1)) {
    return invalid_parameter("select_share must lie between 0 and 1, but is {}", release.select_share.to_decimal());
  }
  if (release.mode == ReleaseMode::select && release.total_share + release.select_share >= 1) {
    return invalid_parameter("total_share and select_share leave nothing for the counts: their sum is {}",
                             (release.total_share + release.select_share).to_decimal());
  }
  if (release.fit == ReleaseFit::total && release.mode == ReleaseMode::stability)
    return invalid_parameter(
        "fit: total is for domains that hold everybody: the mode stability leaves small classes out, so that its counts "
        "never add up to the total");
  const bool public_total = release.neighbours == Neighbours::replace_one && !release.unit;
  if (release.fit == ReleaseFit::total && !public_total && release.total_share.sign() == 0)
    return invalid_parameter("fit: total needs a noisy total: give it a total_share above 0");
  return {};
}

Result<void> check_unit(const PersonUnit& unit) {
  if (unit.id.empty()) return invalid_parameter("unit needs the column of the id");
  if (!is_printable(unit.name) || has_invisible(unit.name)) {
    return invalid_parameter(
        "the name of the unit must be text without control characters and without characters that "
        "cannot be seen");
  }
  if (unit.max_classes < 1 || unit.max_rows < 1) {
    return invalid_parameter("max_classes and max_rows must be at least 1");
  }
  return {};
}

}  // namespace gauze::schema
