#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gauze::table {

/// The texts that stand for "not known": `?`, nothing, `NULL`, and those that were configured. They are compared as
/// they are written (`null` is a value), after blanks around them are gone.
class MissingTokens {
 public:
  MissingTokens() = default;
  explicit MissingTokens(const std::vector<std::string>& configured);

  /// Whether a text, without blanks around it, stands for "missing".
  [[nodiscard]] bool contains(std::string_view trimmed) const {
    if (trimmed.empty() || trimmed == "?" || trimmed == "NULL") return true;
    if (trimmed.size() > longest_) return false;
    return is_configured(trimmed);
  }

  /// All tokens, in byte order.
  [[nodiscard]] std::vector<std::string> all() const;

 private:
  [[nodiscard]] bool is_configured(std::string_view trimmed) const;

  std::vector<std::string> configured_;  // in byte order
  std::size_t longest_ = 0;
};

}  // namespace gauze::table
