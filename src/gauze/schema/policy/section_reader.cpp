#include "gauze/schema/policy/section_reader.h"

#include "gauze/schema/hierarchies/hierarchy_builder.h"
#include "gauze/schema/policy/criterion_text.h"
#include "gauze/schema/policy/hierarchy_yaml.h"
#include "gauze/schema/policy/policy_rules.h"

namespace gauze::schema {
namespace {

constexpr std::uint64_t kLargestCount = 1'000'000'000'000'000;
constexpr Words<bool, 2> kMissingWords = {{{false, "own"}, {true, "any"}}};  // matches everything?

/// The value of a key that must be there.
Result<const YamlNode*> required(const YamlNode& node, std::string_view key, std::string_view what) {
  if (const YamlNode* found = node.find(key)) return found;
  return yaml_error(node, "{} needs {}", what, key);
}

Result<Rational> required_number(const YamlNode& node, std::string_view key, std::string_view what) {
  GAUZE_TRY(const YamlNode* value, required(node, key, what));
  return read_number(*value, key);
}

Result<std::string> required_text(const YamlNode& node, std::string_view key, std::string_view what) {
  GAUZE_TRY(const YamlNode* value, required(node, key, what));
  return read_text(*value, key);
}

/// Sets an enumeration from a word, if the key is there.
template <class Value, std::size_t N>
Result<void> read_optional_word(const YamlNode& node, std::string_view key, const Words<Value, N>& words,
                                std::type_identity_t<Value>& result) {
  const YamlNode* value = node.find(key);
  if (value == nullptr) return {};
  GAUZE_TRY(result, read_word(*value, key, words));
  return {};
}

Result<LDiversity> read_l_diversity(const YamlNode& node, const Policy& policy) {
  GAUZE_TRY_VOID(check_keys(node, {"column", "kind", "l", "c"}, "l_diversity"));
  LDiversity criterion;
  GAUZE_TRY(criterion.column, required_text(node, "column", "l_diversity"));
  GAUZE_TRY_VOID(read_optional_word(node, "kind", kDiversityWords, criterion.kind));
  GAUZE_TRY(criterion.l, required_number(node, "l", "l_diversity"));
  if (criterion.kind == DiversityKind::recursive) {
    GAUZE_TRY(criterion.c, required_number(node, "c", "l_diversity of kind recursive"));
  } else if (const YamlNode* c = node.find("c")) {
    return yaml_error(*c, "c belongs to kind: recursive");
  }
  GAUZE_TRY_VOID(at(node, check(criterion)));
  GAUZE_TRY_VOID(at(node, check_sensitive(policy, criterion.column, "l_diversity")));
  return criterion;
}

Result<TCloseness> read_t_closeness(const YamlNode& node, const Policy& policy) {
  GAUZE_TRY_VOID(check_keys(node, {"column", "distance", "t"}, "t_closeness"));
  TCloseness criterion;
  GAUZE_TRY(criterion.column, required_text(node, "column", "t_closeness"));
  GAUZE_TRY_VOID(read_optional_word(node, "distance", kDistanceWords, criterion.distance));
  GAUZE_TRY(criterion.t, required_number(node, "t", "t_closeness"));
  GAUZE_TRY_VOID(at(node, check(criterion)));
  GAUZE_TRY_VOID(at(node, check_distance(policy, criterion)));
  return criterion;
}

Result<DeltaDisclosure> read_delta_disclosure(const YamlNode& node, const Policy& policy) {
  GAUZE_TRY_VOID(check_keys(node, {"column", "delta"}, "delta_disclosure"));
  DeltaDisclosure criterion;
  GAUZE_TRY(criterion.column, required_text(node, "column", "delta_disclosure"));
  GAUZE_TRY(criterion.delta, required_number(node, "delta", "delta_disclosure"));
  GAUZE_TRY_VOID(at(node, check(criterion)));
  GAUZE_TRY_VOID(at(node, check_sensitive(policy, criterion.column, "delta_disclosure")));
  return criterion;
}

Result<BetaLikeness> read_beta_likeness(const YamlNode& node, const Policy& policy) {
  GAUZE_TRY_VOID(check_keys(node, {"column", "kind", "beta"}, "beta_likeness"));
  BetaLikeness criterion;
  GAUZE_TRY(criterion.column, required_text(node, "column", "beta_likeness"));
  GAUZE_TRY_VOID(read_optional_word(node, "kind", kLikenessWords, criterion.enhanced));
  GAUZE_TRY(criterion.beta, required_number(node, "beta", "beta_likeness"));
  GAUZE_TRY_VOID(at(node, check(criterion)));
  GAUZE_TRY_VOID(at(node, check_sensitive(policy, criterion.column, "beta_likeness")));
  return criterion;
}

/// A list of criteria of one kind; one alone needs no list.
template <class Criterion, class Read>
Result<void> read_criteria(const YamlNode& node, std::string_view key, const Policy& policy, const Read& read,
                           std::vector<Criterion>& result) {
  const YamlNode* list = node.find(key);
  if (list == nullptr) return {};
  if (list->is_map()) {
    GAUZE_TRY(Criterion criterion, read(*list, policy));
    result.push_back(std::move(criterion));
    return {};
  }
  if (!list->is_list() || list->items.empty()) return yaml_error(*list, "{} must be a list with an entry", key);
  for (const YamlNode& item : list->items) {
    GAUZE_TRY(Criterion criterion, read(item, policy));
    result.push_back(std::move(criterion));
  }
  return {};
}

Result<KMap> read_k_map(const YamlNode& node, const std::filesystem::path& folder) {
  GAUZE_TRY_VOID(check_keys(node, {"k", "population"}, "k_map"));
  KMap criterion;
  GAUZE_TRY(const YamlNode* k, required(node, "k", "k_map"));
  GAUZE_TRY(criterion.k, read_count(*k, "k", 1, kLargestCount));
  GAUZE_TRY(const std::string population, required_text(node, "population", "k_map"));
  if (!population.empty()) criterion.population = joined_with(folder, population).string();
  GAUZE_TRY_VOID(at(node, check(criterion)));
  return criterion;
}

Result<DeltaPresence> read_delta_presence(const YamlNode& node, const std::filesystem::path& folder) {
  GAUZE_TRY_VOID(check_keys(node, {"min", "max", "population"}, "delta_presence"));
  DeltaPresence criterion;
  GAUZE_TRY(criterion.minimum, required_number(node, "min", "delta_presence"));
  GAUZE_TRY(criterion.maximum, required_number(node, "max", "delta_presence"));
  GAUZE_TRY(const std::string population, required_text(node, "population", "delta_presence"));
  if (!population.empty()) criterion.population = joined_with(folder, population).string();
  GAUZE_TRY_VOID(at(node, check(criterion)));
  return criterion;
}

/// Seconds, or a number with s, m or h.
Result<Rational> read_duration(const YamlNode& node) {
  GAUZE_TRY(const std::string text, read_text(node, "time_limit"));
  std::string_view number = text;
  Rational factor = 1;
  if (!number.empty() && std::string_view("smh").find(number.back()) != std::string_view::npos) {
    factor = number.back() == 'h' ? 3600 : number.back() == 'm' ? 60 : 1;
    number.remove_suffix(1);
  }
  const auto value = Rational::parse(number);
  if (!value) return yaml_error(node, "time_limit must be a number of seconds, or one with s, m or h: 90, 90s, 5m");
  // To the nanosecond, never shorter than given: digits beyond are of no use.
  const Rational nanoseconds = *value * factor * 1'000'000'000;
  return nanoseconds.ceil() / 1'000'000'000;
}

Result<PersonUnit> read_unit(const YamlNode& node) {
  GAUZE_TRY_VOID(check_keys(node, {"id", "name", "max_classes", "max_rows"}, "unit"));
  PersonUnit unit;
  GAUZE_TRY(unit.id, required_text(node, "id", "unit"));
  if (node.find("name") != nullptr) {
    GAUZE_TRY(unit.name, required_text(node, "name", "unit"));
    if (unit.name.empty()) return yaml_error(node, "the name of the unit must not be empty");
  }
  GAUZE_TRY(const YamlNode* classes, required(node, "max_classes", "unit"));
  GAUZE_TRY(unit.max_classes, read_count(*classes, "max_classes", 1, kLargestCount));
  GAUZE_TRY(const YamlNode* rows, required(node, "max_rows", "unit"));
  GAUZE_TRY(unit.max_rows, read_count(*rows, "max_rows", 1, kLargestCount));
  GAUZE_TRY_VOID(at(node, check_unit(unit)));
  return unit;
}

Result<void> read_levels(const YamlNode& node, const Policy& policy, PolicyRelease& release) {
  if (!node.is_map()) return yaml_error(node, "levels must be a map: the name of a column, its level");
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    GAUZE_TRY(const std::uint64_t level, read_count(node.items[i], "a level", 0, HierarchyBuilder::kMostLevels - 1));
    GAUZE_TRY_VOID(at(node.items[i], check_level(policy, node.keys[i].text, static_cast<int>(level))));
    release.levels.emplace_back(node.keys[i].text, static_cast<int>(level));
  }
  return {};
}

}  // namespace

