#include "gauze/assess/scores/scenario.h"

#include <algorithm>

#include "gauze/accounting/profiles.h"
#include "gauze/base/did_you_mean.h"

namespace gauze::assess {
namespace {

Scenario made(std::string_view name, std::string_view weighting, std::vector<Rational> advised, Rational tabled,
              std::string_view profile = {}) {
  const auto named = std::find_if(kWeightings.begin(), kWeightings.end(),
                                  [&](const NamedWeights& one) { return one.name == weighting; });
  return {.name = name,
          .weighting = weighting,
          .weights = named->weights,
          .advised = std::move(advised),
          .tabled = std::move(tabled),
          .profile = profile};
}

}  // namespace

std::span<const Scenario> scenarios() {
  static const std::vector<Scenario> all = {
      made("finance", "privacy", {Rational(1, 2)}, 1, "finance"),
      made("medical", "privacy", {Rational(1, 2)}, 1, "medical"), made("research", "utility", {2, 3}, 1),
      made("social", "fairness", {Rational(1, 5)}, Rational(1, 5)), made("business", "balanced", {1}, 1)};
  return all;
}

Result<const Scenario*> find_scenario(std::string_view name) {
  std::vector<std::string> names;
  for (const Scenario& one : scenarios()) {
    if (one.name == name) return &one;
    names.emplace_back(one.name);
  }
  return invalid_parameter("there is no scenario '{}'{}: it is finance, medical, research, social or business", name,
                           did_you_mean(name, names));
}

std::optional<Rational> ceiling_of(const Scenario& scenario) {
  if (scenario.profile.empty()) return std::nullopt;
  const auto profile = find_profile(scenario.profile);
  if (!profile) return std::nullopt;
  return profile->central_epsilon;
}

std::vector<Rational> advised_epsilons() {
  std::vector<Rational> all;
  for (const Scenario& one : scenarios()) {
    all.insert(all.end(), one.advised.begin(), one.advised.end());
    all.push_back(one.tabled);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace gauze::assess
