#include "gauze/server/people/secret_text.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "gauze/base/kernel_random.h"
#include "gauze/files/base64.h"

namespace gauze::server {

std::string draw_secret_text() {
  std::array<unsigned char, 32> bytes{};
  fill_from_kernel(bytes);
  std::string text = to_base64({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  text.resize(43);  // without padding
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  return text;
}

bool is_secret_text(std::string_view text) {
  return text.size() == 43 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
         });
}

}  // namespace gauze::server
