#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gauze/base/words.h"
#include "gauze/patterns/baskets/database.h"

namespace gauze::patterns {

/// What is looked for in a transaction: all items; of a rule the left side is named apart.
struct PatternShape {
  Itemset items;
  Itemset left;  ///< of a rule X => Y: X; empty for an itemset
};

/// How a pattern stands in the transactions.
struct PatternStanding {
  std::uint64_t definite = 0;      ///< hold it definitely
  std::uint64_t undetermined = 0;  ///< may hold it or not
  std::uint64_t touched = 0;    ///< do not hold it definitely, and have a mark that is or may be on one of its items
  std::uint64_t left_only = 0;  ///< of a rule: hold its left side definitely, and may hold the right
  std::uint64_t fails = 0;      ///< of a rule: hold its left side definitely, and cannot hold the right
  std::uint64_t clean_fails = 0;  ///< of these, those without a mark on an item of it
};

/// Adds a transaction to the standing, or (sign -1) takes it away.
void tally(PatternStanding& standing, bool is_rule, RowStanding left, RowStanding right, std::uint32_t anonymous,
           std::int64_t sign);

/// How patterns stand in transactions, marks of both kinds understood. An item beyond the names is absent everywhere.
[[nodiscard]] std::vector<PatternStanding> standings_in(const Database& database,
                                                        std::span<const PatternShape> patterns);

/// The threshold of one pattern.
struct HidingThreshold {
  std::uint64_t count = 1;                  ///< frequent: at least so many
  Rational share = 0;                       ///< the same as a share of the transactions
  std::uint64_t margin = 0;                 ///< H1 needs so many fewer
  std::optional<Rational> confidence = {};  ///< a rule is hidden, too, when it holds less often than this

  /// One of count and share follows from the other. Of no transactions every count is all of them.
  [[nodiscard]] static HidingThreshold of_count(std::uint64_t count, std::uint64_t rows);
  [[nodiscard]] static HidingThreshold of_share(const Rational& share, std::uint64_t rows);
};

/// How far a pattern is hidden; each level holds against more readers than the one before.
enum class HidingLevel {
  none,  ///< it is found
  h1,    ///< by readers to whom `?` is absent it is not
  h2,    ///< nor by readers who leave out the transactions that are unknown for it, or that have a mark on its items
  h3,    ///< nor by anybody, whatever the marks stand for
};

inline constexpr Words<HidingLevel, 4> kLevelWords = {
    {{HidingLevel::none, "none"}, {HidingLevel::h1, "H1"}, {HidingLevel::h2, "H2"}, {HidingLevel::h3, "H3"}}};

[[nodiscard]] HidingLevel level_of(const PatternStanding& standing, const HidingThreshold& threshold,
                                   std::uint64_t rows);

}  // namespace gauze::patterns
