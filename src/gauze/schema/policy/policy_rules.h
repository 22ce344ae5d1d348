#pragma once
// The rules of a policy one by one, so that its reader can say on which line one is broken.

#include <string>
#include <string_view>

#include "gauze/schema/policy/policy.h"

namespace gauze::schema {

[[nodiscard]] Result<void> check_column(const PolicyColumn& column);
/// `same` and `valid` of a column: lists that agree with each other, with its values, and with what means missing.
[[nodiscard]] Result<void> check_cleaning(const PolicyColumn& column, const std::vector<std::string>& null_tokens);
/// The column that tells persons apart is taken as it is: cleaning could make one person of several.
[[nodiscard]] Result<void> check_id_column(const Policy& policy, const PersonUnit& unit);
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
