#include "gauze/schema/policy/policy_writer.h"

#include "gauze/files/atomic_file.h"
#include "gauze/files/yaml_reader.h"
#include "gauze/schema/cleaning/cleaning_yaml.h"
#include "gauze/schema/policy/criterion_text.h"
#include "gauze/schema/policy/hierarchy_yaml.h"

namespace gauze::schema {
namespace {

std::string list_of(const std::vector<std::string>& texts) {
  std::string result = "[";
  for (const std::string& text : texts) {
    if (result.size() > 1) result += ", ";
    result += yaml_scalar(text);
  }
  return result + "]";
}

/// A map in one line, key by key.
class FlowMap {
 public:
  FlowMap& add(std::string_view key, std::string_view yaml) {
    if (!text_.empty()) text_ += ", ";
    text_ += key;
    text_ += ": ";
    text_ += yaml;
    return *this;
  }
  [[nodiscard]] std::string text() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

std::string format_input(const table::ReadOptions& input) {
  FlowMap map;
  if (input.delimiter) map.add("delimiter", yaml_scalar(*input.delimiter));
  if (input.quote) map.add("quote", yaml_scalar(input.quote->empty() ? "none" : *input.quote));
  if (input.header) map.add("header", *input.header ? "true" : "false");
  if (!input.names.empty()) map.add("names", list_of(input.names));
  if (!input.null_tokens.empty()) map.add("null", list_of(input.null_tokens));
  if (input.encoding) map.add("encoding", yaml_scalar(*input.encoding));
  if (input.decimal) map.add("decimal", yaml_scalar(std::string(word_of(table::kDecimalSignWords, *input.decimal))));
  return map.text();
}

std::string format_roles(const std::vector<Role>& roles) {
  if (roles.size() == 1) return std::string(word_of(kRoleWords, roles.front()));
  std::vector<std::string> words;
  for (const Role role : roles) words.emplace_back(word_of(kRoleWords, role));
  return list_of(words);
}

std::string format_column(const PolicyColumn& column, const std::filesystem::path& folder) {
  FlowMap map;
  if (!column.roles.empty()) map.add("role", format_roles(column.roles));
  if (column.hierarchy) map.add("hierarchy", format_hierarchy_spec(*column.hierarchy, folder));
  if (column.weight != 1) map.add("weight", exact_text(column.weight));
  if (column.has(Role::identifier) || column.roles.empty()) map.add("action", word_of(kActionWords, column.action));
  if (!column.key_file.empty()) map.add("key", yaml_scalar(relative_to(folder, column.key_file)));
  if (!column.values.empty()) map.add("values", list_of(column.values));
  if (column.positive) map.add("positive", yaml_scalar(*column.positive));
  if (!column.same.empty()) map.add("same", format_same(column.same));
  if (column.valid)
    map.add("valid", format_valid(*column.valid)).add("outside", word_of(kOutsideCellsWords, column.valid->outside));
  return map.text();
}

void append_line(std::string& text, std::string_view key, const std::string& value) {
  text += fmt::format("  {}: {}\n", key, value);
}

template <class Criterion, class Format>
void append_criteria(std::string& text, std::string_view key, const std::vector<Criterion>& criteria,
                     const Format& format) {
  if (criteria.empty()) return;
  text += fmt::format("  {}:\n", key);
  for (const Criterion& criterion : criteria) {
    FlowMap map;
    map.add("column", yaml_scalar(criterion.column));
    format(map, criterion);
    text += fmt::format("    - {}\n", map.text());
  }
}

std::string format_privacy(const Criteria& criteria, const std::filesystem::path& folder) {
  std::string text = "privacy:\n";
  append_line(text, "k", std::to_string(criteria.k));
  append_criteria(text, "l_diversity", criteria.l_diversity, [](FlowMap& map, const LDiversity& criterion) {
    map.add("kind", word_of(kDiversityWords, criterion.kind)).add("l", exact_text(criterion.l));
    if (criterion.kind == DiversityKind::recursive) map.add("c", exact_text(criterion.c));
  });
  append_criteria(text, "t_closeness", criteria.t_closeness, [](FlowMap& map, const TCloseness& criterion) {
    map.add("distance", word_of(kDistanceWords, criterion.distance)).add("t", exact_text(criterion.t));
  });
  append_criteria(
      text, "delta_disclosure", criteria.delta_disclosure,
      [](FlowMap& map, const DeltaDisclosure& criterion) { map.add("delta", exact_text(criterion.delta)); });
  append_criteria(text, "beta_likeness", criteria.beta_likeness, [](FlowMap& map, const BetaLikeness& criterion) {
    map.add("kind", word_of(kLikenessWords, criterion.enhanced)).add("beta", exact_text(criterion.beta));
  });
  if (const auto& k_map = criteria.k_map) {
    append_line(text, "k_map",
                FlowMap()
                    .add("k", std::to_string(k_map->k))
                    .add("population", yaml_scalar(relative_to(folder, k_map->population)))
                    .text());
  }
  if (const auto& presence = criteria.delta_presence) {
    append_line(text, "delta_presence",
                FlowMap()
                    .add("min", exact_text(presence->minimum))
                    .add("max", exact_text(presence->maximum))
                    .add("population", yaml_scalar(relative_to(folder, presence->population)))
                    .text());
  }
  append_line(text, "missing", criteria.missing_matches_everything ? "any" : "own");
  return text;
}

std::string format_search(const PolicySearch& search) {
  std::string text = "search:\n";
  append_line(text, "kind", std::string(word_of(kSearchWords, search.kind)));
  if (search.relaxed) append_line(text, "relaxed", "true");
  append_line(text, "metric", std::string(word_of(kMetricWords, search.metric)));
  append_line(text, "suppression", exact_text(search.suppression));
  if (search.time_limit_seconds) append_line(text, "time_limit", exact_text(*search.time_limit_seconds));
  return text;
}

std::string format_release(const PolicyRelease& release) {
  std::string text = "release:\n";
  append_line(text, "mode", std::string(word_of(kReleaseModeWords, release.mode)));
  if (!release.levels.empty()) {
    FlowMap levels;
    for (const auto& [column, level] : release.levels) levels.add(yaml_scalar(column), std::to_string(level));
    append_line(text, "levels", levels.text());
  }
  append_line(text, "kind", std::string(word_of(kReleaseKindWords, release.kind)));
  append_line(text, "neighbours", std::string(to_string(release.neighbours)));
  if (const auto& unit = release.unit) {
    FlowMap map;
    map.add("id", yaml_scalar(unit->id));
    if (!unit->name.empty()) map.add("name", yaml_scalar(unit->name));
    map.add("max_classes", std::to_string(unit->max_classes)).add("max_rows", std::to_string(unit->max_rows));
    append_line(text, "unit", map.text());
  } else {
    append_line(text, "unit", "row");
  }
  append_line(text, "noise", std::string(word_of(kReleaseNoiseWords, release.noise)));
  append_line(text, "cut", release.cut ? std::to_string(*release.cut) : "auto");
  append_line(text, "total_share", exact_text(release.total_share));
  append_line(text, "fit", std::string(word_of(kReleaseFitWords, release.fit)));
  append_line(text, "select_share", exact_text(release.select_share));
  return text;
}

std::string format_provenance(const PolicyProvenance& provenance, bool learns, bool cleans) {
  const auto word = [](Provenance value) { return to_string(value); };
  FlowMap map;
  map.add("quasi", word(provenance.quasi))
      .add("hierarchies", word(provenance.hierarchies))
      .add("levels", word(provenance.levels))
      .add("k", word(provenance.k))
      .add("epsilon", word(provenance.epsilon));
  if (cleans) map.add("cleaning", word(provenance.cleaning));
  if (learns) {
    map.add("features", word(provenance.features)).add("hyperparameters", word(provenance.hyperparameters));
  }
  return map.text();
}

}  // namespace

std::string format_policy(const Policy& policy, const std::filesystem::path& folder) {
  std::string text = "version: 1\n";
  if (const std::string input = format_input(policy.input); input != "{}") text += fmt::format("input: {}\n", input);
  if (!policy.columns.empty()) {
    text += "columns:\n";
    for (const PolicyColumn& column : policy.columns) {
      append_line(text, yaml_scalar(column.name), format_column(column, folder));
    }
    text += format_privacy(policy.privacy, folder);
    text += format_search(policy.search);
    if (policy.release) text += format_release(*policy.release);
  }
  if (policy.learn) text += fmt::format("learn: {}\n", learn_json(*policy.learn).dump());
  return text + fmt::format("provenance: {}\n",
                            format_provenance(policy.provenance, policy.learn.has_value(), policy.cleans()));
}

Result<void> write_policy_file(const std::filesystem::path& path, const Policy& policy) {
  GAUZE_TRY_VOID(check(policy));
  const std::filesystem::path folder = path.parent_path();
  return write_file(path, format_policy(policy, folder.empty() ? "." : folder));
}

}  // namespace gauze::schema
