#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/rational.h"

namespace gauze {

/// What T/TAF 137-2022 lets a scenario spend in all: epsilon with a trusted curator and without, and delta.
struct SpendingProfile {
  std::string_view name;
  Rational central_epsilon;
  Rational local_epsilon;
  std::optional<Rational> delta;  ///< none: the standard names none
};

[[nodiscard]] const std::vector<SpendingProfile>& spending_profiles();
/// The profile of that name, or `invalid_parameter` with the names there are.
[[nodiscard]] Result<SpendingProfile> find_profile(std::string_view name);

}  // namespace gauze
