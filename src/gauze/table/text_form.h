#pragma once

#include <string>

#include "gauze/table/decimal_sign.h"
#include "gauze/table/encoding.h"

namespace gauze::table {

/// How a CSV file is written: as a source was, or as an output is to be.
struct TextForm {
  std::string delimiter = ",";         ///< one character
  Encoding encoding = Encoding::utf8;  ///< UTF-16 has a byte order mark, UTF-8 where it says so
  bool crlf = false;                   ///< lines end with CR LF, else with LF
  DecimalSign decimal = DecimalSign::point;
};

}  // namespace gauze::table
