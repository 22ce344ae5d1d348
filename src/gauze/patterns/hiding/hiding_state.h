#pragma once

#include <unordered_map>
#include <vector>

#include "gauze/patterns/baskets/edit.h"
#include "gauze/patterns/hiding/pattern_standing.h"

namespace gauze::patterns {

/// Transactions on their way to a release: the original, the changes so far, and how each pattern stands.
class HidingState {
 public:
  /// `anonymous`: marks will not say which item they stand for.
  HidingState(const Database& database, std::vector<PatternShape> patterns, bool anonymous);

  [[nodiscard]] const PatternStanding& standing(std::size_t pattern) const { return standings_[pattern]; }
  /// Rows that hold the pattern definitely now, rising.
  [[nodiscard]] std::vector<std::size_t> rows_of(std::size_t pattern) const;
  /// The same before any change.
  [[nodiscard]] const std::vector<std::size_t>& original_rows_of(std::size_t pattern) const {
    return original_rows_[pattern];
  }
  [[nodiscard]] bool holds_now(std::size_t row, const Itemset& set) const;
  /// Whether the item is neither there nor marked now, and was not there before.
  [[nodiscard]] bool lacks(std::size_t row, Item item) const;
  /// Definite occurrences of an item now.
  [[nodiscard]] std::uint64_t frequency(Item item) const { return frequency_[item]; }
  /// Items of the row before any change.
  [[nodiscard]] std::size_t length(std::size_t row) const { return database_.row(row).size(); }
  /// Whether the row may hold the pattern, but does not definitely.
  [[nodiscard]] bool may_hold(std::size_t row, std::size_t pattern) const;
  /// Takes all changes back and makes these.
  void start_again(const std::vector<Edit>& edits);
  /// Marks or removes an item that is definitely there; puts a decoy where the row lacks the item.
  void edit(const Edit& edit);
  [[nodiscard]] const std::vector<Edit>& edits() const { return edits_; }
  [[nodiscard]] const Database& database() const { return database_; }
  /// The transactions with all changes.
  [[nodiscard]] Database released() const;

 private:
  enum class Status : std::uint8_t { there, open, absent };
  [[nodiscard]] Status status(std::size_t row, Item item) const;
  [[nodiscard]] RowStanding side(std::size_t row, const Itemset& items) const;
  [[nodiscard]] std::uint32_t anonymous_of(std::size_t row) const;
  void count(std::size_t row, std::size_t pattern, std::int64_t sign);

  const Database& database_;
  bool anonymous_;
  std::vector<PatternShape> patterns_;
  std::vector<Itemset> rights_;  // of each pattern, what is not on its left side
  std::vector<PatternStanding> standings_;
  std::vector<std::vector<std::size_t>> original_rows_;               // of each pattern
  std::vector<std::uint64_t> frequency_;                              // of each item
  std::vector<Status> statuses_;                                      // of each entry of database_.items
  std::unordered_map<std::size_t, std::vector<Item>> decoys_;         // by row
  std::unordered_map<std::size_t, std::uint32_t> anonymous_changes_;  // by row
  std::vector<Edit> edits_;
};

}  // namespace gauze::patterns
