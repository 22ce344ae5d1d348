#include "gauze/collect/reports/internal/block_ids.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>

namespace gauze::collect::internal {
namespace block_ids_test {

TEST(BlockIds, KnowsEveryIdAgain) {
  BlockIds ids;
  std::set<std::array<unsigned char, 16>> reference;
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i) {
    // Small ones come again, and ids that differ in one half alone.
    const std::uint64_t halves[2] = {random() % 300, i % 3 == 0 ? 0 : random() % 300};
    std::array<unsigned char, 16> id;
    std::memcpy(id.data(), halves, sizeof halves);
    ids.expect(id.data());
    ASSERT_EQ(ids.insert(id.data()), reference.insert(id).second);
  }
}

}  // namespace block_ids_test
}  // namespace gauze::collect::internal
