#pragma once

#include "gauze/audit/self/self_audit.h"

namespace gauze::audit::internal {

// The claims of one capability each, in a file of its name.

[[nodiscard]] std::vector<SelfClaim> noise_claims();
[[nodiscard]] std::vector<SelfClaim> selection_claims();
[[nodiscard]] std::vector<SelfClaim> release_claims();
[[nodiscard]] std::vector<SelfClaim> query_claims();
[[nodiscard]] std::vector<SelfClaim> collect_claims();
[[nodiscard]] std::vector<SelfClaim> score_claims();
[[nodiscard]] std::vector<SelfClaim> text_claims();
[[nodiscard]] std::vector<SelfClaim> training_claims();

}  // namespace gauze::audit::internal
