#pragma once
// How the commands of the ledger show what the library returns.

#include <string>

#include "gauze/cli/core/invocation.h"
#include "gauze/files/json.h"
#include "gauze/ledger/charge_of_cost.h"
#include "gauze/ledger/ledger.h"

namespace gauze::cli {

/// A balance for people; on a terminal with a bar.
[[nodiscard]] std::string balance_text(const Balance& balance, bool with_bar, Style style);

/// Attaches what a refusal tells besides its message, for --json, and says it on stderr for people.
void explain(Invocation& invocation, const Refusal& refusal);

/// --ledger and --head of the commands on a whole ledger.
[[nodiscard]] Flag required_ledger();
[[nodiscard]] Flag head_flag();

/// The file named by --ledger, opened for a change or for reading.
[[nodiscard]] Result<Ledger> open_ledger(const Invocation& invocation, bool read_only);

}  // namespace gauze::cli
