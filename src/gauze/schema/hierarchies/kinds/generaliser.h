#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gauze::schema {

/// What stands for every value at the top of a hierarchy, and for a suppressed cell.
inline constexpr std::string_view kEverything = "*";

/// The rule of a hierarchy that is not a list: what any value becomes at the levels 1, 2, ...
///
/// Every level is a function of the one below it.
/// Thread safety: const members may be called concurrently.
class Generaliser {
 public:
  virtual ~Generaliser() = default;
  /// How many levels there are above the ground values; a last level `*` is not counted.
  [[nodiscard]] virtual std::size_t levels() const = 0;
  /// The value of the last level, when the rule has only one there. Otherwise a level `*` belongs on top.
  [[nodiscard]] virtual std::optional<std::string> only_value() const = 0;
  /// Whether the rule names the values it covers one by one, so that it can mean "missing" by listing its token.
  [[nodiscard]] virtual bool lists_values() const { return false; }
  /// Puts what the value becomes into texts[0 .. levels() - 1]; false when the rule does not cover the value.
  [[nodiscard]] virtual bool generalise(std::string_view value, std::vector<std::string>& texts) const = 0;
};

}  // namespace gauze::schema
