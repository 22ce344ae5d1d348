#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gauze/base/rational.h"
#include "gauze/schema/database/database_schema.h"

namespace gauze::schema {

/// Days since 1970-01-01 of a day written 2024-05-17, from the year 1 to 9999.
[[nodiscard]] std::optional<std::int64_t> parse_day(std::string_view text);
[[nodiscard]] std::string day_text(std::int64_t day);

/// Microseconds since the beginning of 1970 of 2024-05-17, 2024-05-17 08:30, 2024-05-17T08:30:15.25, with or without a Z.
[[nodiscard]] std::optional<std::int64_t> parse_instant(std::string_view text);

/// The number that a written value stands for on the scale of its type: a number, a day, a microsecond, 0 or 1. None for texts,
/// and for what is no value of the type.
[[nodiscard]] std::optional<Rational> parse_value(std::string_view text, DeclaredType type, int scale);
/// One spelling for every value of a type: 1.50 of two digits, 2024-05-17, true. None for what is no value of it.
[[nodiscard]] std::optional<std::string> canonical_value(std::string_view text, DeclaredType type, int scale);

}  // namespace gauze::schema
