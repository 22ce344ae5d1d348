#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "gauze/audit/events/audit_random.h"
#include "gauze/audit/events/event_audit.h"
#include "gauze/base/progress.h"
#include "gauze/label/warning.h"

namespace gauze::audit {

/// Any program whose claim is to be held against what it prints for two neighbouring inputs.
struct ProgramAuditRequest {
  /// The program and its arguments. In each argument {input} becomes the input, {count} the number of lines that are
  /// wanted, {seed} a number of the start's own.
  std::vector<std::string> words = {};
  std::string left = {};
  std::string right = {};
  bool on_stdin = false;        ///< the input is written to its standard input, with a line end
  std::uint64_t runs = 20'000;  ///< a side; one line is one run
  std::uint64_t per_start = 1;  ///< lines a start
  std::chrono::milliseconds time_limit{60'000};
  AuditRandom random = AuditRandom();  ///< of {seed}
  Claim claimed = {};                  ///< bounds are taken at its delta
  Levels levels = {};

  /// Whether some argument has this word in braces.
  [[nodiscard]] bool asks_for(std::string_view word) const;
  /// How many starts a side it takes.
  [[nodiscard]] std::uint64_t starts() const { return (runs - 1) / per_start + 1; }
};

/// What came of it.
struct ProgramAudit {
  ClaimAudit audit = {};
  std::uint64_t starts = 0;        ///< a side, that were counted; of both sides the smaller number
  std::uint64_t failed_left = 0;   ///< starts that ended in anything but the lines that were asked for
  std::uint64_t failed_right = 0;  ///< the same on the right
  bool counts_starts = false;  ///< one start is one run, not one line: some failed, or their lines repeat each other
  bool is_cut_off = false;     ///< a stop was asked for: fewer runs than wanted
  std::vector<Warning> warnings = {};
};

/// Starts the program once on each input, to see whether it works at all, and then as often as it takes; looks for the event that
/// tells the inputs apart.
///
/// Runs   : lines of different starts are taken as independent, and those of one start too. As soon as one start failed, on either side,
///          each start is one run: its failure, or its first line. Leaving failures out would condition on success. The same where lines repeat each other far more often than
///          independent ones; where single starts do, nothing is decided.
/// Errors : `io` where the trial shows that nothing can be audited: no such program, a failure on both inputs, another number of
///          lines than asked for; `interrupted` where a stop was asked for before that.
[[nodiscard]] Result<ProgramAudit> audit_program(const ProgramAuditRequest& request, Progress& progress);

}  // namespace gauze::audit
