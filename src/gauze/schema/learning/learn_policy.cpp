#include "gauze/schema/learning/learn_policy.h"

#include <algorithm>

#include "gauze/schema/cleaning/cleaning_yaml.h"

namespace gauze::schema {
namespace {

Json texts_json(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push(text);
  return list;
}

/// Policies hold decimals of at most 400 digits.
Json exact_number(const Rational& value) { return Json::number(value.to_decimal(1000)); }

Json bounds_json(const Rational& low, const Rational& high) {
  return Json::array({exact_number(low), exact_number(high)});
}

Json figures_json(const std::map<std::string, Rational>& figures) {
  Json object = Json::object();
  for (const auto& [name, figure] : figures) object.set(name, exact_number(figure));
  return object;
}

}  // namespace

std::size_t LearnFeature::width() const {
  switch (kind) {
    case Kind::numeric:
      return indicator ? 2 : 1;
    case Kind::values:
      return values.size() + 1;
    case Kind::ordered:
      return 1;
  }
  return 0;
}

const LearnFeature* LearnPolicy::find(std::string_view name) const {
  const auto found = std::find_if(features.begin(), features.end(),
                                  [&](const LearnFeature& feature) { return feature.name == name; });
  return found == features.end() ? nullptr : &*found;
}

std::vector<std::string> LearnPolicy::columns() const {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const LearnFeature& feature : features) add(feature.name);
  add(target.column);
  if (weights) add(weights->column);
  if (unit) add(unit->id);
  return names;
}

std::vector<std::string> LearnPolicy::inputs() const {
  std::vector<std::string> names;
  for (const LearnFeature& feature : features) {
    if (feature.kind == LearnFeature::Kind::values) {
      for (const std::string& value : feature.values) names.push_back(feature.name + "=" + value);
      names.push_back(feature.name + "=other");
    } else {
      names.push_back(feature.name);
      if (feature.indicator) names.push_back(feature.name + "=missing");
    }
  }
  return names;
}

Json features_json(const std::vector<LearnFeature>& features) {
  Json object = Json::object();
  for (const LearnFeature& feature : features) {
    Json one = Json::object();
    switch (feature.kind) {
      case LearnFeature::Kind::numeric:
        one.set("numeric", bounds_json(feature.low, feature.high));
        if (!feature.missing.empty()) one.set("missing", texts_json(feature.missing));
        if (feature.indicator) one.set("indicator", true);
        if (feature.scale != NumberScale::symmetric) one.set("scale", word_of(kNumberScaleWords, feature.scale));
        break;
      case LearnFeature::Kind::values:
        one.set("values", texts_json(feature.values));
        break;
      case LearnFeature::Kind::ordered:
        one.set("ordered", texts_json(feature.values));
        break;
    }
    if (!feature.same.empty()) one.set("same", same_json(feature.same));
    object.set(feature.name, std::move(one));
  }
  return object;
}

Json target_json(const LearnTarget& target) {
  Json object = Json::object({{"column", target.column}});
  if (target.numeric) {
    object.set("numeric", bounds_json(target.low, target.high));
    return object;
  }
  if (target.grouped) {
    Json groups = Json::object();
    for (const LearnTarget::Class& one : target.classes) groups.set(one.name, texts_json(one.values));
    object.set("groups", std::move(groups));
  } else {
    Json values = Json::array();
    for (const LearnTarget::Class& one : target.classes) values.push(one.name);
    object.set("values", std::move(values));
  }
  if (target.ordered) object.set("ordered", true);
  if (!target.same.empty()) object.set("same", same_json(target.same));
  return object;
}

Json unit_json(const LearnPolicy& policy) {
  if (!policy.unit) return "row";
  Json object = Json::object({{"id", policy.unit->id}});
  if (!policy.unit->name.empty()) object.set("name", policy.unit->name);
  object.set("max_rows", policy.unit->max_rows);
  return object;
}

Json groups_json(const std::vector<LearnGroup>& groups) {
  Json object = Json::object();
  for (const LearnGroup& group : groups) {
    Json one = Json::object({{"values", texts_json(group.values)}});
    if (!group.same.empty()) one.set("same", same_json(group.same));
    object.set(group.column, std::move(one));
  }
  return object;
}

Json learn_json(const LearnPolicy& policy) {
  Json object = Json::object();
  if (policy.rows) object.set("rows", *policy.rows);
  object.set("unit", unit_json(policy)).set("neighbours", to_string(policy.neighbours));
  object.set("features", features_json(policy.features)).set("target", target_json(policy.target));
  if (!policy.groups.empty()) object.set("groups", groups_json(policy.groups));
  if (policy.weights)
    object.set("weights", Json::object({{"column", policy.weights->column},
                                        {"bounds", bounds_json(policy.weights->low, policy.weights->high)}}));
  if (!policy.class_weights.empty()) object.set("class_weights", figures_json(policy.class_weights));
  if (!policy.sensitive.empty()) object.set("sensitive", texts_json(policy.sensitive));
  if (policy.entropies && policy.entropies->rho)
    object.set("entropies", Json::object({{"rho", exact_number(*policy.entropies->rho)}}));
  else if (policy.entropies)
    object.set("entropies", figures_json(policy.entropies->given));
  return object;
}

}  // namespace gauze::schema
