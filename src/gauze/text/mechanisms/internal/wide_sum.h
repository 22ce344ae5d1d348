#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace gauze::text::internal {

/// Adds up doubles that are not negative as whole multiples of 2^-224, below 2^31 in all: the sum is the same in whatever
/// order they come, and even cubes of the least weights (2^-180) keep 44 bits.
class WideSum {
 public:
  void add(double value) {
    // Sign and exponent, then 52 bits of the mantissa, of which the first is not written; below 2^-1022 there is nothing.
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const auto exponent = static_cast<int>(bits >> 52);
    if (exponent == 0 || exponent >= 0x7FF) return;
    std::uint64_t mantissa = (bits & ((std::uint64_t{1} << 52) - 1)) | std::uint64_t{1} << 52;
    int shift = exponent - 1075 + kUnitBits;
    if (shift < 0) {
      mantissa = shift > -64 ? mantissa >> -shift : 0;
      shift = 0;
    }
    const auto limb = static_cast<std::size_t>(shift / 64);
    const unsigned __int128 wide = static_cast<unsigned __int128>(mantissa) << (shift % 64);
    const std::array<std::uint64_t, 2> parts = {static_cast<std::uint64_t>(wide),
                                                static_cast<std::uint64_t>(wide >> 64)};
    std::uint64_t carry = 0;
    for (std::size_t i = limb; i < limbs_.size(); ++i) {
      const std::uint64_t part = i - limb < 2 ? parts[i - limb] : 0;
      const unsigned __int128 sum = static_cast<unsigned __int128>(limbs_[i]) + part + carry;
      limbs_[i] = static_cast<std::uint64_t>(sum);
      carry = static_cast<std::uint64_t>(sum >> 64);
    }
  }
  [[nodiscard]] double value() const {
    double sum = 0;
    for (std::size_t i = 0; i < limbs_.size(); ++i)
      sum += std::ldexp(static_cast<double>(limbs_[i]), static_cast<int>(64 * i) - kUnitBits);
    return sum;
  }

 private:
  static constexpr int kUnitBits = 224;
  std::array<std::uint64_t, 4> limbs_{};
};

}  // namespace gauze::text::internal
