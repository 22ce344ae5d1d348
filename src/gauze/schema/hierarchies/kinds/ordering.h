#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/schema/hierarchies/kinds/generaliser.h"
#include "gauze/table/decimal_sign.h"

namespace gauze::schema {

/// The places of the values in their natural order: as numbers when all of them are numbers, else by code point.
/// Numbers that are equal (1 and 1.0) stay in the order of their texts.
[[nodiscard]] std::vector<std::uint32_t> natural_order(std::span<const std::string> values,
                                                       table::DecimalSign decimal = table::DecimalSign::point);

/// Neighbours in an order are grouped: `fanout` of them at the first level, fanout^2 at the second, until one group is
/// left. A group is written [first, last], a group of one as its value.
struct OrderSpec {
  std::vector<std::string> values;  ///< the order; none: the natural order of the column's values
  std::uint32_t fanout = 2;         ///< 2 to 1,000,000
  friend bool operator==(const OrderSpec&, const OrderSpec&) = default;
};

/// Refuses a value that is listed twice, and a fanout out of range.
[[nodiscard]] Result<void> check(const OrderSpec& spec);

/// Covers the values of the order. With a given order the groups depend on it alone, not on which values occur.
[[nodiscard]] Result<std::unique_ptr<Generaliser>> make_generaliser(
    const OrderSpec& spec, std::span<const std::string> values,
    table::DecimalSign decimal = table::DecimalSign::point);

}  // namespace gauze::schema
