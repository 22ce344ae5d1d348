#pragma once

#include <span>
#include <string>

#include "gauze/schema/hierarchies/hierarchy_spec.h"

namespace gauze::schema {

/// A rule for a column that came without one, from the values it holds (without "missing"):
///
/// few values (up to 4)     : nothing between the values and `*`.
/// numbers                  : intervals of round widths (1, 2 or 5 times a power of ten), about twenty at first and up to
///                            four levels; intervals of equally many values where most of them crowd in one of those.
/// digits with leading zeros, codes : masked from the right.
/// dates                    : month, year, decade (only year and decade where day and month cannot be told apart).
/// other text               : up to 8 values nothing in between, else neighbours in the order of the alphabet.
///
/// Values that are nearly all numbers or dates get no rule in the order of letters: `bad_data`, with what does not fit and
/// how to say that it means "missing". The message quotes values: for the owner's own eyes, as the rule itself.
///
/// The rule depends on the data: it is not public, and whoever publishes it says so.
[[nodiscard]] Result<HierarchySpec> compose_automatically(std::span<const std::string> values,
                                                          table::DecimalSign decimal = table::DecimalSign::point);

}  // namespace gauze::schema
