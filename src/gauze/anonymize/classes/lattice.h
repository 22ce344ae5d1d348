#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gauze/base/error.h"

namespace gauze::anonymize {

/// One level for every quasi-identifier.
using Levels = std::vector<std::uint8_t>;

/// All ways to choose one level a quasi-identifier. A node's number is its levels in mixed radix; a node lies below
/// another when none of its levels is higher.
class Lattice {
 public:
  static constexpr std::uint64_t kMostNodes = std::uint64_t{1} << 24U;

  /// `levels[a]` is the number of levels of quasi-identifier a, 1 to 255. More than kMostNodes is `unsupported`.
  [[nodiscard]] static Result<Lattice> make(const std::vector<int>& levels);

  [[nodiscard]] std::size_t width() const { return counts_.size(); }
  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] std::uint32_t top() const { return size_ - 1; }
  [[nodiscard]] int level(std::uint32_t node, std::size_t quasi) const {
    return static_cast<int>(node / strides_[quasi] % counts_[quasi]);
  }
  [[nodiscard]] Levels levels(std::uint32_t node) const;
  [[nodiscard]] std::uint32_t node(const Levels& levels) const;
  [[nodiscard]] std::uint32_t stride(std::size_t quasi) const { return strides_[quasi]; }
  [[nodiscard]] std::uint32_t level_count(std::size_t quasi) const { return counts_[quasi]; }
  [[nodiscard]] bool is_below(std::uint32_t node, std::uint32_t other) const {
    for (std::size_t quasi = 0; quasi < width(); ++quasi)
      if (level(node, quasi) > level(other, quasi)) return false;
    return true;
  }
  /// How many nodes lie below, itself included.
  [[nodiscard]] std::uint64_t nodes_below(std::uint32_t node) const;

  /// visit(y, levels of y) for every y at or below the node.
  template <class Visit>
  void for_each_below(std::uint32_t node, Visit&& visit) const {
    const Levels top_levels = levels(node);
    Levels here(width(), 0);
    std::uint32_t y = 0;
    for (;;) {
      visit(y, here);
      std::size_t quasi = 0;
      while (quasi < width() && here[quasi] == top_levels[quasi]) {
        y -= strides_[quasi] * here[quasi];
        here[quasi++] = 0;
      }
      if (quasi == width()) return;
      ++here[quasi];
      y += strides_[quasi];
    }
  }
  /// visit(y) for every y at or above the node.
  template <class Visit>
  void for_each_above(std::uint32_t node, Visit&& visit) const {
    const Levels bottom = levels(node);
    Levels here = bottom;
    std::uint32_t y = node;
    for (;;) {
      visit(y);
      std::size_t quasi = 0;
      while (quasi < width() && here[quasi] + 1U == counts_[quasi]) {
        y -= strides_[quasi] * (here[quasi] - bottom[quasi]);
        here[quasi] = bottom[quasi];
        ++quasi;
      }
      if (quasi == width()) return;
      ++here[quasi];
      y += strides_[quasi];
    }
  }

 private:
  Lattice() = default;
  std::vector<std::uint32_t> counts_;
  std::vector<std::uint32_t> strides_;
  std::uint32_t size_ = 1;
};

}  // namespace gauze::anonymize
