#include "gauze/cli/tables/policy_flags.h"

#include <algorithm>

#include "gauze/cli/flags/table_flags.h"
#include "gauze/schema/policy/criterion_text.h"

namespace gauze::cli {

namespace {

using namespace anonymize;  // the vocabulary of this file
using namespace schema;

/// The column of the policy with this name, made if there is none.
PolicyColumn& column_of(Policy& policy, const std::string& name) {
  const auto found = std::find_if(policy.columns.begin(), policy.columns.end(),
                                  [&](const PolicyColumn& column) { return column.name == name; });
  if (found != policy.columns.end()) return *found;
  PolicyColumn made;
  made.name = name;
  policy.columns.push_back(std::move(made));
  return policy.columns.back();
}

void add_role(Policy& policy, const std::string& name, Role role) {
  PolicyColumn& column = column_of(policy, name);
  if (column.has(role)) return;
  column.roles.push_back(role);
  std::sort(column.roles.begin(), column.roles.end());
}

Result<void> read_columns(const Invocation& invocation, Policy& policy) {
  if (invocation.has("quasi")) {
    GAUZE_TRY(const std::vector<std::string> names, invocation.list("quasi"));
    for (const std::string& name : names) add_role(policy, name, Role::quasi);
  }
  for (const std::string& name : invocation.texts("sensitive")) add_role(policy, name, Role::sensitive);
  if (invocation.has("keep")) {
    GAUZE_TRY(const std::vector<std::string> names, invocation.list("keep"));
    for (const std::string& name : names) {
      if (policy.find(name) != nullptr)
        return make_error(ErrorCode::usage, "--keep names the column {}, which another flag decides about", name);
      column_of(policy, name).action = IdentifierAction::keep;
    }
  }
  return {};
}

Result<void> read_criteria(const Invocation& invocation, Policy& policy) {
  Criteria& criteria = policy.privacy;
  if (invocation.has("k")) {
    GAUZE_TRY(const std::int64_t k, invocation.integer("k", 1));
    criteria.k = static_cast<std::uint64_t>(k);
  }
  for (const std::string& text : invocation.texts("l-diversity")) {
    GAUZE_TRY(criteria.l_diversity.emplace_back(), parse_l_diversity(text));
    add_role(policy, criteria.l_diversity.back().column, Role::sensitive);
  }
  for (const std::string& text : invocation.texts("t-closeness")) {
    GAUZE_TRY(criteria.t_closeness.emplace_back(), parse_t_closeness(text));
    add_role(policy, criteria.t_closeness.back().column, Role::sensitive);
  }
  for (const std::string& text : invocation.texts("delta-disclosure")) {
    GAUZE_TRY(criteria.delta_disclosure.emplace_back(), parse_delta_disclosure(text));
    add_role(policy, criteria.delta_disclosure.back().column, Role::sensitive);
  }
  for (const std::string& text : invocation.texts("beta-likeness")) {
    GAUZE_TRY(criteria.beta_likeness.emplace_back(), parse_beta_likeness(text));
    add_role(policy, criteria.beta_likeness.back().column, Role::sensitive);
  }
  if (invocation.has("missing")) {
    GAUZE_TRY(const std::string meaning, invocation.text("missing"));
    criteria.missing_matches_everything = meaning == "any";
  }
  return {};
}

Result<void> read_hierarchies(const Invocation& invocation, Policy& policy) {
  std::vector<std::string> names;
  for (const PolicyColumn& column : policy.columns) names.push_back(column.name);
  for (const std::string& text : invocation.texts("hierarchy")) {
    GAUZE_TRY(const HierarchyAssignment assignment, parse_hierarchy_assignment(text, names));
    if (std::find(names.begin(), names.end(), assignment.column) == names.end())
      return invalid_parameter("--hierarchy names the column {}, which is neither a quasi-identifier nor sensitive",
                               assignment.column);
    column_of(policy, assignment.column).hierarchy = CsvSpec{.path = assignment.file, .delimiter = {}};
  }
  return {};
}

/// `COL=W`, from the right: names may hold an equals sign.
Result<void> read_weights(const Invocation& invocation, Policy& policy) {
  for (const std::string& text : invocation.texts("weight")) {
    const std::size_t equals = text.rfind('=');
    if (equals == std::string::npos) return invalid_parameter("--weight must be COL=W, but is '{}'", text);
    const std::string name = text.substr(0, equals);
    const PolicyColumn* column = policy.find(name);
    if (column == nullptr || !column->has(Role::quasi))
      return invalid_parameter("--weight names the column {}, which is no quasi-identifier", name);
    auto weight = Rational::parse(text.substr(equals + 1));
    if (!weight) return invalid_parameter("--weight must be COL=W with a decimal W, but is '{}'", text);
    column_of(policy, name).weight = *std::move(weight);
  }
  return {};
}

Result<void> read_search(const Invocation& invocation, Policy& policy) {
  GAUZE_TRY(const std::string metric, invocation.text("metric"));
  GAUZE_TRY(policy.search.metric, parse_metric(metric));
  GAUZE_TRY(const std::string kind, invocation.text("search"));
  GAUZE_TRY(policy.search.kind, parse_search_kind(kind));
  policy.search.relaxed = invocation.has("relaxed");
  GAUZE_TRY(policy.search.suppression, invocation.rational("suppression"));
  GAUZE_TRY(policy.search.time_limit_seconds, invocation.optional_rational("time-limit"));
  return {};
}

Result<void> read_identifiers(const Invocation& invocation, Policy& policy) {
  for (const char* flag : {"drop", "pseudonym"}) {
    if (!invocation.has(flag)) continue;
    GAUZE_TRY(const std::vector<std::string> names, invocation.list(flag));
    for (const std::string& name : names) {
      if (const PolicyColumn* const decided = policy.find(name);
          decided != nullptr && decided->action == IdentifierAction::keep)
        return make_error(ErrorCode::usage, "--keep and --{} both decide about the column {}", flag, name);
      add_role(policy, name, Role::identifier);
      if (std::string_view(flag) == "drop") continue;
      column_of(policy, name).action = IdentifierAction::pseudonym;
      GAUZE_TRY(column_of(policy, name).key_file, invocation.text("key"));
    }
  }
  return {};
}

Result<void> read_population(const Invocation& invocation, Policy& policy) {
  const auto file = invocation.optional_text("population");
  const bool needs = invocation.has("k-map") || invocation.has("delta-presence");
  if (needs != file.has_value())
    return make_error(ErrorCode::usage, "--population goes together with --k-map or --delta-presence");
  if (invocation.has("k-map")) {
    GAUZE_TRY(const std::int64_t k, invocation.integer("k-map", 1));
    policy.privacy.k_map = KMap{.k = static_cast<std::uint64_t>(k), .population = *file};
  }
  if (invocation.has("delta-presence")) {
    GAUZE_TRY(const std::string text, invocation.text("delta-presence"));
    const std::size_t colon = text.find(':');
    auto low = Rational::parse(text.substr(0, colon));
    auto high = colon == std::string::npos ? Result<Rational>(Rational(1)) : Rational::parse(text.substr(colon + 1));
    if (colon == std::string::npos || !low || !high)
      return invalid_parameter("--delta-presence must be MIN:MAX with two decimals, but is '{}'", text);
    policy.privacy.delta_presence = DeltaPresence{.minimum = *low, .maximum = *high, .population = *file};
  }
  return {};
}

bool has_flag(const Invocation& invocation, std::string_view name) {
  return invocation.command().find_flag(name) != nullptr;
}

}  // namespace

std::vector<Flag> criteria_flags() {
  return {
      {.name = "k", .placeholder = "K", .help = "rows that must look alike, at least"},
      {.name = "l-diversity",
       .placeholder = "RULE",
       .help = "COL:distinct:3, COL:entropy:3 or COL:recursive:3:4 (l = 3, c = 4)",
       .repeatable = true},
      {.name = "t-closeness",
       .placeholder = "RULE",
       .help = "COL:equal:0.2, COL:ordered:0.2 or COL:hierarchical:0.2",
       .repeatable = true},
      {.name = "delta-disclosure", .placeholder = "RULE", .help = "COL:1", .repeatable = true},
      {.name = "beta-likeness", .placeholder = "RULE", .help = "COL:enhanced:2 or COL:basic:2", .repeatable = true},
      {.name = "missing",
       .placeholder = "MEANING",
       .help = "whether a missing quasi-identifier is a value of its own or matches any",
       .choices = {"own", "any"}},
  };
}

std::vector<Flag> column_flags() {
  return {
      {.name = "quasi", .placeholder = "A,B,...", .help = "the quasi-identifiers: what outsiders may know"},
      {.name = "hierarchy",
       .placeholder = "COL=FILE",
       .help = "how a column becomes coarser; made from its type unless given",
       .repeatable = true,
       .is_file = true},
      {.name = "sensitive", .placeholder = "COL", .help = "a column nobody should learn", .repeatable = true},
      {.name = "keep",
       .placeholder = "A,B,...",
       .help = "columns that stay as they are though they look like identifiers"},
  };
}

std::vector<Flag> search_flags() {
  return {
      {.name = "suppression",
       .placeholder = "SHARE",
       .help = "largest share of suppressed rows",
       .default_text = "0"},
      {.name = "metric",
       .placeholder = "NAME",
       .help = "what the search makes small",
       .default_text = "loss",
       .choices = all_words(kMetricWords)},
      {.name = "search",
       .placeholder = "KIND",
       .help = "one level a column, provably best; levels by record; or repeated cuts",
       .default_text = "optimal",
       .choices = all_words(kSearchWords)},
      {.name = "relaxed", .help = "with mondrian: equal rows may fall on both sides of a cut"},
      {.name = "weight", .placeholder = "COL=W", .help = "how much the loss of a column counts", .repeatable = true},
      {.name = "time-limit",
       .placeholder = "SECONDS",
       .help = "then give the best so far, and how far it may be from the best"},
      {.name = "drop", .placeholder = "A,B,...", .help = "identifiers to leave out"},
      {.name = "pseudonym",
       .placeholder = "A,B,...",
       .help = "identifiers to replace by keyed pseudonyms; needs --key"},
      {.name = "key",
       .placeholder = "FILE",
       .help = "the key of pseudonyms; made when the file is not there",
       .is_file = true},
      {.name = "population",
       .placeholder = "FILE",
       .help = "a table of everybody the rows were drawn from",
       .is_file = true},
      {.name = "k-map", .placeholder = "K", .help = "people of the population that must look like a row, at least"},
      {.name = "delta-presence",
       .placeholder = "MIN:MAX",
       .help = "share of the people who look like a class that may be in the table"},
  };
}

Result<Policy> policy_of(const Invocation& invocation) {
  if (const auto file = invocation.optional_text("policy")) {
    for (const auto& flags : {criteria_flags(), column_flags(), search_flags()})
      for (const Flag& flag : flags)
        if (has_flag(invocation, flag.name) && invocation.has(flag.name) && flag.name != "time-limit")
          return make_error(ErrorCode::usage, "--{} and --policy say the same thing twice: change the policy instead",
                            flag.name);
    GAUZE_TRY(Policy policy, read_policy_file(*file));
    GAUZE_TRY_VOID(check_has_columns(policy));
    if (has_flag(invocation, "time-limit") && invocation.has("time-limit")) {
      GAUZE_TRY(policy.search.time_limit_seconds, invocation.optional_rational("time-limit"));
    }
    GAUZE_TRY(policy.input, read_options(invocation, std::move(policy.input)));
    return policy;
  }
  Policy policy;
  GAUZE_TRY(policy.input, read_options(invocation));
  GAUZE_TRY_VOID(read_columns(invocation, policy));
  GAUZE_TRY_VOID(read_criteria(invocation, policy));
  GAUZE_TRY_VOID(read_hierarchies(invocation, policy));
  if (has_flag(invocation, "search")) {
    GAUZE_TRY_VOID(read_weights(invocation, policy));
    GAUZE_TRY_VOID(read_search(invocation, policy));
    GAUZE_TRY_VOID(read_identifiers(invocation, policy));
    GAUZE_TRY_VOID(read_population(invocation, policy));
  }
  GAUZE_TRY_VOID(schema::check(policy));
  return policy;
}

std::vector<publish::KeptFile> files_of(const Policy& policy) {
  std::vector<publish::KeptFile> files;
  for (const PolicyColumn& column : policy.columns) {
    if (column.hierarchy)
      if (const auto* csv = std::get_if<CsvSpec>(&*column.hierarchy))
        files.push_back({"the hierarchy of " + column.name, csv->path});
    if (!column.key_file.empty()) files.push_back({"the key of pseudonyms", column.key_file});
  }
  if (policy.privacy.k_map) files.push_back({"the population", policy.privacy.k_map->population});
  if (policy.privacy.delta_presence) files.push_back({"the population", policy.privacy.delta_presence->population});
  return files;
}

}  // namespace gauze::cli
