#pragma once

#include <cstdint>
#include <string_view>

#include "gauze/table/dictionary.h"
#include "gauze/table/source.h"

namespace gauze::table {

/// Finds out what a column seems to hold while its values go by. One value that is no number makes no column of
/// numbers: the type fits every value that was seen.
///
/// integer : digits with an optional sign, no leading zeros (007 and 01234 are codes, hence text)
/// number  : a decimal, plain or scientific; integers among them are numbers too. Of both, the whole part may be in groups of
///           three digits (decimal_sign.h)
/// date    : YYYY-MM-DD, YYYY/MM/DD, YYYY.MM.DD, DD.MM.YYYY, M/D/YYYY or D/M/YYYY, optionally followed by a time of day
/// boolean : true, false, yes, no, in any case (0 and 1 are integers)
/// text    : everything else, and a column without values
class TypeDetector {
 public:
  explicit TypeDetector(DecimalSign decimal = DecimalSign::point) : decimal_(decimal) {}
  /// A value that is not missing, without blanks around it.
  void see(std::string_view value) {
    if (possible_ != 0) possible_ &= types_of(value);
    seen_ = true;
  }
  [[nodiscard]] ColumnType type() const;

 private:
  [[nodiscard]] std::uint8_t types_of(std::string_view value) const;

  DecimalSign decimal_;
  std::uint8_t possible_ = 0xFF;
  bool seen_ = false;
};

/// The type that fits all values of the dictionary except "missing".
[[nodiscard]] ColumnType infer_type(const Dictionary& dictionary);

/// The type of one value.
[[nodiscard]] ColumnType infer_type(std::string_view value, DecimalSign decimal = DecimalSign::point);

}  // namespace gauze::table
