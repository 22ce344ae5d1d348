#pragma once

#include <utility>
#include <vector>

#include "gauze/base/rational.h"
#include "gauze/files/json.h"

namespace gauze::collect {

/// What a query was answered. It has the same shape whatever the records are, none and one included.
struct CentralAnswer {
  bool is_list = false;                                   ///< of a histogram: a value for each value of the field
  std::vector<Rational> values;                           ///< as drawn, in units of the field
  std::vector<std::pair<Rational, Rational>> interval95;  ///< around each, of the noise alone; none of a quantile
  bool is_count = false;                                  ///< what is consistent is then not below 0

  /// {"value"|"values","interval95","consistent" (of count and histogram)}
  [[nodiscard]] Json to_json() const;
};

}  // namespace gauze::collect
