#pragma once

#include <cstdint>
#include <optional>

#include "gauze/audit/figures/roc.h"

namespace gauze::audit {

/// A lower bound on epsilon from one run (Steinke, Nasr, Jagielski 2023).
///
/// Setting  : `canaries` records, each a member by its own fair coin; of `guesses` of them somebody said whether they are, `correct` rightly;
///            about the others nothing was said. Which were guessed may depend on all scores, but not on membership.
/// Bound    : with a chance of at least 1 - error, the run is not (epsilon, delta)-DP for any epsilon below it. Rounded down; 0 when
///            nothing follows. Holds also for replace-one where "not a member" is a place whose row contributes nothing.
/// Not for  : records that share a coin, a split that was fixed, or records chosen by membership.
[[nodiscard]] double one_run_lower(std::uint64_t canaries, std::uint64_t guesses, std::uint64_t correct, double delta,
                                   double error);

/// The delta at which a one-run bound at this error is taken: the claim's own, or as much less as leaves something to find. At 2 delta
/// >= error the bound is 0 by construction.
[[nodiscard]] double telling_delta(double delta, double error, std::uint64_t canaries);

/// What was guessed and what follows.
struct OneRunBound {
  std::uint64_t guesses = 0;
  std::uint64_t correct = 0;
  double epsilon_lower = 0;
};

/// How many numbers of guesses are tried: an error is divided by it.
inline constexpr int kNumbersOfGuesses = 7;

/// The best of guessing 1, 2, 5, 10, 20, 50 and 100 % of the records: the highest half of them to be members, the lowest not. Records that
/// tie with the first that is left out are left out, too. `error` is for each number of guesses: already divided.
[[nodiscard]] OneRunBound one_run_bound(const SortedScores& scores, double delta, double error);

}  // namespace gauze::audit
