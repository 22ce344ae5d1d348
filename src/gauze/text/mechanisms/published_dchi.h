#pragma once

#include <cstdint>
#include <span>

#include "gauze/random/secure_random.h"
#include "gauze/random/seeded_random.h"
#include "gauze/text/mechanisms/dchi_mechanism.h"

namespace gauze::text {

/// d_chi to the letter of its paper, in double precision: a direction from normal variables divided by their length, times
/// a radius from the Gamma distribution with shape n and scale 1 / epsilon; the nearest word to the sum.
///
/// Claimed : epsilon d.
/// Holds   : nothing that could be proven for the arithmetic as coded: which sums of doubles can occur depends on the
///           word (Mironov 2012), and the samplers are as good as their floating point. Use DchiMechanism.
/// Thread safety: const members may be called concurrently.
class PublishedDchi {
 public:
  /// The same parameters as the mechanism it is compared with; the mechanism must outlive it.
  explicit PublishedDchi(const DchiMechanism& mechanism) : mechanism_(mechanism) {}

  /// out[i]: what is printed for words[i].
  void release(std::span<const std::uint32_t> words, SecureRandom& random, std::span<std::uint32_t> out) const {
    draw(words, random, out);
  }
  void simulate(std::span<const std::uint32_t> words, SeededRandom& random, std::span<std::uint32_t> out) const {
    draw(words, random, out);
  }

 private:
  void draw(std::span<const std::uint32_t> words, RandomWords& random, std::span<std::uint32_t> out) const;
  const DchiMechanism& mechanism_;
};

}  // namespace gauze::text
