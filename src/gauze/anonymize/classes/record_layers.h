#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "gauze/anonymize/classes/class_grouping.h"
#include "gauze/anonymize/classes/class_values.h"
#include "gauze/anonymize/classes/lattice.h"

namespace gauze::anonymize {

/// The records at hand, and once more with some quasi-identifiers already generalised: tuples that have become equal are
/// one, so that nodes at or above cost less. Which layer is used changes nothing but the time.
///
/// Layers are made when they are asked for the fourth time, for combinations of levels of the few quasi-identifiers with most
/// values, as long as they are worth their memory. The records must outlive them and not change once one is made.
/// Thread safety: const members may be called concurrently, each with its own Scratch.
class RecordLayers {
 public:
  struct Layer {
    Layer(const Records& from, const std::vector<std::size_t>& columns);
    const Records& records;
    ClassGrouping grouping;
    std::vector<ClassValues> values;   ///< of each of the columns
    std::vector<std::uint32_t> place;  ///< of each tuple of the whole in here; empty in the whole itself
  };

  /// `columns`: the sensitive ones that are asked for. Those of the others are no longer told apart.
  RecordLayers(const Records& records, std::vector<std::size_t> columns);

  [[nodiscard]] const Layer& whole() const { return whole_; }
  /// The layer with the fewest tuples that the node can be made of.
  [[nodiscard]] const Layer& below(const Levels& levels, ClassGrouping::Scratch& scratch) const;

 private:
  struct Place {
    std::atomic<int> asked = 0;
    std::once_flag looked_at;
    std::unique_ptr<Records> records;
    std::unique_ptr<Layer> layer;  // none when it would hardly be smaller
  };
  void make(const Levels& levels, Place& place, ClassGrouping::Scratch& scratch) const;
  /// Numbers the combinations of values of the columns, and sorts the tuples by them.
  void order_by_values() const;

  const Records& records_;
  std::vector<std::size_t> columns_;
  Layer whole_;
  std::vector<std::size_t> generalised_;  // the quasi-identifiers whose levels tell layers apart
  std::unique_ptr<Place[]> places_;       // by these levels in mixed radix
  mutable std::once_flag ordered_;
  mutable std::vector<std::uint32_t> joint_;   // number of each tuple's combination of values
  mutable std::vector<std::uint32_t> sorted_;  // tuples by that number
  mutable std::atomic<std::size_t> tuples_made_ = 0;
};

}  // namespace gauze::anonymize
