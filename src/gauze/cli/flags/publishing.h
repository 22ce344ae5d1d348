#pragma once

#include <span>
#include <string>
#include <vector>

#include "gauze/cli/core/command_registry.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/publish/publication.h"

namespace gauze::cli {

// How a command line takes the one way out (gauze/publish/publication.h).

/// --ledger, --dataset, --analyst, --purpose, --request: for every command whose guarantee a budget can be charged for.
[[nodiscard]] std::vector<Flag> account_flags();
/// --unit TEXT, of commands that know nothing of their data's unit.
[[nodiscard]] Flag unit_flag();

/// What was asked for, without what is private and without places of files.
[[nodiscard]] Json public_parameters(const Invocation& invocation);

/// Begins a release as these flags say; a `usage` error when --ledger and --dataset do not come together. `purpose` stands in
/// the ledger unless --purpose says otherwise; `document` is the policy whose bytes belong to the request.
[[nodiscard]] Result<publish::Publication> begin_publication(Invocation& invocation, bool seeded,
                                                             const std::string& purpose = {},
                                                             std::string_view document = {});

/// Reserves; a refusal (exit 3) tells what is left. Whatever fails afterwards says that the charge stays. False when the
/// request was answered before: that answer has been shown, and the command is done. `planned_steps`: of a training.
[[nodiscard]] Result<bool> reserve(Invocation& invocation, publish::Publication& publication, const PrivacyCost& cost,
                                   std::uint64_t planned_steps = 0);
/// Puts outputs and labels in their places, and commits.
[[nodiscard]] Result<void> finish(Invocation& invocation, publish::Publication& publication, PrivacyLabel& label,
                                  std::span<publish::LabelledOutput> outputs);

/// Refuses a name that ends in .gz or .zst, for commands that write plain text: whoever reads it would find no such file.
[[nodiscard]] Result<void> check_plain_output(const Invocation& invocation);

/// The output of a command that writes bytes; `-` is where its results go. The invocation must outlive it.
[[nodiscard]] Result<publish::LabelledOutput> open_output(Invocation& invocation, const std::string& target);

/// Delivers a release that is small. With -o: `plain` goes to OUT and the label to OUT.label.json. Without: `plain` goes to
/// stdout and the label, in words, to stderr. With --json the object goes to stdout in either case, what the ledger says under
/// "ledger" where the command can charge one, the label under "label".
[[nodiscard]] Result<int> deliver(Invocation& invocation, publish::Publication& publication, const std::string& plain,
                                  Json object, PrivacyLabel label);

/// All of it for a small output of which nothing is charged: OUT and its label.
[[nodiscard]] Result<void> publish_bytes(Invocation& invocation, const std::string& output, std::string_view bytes,
                                         PrivacyLabel& label);

}  // namespace gauze::cli
