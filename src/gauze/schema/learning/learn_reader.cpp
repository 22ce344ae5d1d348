#include <algorithm>
#include <set>

#include "gauze/base/utf8.h"
#include "gauze/schema/cleaning/cleaning_yaml.h"
#include "gauze/schema/learning/learn_policy.h"

namespace gauze::schema {
namespace {

constexpr std::uint64_t kMostRows = 1'000'000'000'000;
constexpr std::uint64_t kMostRowsOfUnit = 1'000;
constexpr std::size_t kMostFeatures = 10'000;
constexpr std::size_t kMostInputs = 1'000'000;
/// Numbers are doubles from here on; far beyond what anybody measures.
const Rational& largest_bound() {
  static const Rational bound = Rational::power_of_two(100);
  return bound;
}

Result<void> check_listed(const YamlNode& node, const std::vector<std::string>& values, std::string_view what) {
  std::set<std::string_view> seen;
  for (const std::string& value : values) {
    if (value.empty()) return yaml_error(node, "{}: an empty value counts as missing and cannot be listed", what);
    if (trimmed(value) != value)
      return yaml_error(node, "{}: '{}' has blanks around it, which cells are read without", what, value);
    if (!seen.insert(value).second) return yaml_error(node, "{}: '{}' is listed twice", what, value);
  }
  return {};
}

struct Bounds {
  Rational low;
  Rational high;
};

/// [low, high], exact decimals, low below high.
Result<Bounds> read_bounds(const YamlNode& node, std::string_view what) {
  if (!node.is_list() || node.items.size() != 2)
    return yaml_error(node, "{} needs public bounds, such as [0, 100]: nothing is read off the rows", what);
  Bounds bounds;
  GAUZE_TRY(bounds.low, read_number(node.items[0], what));
  GAUZE_TRY(bounds.high, read_number(node.items[1], what));
  if (bounds.low >= bounds.high) return yaml_error(node, "{}: the lower bound must lie below the upper one", what);
  if (bounds.high > largest_bound() || bounds.low < -largest_bound())
    return yaml_error(node, "{}: bounds beyond 2^100 are of no use", what);
  return bounds;
}

/// The key `same` of a feature, the target or a group. What is listed elsewhere must be names.
Result<void> read_spellings(const YamlNode& node, const std::vector<std::string>& missing,
                            const std::vector<std::string>& listed, std::string_view what,
                            std::vector<SameValues>& same) {
  const YamlNode* found = node.find("same");
  if (found == nullptr) return {};
  GAUZE_TRY(same, read_same(*found, missing));
  for (const std::string& value : listed)
    if (const std::string* name = name_of(same, value))
      return yaml_error(*found, "{}: '{}' is listed, which same turns into '{}': list that", what, value, *name);
  return {};
}

Result<void> read_numeric(const YamlNode& node, const YamlNode& bounds_node, const std::string& what,
                          LearnFeature& feature) {
  feature.kind = LearnFeature::Kind::numeric;
  GAUZE_TRY(Bounds bounds, read_bounds(bounds_node, what));
  feature.low = std::move(bounds.low);
  feature.high = std::move(bounds.high);
  if (const YamlNode* missing = node.find("missing")) {
    GAUZE_TRY(feature.missing, read_texts(*missing, "missing"));
    GAUZE_TRY_VOID(check_listed(*missing, feature.missing, what));
  }
  if (const YamlNode* indicator = node.find("indicator")) {
    GAUZE_TRY(feature.indicator, read_bool(*indicator, "indicator"));
  }
  if (const YamlNode* scale = node.find("scale")) {
    GAUZE_TRY(feature.scale, read_word(*scale, "scale", kNumberScaleWords));
  }
  return {};
}

Result<LearnFeature> read_feature(const YamlNode& node, const std::string& name) {
  const std::string what = fmt::format("the feature '{}'", name);
  if (name.empty()) return yaml_error(node, "a feature needs the name of a column");
  GAUZE_TRY_VOID(check_keys(node, {"numeric", "values", "ordered", "missing", "indicator", "scale", "same"}, what));
  LearnFeature feature;
  feature.name = name;
  const YamlNode* numeric = node.find("numeric");
  const YamlNode* values = node.find("values");
  const YamlNode* ordered = node.find("ordered");
  const int kinds = (numeric != nullptr) + (values != nullptr) + (ordered != nullptr);
  if (kinds != 1) {
    return yaml_error(
        node,
        "{} needs one rule: numeric: [lowest, highest], values: [...] or ordered: [...]; a codebook, or "
        "public statistics, has what to write there",
        what);
  }
  if (numeric != nullptr) {
    GAUZE_TRY_VOID(read_numeric(node, *numeric, what, feature));
    GAUZE_TRY_VOID(read_spellings(node, feature.missing, {}, what, feature.same));
    return feature;
  }
  for (const char* key : {"missing", "indicator", "scale"}) {
    if (const YamlNode* found = node.find(key))
      return yaml_error(*found, "{}: {} belongs to numeric; a value that is not listed counts as other", what, key);
  }
  const YamlNode& list = values != nullptr ? *values : *ordered;
  feature.kind = values != nullptr ? LearnFeature::Kind::values : LearnFeature::Kind::ordered;
  GAUZE_TRY(feature.values, read_texts(list, values != nullptr ? "values" : "ordered"));
  GAUZE_TRY_VOID(check_listed(list, feature.values, what));
  const std::size_t fewest = values != nullptr ? 1 : 2;
  if (feature.values.size() < fewest)
    return yaml_error(list, "{} needs at least {} listed", what, fewest == 1 ? "one value" : "two values");
  GAUZE_TRY_VOID(read_spellings(node, {}, feature.values, what, feature.same));
  return feature;
}

Result<std::vector<LearnTarget::Class>> read_classes(const YamlNode& node) {
  if (!node.is_map()) return yaml_error(node, "groups is a map: the name of a class, then its values");
  std::vector<LearnTarget::Class> classes;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    LearnTarget::Class one{.name = node.keys[i].text};
    if (one.name.empty()) return yaml_error(node.items[i], "a class needs a name");
    GAUZE_TRY(one.values, read_texts(node.items[i], "groups"));
    GAUZE_TRY_VOID(check_listed(node.items[i], one.values, fmt::format("the class '{}'", one.name)));
    if (one.values.empty()) return yaml_error(node.items[i], "the class '{}' has no values", one.name);
    for (const std::string& value : one.values) {
      if (!seen.insert(value).second) return yaml_error(node.items[i], "'{}' belongs to two classes", value);
    }
    classes.push_back(std::move(one));
  }
  return classes;
}

Result<void> check_inputs(const YamlNode& node, const LearnPolicy& policy) {
  const std::vector<std::string> names = policy.inputs();
  if (names.size() > kMostInputs) return yaml_error(node, "the features have more than {} inputs", kMostInputs);
  std::set<std::string_view> seen;
  for (const std::string& name : names) {
    if (!seen.insert(name).second)
      return yaml_error(
          node, "two inputs of the model would be called '{}': a listed value or a column has that name", name);
  }
  return {};
}

Result<LearnWeights> read_weights(const YamlNode& node) {
  GAUZE_TRY_VOID(check_keys(node, {"column", "bounds"}, "weights"));
  LearnWeights weights;
  const YamlNode* column = node.find("column");
  const YamlNode* bounds = node.find("bounds");
  if (column == nullptr) return yaml_error(node, "weights needs column");
  if (bounds == nullptr) return yaml_error(node, "weights needs bounds, such as bounds: [0, 5]");
  GAUZE_TRY(weights.column, read_text(*column, "column"));
  GAUZE_TRY(Bounds given, read_bounds(*bounds, "weights"));
  if (given.low < Rational()) return yaml_error(*bounds, "weights: a weight must not be negative");
  weights.low = std::move(given.low);
  weights.high = std::move(given.high);
  return weights;
}

Result<std::map<std::string, Rational>> read_figures(const YamlNode& node, std::string_view what, bool positive) {
  if (!node.is_map()) return yaml_error(node, "{} is a map of names and numbers", what);
  std::map<std::string, Rational> figures;
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    GAUZE_TRY(Rational figure, read_number(node.items[i], what));
    if (figure.sign() < (positive ? 1 : 0))
      return yaml_error(node.items[i], "{}: a figure must {}", what, positive ? "be above 0" : "not be negative");
    if (figure > Rational(1'000'000))
      return yaml_error(node.items[i], "{}: a figure must be at most 1,000,000", what);
    figures.emplace(node.keys[i].text, std::move(figure));
  }
  return figures;
}

