#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gauze/base/error.h"
#include "gauze/files/json.h"

namespace gauze::audit {

/// What a program or an output promises: (epsilon, delta)-DP. Without an epsilon nothing is known of its promise; delta is
/// then the one at which bounds are taken.
struct Claim {
  std::optional<double> epsilon = {};
  double delta = 0;

  /// Refuses an epsilon that is negative or not finite, and a delta outside [0, 1).
  [[nodiscard]] static Result<Claim> make(std::optional<double> epsilon, double delta);
};

/// Two levels: what is printed holds with this confidence; what raises the alarm is wrong with this chance at most.
struct Levels {
  double confidence = 0.95;
  double alarm = 1e-6;

  /// Refuses a confidence outside (0.5, 1) and an alarm outside (0, 0.5).
  [[nodiscard]] static Result<Levels> make(double confidence, double alarm);
  /// What one bound may risk where the largest of so many is taken; rounded down.
  [[nodiscard]] double printed_risk(std::uint64_t choices = 1) const;
  [[nodiscard]] double alarm_risk(std::uint64_t choices = 1) const;
};

/// One claim beside what its audit found. INTERNAL: it may come from private rows.
///
/// A bound above the claim at the level of the alarm proves a fault, but for that chance. One below it proves nothing.
struct ClaimAudit {
  std::string claim = {};  ///< in words, such as "noise laplace"
  std::optional<double> epsilon_lower =
      {};  ///< at `confidence`, at `delta`; rounded down; none where no bound is valid
  double confidence = 0.95;
  double delta = 0;                              ///< of the bounds
  std::optional<std::string> event = {};         ///< in words, such as "value >= 3.25"
  std::optional<std::uint64_t> left = {};        ///< how often it was seen on the left ...
  std::optional<std::uint64_t> right = {};       ///< ... and on the right,
  std::optional<std::uint64_t> runs = {};        ///< in so many measured runs a side
  std::optional<double> reach = {};              ///< the largest epsilon that so many runs could have shown
  std::optional<double> claimed_at_delta1 = {};  ///< one-run bounds only: the accountant's epsilon at `delta`
  Claim claimed = {};
  std::optional<double> alarm_lower = {};  ///< the bound at the alarm's risk
  double alarm_rate = 1e-6;
  std::optional<double> alarm_delta1 = {};   ///< one-run bounds only: the delta of the alarm's bound ...
  std::optional<double> alarm_claimed = {};  ///< ... and the accountant's epsilon there
  std::optional<bool> holds = {};            ///< none without a claim, or without a valid bound

  /// Decides `holds`: false when the bound at the alarm's risk exceeds the claim. Where bounds are taken at another delta than
  /// the claim's, `claimed_there` is the epsilon that is claimed at theirs.
  void decide(std::optional<double> claimed_there = {});

  /// Whether the printed bound lies above a claim that the alarm's does not reach: one in twenty may by chance.
  [[nodiscard]] bool is_doubtful() const;

  /// {"claim","audited":{...},"claimed":{...},"alarm":{...},"holds"}; "claim" only where there are words for it, and
  /// "claimed_at_delta1" only for one-run bounds.
  [[nodiscard]] Json to_json() const;
  /// "claimed 1, audited at least 0.98 (95 %), event: value >= 3.25": one line for people, decimals rounded down.
  [[nodiscard]] std::string in_words() const;
};

/// What an audit says of a claim, in a sentence without its end: nothing where it could not be decided.
[[nodiscard]] std::string verdict_text(std::optional<bool> holds, bool is_doubtful, std::optional<double> alarm_lower,
                                       double alarm_rate);

/// A bound as people read it: three decimals, rounded down.
[[nodiscard]] std::string bound_text(std::optional<double> bound);

}  // namespace gauze::audit
