#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gauze/anonymize/classes/class_grouping.h"
#include "gauze/anonymize/classes/records.h"

namespace gauze::anonymize {

/// How often each value of a sensitive column occurs in each class. Made once for some records, then asked for many
/// nodes: tuples are visited by value, so that the values of a class come out once each and in their natural order; or all
/// values of all classes are counted in a matrix, where that is small.
/// Thread safety: const members may be called concurrently, each with its own Scratch.
class ClassValues {
 public:
  /// The values of the classes that were asked for, by slot.
  class Scratch {
   public:
    [[nodiscard]] std::span<const ValueCount> of(std::uint32_t slot) const {
      return {entries_.data() + places_[slot].begin, entries_.data() + places_[slot].end};
    }

   private:
    friend class ClassValues;
    struct Place {
      std::uint32_t begin = 0;
      std::uint32_t end = 0;
    };
    std::vector<Place> places_;
    std::vector<ValueCount> entries_;
    std::vector<std::uint32_t> rows_;  // by slot, where all counts are in one matrix
    std::vector<std::uint32_t> matrix_;
  };

  ClassValues(const Records& records, std::size_t column);

  /// Counts the visible values of the classes in these slots.
  void count(const ClassGrouping::Scratch& groups, std::span<const std::uint32_t> slots, Scratch& scratch) const;
  [[nodiscard]] std::size_t column() const { return column_; }

 private:
  void count_in_matrix(const ClassGrouping::Scratch& groups, std::span<const std::uint32_t> slots,
                       Scratch& scratch) const;
  struct Run {
    std::uint32_t value = 0;
    std::uint32_t end = 0;  // of its tuples
  };
  const Records& records_;
  std::size_t column_;
  std::vector<std::uint32_t> tuples_;  // by value, in the natural order
  std::vector<Run> runs_;
  std::vector<std::uint32_t> run_of_;  // of each tuple; one behind the last for values that nobody sees
};

}  // namespace gauze::anonymize
