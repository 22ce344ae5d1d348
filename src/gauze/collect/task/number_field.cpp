#include "gauze/collect/task/number_field.h"

#include "gauze/base/joined.h"

namespace gauze::collect {

std::string NumberField::text(std::int64_t units) const {
  if (places == 0) return std::to_string(units);
  const bool negative = units < 0;
  std::string digits = std::to_string(units).substr(negative ? 1 : 0);
  const auto behind = static_cast<std::size_t>(places);
  if (digits.size() <= behind) digits.insert(0, behind + 1 - digits.size(), '0');
  return (negative ? "-" : "") + digits.substr(0, digits.size() - behind) + "." +
         digits.substr(digits.size() - behind);
}

Result<NumberField> NumberField::make(const Rational& low, const Rational& high, int places, bool squares) {
  if (places < 0 || places > 18) return invalid_parameter("places must lie between 0 and 18, but is {}", places);
  Rational scale(1);
  for (int i = 0; i < places; ++i) scale *= Rational(10);
  const auto units = [&](const Rational& end, std::string_view name) -> Result<std::int64_t> {
    const Rational scaled = end * scale;
    if (!scaled.is_integer())
      return invalid_parameter("{} has more than {} behind the point", name,
                               counted(static_cast<std::uint64_t>(places), "place"));
    const auto whole = scaled.to_int64();
    if (!whole) return invalid_parameter("{} is too large with {} places: units have 64 bits", name, places);
    return *whole;
  };
  NumberField field;
  field.places = places;
  GAUZE_TRY(field.low, units(low, "low"));
  GAUZE_TRY(field.high, units(high, "high"));
  if (field.low >= field.high) return invalid_parameter("low must be below high");
  const std::uint64_t most = std::uint64_t{1} << (squares ? 31 : 62);
  if (field.range() >= most)
    return invalid_parameter("high - low has {} units, but must have fewer than {}{}", field.range(), most,
                             squares ? " where the variance is asked for" : "");
  return field;
}

}  // namespace gauze::collect
