// The specification of a local task in YAML.
#include <algorithm>

#include "gauze/collect/plan/planner.h"
#include "gauze/collect/task/any_task_spec.h"
#include "gauze/collect/task/internal/spec_yaml.h"
#include "gauze/collect/task/internal/specs_of_nodes.h"
#include "gauze/collect/task/task_spec.h"

namespace gauze::collect {
namespace internal {
namespace {

/// The words of what later versions understand get an answer of their own.
Result<void> refuse_later(const YamlNode& node, std::string_view what, const std::vector<std::string>& later) {
  if (node.is_scalar() && std::find(later.begin(), later.end(), node.text) != later.end())
    return yaml_error(node, "{} '{}' is not supported by this version", what, node.text);
  return {};
}

/// The field, once the question is known.
Result<void> take_field(const YamlNode& node, TaskSpec& spec) {
  GAUZE_TRY(WrittenField field, read_field(node, "field"));
  if (field.is_category() != (spec.question == Question::frequency))
    return yaml_error(node, "a {} is asked of {}", word_of(kQuestionWords, spec.question),
                      field.is_category() ? "a number: integer or decimal" : "a category");
  if (field.is_category()) {
    spec.other = field.other;
    GAUZE_TRY(spec.values, values_of(node, "field", std::move(field)));
    return {};
  }
  GAUZE_TRY(spec.number, number_of(node, "field", field, spec.variance));
  return {};
}

Result<void> read_limits(const YamlNode& node, TaskSpec& spec) {
  TaskLimits& limits = spec.limits;
  return read_keys(node, "limits",
                   {key_into("reports_per_period", limits.reports_per_period, read_reports),
                    key_into("window", limits.window_seconds, read_duration),
                    key_into("epsilon_window", limits.window_nano, read_nano),
                    key_into("epsilon_lifetime", limits.lifetime_nano, read_nano)});
}

Result<void> read_local_mode(const YamlNode& node) {
  GAUZE_TRY(const std::string mode, read_text(node, "mode"));
  if (mode == "central")
    return yaml_error(node, "the task is a central one, where one of local differential privacy is needed");
  if (mode != "local") return yaml_error(node, "mode must be local or central");
  return {};
}

Result<void> read_memoise(const YamlNode& node) {
  if (node.is_scalar() && node.text == "none") return {};
  return yaml_error(node, "memoise: only 'none' is supported by this version");
}

}  // namespace

Result<TaskSpec> local_spec_of(const YamlNode& root) {
  TaskSpec spec;
  std::uint64_t version = 0;
  std::optional<Rational> epsilon;
  const YamlNode* field = nullptr;
  std::vector<YamlKey> keys = {
      key_into("version", version,
               [](const YamlNode& at, std::string_view what) { return read_count(at, what, 1, 1); }),
      {"mode", read_local_mode},
      {"question",
       [&](const YamlNode& node) -> Result<void> {
         GAUZE_TRY_VOID(refuse_later(node, "question", {"quantile", "marginal", "strings"}));
         GAUZE_TRY(spec.question, read_word(node, "question", kQuestionWords));
         return {};
       }},
      {"field",
       [&](const YamlNode& node) -> Result<void> {
         field = &node;
         return {};
       }},
      {"fields",
       [](const YamlNode& node) -> Result<void> {
         return yaml_error(node, "several fields need 'mode: central' in this version");
       }},
      {"pairs",
       [](const YamlNode& node) -> Result<void> {
         return yaml_error(node, "pairs of fields are not supported by this version");
       }},
      {"mechanism",
       [&](const YamlNode& node) -> Result<void> {
         GAUZE_TRY_VOID(refuse_later(node, "mechanism", {"cms", "hcms", "rappor"}));
         GAUZE_TRY(spec.mechanism, read_text(node, "mechanism"));
         return {};
       }},
      key_into("epsilon", epsilon, read_number),
      {"memoise", read_memoise},
      key_into("variance", spec.variance, read_bool),
      {"limits", [&](const YamlNode& node) { return read_limits(node, spec); }}};
  for (YamlKey& key : keys_of_terms(spec)) keys.push_back(std::move(key));
  GAUZE_TRY_VOID(read_keys(root, "the task", keys));
  if (version == 0) return yaml_error(root, "the task needs 'version: 1'");
  if (spec.name.empty()) return yaml_error(root, "the task needs a name");
  if (!epsilon) return yaml_error(root, "the task needs epsilon");
  auto nano = epsilon_nano(*epsilon);
  if (!nano) return yaml_error(*root.find("epsilon"), "{}", nano.error().message);
  spec.epsilon_nano = *nano;
  if (spec.variance && spec.question != Question::mean)
    return yaml_error(*root.find("variance"), "variance is asked of means alone");
  if (field == nullptr) return yaml_error(root, "the task needs a field");
  GAUZE_TRY_VOID(take_field(*field, spec));
  GAUZE_TRY_VOID(check_task_spec(spec));
  return spec;
}

}  // namespace internal

Result<TaskSpec> parse_task_spec(std::string_view yaml, std::string_view name) {
  GAUZE_TRY(const YamlNode root, parse_yaml(yaml, name, internal::kSpecLimits));
  return internal::local_spec_of(root);
}

Result<AnyTaskSpec> parse_any_task_spec(std::string_view yaml, std::string_view name) {
  GAUZE_TRY(const YamlNode root, parse_yaml(yaml, name, internal::kSpecLimits));
  const YamlNode* mode = root.find("mode");
  if (mode != nullptr && mode->is_scalar() && mode->text == "central") {
    GAUZE_TRY(CentralSpec spec, internal::central_spec_of(root));
    return AnyTaskSpec(std::move(spec));
  }
  GAUZE_TRY(TaskSpec spec, internal::local_spec_of(root));
  return AnyTaskSpec(std::move(spec));
}

}  // namespace gauze::collect
