#pragma once

#include "gauze/base/error.h"
#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/label/label.h"

namespace gauze::cli {

// Flags that several commands have mean the same everywhere, because they are declared here once.

[[nodiscard]] Flag epsilon_flag();
[[nodiscard]] Flag delta_flag();
[[nodiscard]] Flag sensitivity_flag();
[[nodiscard]] Flag count_flag();  ///< --count N, up to kMostDraws
inline constexpr std::int64_t kMostDraws = 10'000'000;
[[nodiscard]] Flag adjacency_flag();
[[nodiscard]] Flag output_flag();  ///< -o OUT: writes OUT and OUT.label.json
/// --neighbours add-remove|replace-one, of what the ledger keeps.
[[nodiscard]] Flag neighbours_flag();
[[nodiscard]] Flag ledger_flag();   ///< --ledger FILE
[[nodiscard]] Flag analyst_flag();  ///< --analyst A

/// --adjacency as the label names it.
[[nodiscard]] Result<Neighbours> adjacency_of(const Invocation& invocation);

}  // namespace gauze::cli
