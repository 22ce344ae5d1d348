#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "gauze/patterns/baskets/database.h"

namespace gauze::patterns {

/// What is done to an item of a transaction.
enum class Operation { mark, remove };

/// One change of a transaction.
struct Edit {
  std::size_t row = 0;
  Item item = 0;
  Operation operation = Operation::mark;
  friend bool operator==(const Edit&, const Edit&) = default;
};

/// How far a pattern is hidden; each level holds against more readers than the one before.
enum class HidingLevel {
  none,  ///< it is frequent
  h1,    ///< fewer transactions than the threshold hold it definitely: readers to whom `?` is absent
  h2,    ///< and also among the transactions whose marks leave nothing open: readers who ignore unknown rows
  h3,    ///< even if every mark stands for an item: everybody
};

/// How a pattern stands in the transactions.
struct PatternStanding {
  std::uint64_t definite = 0;      ///< hold it definitely
  std::uint64_t undetermined = 0;  ///< may hold it or not
  std::uint64_t touched = 0;       ///< have a mark on one of its items
};

/// The threshold of one pattern.
struct HidingThreshold {
  std::uint64_t count = 1;   ///< frequent: at least so many
  Rational share = 0;        ///< the same as a share of the transactions
  std::uint64_t margin = 0;  ///< H1 needs so many fewer
};

[[nodiscard]] HidingLevel level_of(const PatternStanding& standing, const HidingThreshold& threshold,
                                   std::uint64_t rows);

/// Transactions on their way to a release: the original, the changes so far, and how each pattern stands.
class HidingState {
 public:
  HidingState(const Database& database, std::vector<Itemset> patterns);

  [[nodiscard]] const PatternStanding& standing(std::size_t pattern) const { return standings_[pattern]; }
  /// Rows that hold the pattern definitely now, rising.
  [[nodiscard]] std::vector<std::size_t> rows_of(std::size_t pattern) const;
  [[nodiscard]] bool holds_now(std::size_t row, const Itemset& set) const;
  /// Definite occurrences of an item now.
  [[nodiscard]] std::uint64_t frequency(Item item) const { return frequency_[item]; }
  [[nodiscard]] std::size_t length(std::size_t row) const { return database_.row(row).size(); }
  /// Changes an item that is definitely there.
  void edit(const Edit& edit);
  [[nodiscard]] const std::vector<Edit>& edits() const { return edits_; }
  [[nodiscard]] const Database& database() const { return database_; }
  /// The transactions with all changes.
  [[nodiscard]] Database released() const;

 private:
  enum class Status { there, open, absent };
  [[nodiscard]] Status status(std::size_t row, Item item) const;
  void count(std::size_t row, std::size_t pattern, std::int64_t sign);

  const Database& database_;
  std::vector<Itemset> patterns_;
  std::vector<PatternStanding> standings_;
  std::vector<std::vector<std::size_t>> original_rows_;  // of each pattern
  std::vector<std::uint64_t> frequency_;
  std::unordered_map<std::uint64_t, Operation> changed_;  // row and item
  std::vector<Edit> edits_;
};

}  // namespace gauze::patterns
