#include "gauze/random/random_words.h"

#include <algorithm>

#include "gauze/base/error.h"

namespace gauze {

void RandomWords::fill(std::span<std::uint64_t> words) {
  while (!words.empty()) {
    if (position_ == end_ || stale()) refill();
    const auto count = std::min(words.size(), static_cast<std::size_t>(end_ - position_));
    std::copy_n(position_, count, words.data());
    std::fill_n(position_, count, std::uint64_t{0});
    position_ += count;
    words = words.subspan(count);
  }
}

std::uint64_t RandomWords::below(std::uint64_t bound) {
  GAUZE_CHECK(bound != 0);
  // Lemire 2019: the high word of word * bound is uniform once the few low products that would favour some results
  // are rejected.
  auto product = static_cast<unsigned __int128>(next()) * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t threshold = (0 - bound) % bound;
    while (static_cast<std::uint64_t>(product) < threshold) product = static_cast<unsigned __int128>(next()) * bound;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

}  // namespace gauze
