#pragma once

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cstddef>

#include "gauze/base/error.h"

namespace gauze::learn::internal {

/// Numbers at an address that suits every vector, zero at first, with room for one more vector behind them. It only grows: what is
/// asked for in every step is allocated once.
template <class Number>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) { at_least(size); }

  /// Room for so many numbers; what was there is lost when it grows.
  Number* at_least(std::size_t size) {
    if (size > size_ || numbers_ == nullptr) {
      constexpr std::size_t kSlack = 128 / sizeof(Number);
      numbers_ = hwy::AllocateAligned<Number>(size + kSlack);
      GAUZE_CHECK(numbers_ != nullptr);
      std::fill_n(numbers_.get(), size + kSlack, Number{});
      size_ = size;
    }
    return numbers_.get();
  }
  [[nodiscard]] Number* get() { return numbers_.get(); }
  [[nodiscard]] const Number* get() const { return numbers_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  hwy::AlignedFreeUniquePtr<Number[]> numbers_;
  std::size_t size_ = 0;
};

}  // namespace gauze::learn::internal