Result<LearnEntropies> read_entropies(const YamlNode& node, const LearnPolicy& policy) {
  GAUZE_TRY(auto figures, read_figures(node, "entropies", false));
  LearnEntropies entropies;
  if (figures.size() == 1 && figures.contains("rho") && policy.find("rho") == nullptr) {
    if (figures.begin()->second.sign() == 0) return yaml_error(node, "entropies: rho must be above 0");
    entropies.rho = figures.begin()->second;
  } else {
    entropies.given = std::move(figures);
  }
  return entropies;
}

}  // namespace

Result<std::vector<LearnFeature>> read_learn_features(const YamlNode& node) {
  if (!node.is_map() || node.keys.empty())
    return yaml_error(node, "features must be a map: the name of a column, then its rule");
  if (node.keys.size() > kMostFeatures) return yaml_error(node, "there are more than {} features", kMostFeatures);
  std::vector<LearnFeature> features;
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    GAUZE_TRY(LearnFeature feature, read_feature(node.items[i], node.keys[i].text));
    features.push_back(std::move(feature));
  }
  return features;
}

Result<LearnTarget> read_learn_target(const YamlNode& node) {
  GAUZE_TRY_VOID(check_keys(node, {"column", "values", "groups", "numeric", "ordered", "same"}, "target"));
  LearnTarget target;
  const YamlNode* column = node.find("column");
  if (column == nullptr) return yaml_error(node, "target needs column");
  GAUZE_TRY(target.column, read_text(*column, "column"));
  if (target.column.empty()) return yaml_error(*column, "target needs the name of a column");
  const YamlNode* values = node.find("values");
  const YamlNode* groups = node.find("groups");
  const YamlNode* numeric = node.find("numeric");
  if ((values != nullptr) + (groups != nullptr) + (numeric != nullptr) != 1)
    return yaml_error(node,
                      "target needs one rule: values: [...], groups: {{name: [...]}} or numeric: [lowest, highest]");
  if (numeric != nullptr) {
    target.numeric = true;
    GAUZE_TRY(Bounds bounds, read_bounds(*numeric, "target"));
    target.low = std::move(bounds.low);
    target.high = std::move(bounds.high);
    if (const YamlNode* ordered = node.find("ordered"))
      return yaml_error(*ordered, "ordered belongs to a target with classes");
    if (const YamlNode* same = node.find("same"))
      return yaml_error(*same, "same belongs to a target with classes: a number has no spellings");
    return target;
  }
  if (groups != nullptr) {
    target.grouped = true;
    GAUZE_TRY(target.classes, read_classes(*groups));
  } else {
    GAUZE_TRY(const auto texts, read_texts(*values, "values"));
    GAUZE_TRY_VOID(check_listed(*values, texts, "target"));
    for (const std::string& text : texts) target.classes.push_back({.name = text, .values = {text}});
  }
  if (target.classes.size() < 2) return yaml_error(node, "target needs at least two classes");
  if (const YamlNode* ordered = node.find("ordered")) {
    GAUZE_TRY(target.ordered, read_bool(*ordered, "ordered"));
  }
  std::vector<std::string> listed;
  for (const auto& one : target.classes) listed.insert(listed.end(), one.values.begin(), one.values.end());
  GAUZE_TRY_VOID(read_spellings(node, {}, listed, "target", target.same));
  return target;
}

