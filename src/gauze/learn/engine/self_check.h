#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gauze::learn {

/// How well one layer does what it must, on random numbers.
struct LayerCheck {
  std::string layer = {};            ///< "lstm", "linear, 17 positions"
  double ghost_vs_materialised = 0;  ///< largest relative difference of a norm, by both ways, in double
  double finite_difference = 0;      ///< largest relative difference of a gradient from finite differences, in double
  bool position_invariant =
      false;  ///< factors and norms of a row are the same bits in every place and company, in float
  [[nodiscard]] bool ok() const {
    return ghost_vs_materialised < 1e-6 && finite_difference < 1e-5 && position_invariant;
  }
};

/// Every layer, alone and behind others, with 1, 2 and 17 positions, and positions that cancel. Takes seconds.
[[nodiscard]] std::vector<LayerCheck> check_layers(std::uint64_t seed);

}  // namespace gauze::learn
