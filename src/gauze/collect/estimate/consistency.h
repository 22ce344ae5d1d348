#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gauze/base/words.h"

namespace gauze::collect {

/// How estimated shares are made into shares that no one doubts: not negative, adding up to 1.
enum class Consistency {
  norm_sub,  ///< the nearest point of the simplex
  norm,      ///< a constant is added to all: negative ones stay
  norm_mul,  ///< negative ones become 0, the others are multiplied
  norm_cut,  ///< the largest ones are kept until their sum would exceed 1
  base_pos,  ///< negative ones become 0
  none
};
inline constexpr Words<Consistency, 6> kConsistencyWords = {{{Consistency::norm_sub, "norm-sub"},
                                                             {Consistency::norm, "norm"},
                                                             {Consistency::norm_mul, "norm-mul"},
                                                             {Consistency::norm_cut, "norm-cut"},
                                                             {Consistency::base_pos, "base-pos"},
                                                             {Consistency::none, "none"}}};

/// Nothing for `none`, and for norm-mul when no share is positive. What comes out is biased: small shares up, and sums over subsets are wrong.
/// Keep the unbiased ones.
[[nodiscard]] std::optional<std::vector<double>> make_consistent(std::span<const double> shares, Consistency method);

/// Whether shares of this method add up to 1, so that they can be whole counts and percentages.
[[nodiscard]] constexpr bool adds_up(Consistency method) {
  return method == Consistency::norm_sub || method == Consistency::norm_mul;
}

/// Whole numbers that add up to `total`, near shares that add up to 1: what is left goes to the largest fractions; of fractions within
/// 1e-9 the first.
[[nodiscard]] std::vector<std::uint64_t> whole_parts(std::span<const double> shares, std::uint64_t total);

/// Percentages with two decimals that add up to exactly 100.00.
[[nodiscard]] std::vector<std::string> percent_texts(std::span<const double> shares);

}  // namespace gauze::collect