Result<std::optional<LearnUnit>> read_learn_unit(const YamlNode& node) {
  if (node.is_scalar() && node.text == "row") return std::optional<LearnUnit>();
  if (!node.is_map()) return yaml_error(node, "unit is row, or {{id: COLUMN, max_rows: N}}");
  GAUZE_TRY_VOID(check_keys(node, {"id", "name", "max_rows"}, "unit"));
  LearnUnit unit;
  const YamlNode* id = node.find("id");
  const YamlNode* most = node.find("max_rows");
  if (id == nullptr) return yaml_error(node, "unit needs id: the column that tells units apart");
  GAUZE_TRY(unit.id, read_text(*id, "id"));
  if (unit.id.empty()) return yaml_error(*id, "id needs the name of a column");
  if (most == nullptr) return yaml_error(node, "unit needs max_rows: how many rows of a unit count");
  GAUZE_TRY(unit.max_rows, read_count(*most, "max_rows", 1, kMostRowsOfUnit));
  if (const YamlNode* name = node.find("name")) {
    GAUZE_TRY(unit.name, read_text(*name, "name"));
  }
  return std::optional<LearnUnit>(std::move(unit));
}

Result<std::vector<LearnGroup>> read_learn_groups(const YamlNode& node) {
  if (!node.is_map()) return yaml_error(node, "groups is a map: the name of a column, then {{values: [...]}}");
  std::vector<LearnGroup> groups;
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    const YamlNode& item = node.items[i];
    LearnGroup group{.column = node.keys[i].text};
    GAUZE_TRY_VOID(check_keys(item, {"values", "same"}, "groups"));
    const YamlNode* values = item.find("values");
    if (values == nullptr) return yaml_error(item, "groups: '{}' needs values", group.column);
    GAUZE_TRY(group.values, read_texts(*values, "values"));
    GAUZE_TRY_VOID(check_listed(*values, group.values, "groups"));
    if (group.values.empty()) return yaml_error(*values, "groups: '{}' needs at least one value", group.column);
    GAUZE_TRY_VOID(read_spellings(item, {}, group.values, "groups", group.same));
    groups.push_back(std::move(group));
  }
  return groups;
}

