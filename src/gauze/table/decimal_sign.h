#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "gauze/base/rational.h"
#include "gauze/base/words.h"

namespace gauze::table {

/// How the numbers of a file are written: 1,234.5 or 1.234,5.
enum class DecimalSign { point, comma };
inline constexpr Words<DecimalSign, 2> kDecimalSignWords = {{{DecimalSign::point, "."}, {DecimalSign::comma, ","}}};

/// A number as people write it, plain or scientific, exactly. Its whole part may be in groups of three digits, between which the
/// other sign stands. Nothing when the text is none.
[[nodiscard]] std::optional<Rational> parse_number(std::string_view text, DecimalSign sign);

/// A plain decimal with a point, written with the sign. No groups.
[[nodiscard]] std::string with_sign(std::string decimal, DecimalSign sign);

/// What stands between the ends of a range of numbers: a comma would be taken for a decimal sign.
[[nodiscard]] constexpr std::string_view range_separator(DecimalSign sign) {
  return sign == DecimalSign::point ? ", " : "; ";
}

/// The text with a point for the sign and without groups; nothing where points and commas do not stand as those of a number do.
/// `room` holds what is new.
[[nodiscard]] std::optional<std::string_view> with_point(std::string_view text, DecimalSign sign, std::string& room);

/// Finds out how the numbers of a file are written while its cells go by. `1,5` and `1.234,5` speak for the comma, `1.5` for the
/// point; `1,234` may be either.
class DecimalEvidence {
 public:
  void see(std::string_view cell);
  /// `usual` decides where nothing else does.
  [[nodiscard]] DecimalSign sign(DecimalSign usual) const;

 private:
  std::size_t commas_ = 0;
  std::size_t points_ = 0;
  bool either_ = false;
};

}  // namespace gauze::table
