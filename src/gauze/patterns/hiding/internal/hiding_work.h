#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "gauze/patterns/hiding/hide.h"

namespace gauze::patterns::internal {

class KeptSets;

/// What the algorithms work on, and what they all do alike.
class HidingWork {
 public:
  HidingWork(const Database& database, const SensitiveList& sensitive, const HidingOptions& wanted, Progress& watch);

  const HidingOptions& options;
  Progress& progress;
  HidingState state;
  std::vector<HiddenPattern> patterns;
  std::vector<std::size_t> live;     ///< not hidden yet, in the order of the file
  std::vector<std::size_t> counted;  ///< psh as published: hidden from the start, yet counted in the first choice
  std::vector<Itemset> absent;       ///< the same of patterns with an item that does not occur
  std::vector<std::size_t> stuck;
  std::vector<TraceStep> trace;
  std::vector<Warning> warnings;
  std::shared_ptr<KeptSets> kept;  ///< border: what it protected
  std::optional<double> bound;
  std::optional<double> objective;

  [[nodiscard]] const Itemset& items(std::size_t p) const { return patterns[p].pattern.items; }
  /// Items whose change may hide the pattern: of a rule with a confidence those of the right side, which lower both.
  [[nodiscard]] const Itemset& victims(std::size_t p) const { return victims_[p]; }
  [[nodiscard]] bool is_hidden(std::size_t p) const;
  void drop_hidden();
  void give_up(std::size_t p);
  /// Marks or deletes, as the options say.
  void change(std::size_t row, Item item);
  /// How many live patterns (as published also those that are counted) the row holds now.
  [[nodiscard]] std::size_t conflicts(std::size_t row) const;
  /// Definite occurrences of an item now; none of one that does not occur.
  [[nodiscard]] std::uint64_t frequency(Item item) const;
  /// Smaller by number where all names are numbers, else bytewise; of items that occur.
  [[nodiscard]] bool is_smaller(Item a, Item b) const;
  /// Of items with how many patterns hold each: most; then the more frequent item; then the smaller.
  [[nodiscard]] Item most_shared(const std::map<Item, std::size_t>& shared) const;
  /// Rows that hold the pattern, those of most conflicts first; ties in their order.
  [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> rows_by_conflicts(std::size_t p) const;

 private:
  std::vector<Itemset> victims_;
  std::uint64_t changes_ = 0;
  std::optional<std::vector<std::uint64_t>> numbers_;  // of items, when all names are numbers
};

/// Each hides all live patterns, or gives them up: `live` is empty afterwards.
[[nodiscard]] Result<void> run_psh(HidingWork& work);
[[nodiscard]] Result<void> run_border(HidingWork& work);
/// gih, minfia, maxfia, random: one pattern after the other.
[[nodiscard]] Result<void> run_by_pattern(HidingWork& work);
[[nodiscard]] Result<void> run_iga(HidingWork& work);
[[nodiscard]] Result<void> run_swa(HidingWork& work);
/// One transaction after the other, whatever pattern it holds.
[[nodiscard]] Result<void> run_fhsar(HidingWork& work);
[[nodiscard]] Result<void> run_exact(HidingWork& work);

}  // namespace gauze::patterns::internal
