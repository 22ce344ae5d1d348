#pragma once

#include <optional>

#include "gauze/base/interval.h"
#include "gauze/label/label.h"

namespace gauze {

/// What a guarantee of differential privacy means for one unit, from its definition and cost alone; nothing for other
/// definitions (a metric one means something else for every two inputs). Figures round up: they are upper bounds.
///
/// pure:          a belief of 1/2 becomes at most 1 / (1 + e^-epsilon); the advantage of whoever tests for one unit (share
///                of true alarms minus that of false ones) is at most (e^epsilon - 1) / (e^epsilon + 1).
/// approximate:   the advantage is at most (e^epsilon - 1 + 2 delta) / (e^epsilon + 1); a belief has no bound.
/// zcdp:          the advantage is a total variation distance, of laws whose Kullback-Leibler divergence is at most rho, so at
///                most min(sqrt(rho / 2), sqrt(1 - e^-rho)) (Pinsker; Bretagnolle and Huber); epsilon at the delta stated beside
///                rho, or rho + 2 sqrt(rho ln(1 / delta)) at 1e-6.
/// renyi:         the same with the divergence at the order, which is no smaller; epsilon + ln(1 / delta) / (order - 1).
/// gaussian:      the advantage is at most 2 Phi(mu / 2) - 1; epsilon as of mu^2 / 2-zCDP.
[[nodiscard]] std::optional<PrivacyLabel::Meaning> meaning_of(const PrivacyLabel& label);

/// Whether a meaning that a label states is no better than its cost allows.
[[nodiscard]] Result<void> check_meaning(const PrivacyLabel& label, const PrivacyLabel::Meaning& stated);

}  // namespace gauze
