// The specification of a central task in YAML.
#include "gauze/collect/task/internal/spec_yaml.h"
#include "gauze/collect/task/internal/specs_of_nodes.h"

namespace gauze::collect::internal {
namespace {

Result<void> read_fields(const YamlNode& node, CentralSpec& spec) {
  if (!node.is_map()) return yaml_error(node, "fields must be a map of names, each with its type");
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    RecordField field;
    field.name = node.keys[i].text;
    const std::string what = "the field '" + field.name + "'";
    GAUZE_TRY(WrittenField written, read_field(node.items[i], what));
    if (written.is_category()) {
      field.other = written.other;
      GAUZE_TRY(field.values, values_of(node.items[i], what, std::move(written)));
    } else {
      GAUZE_TRY(field.number, number_of(node.items[i], what, written, false));
    }
    spec.fields.push_back(std::move(field));
  }
  return {};
}

/// What only local tasks have.
YamlKey refused(std::string name) {
  return {name, [name](const YamlNode& node) -> Result<void> {
            return yaml_error(node, "a central task has no {}: nothing is disturbed on the device", name);
          }};
}

}  // namespace

Result<CentralSpec> central_spec_of(const YamlNode& root) {
  CentralSpec spec;
  std::uint64_t version = 0;
  std::optional<std::uint64_t> epsilon;
  std::vector<YamlKey> keys = {
      key_into("version", version,
               [](const YamlNode& at, std::string_view what) { return read_count(at, what, 1, 1); }),
      {"mode", [](const YamlNode&) -> Result<void> { return {}; }},  // that it is central is known
      refused("question"),
      refused("mechanism"),
      refused("memoise"),
      refused("field"),
      key_into("epsilon", epsilon, read_nano),
      {"fields", [&](const YamlNode& node) { return read_fields(node, spec); }},
      {"limits", [&](const YamlNode& node) {
         return read_keys(node, "limits of a central task",
                          {key_into("reports_per_period", spec.reports_per_period, read_reports)});
       }}};
  for (YamlKey& key : keys_of_terms(spec)) keys.push_back(std::move(key));
  GAUZE_TRY_VOID(read_keys(root, "the central task", keys));
  if (version == 0) return yaml_error(root, "the task needs 'version: 1'");
  if (spec.name.empty()) return yaml_error(root, "the task needs a name");
  if (!epsilon) return yaml_error(root, "the task needs epsilon, for life");
  spec.epsilon_nano = *epsilon;
  if (spec.fields.empty()) return yaml_error(root, "the task needs fields");
  GAUZE_TRY_VOID(check_central_spec(spec));
  return spec;
}

}  // namespace gauze::collect::internal
