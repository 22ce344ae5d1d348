#pragma once
// What every layer must do, tried on random numbers: for the tests and for the check that users run.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gauze/learn/engine/layer_spec.h"

namespace gauze::learn::internal {

/// A small network in which one kind of layer is tried.
struct CheckedNetwork {
  std::string name;  ///< "lstm, 17 positions"
  std::size_t inputs = 0;
  std::vector<LayerSpec> layers;
};

/// Every kind of layer with 1, 2 and 17 positions, alone and behind others.
[[nodiscard]] std::vector<CheckedNetwork> checked_networks();

/// Largest relative difference between the norms of units by both modes, in double: units of one row, of several and of none; where
/// `cancelling`, the positions of a row are equal and the gradients of neighbouring outputs opposite.
[[nodiscard]] double ghost_vs_materialised(const CheckedNetwork& network, std::uint64_t seed, bool cancelling);

/// Largest difference of a gradient from finite differences, relative to the largest gradient, in double. Dropout drops.
[[nodiscard]] double finite_difference(const CheckedNetwork& network, std::uint64_t seed);

/// Largest relative difference between the norm of a row's gradient (materialised) and that of the sum to which it alone is added;
/// what counts for cancelled positions is left out as far as it can be.
[[nodiscard]] double norm_vs_sum(const CheckedNetwork& network, std::uint64_t seed);

/// Whether outputs, gradient and norm of each of up to `most_rows` rows, and the norm of a unit of three, are the same bits alone as at
/// every place of batches of many sizes, in float.
[[nodiscard]] bool is_place_invariant(const CheckedNetwork& network, std::uint64_t seed, std::size_t most_rows);

}  // namespace gauze::learn::internal
