#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gauze/audit/claims/claim_audit.h"
#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"

namespace gauze::cli {

// What the commands of `attack` and `audit` have in common: claims, levels, and where their INTERNAL results go.

/// --claimed-epsilon, --claimed-delta, --confidence, --alarm, and -o for the JSON.
[[nodiscard]] std::vector<Flag> claim_flags();
/// --report OUT.html.
[[nodiscard]] Flag audit_report_flag();
/// --seed of an audit: without it, runs draw from the secure stream.
[[nodiscard]] Flag audit_seed_flag();
/// --runs N, a side.
[[nodiscard]] Flag runs_flag(std::string default_text);

/// What is claimed: `own` is what the command knows by itself; --claimed-epsilon and --claimed-delta each replace their part.
[[nodiscard]] Result<audit::Claim> claim_of(const Invocation& invocation, audit::Claim own = {});
[[nodiscard]] Result<audit::Levels> levels_of(const Invocation& invocation);
[[nodiscard]] Result<std::optional<std::uint64_t>> audit_seed(const Invocation& invocation);
/// At least 100: half of them are measured.
[[nodiscard]] Result<std::uint64_t> runs_of(const Invocation& invocation, std::int64_t most);

/// Delivers an INTERNAL result: the JSON (with "internal" and the warnings) to -o and, with --json, to stdout; else `text` to
/// stdout; the page to --report, where the command has it, with `kind` ("attack", "audit") as its kind. Exit status 3 when
/// `holds` is false: a crossing is a result, not an error.
[[nodiscard]] Result<int> deliver_audit(Invocation& invocation, std::string_view kind, Json document,
                                        const std::string& text, std::optional<bool> holds);

/// Delivers an INTERNAL result whose -o is another file than the JSON, written by the caller: JSON or text to stdout.
[[nodiscard]] Result<int> print_audit(Invocation& invocation, Json document, const std::string& text,
                                      std::optional<bool> holds);

/// The same for one claim, whose keys come first in the document; `further` follow.
[[nodiscard]] Result<int> deliver_claim(Invocation& invocation, const audit::ClaimAudit& audit,
                                        std::vector<Json::Member> further = {});

/// The lines in which people read the audit of one claim.
[[nodiscard]] std::string claim_text(const audit::ClaimAudit& audit, Style style);

}  // namespace gauze::cli
