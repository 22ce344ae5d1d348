#pragma once

#include <vector>

#include "gauze/audit/model/attack_kinds.h"
#include "gauze/audit/scores/score_audit.h"
#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"

namespace gauze::cli {

/// --fpr, --fair-coins, --independent, --seed: how scores are measured.
[[nodiscard]] std::vector<Flag> score_flags();
/// --fpr alone: at which shares of false alarms.
[[nodiscard]] Flag false_rates_flag();
[[nodiscard]] Result<std::vector<Rational>> false_rates(const Invocation& invocation);
/// --attacks A,B: each once, in their order; `all` means all.
[[nodiscard]] Result<std::vector<audit::AttackKind>> attack_kinds(const Invocation& invocation);
/// --seed of an attack, 1 where it is not given.
[[nodiscard]] Flag attack_seed_flag();
[[nodiscard]] Result<std::uint64_t> attack_seed(const Invocation& invocation);
/// What these and the flags of the claim say.
[[nodiscard]] Result<audit::ScoreRequest> score_request(const Invocation& invocation);

}  // namespace gauze::cli
