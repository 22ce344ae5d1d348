#pragma once
// How the commands of the ledger show what the library returns.

#include <string>

#include "gauze/base/json.h"
#include "gauze/cli/invocation.h"
#include "gauze/ledger/ledger.h"

namespace gauze::cli {

/// "epsilon 0.9, delta 0.000001": the members of an object of figures. A delta of 0 is left out.
[[nodiscard]] std::string figures_text(const Json& figures);

/// Everything about a dataset, for programs.
[[nodiscard]] Json balance_json(const Balance& balance);
/// The same for people; on a terminal with a bar.
[[nodiscard]] std::string balance_text(const Balance& balance, bool with_bar, Style style);

/// Attaches what a refusal tells besides its message, for --json, and says it on stderr for people.
void explain(Invocation& invocation, const Refusal& refusal);

/// The file named by --ledger, opened for a change or for reading.
[[nodiscard]] Result<Ledger> open_ledger(const Invocation& invocation, bool read_only);

}  // namespace gauze::cli
