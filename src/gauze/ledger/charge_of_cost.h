#pragma once

#include <string>

#include "gauze/base/error.h"
#include "gauze/files/json.h"
#include "gauze/label/privacy_cost.h"
#include "gauze/ledger/terms/dataset_terms.h"

namespace gauze {

/// What a dataset under these terms is charged for a cost: in the currency that its accountant adds up where the cost is
/// stated in it (rho, mu, Renyi at the accountant's order), else in epsilon and delta. Rounded up. `invalid_parameter` for a
/// cost that no budget can be charged for, or that states no figure the accountant can absorb.
[[nodiscard]] Result<Charge> charge_of_cost(const PrivacyCost& cost, const DatasetTerms& terms);

/// `invalid_parameter` for a delta on a dataset whose total has none.
[[nodiscard]] Result<void> check_delta(const DatasetTerms& terms, const Charge& charge);

/// "epsilon 0.9, delta 0.000001": the members of an object of figures. A delta of 0 is left out.
[[nodiscard]] std::string figures_text(const Json& figures);
/// "epsilon 0.7", and what it was charged as where that differs: "epsilon 1.4 (0.7 as stated, for a group of two)".
[[nodiscard]] std::string charge_text(const Charge& stated, const Charge& charged);

}  // namespace gauze
