#pragma once

#include <algorithm>

// There in a program that a sanitizer watches: the tests themselves are not compiled for it.
extern "C" {
void __asan_init() __attribute__((weak));  // NOLINT
void __tsan_init() __attribute__((weak));  // NOLINT
}

namespace gauze {

/// Whether a sanitizer watches this program: it is several times slower, and forks and limits of addresses do not work.
inline bool is_watched() { return __asan_init != nullptr || __tsan_init != nullptr; }

/// How often to repeat something: as often as said, but a tenth of it where a sanitizer watches. What is repeated there walks the
/// same code, and the laws themselves are tested where nobody watches.
template <class Number>
[[nodiscard]] Number watched_less(Number times) {
  return is_watched() ? std::max<Number>(1, times / 10) : times;
}

}  // namespace gauze
