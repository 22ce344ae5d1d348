#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gauze/base/error.h"

namespace gauze::schema {

/// How the values of one column become coarser, level by level: level 0 holds the ground values as they are, and every
/// level is a function of the one below it.
class Hierarchy {
 public:
  /// rows[r][l] is what ground value r becomes at level l. Refused are: no rows, ragged rows, a ground value that is
  /// listed twice, and a value of a level that would have two parents at the next. The errors name the hierarchy.
  [[nodiscard]] static Result<Hierarchy> make(std::string name, std::vector<std::vector<std::string>> rows);

  [[nodiscard]] const std::string& name() const { return name_; }
  /// The number of ground values (D in the definitions of the metrics).
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(levels_.front().texts.size()); }
  [[nodiscard]] int levels() const { return static_cast<int>(levels_.size()); }
  [[nodiscard]] int height() const { return levels() - 1; }

  /// What ground value `row` becomes at a level, as the place of that value among the values of the level. At level 0
  /// that is `row` itself.
  [[nodiscard]] std::uint32_t code(int level, std::uint32_t row) const { return at(level).codes[row]; }
  [[nodiscard]] std::uint32_t value_count(int level) const {
    return static_cast<std::uint32_t>(at(level).texts.size());
  }
  [[nodiscard]] const std::string& text(int level, std::uint32_t code) const { return at(level).texts[code]; }
  /// How many ground values become this value.
  [[nodiscard]] std::uint32_t rows_under(int level, std::uint32_t code) const { return at(level).rows_under[code]; }
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view ground_value) const;

 private:
  struct Level {
    std::vector<std::uint32_t> codes;       // of each ground value
    std::vector<std::string> texts;         // of each code, in order of first appearance
    std::vector<std::uint32_t> rows_under;  // of each code
  };
  friend class HierarchyBuilder;
  Hierarchy() = default;
  [[nodiscard]] const Level& at(int level) const { return levels_[static_cast<std::size_t>(level)]; }

  std::string name_;
  std::vector<Level> levels_;
  std::unordered_map<std::string, std::uint32_t> ground_;
};

}  // namespace gauze::schema
