#include <algorithm>

#include "gauze/files/atomic_file.h"
#include "gauze/files/yaml_reader.h"
#include "gauze/schema/cleaning/cleaning_yaml.h"
#include "gauze/schema/input_yaml.h"
#include "gauze/schema/policy/hierarchy_yaml.h"
#include "gauze/schema/policy/policy.h"
#include "gauze/schema/policy/policy_rules.h"
#include "gauze/schema/policy/section_reader.h"

namespace gauze::schema {
namespace {

constexpr YamlLimits kLimits = {.bytes = std::size_t{4} << 20, .depth = 16, .nodes = 500'000};

Result<std::vector<Role>> read_roles(const YamlNode& node) {
  std::vector<Role> roles;
  const auto add = [&](const YamlNode& item) -> Result<void> {
    GAUZE_TRY(const Role role, read_word(item, "role", kRoleWords));
    if (std::find(roles.begin(), roles.end(), role) != roles.end()) {
      return yaml_error(item, "the role {} is there twice", word_of(kRoleWords, role));
    }
    roles.push_back(role);
    return {};
  };
  if (!node.is_list()) {
    GAUZE_TRY_VOID(add(node));
    return roles;
  }
  for (const YamlNode& item : node.items) GAUZE_TRY_VOID(add(item));
  std::sort(roles.begin(), roles.end());
  return roles;
}

/// A key that says something only in one role.
Result<void> check_role_of_key(const YamlNode& node, std::string_view key, const PolicyColumn& column, Role role) {
  const YamlNode* value = node.find(key);
  if (value == nullptr || column.has(role)) return {};
  return yaml_error(*value, "the column '{}': {} belongs to the role {}", column.name, key,
                    word_of(kRoleWords, role));
}

/// `same`, `valid` and `outside`.
Result<void> read_cleaning(const YamlNode& node, const std::vector<std::string>& null_tokens, PolicyColumn& column) {
  if (const YamlNode* same = node.find("same")) {
    GAUZE_TRY(column.same, read_same(*same, null_tokens));
  }
  const YamlNode* valid = node.find("valid");
  const YamlNode* outside = node.find("outside");
  if (valid == nullptr && outside != nullptr)
    return yaml_error(*outside, "outside needs valid: the bounds that cells lie outside of");
  if (valid != nullptr) {
    GAUZE_TRY(column.valid, read_valid(*valid, outside));
  }
  const YamlNode* last = valid != nullptr ? valid : node.find("same");
  return last == nullptr ? Result<void>{} : at(*last, check_cleaning(column, null_tokens));
}

Result<PolicyColumn> read_column(const YamlNode& node, const std::string& name, const std::filesystem::path& folder,
                                 const std::vector<std::string>& null_tokens) {
  const std::string what = fmt::format("the column '{}'", name);
  GAUZE_TRY_VOID(check_keys(
      node, {"role", "hierarchy", "weight", "action", "key", "values", "positive", "same", "valid", "outside"},
      what));
  PolicyColumn column;
  column.name = name;
  if (const YamlNode* action = node.find("action")) {
    GAUZE_TRY(column.action, read_word(*action, "action", kActionWords));
  }
  const YamlNode* role = node.find("role");
  if (role != nullptr) {
    GAUZE_TRY(column.roles, read_roles(*role));
    GAUZE_TRY_VOID(check_role_of_key(node, "action", column, Role::identifier));
  } else if (column.action != IdentifierAction::keep) {
    return yaml_error(node, "{} needs a role, or action: keep", what);
  }
  GAUZE_TRY_VOID(check_role_of_key(node, "weight", column, Role::quasi));
  GAUZE_TRY_VOID(check_role_of_key(node, "key", column, Role::identifier));
  GAUZE_TRY_VOID(check_role_of_key(node, "positive", column, Role::target));
  if (const YamlNode* hierarchy = node.find("hierarchy")) {
    GAUZE_TRY(column.hierarchy, read_hierarchy_spec(*hierarchy, folder));
  }
  if (const YamlNode* weight = node.find("weight")) {
    GAUZE_TRY(column.weight, read_number(*weight, "weight"));
  }
  if (const YamlNode* key = node.find("key")) {
    GAUZE_TRY(const std::string file, read_text(*key, "key"));
    if (file.empty()) return yaml_error(*key, "key needs the name of a file");
    column.key_file = joined_with(folder, file).string();
  }
  if (const YamlNode* values = node.find("values")) {
    GAUZE_TRY(column.values, read_texts(*values, "values"));
    if (column.values.empty()) return yaml_error(*values, "values must not be empty");
  }
  if (const YamlNode* positive = node.find("positive")) {
    GAUZE_TRY(column.positive, read_text(*positive, "positive"));
  }
  GAUZE_TRY_VOID(at(node, check_column(column)));
  GAUZE_TRY_VOID(read_cleaning(node, null_tokens, column));
  return column;
}

Result<std::vector<PolicyColumn>> read_columns(const YamlNode& node, const std::filesystem::path& folder,
                                               const std::vector<std::string>& null_tokens) {
  if (!node.is_map() || node.keys.empty()) {
    return yaml_error(node, "columns must be a map: the name of a column, then what it is");
  }
  std::vector<PolicyColumn> columns;
  bool has_target = false;
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    GAUZE_TRY(PolicyColumn column, read_column(node.items[i], node.keys[i].text, folder, null_tokens));
    if (column.has(Role::target) && has_target) {
      return yaml_error(node.items[i], "only one column can have the role target");
    }
    has_target = has_target || column.has(Role::target);
    columns.push_back(std::move(column));
  }
  return columns;
}

Result<Policy> read_policy(const YamlNode& root, const std::filesystem::path& folder) {
  if (!root.is_map()) return yaml_error(root, "a policy is a map that begins with version: 1");
  GAUZE_TRY_VOID(check_keys(
      root, {"version", "input", "columns", "privacy", "search", "release", "learn", "provenance"}, "the policy"));
  const YamlNode* version = root.find("version");
  if (version == nullptr) return yaml_error(root, "the policy needs version: 1");
  if (!version->is_scalar() || version->text != "1") {
    return yaml_error(*version, "the version must be 1, the only one this program knows");
  }
  const YamlNode* columns = root.find("columns");
  const YamlNode* privacy = root.find("privacy");
  const YamlNode* learn = root.find("learn");
  const bool only_learn = learn != nullptr && columns == nullptr && privacy == nullptr;
  if (columns == nullptr && !only_learn) return yaml_error(root, "the policy needs columns");
  if (privacy == nullptr && !only_learn)
    return yaml_error(root, "the policy needs privacy, such as privacy: {{k: 5}}");
  Policy policy;
  if (const YamlNode* input = root.find("input")) {
    GAUZE_TRY(policy.input, read_input(*input));
  }
  if (only_learn) {
    for (const char* key : {"search", "release"}) {
      if (const YamlNode* section = root.find(key)) return yaml_error(*section, "{} needs columns and privacy", key);
    }
  } else {
    GAUZE_TRY(policy.columns, read_columns(*columns, folder, policy.input.null_tokens));
    GAUZE_TRY(policy.privacy, read_privacy(*privacy, policy, folder));
  }
  if (const YamlNode* search = root.find("search")) {
    GAUZE_TRY(policy.search, read_search(*search));
  }
  if (const YamlNode* release = root.find("release")) {
    GAUZE_TRY(policy.release, read_release(*release, policy));
  }
  if (learn != nullptr) {
    GAUZE_TRY(policy.learn, read_learn(*learn));
  }
  if (const YamlNode* provenance = root.find("provenance")) {
    GAUZE_TRY(policy.provenance, read_provenance(*provenance));
  }
  // Every rule has been checked where its line is known; this keeps the two in step.
  GAUZE_TRY_VOID(at(root, check(policy)));
  return policy;
}

}  // namespace

Result<Policy> parse_policy(std::string_view text, std::string_view name, const std::filesystem::path& folder) {
  GAUZE_TRY(const YamlNode root, parse_yaml(text, name, kLimits));
  GAUZE_TRY(Policy policy, read_policy(root, folder));
  policy.text = text;
  return policy;
}

Result<Policy> read_policy_file(const std::filesystem::path& path) {
  GAUZE_TRY(const std::string text, read_file(path, kLimits.bytes));
  return parse_policy(text, path.filename().string(), path.parent_path());
}

}  // namespace gauze::schema
