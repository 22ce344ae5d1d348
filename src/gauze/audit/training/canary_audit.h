#pragma once

#include <functional>

#include "gauze/audit/claims/claim_audit.h"
#include "gauze/audit/training/engine_runs.h"
#include "gauze/base/words.h"
#include "gauze/label/warning.h"

namespace gauze::audit {

/// What is planted into one run, each with its own fair coin.
enum class CanaryKind {
  gradient,  ///< a coordinate of the clipped sum each: what is sampled, and under which noise
  input,     ///< random rows of the policy's domain, found again by how the model answers them: black box
};
inline constexpr Words<CanaryKind, 2> kCanaryWords = {
    {{CanaryKind::gradient, "gradient"}, {CanaryKind::input, "input"}}};

struct CanaryRequest {
  CanaryKind kind = CanaryKind::gradient;
  std::size_t canaries = 1'000;
  std::optional<Claim> claimed = {};  ///< instead of the recipe's own; known at its delta alone
  Levels levels = {};
  AuditRandom random = AuditRandom();
  EngineFault fault = {};
};

struct CanaryAudit {
  ClaimAudit audit = {};
  std::uint64_t guesses = 0;  ///< of the printed bound
  std::uint64_t correct = 0;
  std::vector<Warning> warnings = {};
};

/// Reads the rows of the table into rows that may hold canaries already.
using ReadRows = std::function<Result<void>(learn::LearningRows&)>;

/// Refuses what cannot be: too few canaries, more than there are places.
[[nodiscard]] Result<void> check_canaries(const Recipe& recipe, const CanaryRequest& request);

/// Trains once, by the code of `train`, with canaries among the rows, and guesses which of them were in.
///
/// Bound : the one-run bound (bounds/one_run.h) at levels divided by the numbers of guesses, at delta1, compared with the accountant's
///         epsilon there. Under replace-one a canary that is out is a place whose row contributes nothing; canaries take the first places.
[[nodiscard]] Result<CanaryAudit> audit_canaries(const Recipe& recipe, const schema::Policy& policy,
                                                 const ReadRows& read, const CanaryRequest& request,
                                                 Progress& progress);

}  // namespace gauze::audit
