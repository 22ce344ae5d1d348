#pragma once

#include <string_view>
#include <vector>

#include "gauze/anonymize/inspect/undecided_columns.h"
#include "gauze/base/error.h"
#include "gauze/label/warning.h"

namespace gauze::anonymize {

/// `not_private`: these columns look like identifiers, and nobody has decided about them. `remedy` says how whoever reads it decides.
[[nodiscard]] tl::unexpected<Error> refuse_undecided(const std::vector<UndecidedColumn>& columns,
                                                     std::string_view remedy);

/// What is not named is not compared: a date of birth beside the quasi-identifiers singles people out all the same.
[[nodiscard]] Warning unnamed_quasi_identifiers(const std::vector<UndecidedColumn>& columns);

}  // namespace gauze::anonymize
