#pragma once

#include <string>
#include <string_view>

namespace gauze {

/// A text as the name of a parameterised test: letters and digits stay, all else is an underscore.
inline std::string test_name(std::string_view text) {
  std::string name(text);
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!plain) c = '_';
  }
  return name;
}

}  // namespace gauze
