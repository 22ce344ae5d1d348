#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gauze/schema/hierarchies/hierarchy.h"

namespace gauze::schema {

/// Makes a Hierarchy row by row, without a copy of all rows in between: a file of a million lines passes through here.
///
/// Guarantee: what finish() returns is rectangular, has no ground value twice, and every level is a function of the one
/// below. A row that would break this is refused with its line; the builder must not be used after a refusal.
class HierarchyBuilder {
 public:
  static constexpr std::size_t kMostLevels = 100;

  explicit HierarchyBuilder(std::string name);
  /// Goes on from a finished hierarchy.
  explicit HierarchyBuilder(Hierarchy hierarchy);

  /// Makes room for this many rows.
  void reserve(std::size_t rows);
  /// texts[l] is what the ground value texts[0] becomes at level l. `line` is named in errors.
  [[nodiscard]] Result<void> add(std::span<const std::string_view> texts, std::size_t line);
  [[nodiscard]] Result<Hierarchy> finish();

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  /// What is known of a level while rows arrive.
  struct Index {
    std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> codes;  // not kept for level 0
    std::vector<std::uint32_t> parents;                                               // of each code, one level up
    std::vector<std::size_t> lines;                                                   // where each code came first
  };

  [[nodiscard]] Result<void> add_ground_value(std::string_view text, std::size_t line);
  [[nodiscard]] std::uint32_t code_of(std::size_t level, std::string_view text, std::uint32_t child, bool child_known,
                                      std::size_t line);

  Hierarchy hierarchy_;
  std::vector<Index> indexes_;
};

}  // namespace gauze::schema
