#include "gauze/accounting/spec.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <set>

namespace gauze {
namespace {

constexpr std::size_t kMostAlternatives = 1000;
constexpr std::size_t kLargestFile = 1U << 20;

using Events = std::vector<PrivacyEvent>;

template <class... Args>
tl::unexpected<Error> at(const YAML::Node& node, fmt::format_string<Args...> format, Args&&... args) {
  return make_error(ErrorCode::invalid_parameter, "line {}: {}", node.Mark().line + 1,
                    fmt::format(format, std::forward<Args>(args)...));
}

/// The keys of a map: all known, none twice.
Result<void> check_keys(const YAML::Node& map, const std::set<std::string>& known, std::string_view what) {
  if (!map.IsMap()) return at(map, "{} must be a map of keys and values", what);
  std::set<std::string> seen;
  for (const auto& entry : map) {
    const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : "";
    if (!known.contains(key)) return at(entry.first, "{} has an unknown key", what);
    if (!seen.insert(key).second) return at(entry.first, "{} has the key '{}' twice", what, key);
  }
  return {};
}

Result<PrivacyEvent> read_event(const YAML::Node& node, Adjacency adjacency) {
  GAUZE_TRY_VOID(check_keys(node,
                            {"mechanism", "sigma", "scale", "sensitivity", "epsilon", "delta", "rho", "categories",
                             "steps", "poisson", "fixed-size"},
                            "an event"));
  PrivacyEvent event;
  event.adjacency = adjacency;
  const YAML::Node mechanism = node["mechanism"];
  const auto kind = mechanism && mechanism.IsScalar() ? parse_event_kind(mechanism.Scalar()) : std::nullopt;
  if (!kind) return at(node, "an event needs a known mechanism, such as gaussian");
  event.kind = *kind;
  const YAML::Node amount = node[std::string(amount_name(event.kind))];
  if (!amount) return at(node, "{} needs {}", to_string(event.kind), amount_name(event.kind));
  for (const auto& entry : node) {
    const std::string& key = entry.first.Scalar();
    if (key == "mechanism") continue;
    if (!entry.second.IsScalar()) return at(entry.second, "{} must be a number", key);
    const auto value = Rational::parse(entry.second.Scalar());
    if (!value) return at(entry.second, "{}: {}", key, value.error().message);
    if (const auto set = set_figure(event, key, *value); !set) return at(entry.second, "{}", set.error().message);
  }
  if (const auto checked = check(event); !checked) return at(node, "{}", checked.error().message);
  return event;
}

Result<Events> read_events(const YAML::Node& list, Adjacency adjacency) {
  if (!list.IsSequence() || list.size() == 0) return at(list, "events must be a list with at least one entry");
  Events events;
  for (const YAML::Node& node : list) {
    GAUZE_TRY(const PrivacyEvent event, read_event(node, adjacency));
    events.push_back(event);
  }
  return events;
}

/// What one unit meets of a parallel group: one part, or (replace-one) any two.
Result<std::vector<Events>> read_parallel(const YAML::Node& node, Adjacency adjacency) {
  GAUZE_TRY_VOID(check_keys(node, {"parallel"}, "a parallel group"));
  const YAML::Node parts = node["parallel"];
  if (!parts.IsSequence() || parts.size() == 0) return at(node, "parallel must be a list of lists of events");
  std::vector<Events> single;
  for (const YAML::Node& part : parts) {
    GAUZE_TRY(Events events, read_events(part, adjacency));
    single.push_back(std::move(events));
  }
  if (adjacency == Adjacency::add_remove || single.size() == 1) return single;
  std::vector<Events> pairs;
  for (std::size_t a = 0; a < single.size(); ++a) {
    for (std::size_t b = a + 1; b < single.size(); ++b) {
      pairs.push_back(single[a]);
      pairs.back().insert(pairs.back().end(), single[b].begin(), single[b].end());
    }
  }
  return pairs;
}

Result<CompositionSpec> read_spec(const YAML::Node& root) {
  GAUZE_TRY_VOID(check_keys(root, {"version", "adjacency", "events"}, "the composition"));
  if (!root["version"] || !root["version"].IsScalar() || root["version"].Scalar() != "1") {
    return at(root, "the composition needs version: 1");
  }
  Adjacency adjacency = Adjacency::add_remove;
  if (const YAML::Node word = root["adjacency"]) {
    const std::string text = word.IsScalar() ? word.Scalar() : "";
    if (text != "add-remove" && text != "replace-one") return at(word, "adjacency must be add-remove or replace-one");
    if (text == "replace-one") adjacency = Adjacency::replace_one;
  }
  const YAML::Node events = root["events"];
  if (!events || !events.IsSequence() || events.size() == 0) {
    return at(root, "events must be a list with at least one entry");
  }
  CompositionSpec spec{.alternatives = {{}}};
  for (const YAML::Node& node : events) {
    std::vector<Events> choices;
    if (node.IsMap() && node["parallel"]) {
      GAUZE_TRY(choices, read_parallel(node, adjacency));
    } else {
      GAUZE_TRY(const PrivacyEvent event, read_event(node, adjacency));
      choices = {{event}};
    }
    if (choices.size() * spec.alternatives.size() > kMostAlternatives) {
      return at(node, "the parallel groups have more than {} combinations", kMostAlternatives);
    }
    std::vector<Events> longer;
    for (const Events& before : spec.alternatives) {
      for (const Events& choice : choices) {
        longer.push_back(before);
        longer.back().insert(longer.back().end(), choice.begin(), choice.end());
      }
    }
    spec.alternatives = std::move(longer);
  }
  return spec;
}

}  // namespace

Result<CompositionSpec> parse_composition_spec(std::string_view text) {
  if (text.size() > kLargestFile) return invalid_parameter("a composition must be smaller than one megabyte");
  // yaml-cpp follows nesting by recursion; a composition needs four levels.
  if (std::count(text.begin(), text.end(), '[') > 5000 || std::count(text.begin(), text.end(), '{') > 5000) {
    return invalid_parameter("a composition must have fewer than 5000 brackets");
  }
  try {
    return read_spec(YAML::Load(std::string(text)));
  } catch (const YAML::Exception& error) {
    return invalid_parameter("line {}: this is not YAML", error.mark.line + 1);
  }
}

}  // namespace gauze