Result<void> at(const YamlNode& node, Result<void> checked) {
  if (checked) return checked;
  return yaml_error(node, "{}", checked.error().message);
}

Result<Criteria> read_privacy(const YamlNode& node, const Policy& policy, const std::filesystem::path& folder) {
  GAUZE_TRY_VOID(check_keys(
      node,
      {"k", "l_diversity", "t_closeness", "delta_disclosure", "beta_likeness", "k_map", "delta_presence", "missing"},
      "privacy"));
  if (node.keys.size() == (node.find("missing") == nullptr ? 0U : 1U)) {
    return yaml_error(node, "privacy needs a criterion, such as k: 5");
  }
  Criteria criteria;
  if (const YamlNode* k = node.find("k")) {
    GAUZE_TRY(criteria.k, read_count(*k, "k", 1, kLargestCount));
  }
  GAUZE_TRY_VOID(read_criteria(node, "l_diversity", policy, read_l_diversity, criteria.l_diversity));
  GAUZE_TRY_VOID(read_criteria(node, "t_closeness", policy, read_t_closeness, criteria.t_closeness));
  GAUZE_TRY_VOID(read_criteria(node, "delta_disclosure", policy, read_delta_disclosure, criteria.delta_disclosure));
  GAUZE_TRY_VOID(read_criteria(node, "beta_likeness", policy, read_beta_likeness, criteria.beta_likeness));
  if (const YamlNode* k_map = node.find("k_map")) {
    GAUZE_TRY(criteria.k_map, read_k_map(*k_map, folder));
  }
  if (const YamlNode* presence = node.find("delta_presence")) {
    GAUZE_TRY(criteria.delta_presence, read_delta_presence(*presence, folder));
  }
  GAUZE_TRY_VOID(read_optional_word(node, "missing", kMissingWords, criteria.missing_matches_everything));
  return criteria;
}

