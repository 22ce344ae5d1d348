#pragma once

#include <cstdint>
#include <span>

#include "gauze/text/vectors/word_vectors.h"

namespace gauze::text::internal {

/// For each of out.size() points, given row by row as multiples of 2^-lattice_bits (lattice_bits <= scale_bits), the nearest
/// word, the first of equals: exactly. Single-precision matrix products propose, with a bound on their error; all words
/// within it are compared in integers.
///
/// Points must be at most 2^34 lattice steps in each coordinate, and scale_bits - lattice_bits at most 57.
void nearest_words(const WordVectors& vectors, std::span<const std::int64_t> points, int lattice_bits,
                   std::span<std::uint32_t> out);

/// The nearest and the second-nearest word of a point, with their distances (rounded).
struct TwoNearest {
  std::uint32_t first = 0;
  std::uint32_t second = 0;  ///< the first again where there is one word only
  double first_distance = 0;
  double second_distance = 0;
};
/// The same for the two nearest words of each point.
void two_nearest_words(const WordVectors& vectors, std::span<const std::int64_t> points, int lattice_bits,
                       std::span<TwoNearest> out);

}  // namespace gauze::text::internal