Result<void> check(const LearnPolicy& policy) {
  if (policy.find(policy.target.column) != nullptr)
    return invalid_parameter("the target '{}' is among the features: a model would only have to copy it",
                             policy.target.column);
  if (policy.unit && policy.find(policy.unit->id) != nullptr)
    return invalid_parameter("the id '{}' is among the features: a model would learn who is who", policy.unit->id);
  for (const auto& [name, weight] : policy.class_weights) {
    const auto& classes = policy.target.classes;
    if (std::none_of(classes.begin(), classes.end(), [&](const auto& one) { return one.name == name; }))
      return invalid_parameter("class_weights: the target has no class '{}'", name);
  }
  std::set<std::string_view> seen;
  for (const std::string& name : policy.sensitive) {
    if (policy.find(name) == nullptr) return invalid_parameter("sensitive: there is no feature '{}'", name);
    if (!seen.insert(name).second) return invalid_parameter("sensitive: '{}' is listed twice", name);
  }
  if (!policy.entropies) return {};
  for (const auto& [name, entropy] : policy.entropies->given) {
    if (policy.find(name) == nullptr) return invalid_parameter("entropies: there is no feature '{}'", name);
  }
  return {};
}

Result<LearnPolicy> read_learn(const YamlNode& node) {
  GAUZE_TRY_VOID(check_keys(node,
                            {"rows", "unit", "neighbours", "features", "target", "groups", "weights", "class_weights",
                             "sensitive", "entropies"},
                            "learn"));
  LearnPolicy policy;
  if (const YamlNode* rows = node.find("rows")) {
    GAUZE_TRY(policy.rows, read_count(*rows, "rows", 1, kMostRows));
  }
  if (const YamlNode* unit = node.find("unit")) {
    GAUZE_TRY(policy.unit, read_learn_unit(*unit));
  }
  if (const YamlNode* neighbours = node.find("neighbours")) {
    GAUZE_TRY(policy.neighbours, read_word(*neighbours, "neighbours", kOneUnitWords));
  }
  const YamlNode* features = node.find("features");
  if (features == nullptr) return yaml_error(node, "learn needs features");
  GAUZE_TRY(policy.features, read_learn_features(*features));
  GAUZE_TRY_VOID(check_inputs(*features, policy));
  const YamlNode* target = node.find("target");
  if (target == nullptr) return yaml_error(node, "learn needs target");
  GAUZE_TRY(policy.target, read_learn_target(*target));
  if (const YamlNode* groups = node.find("groups")) {
    GAUZE_TRY(policy.groups, read_learn_groups(*groups));
  }
  if (const YamlNode* weights = node.find("weights")) {
    GAUZE_TRY(policy.weights, read_weights(*weights));
  }
  if (const YamlNode* weights = node.find("class_weights")) {
    if (policy.target.numeric) return yaml_error(*weights, "class_weights belongs to a target with classes");
    GAUZE_TRY(policy.class_weights, read_figures(*weights, "class_weights", true));
  }
  if (const YamlNode* sensitive = node.find("sensitive")) {
    GAUZE_TRY(policy.sensitive, read_texts(*sensitive, "sensitive"));
  }
  if (const YamlNode* entropies = node.find("entropies")) {
    GAUZE_TRY(policy.entropies, read_entropies(*entropies, policy));
  }
  if (const auto checked = check(policy); !checked) return yaml_error(node, "{}", checked.error().message);
  return policy;
}

}  // namespace gauze::schema
