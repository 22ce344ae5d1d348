#pragma once

#include "gauze/anonymize/inspect/inspection.h"
#include "gauze/schema/policy/policy.h"

namespace gauze::anonymize {

/// A policy to begin with, as an inspection suggests it: a role for every column, one spelling for what looks alike, bounds for what lies
/// far outside, and k. Groups that must not be treated worse have the role protected beside their own. All of it came from the data, and
/// says so: somebody must review it, and a release refuses it until they did.
[[nodiscard]] schema::Policy draft_policy(const Inspection& found, const InspectionRequest& request);

}  // namespace gauze::anonymize
