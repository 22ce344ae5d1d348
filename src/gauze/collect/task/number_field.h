#pragma once

#include <cstdint>
#include <string>

#include "gauze/base/error.h"
#include "gauze/base/rational.h"

namespace gauze::collect {

/// A number on [low, high], in whole units of 10^-places.
struct NumberField {
  std::int64_t low = 0;  ///< in units
  std::int64_t high = 0;
  int places = 0;

  [[nodiscard]] std::uint64_t range() const {
    return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  }
  /// Units as a decimal: "12.50".
  [[nodiscard]] std::string text(std::int64_t units) const;
  /// A number of the field, from exact decimals. Refuses an empty range, one of 2^62 units or more (2^31 where squares are
  /// asked for), and ends that are no whole units.
  [[nodiscard]] static Result<NumberField> make(const Rational& low, const Rational& high, int places, bool squares);
};

}  // namespace gauze::collect
