#pragma once

#include <array>
#include <cstdint>

namespace gauze::collect {

/// The integers that a report is drawn with (docs/proofs/local-laws.md): what the encoder compares random numbers with, and what the
/// estimator divides by.
struct LocalLaw {
  std::array<std::uint64_t, 3> numbers = {};  ///< A, B; T1, T0; epsilon in 1e-9; and T of a public branch
  std::uint32_t parameter = 0;                ///< g, w, K or the window of cells; 0 where there is none

  friend bool operator==(const LocalLaw&, const LocalLaw&) = default;
};

// Laws for a declared epsilon in 1e-9. Everything is rounded towards more noise, from epsilon - 5e-10, so that what the encoder computes
// as the cost, rounded up, is never above what is declared.

/// A = floor(2^32 e^epsilon), B = 2^32.
[[nodiscard]] LocalLaw weights_law(std::uint64_t epsilon_nano, std::uint32_t parameter = 0);
/// T1 = floor(2^64 s / (s + 1)), T0 = 2^64 - T1, s = e^(epsilon / 2).
[[nodiscard]] LocalLaw symmetric_bits_law(std::uint64_t epsilon_nano);
/// T1 = 2^63, T0 = ceil(2^64 / (e^epsilon + 1)).
[[nodiscard]] LocalLaw optimised_bits_law(std::uint64_t epsilon_nano);
/// P[figure + Laplace noise > theta] of one and of zero, rounded to noise: T1 down, T0 up.
[[nodiscard]] LocalLaw threshold_bits_law(std::uint64_t epsilon_nano);
/// The theta of that law: it minimises q (1 - q) / (p - q)^2.
[[nodiscard]] double best_threshold(double epsilon);
/// floor(2^64 alpha) of the hybrid: alpha = 1 - e^(-epsilon / 2) above epsilon* = 0.61..., else 0.
[[nodiscard]] std::uint64_t hybrid_branch(std::uint64_t epsilon_nano);

/// The two probabilities of a law with bits.
[[nodiscard]] constexpr double share_of_word(std::uint64_t threshold) {
  return static_cast<double>(threshold) * 0x1p-64;
}

}  // namespace gauze::collect
