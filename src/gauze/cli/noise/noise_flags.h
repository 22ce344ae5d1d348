#pragma once

#include "gauze/cli/core/invocation.h"
#include "gauze/mechanisms/job/noise_job.h"

namespace gauze::cli {

/// What the flags of `gauze noise` ask for. A flag that means nothing for the mechanism is a usage error, as is an amount of
/// noise that is given twice, or not at all.
[[nodiscard]] Result<NoiseRequest> noise_request(const Invocation& invocation);

}  // namespace gauze::cli