Result<PolicySearch> read_search(const YamlNode& node) {
  GAUZE_TRY_VOID(check_keys(node, {"kind", "relaxed", "metric", "suppression", "time_limit"}, "search"));
  PolicySearch search;
  GAUZE_TRY_VOID(read_optional_word(node, "kind", kSearchWords, search.kind));
  GAUZE_TRY_VOID(read_optional_word(node, "metric", kMetricWords, search.metric));
  if (const YamlNode* relaxed = node.find("relaxed")) {
    GAUZE_TRY(search.relaxed, read_bool(*relaxed, "relaxed"));
  }
  if (const YamlNode* suppression = node.find("suppression")) {
    GAUZE_TRY(search.suppression, read_number(*suppression, "suppression"));
  }
  if (const YamlNode* limit = node.find("time_limit")) {
    GAUZE_TRY(search.time_limit_seconds, read_duration(*limit));
  }
  GAUZE_TRY_VOID(at(node, check_search(search)));
  return search;
}

Result<PolicyRelease> read_release(const YamlNode& node, Policy& policy) {
  GAUZE_TRY_VOID(check_keys(node,
                            {"mode", "levels", "kind", "output", "neighbours", "unit", "noise", "cut", "total_share",
                             "fit", "select_share"},
                            "release"));
  PolicyRelease release;
  GAUZE_TRY_VOID(read_optional_word(node, "mode", kReleaseModeWords, release.mode));
  if (const YamlNode* earlier = node.find("output")) {
    if (node.find("kind") != nullptr) return yaml_error(*earlier, "output is what kind was called: give kind alone");
    GAUZE_TRY_VOID(read_optional_word(node, "output", kReleaseKindWords, release.kind));
    policy.warnings.push_back({"key_renamed", earlier->place() + ": output is called kind now; it is read as that"});
  }
  GAUZE_TRY_VOID(read_optional_word(node, "kind", kReleaseKindWords, release.kind));
  GAUZE_TRY_VOID(read_optional_word(node, "neighbours", kOneUnitWords, release.neighbours));
  GAUZE_TRY_VOID(read_optional_word(node, "noise", kReleaseNoiseWords, release.noise));
  if (const YamlNode* levels = node.find("levels")) GAUZE_TRY_VOID(read_levels(*levels, policy, release));
  if (const YamlNode* unit = node.find("unit"); unit != nullptr && !(unit->is_scalar() && unit->text == "row")) {
    if (!unit->is_map())
      return yaml_error(*unit, "unit must be row, or {{id: COLUMN, name: TEXT, max_classes: M, max_rows: R}}");
    GAUZE_TRY(release.unit, read_unit(*unit));
    GAUZE_TRY_VOID(at(*unit, check_id_column(policy, *release.unit)));
  }
  if (const YamlNode* cut = node.find("cut"); cut != nullptr && !(cut->is_scalar() && cut->text == "auto")) {
    const auto count = read_count(*cut, "cut", 0, kLargestCount);
    if (!count) return yaml_error(*cut, "cut must be auto or a whole number, at least 0");
    release.cut = *count;
  }
  if (const YamlNode* share = node.find("total_share")) {
    GAUZE_TRY(release.total_share, read_number(*share, "total_share"));
  }
  GAUZE_TRY_VOID(read_optional_word(node, "fit", kReleaseFitWords, release.fit));
  if (const YamlNode* share = node.find("select_share")) {
    GAUZE_TRY(release.select_share, read_number(*share, "select_share"));
  }
  GAUZE_TRY_VOID(at(node, check_shares(release)));
  return release;
}

