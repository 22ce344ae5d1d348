#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <string>

namespace gauze::testing {

/// A number as part of a test's name, which takes letters, digits and underscores only: 0.3 is "0p3", -2 is "m2".
inline std::string number_in_name(double number) {
  std::string name = fmt::format("{}", number);
  std::erase(name, '+');
  std::replace(name.begin(), name.end(), '.', 'p');
  std::replace(name.begin(), name.end(), '-', 'm');
  return name;
}

}  // namespace gauze::testing
