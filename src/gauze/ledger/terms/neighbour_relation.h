#pragma once

#include "gauze/base/error.h"
#include "gauze/label/label.h"
#include "gauze/ledger/terms/privacy_filter.h"

namespace gauze {

/// Whether a dataset of the ledger can be declared with it: add-remove or replace-one.
[[nodiscard]] bool is_dataset_relation(Neighbours neighbours);

/// What a charge stated for one relation costs a dataset that is kept under another.
///
/// Replacing a unit is removing one and adding another. So a guarantee for adding or removing one unit gives one for
/// replacing it, that of a group of two: epsilon as 2 epsilon, (epsilon, delta) as (2 epsilon, (1 + e^epsilon) delta),
/// rho as 4 rho, mu as 2 mu, rounded up (docs/proofs/neighbours.md). The converse does not hold, and a Renyi-DP bound
/// at one order gives none for groups at the same order: `invalid_parameter`.
[[nodiscard]] Result<Charge> charge_under(const Charge& charge, Neighbours stated, Neighbours dataset);

}  // namespace gauze
