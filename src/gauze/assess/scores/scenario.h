#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "gauze/assess/scores/scores.h"
#include "gauze/base/error.h"
#include "gauze/base/rational.h"

namespace gauze::assess {

/// What the thesis says of a kind of use: which score counts most, and which epsilon it advises for that (its page 59 to 62). Advice
/// is a claim to be held against one's own sweep, no more.
struct Scenario {
  std::string_view name;       ///< finance, medical, research, social, business
  std::string_view weighting;  ///< the name of its weights among kWeightings
  Weights weights;
  std::vector<Rational> advised;  ///< by its closing list; a range has its two ends
  Rational tabled;                ///< by its Table 4.7
  /// The profile of T/TAF 137 whose central epsilon bounds a release here; empty: there is none of this kind.
  std::string_view profile;
};

[[nodiscard]] std::span<const Scenario> scenarios();
/// `invalid_parameter` with the names there are.
[[nodiscard]] Result<const Scenario*> find_scenario(std::string_view name);
/// The largest epsilon that its profile lets a release spend; none: it has no profile.
[[nodiscard]] std::optional<Rational> ceiling_of(const Scenario& scenario);
/// All that the scenarios advise, rising: what a sweep must hold so that the advice can be held against it.
[[nodiscard]] std::vector<Rational> advised_epsilons();

}  // namespace gauze::assess
