#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/patterns/mining/miner.h"

namespace gauze::cli {

/// The flags that `patterns mine` and `patterns rules` share, those of the threshold included.
[[nodiscard]] std::vector<Flag> mining_flags();

/// --top
[[nodiscard]] Result<std::optional<std::uint64_t>> top_of(const Invocation& invocation);
/// What the shared flags say. Where the threshold may be left out, it is then 1.
[[nodiscard]] Result<patterns::MiningOptions> mining_options(const Invocation& invocation, std::uint64_t rows,
                                                             bool threshold_optional);

/// Says that a search was cut short, and what to do about it.
void warn_if_cut(Invocation& invocation, const patterns::MiningCounts& counts,
                 const patterns::MiningOptions& options);
/// Says that marks count as absent, where the file has some and --intervals was not given.
void mention_marks(Invocation& invocation, const patterns::Database& database);

}  // namespace gauze::cli
