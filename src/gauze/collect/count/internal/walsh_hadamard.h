#pragma once

#include <cstddef>
#include <span>

namespace gauze::collect {

/// The Walsh-Hadamard transform in place, not normalised; the size is a power of two.
template <class Number>
void walsh_hadamard(std::span<Number> values) {
  for (std::size_t half = 1; half < values.size(); half *= 2)
    for (std::size_t begin = 0; begin < values.size(); begin += 2 * half)
      for (std::size_t i = begin; i < begin + half; ++i) {
        const Number low = values[i];
        const Number high = values[i + half];
        values[i] = low + high;
        values[i + half] = low - high;
      }
}

}  // namespace gauze::collect
