// Any text becomes text: UTF-8 stays UTF-8, no line end comes in, and it grows by no more than entities and blanks can make it.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gauze/base/utf8.h"
#include "gauze/text/documents/html_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string text = gauze::text::text_of_html(bytes);
  if (!gauze::find_invalid_utf8(bytes) && gauze::find_invalid_utf8(text)) std::abort();
  if (std::count(text.begin(), text.end(), '\n') > std::count(bytes.begin(), bytes.end(), '\n')) std::abort();
  if (text.size() > bytes.size()) std::abort();
  return 0;
}
