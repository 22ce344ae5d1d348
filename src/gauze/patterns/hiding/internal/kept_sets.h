#pragma once

#include <span>
#include <vector>

#include "gauze/patterns/hiding/internal/hiding_work.h"

namespace gauze::patterns::internal {

/// The frequent sets that should stay frequent, and which of them each transaction holds.
///
/// Only sets with an item that may be changed matter, and only in transactions that hold a sensitive pattern. What losing a
/// transaction means to a set is its weight: large where it is just above a threshold of the band.
class KeptSets {
 public:
  /// Mines them. Of more than the options' protected_sets so many are drawn at random: of all, or of as many as are mined in
  /// reasonable time, four times that number.
  [[nodiscard]] static Result<KeptSets> find(const HidingWork& work);

  /// Whether these are all that should stay frequent.
  [[nodiscard]] bool is_whole() const { return is_whole_; }
  /// What changing the item in the row costs now: the weights of the sets that lose the row.
  [[nodiscard]] double cost(std::size_t row, Item item) const;
  /// The change has been made.
  void lose(std::size_t row, Item item);

  /// Takes all losses back.
  void reset();
  /// How many sets are lost at each threshold of the band.
  [[nodiscard]] std::vector<std::uint64_t> lost() const;

  struct Set {
    Itemset items;
    std::uint64_t support = 0;
    std::uint64_t before = 0;  ///< its support before any change
  };
  [[nodiscard]] const std::vector<Set>& sets() const { return sets_; }
  /// Of the sets, in the rows that hold a sensitive pattern: the places in `sets` of those that the row holds.
  [[nodiscard]] std::span<const std::uint32_t> held_by(std::size_t row) const;

 private:
  void reweigh(std::size_t set);
  [[nodiscard]] bool has(std::size_t set, Item item) const;
  void find_rows(const HidingWork& work);

  std::vector<std::uint64_t> thresholds_;  // of the band
  std::vector<Set> sets_;
  bool is_whole_ = true;
  std::size_t victims_ = 0;          // items that may be changed
  std::vector<std::uint64_t> bits_;  // of each of these a bit; beyond 64 they share them
  struct Weight {
    std::uint64_t items = 0;  // bits_ of its items
    double value = 0;
  };
  std::vector<Weight> weights_;
  std::vector<std::size_t> rows_;  // that hold a sensitive pattern, rising
  std::vector<std::size_t> starts_;
  std::vector<std::size_t> full_ends_;  // before any change
  std::vector<std::size_t> ends_;       // of each row's part that is still held
  std::vector<std::uint32_t> held_;     // sets, row by row
  [[nodiscard]] std::size_t place(std::size_t row) const;
};

/// What losing a set weighs beside bringing it nearer to its loss.
inline constexpr double kLostSet = 1000;

}  // namespace gauze::patterns::internal