Result<PolicyProvenance> read_provenance(const YamlNode& node) {
  GAUZE_TRY_VOID(
      check_keys(node, {"quasi", "hierarchies", "levels", "k", "epsilon", "features", "hyperparameters", "cleaning"},
                 "provenance"));
  PolicyProvenance provenance;
  GAUZE_TRY_VOID(read_optional_word(node, "quasi", kProvenanceWords, provenance.quasi));
  GAUZE_TRY_VOID(read_optional_word(node, "hierarchies", kProvenanceWords, provenance.hierarchies));
  GAUZE_TRY_VOID(read_optional_word(node, "levels", kProvenanceWords, provenance.levels));
  GAUZE_TRY_VOID(read_optional_word(node, "k", kProvenanceWords, provenance.k));
  GAUZE_TRY_VOID(read_optional_word(node, "epsilon", kProvenanceWords, provenance.epsilon));
  GAUZE_TRY_VOID(read_optional_word(node, "features", kProvenanceWords, provenance.features));
  GAUZE_TRY_VOID(read_optional_word(node, "hyperparameters", kProvenanceWords, provenance.hyperparameters));
  GAUZE_TRY_VOID(read_optional_word(node, "cleaning", kProvenanceWords, provenance.cleaning));
  return provenance;
}

}  // namespace gauze::schema
