#pragma once

#include <vector>

#include "gauze/accounting/event.h"
#include "gauze/cli/core/invocation.h"

namespace gauze::cli {

/// The mechanism and the flags that describe an event: what it is, how often, under which sampling and neighbours.
[[nodiscard]] std::vector<std::string> event_names();
[[nodiscard]] std::vector<Flag> event_flags();

/// Reads them. Decimals become doubles rounded so that the cost can only come out higher: noise down, losses up.
/// `amounts`: the command's flags among sigma, scale, rho and epsilon that say how much one run costs; the mechanism's own
/// one must be given, the others not. None at all when that is what the command looks for.
[[nodiscard]] Result<PrivacyEvent> read_event(const Invocation& invocation,
                                              const std::vector<std::string_view>& amounts);

}  // namespace gauze::cli
