#pragma once
// How the commands of the ledger show what the library returns.

#include <string>

#include "gauze/cli/core/invocation.h"
#include "gauze/files/json.h"
#include "gauze/ledger/ledger.h"

namespace gauze::cli {

/// "epsilon 0.9, delta 0.000001": the members of an object of figures. A delta of 0 is left out.
[[nodiscard]] std::string figures_text(const Json& figures);

/// "epsilon 0.7", and what it was charged as where that differs: "epsilon 1.4 (0.7 as stated, for a group of two)".
[[nodiscard]] std::string charge_text(const Charge& stated, const Charge& charged);

/// Everything about a dataset, for programs.
[[nodiscard]] Json balance_json(const Balance& balance);
/// The same for people; on a terminal with a bar.
[[nodiscard]] std::string balance_text(const Balance& balance, bool with_bar, Style style);

/// Attaches what a refusal tells besides its message, for --json, and says it on stderr for people.
void explain(Invocation& invocation, const Refusal& refusal);

/// --ledger and --head of the commands on a whole ledger.
[[nodiscard]] Flag required_ledger();
[[nodiscard]] Flag head_flag();
/// What verify and import have found, for programs.
[[nodiscard]] Json verification_json(const LedgerVerification& found, bool with_head);

/// The file named by --ledger, opened for a change or for reading.
[[nodiscard]] Result<Ledger> open_ledger(const Invocation& invocation, bool read_only);

}  // namespace gauze::cli
