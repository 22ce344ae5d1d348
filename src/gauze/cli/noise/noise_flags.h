#pragma once

#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/mechanisms/job/noise_job.h"

namespace gauze::cli {

/// The mechanism, as a positional, and the flags that say how much noise it adds.
[[nodiscard]] Positional noise_positional();
[[nodiscard]] std::vector<Flag> noise_amount_flags();
/// What they say. A flag that means nothing for the mechanism is a usage error, as is an amount of noise that is given twice, or
/// not at all.
[[nodiscard]] Result<NoiseRequest> noise_amount(const Invocation& invocation);

/// What they say of a plot: all but how much noise there is.
[[nodiscard]] Result<NoiseRequest> plotted_noise(const Invocation& invocation);

/// The same with what else the flags of `gauze noise` ask for.
[[nodiscard]] Result<NoiseRequest> noise_request(const Invocation& invocation);

}  // namespace gauze::cli
