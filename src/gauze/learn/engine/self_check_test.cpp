#include "gauze/learn/engine/self_check.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "gauze/learn/engine/internal/layer_checks.h"
#include "gauze/learn/engine/layer_spec.h"

namespace gauze::learn {
namespace self_check_test {

TEST(SelfCheck, FindsEveryLayerInOrder) {
  const auto checks = check_layers(7);
  for (const LayerCheck& check : checks)
    EXPECT_TRUE(check.ok()) << check.layer << ": " << check.ghost_vs_materialised << ", " << check.finite_difference;
}

TEST(SelfCheck, LeavesOutNoKindOfLayer) {
  const auto networks = internal::checked_networks();
  for (const auto& [kind, word] : kLayerWords) {
    // Of these there is nothing to see but that others work behind or before them.
    if (kind == LayerKind::reshape || kind == LayerKind::mean_pool) continue;
    EXPECT_TRUE(std::any_of(networks.begin(), networks.end(), [&](const auto& network) {
      return network.name.find(word) != std::string::npos;
    })) << word;
  }
}

TEST(SelfCheck, IsNotOkWhenOneOfThreeThingsIsWrong) {
  EXPECT_TRUE((LayerCheck{.position_invariant = true}.ok()));
  EXPECT_FALSE((LayerCheck{.ghost_vs_materialised = 1e-5, .position_invariant = true}.ok()));
  EXPECT_FALSE((LayerCheck{.finite_difference = 1e-4, .position_invariant = true}.ok()));
  EXPECT_FALSE(LayerCheck{}.ok());
}

}  // namespace self_check_test
}  // namespace gauze::learn
