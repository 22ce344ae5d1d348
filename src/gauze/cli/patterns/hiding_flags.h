#pragma once

#include <vector>

#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/patterns/baskets/basket_file.h"
#include "gauze/patterns/hiding/hide.h"

namespace gauze::cli {

/// The flags that `patterns hide` and `patterns compare` share, those of the threshold included.
[[nodiscard]] std::vector<Flag> hiding_flags();
/// --sensitive, --allow-unknown
[[nodiscard]] std::vector<Flag> sensitive_flags();
/// --min-confidence
[[nodiscard]] Flag rule_confidence_flag();

/// What the shared flags say; the algorithm is border. Marks are anonymous where the format of the file has such.
[[nodiscard]] Result<patterns::HidingOptions> hiding_options(const Invocation& invocation,
                                                             const patterns::BasketFile& file);
[[nodiscard]] Result<std::optional<Rational>> rule_confidence(const Invocation& invocation);
[[nodiscard]] Result<patterns::SensitiveList> read_sensitive(Invocation& invocation,
                                                             const patterns::Database& database);

}  // namespace gauze::cli
