#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/rational.h"
#include "gauze/schema/hierarchies/kinds/generaliser.h"
#include "gauze/table/decimal_sign.h"

namespace gauze::schema {

/// Intervals of numbers, one list of bounds a level, finest first: 0, 35, 46, 100 means [0, 35), [35, 46), [46, 100].
/// The last interval is closed at its end. Every list begins and ends with the same bounds, and the bounds of a level
/// are among those of the level below.
struct IntervalsSpec {
  std::vector<std::vector<Rational>> bounds;
  friend bool operator==(const IntervalsSpec&, const IntervalsSpec&) = default;
};

/// Intervals of equal width from `from` to `to`; the last one may be shorter. Then coarser widths, each a multiple of
/// the one before.
struct WidthsSpec {
  Rational from = 0;
  Rational to = 0;
  Rational width = 0;
  std::vector<Rational> then;
  friend bool operator==(const WidthsSpec&, const WidthsSpec&) = default;
};

/// Refuses bounds that do not rise, lists that are not nested, and more than 100,000 intervals.
[[nodiscard]] Result<void> check(const IntervalsSpec& spec);
/// The same intervals as bounds; refuses what check() would.
[[nodiscard]] Result<IntervalsSpec> bounds_of(const WidthsSpec& spec);

/// "[0, 35)" for each interval of a level, in their order; "[0,5; 1,5)" with decimal commas.
[[nodiscard]] std::vector<std::string> interval_labels(const std::vector<Rational>& bounds,
                                                       table::DecimalSign decimal = table::DecimalSign::point);

/// Covers numbers, plain or scientific, between the first and the last bound. Compared exactly.
[[nodiscard]] Result<std::unique_ptr<Generaliser>> make_generaliser(
    const IntervalsSpec& spec, table::DecimalSign decimal = table::DecimalSign::point);

}  // namespace gauze::schema
