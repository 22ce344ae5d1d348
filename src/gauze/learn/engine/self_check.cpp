#include "gauze/learn/engine/self_check.h"

#include <algorithm>

#include "gauze/learn/engine/internal/layer_checks.h"

namespace gauze::learn {

std::vector<LayerCheck> check_layers(std::uint64_t seed) {
  constexpr std::size_t kMostRows = 40;
  std::vector<LayerCheck> checks;
  for (const internal::CheckedNetwork& network : internal::checked_networks()) {
    checks.push_back({.layer = network.name,
                      .ghost_vs_materialised = std::max(internal::ghost_vs_materialised(network, seed, false),
                                                        internal::ghost_vs_materialised(network, seed, true)),
                      .finite_difference = internal::finite_difference(network, seed),
                      .position_invariant = internal::is_place_invariant(network, seed, kMostRows)});
  }
  return checks;
}

}  // namespace gauze::learn
