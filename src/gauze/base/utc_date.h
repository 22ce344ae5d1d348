#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gauze {

inline constexpr std::int64_t kSecondsPerDay = 86'400;

/// The day of "2027-01-31", counted from 1970-01-01; nothing for what is no date of the years 1970 to 9999.
[[nodiscard]] std::optional<std::int64_t> parse_utc_date(std::string_view text);
/// "2027-01-31".
[[nodiscard]] std::string utc_date_text(std::int64_t day);
/// The day of a moment in seconds since 1970.
[[nodiscard]] constexpr std::int64_t utc_day_of(std::int64_t seconds) {
  return seconds >= 0 ? seconds / kSecondsPerDay : (seconds - kSecondsPerDay + 1) / kSecondsPerDay;
}
/// Seconds since 1970, by the system's clock.
[[nodiscard]] std::int64_t utc_now();

}  // namespace gauze
