#include "gauze/accounting/spec.h"

#include <algorithm>

#include "gauze/files/yaml_reader.h"

namespace gauze {
namespace {

constexpr std::size_t kMostAlternatives = 1000;

using Events = std::vector<PrivacyEvent>;

Result<PrivacyEvent> read_event(const YamlNode& node, Neighbours neighbours) {
  GAUZE_TRY_VOID(check_keys(node,
                            {"mechanism", "sigma", "scale", "sensitivity", "epsilon", "delta", "rho", "categories",
                             "steps", "poisson", "fixed-size"},
                            "an event"));
  PrivacyEvent event;
  event.neighbours = neighbours;
  const YamlNode* mechanism = node.find("mechanism");
  const auto kind = mechanism && mechanism->is_scalar() ? parse_event_kind(mechanism->text) : std::nullopt;
  if (!kind) return yaml_error(node, "an event needs a known mechanism, such as gaussian");
  event.kind = *kind;
  if (!node.find(amount_name(event.kind)))
    return yaml_error(node, "{} needs {}", to_string(event.kind), amount_name(event.kind));
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    const std::string& key = node.keys[i].text;
    const YamlNode& figure = node.items[i];
    if (key == "mechanism") continue;
    GAUZE_TRY(const Rational value, read_number(figure, key));
    if (const auto set = set_figure(event, key, value); !set) return yaml_error(figure, "{}", set.error().message);
  }
  if (const auto checked = check(event); !checked) return yaml_error(node, "{}", checked.error().message);
  return event;
}

Result<Events> read_events(const YamlNode& list, Neighbours neighbours) {
  if (!list.is_list() || list.items.empty()) return yaml_error(list, "events must be a list with at least one entry");
  Events events;
  for (const YamlNode& node : list.items) {
    GAUZE_TRY(const PrivacyEvent event, read_event(node, neighbours));
    events.push_back(event);
  }
  return events;
}

/// What one unit meets of a parallel group: one part, or (replace-one) any two.
Result<std::vector<Events>> read_parallel(const YamlNode& node, Neighbours neighbours) {
  GAUZE_TRY_VOID(check_keys(node, {"parallel"}, "a parallel group"));
  const YamlNode& parts = *node.find("parallel");
  if (!parts.is_list() || parts.items.empty()) return yaml_error(node, "parallel must be a list of lists of events");
  std::vector<Events> single;
  for (const YamlNode& part : parts.items) {
    GAUZE_TRY(Events events, read_events(part, neighbours));
    const bool fixed_size = std::any_of(events.begin(), events.end(), [](const PrivacyEvent& event) {
      return event.sampling == PrivacyEvent::Sampling::fixed_size;
    });
    // A unit that is replaced may come from another part: the sizes of parts then change, M of N is another share, and
    // what is proved for fixed-size sampling is about a public N.
    if (fixed_size)
      return yaml_error(
          part,
          "fixed-size sampling does not go with parallel: the sizes of the parts are not public, since "
          "replacing a unit may move it to another part; account for the parts one after the other, or use "
          "poisson with add-remove");
    single.push_back(std::move(events));
  }
  if (neighbours == Neighbours::add_remove || single.size() == 1) return single;
  std::vector<Events> pairs;
  for (std::size_t a = 0; a < single.size(); ++a) {
    for (std::size_t b = a + 1; b < single.size(); ++b) {
      pairs.push_back(single[a]);
      pairs.back().insert(pairs.back().end(), single[b].begin(), single[b].end());
    }
  }
  return pairs;
}

Result<CompositionSpec> read_spec(const YamlNode& root) {
  GAUZE_TRY_VOID(check_keys(root, {"version", "adjacency", "events"}, "the composition"));
  const YamlNode* version = root.find("version");
  if (!version || !version->is_scalar() || version->text != "1") {
    return yaml_error(root, "the composition needs version: 1");
  }
  Neighbours neighbours = Neighbours::add_remove;
  if (const YamlNode* word = root.find("adjacency")) {
    GAUZE_TRY(neighbours, read_word(*word, "adjacency", kOneUnitWords));
  }
  const YamlNode* events = root.find("events");
  if (!events || !events->is_list() || events->items.empty()) {
    return yaml_error(root, "events must be a list with at least one entry");
  }
  CompositionSpec spec{.alternatives = {{}}};
  for (const YamlNode& node : events->items) {
    std::vector<Events> choices;
    if (node.find("parallel")) {
      GAUZE_TRY(choices, read_parallel(node, neighbours));
    } else {
      GAUZE_TRY(const PrivacyEvent event, read_event(node, neighbours));
      choices = {{event}};
    }
    if (choices.size() * spec.alternatives.size() > kMostAlternatives) {
      return yaml_error(node, "the parallel groups have more than {} combinations", kMostAlternatives);
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
  GAUZE_TRY(const YamlNode root, parse_yaml(text));
  return read_spec(root);
}

}  // namespace gauze
