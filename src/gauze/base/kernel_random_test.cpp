#include "gauze/base/kernel_random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

namespace gauze {
namespace kernel_random_test {

TEST(KernelRandom, FillsEveryByteOfALongSpan) {
  // Longer than what one call of getrandom gives without being interruptible (256 bytes). A byte that is never written
  // stays 0 in all 16 rounds; one that is written does so with probability 2^-128.
  std::vector<unsigned char> seen(5'000, 0);
  for (int round = 0; round < 16; ++round) {
    std::vector<unsigned char> bytes(seen.size(), 0);
    fill_from_kernel(bytes);
    for (std::size_t i = 0; i < bytes.size(); ++i) seen[i] |= bytes[i];
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 0), 0);
}

TEST(KernelRandom, NeverGivesTheSameTwice) {
  std::set<std::array<unsigned char, 16>> keys;
  for (int i = 0; i < 1'000; ++i) {
    std::array<unsigned char, 16> key{};
    fill_from_kernel(key);
    EXPECT_TRUE(keys.insert(key).second);
  }
}

TEST(KernelRandom, TouchesNothingBesideTheSpan) {
  std::array<unsigned char, 48> bytes{};
  fill_from_kernel(std::span(bytes).subspan(16, 16));
  fill_from_kernel(std::span(bytes).subspan(32, 0));
  EXPECT_TRUE(std::all_of(bytes.begin(), bytes.begin() + 16, [](unsigned char byte) { return byte == 0; }));
  EXPECT_TRUE(std::all_of(bytes.begin() + 32, bytes.end(), [](unsigned char byte) { return byte == 0; }));
}

}  // namespace kernel_random_test
}  // namespace gauze
