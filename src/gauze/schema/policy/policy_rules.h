#pragma once
// The rules of a policy one by one, so that its reader can say on which line one is broken.

#include <string>
#include <string_view>

#include "gauze/schema/policy/policy.h"

namespace gauze::schema {

[[nodiscard]] Result<void> check_column(const PolicyColumn& column);
/// A criterion stands on a column that the policy lists as sensitive.
[[nodiscard]] Result<void> check_sensitive(const Policy& policy, const std::string& column,
                                           std::string_view criterion);
/// check_sensitive, and a hierarchy where the distance needs one.
[[nodiscard]] Result<void> check_distance(const Policy& policy, const TCloseness& criterion);
[[nodiscard]] Result<void> check_search(const PolicySearch& search);
[[nodiscard]] Result<void> check_level(const Policy& policy, const std::string& column, int level);
[[nodiscard]] Result<void> check_shares(const PolicyRelease& release);
[[nodiscard]] Result<void> check_unit(const PersonUnit& unit);

}  // namespace gauze::schema
