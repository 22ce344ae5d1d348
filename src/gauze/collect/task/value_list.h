#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gauze/base/error.h"

namespace gauze::collect {

/// The values of a category, numbered from 0 in their order: listed ones, or just so many, which are called 0, 1, 2, ...
class ValueList {
 public:
  ValueList() = default;
  /// Refuses fewer than two, more than 2^24, empty texts, equal ones, and what cannot be printed.
  [[nodiscard]] static Result<ValueList> listed(std::vector<std::string> values);
  [[nodiscard]] static Result<ValueList> numbered(std::uint64_t count);

  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] bool is_numbered() const { return listed_ == nullptr; }
  [[nodiscard]] std::string text(std::uint32_t value) const;
  /// The number of a value by its text.
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view text) const;
  /// Of all texts in their order, each after its length in four bytes: what a task block holds.
  [[nodiscard]] std::string sha256_bytes() const;

 private:
  struct Listed {
    std::vector<std::string> texts;
    std::unordered_map<std::string_view, std::uint32_t> places;  ///< by views into `texts`
  };

  std::uint32_t size_ = 0;
  std::shared_ptr<const Listed> listed_;  ///< shared by copies, so that the views stay good
};

}  // namespace gauze::collect
