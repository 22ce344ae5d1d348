#pragma once

#include <optional>
#include <span>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/patterns/baskets/database.h"
#include "gauze/patterns/hiding/pattern_standing.h"

namespace gauze::patterns {

/// A listed pattern and its threshold.
struct AuditedPattern {
  PatternShape shape;
  HidingThreshold threshold;
};

/// Every mark is taken for an item that is there.
struct FillAttack {
  std::uint64_t marks = 0;            ///< anchored ones
  std::uint64_t true_marks = 0;       ///< of these, on items that the original has: the others are decoys
  std::vector<bool> found;            ///< patterns that are frequent again
  std::uint64_t suspects = 0;         ///< sets that only the filled marks make frequent
  std::uint64_t suspects_listed = 0;  ///< of these, listed patterns
};

/// Rows that are unknown for a pattern are left out, in two readings: those that leave it open, and those with any mark on
/// an item of it.
struct IgnoreAttack {
  std::vector<bool> found_undetermined;
  std::vector<bool> found_touched;
};

/// What may stand behind a mark without a name, and a guess: the item that most often goes with one that the row shows.
struct GuessAttack {
  std::uint64_t marks = 0;   ///< anonymous ones
  std::uint64_t fewest = 0;  ///< items that may be meant: those that the row does not show
  std::uint64_t median = 0;
  std::uint64_t tried = 0;  ///< marks whose item the attacker guesses
  std::uint64_t right = 0;
};

/// Sets whose support lies just below the threshold: where hiding stops as soon as it may, listed patterns pile up there.
struct PileAttack {
  std::uint64_t from = 0;   ///< supports from here
  std::uint64_t below = 0;  ///< and below this, the threshold
  std::uint64_t sets_before = 0;
  std::uint64_t sets = 0;
  std::uint64_t listed = 0;  ///< listed patterns among them
};

struct AttackReport {
  FillAttack fill;
  IgnoreAttack ignore;
  GuessAttack guess;
  PileAttack pile;
  std::uint64_t added = 0;  ///< items that the release has and the original has not: not what Gauze does
  bool complete = true;     ///< false: too many sets to look at them all
};

/// What readers find in released transactions that know how hiding works. Both with items in the same places.
[[nodiscard]] Result<AttackReport> attack(const Database& original, const Database& released,
                                          std::span<const AuditedPattern> patterns, std::uint64_t min_count,
                                          Progress& progress);

}  // namespace gauze::patterns
