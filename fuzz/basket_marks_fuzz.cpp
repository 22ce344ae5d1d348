// Any two texts, taken as a release and its marks, give an original or an error. An original that came back is other than the
// release only where marks say so: without marks it is the release.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gauze/base/utf8.h"
#include "gauze/patterns/baskets/basket_release.h"
#include "gauze/patterns/baskets/internal/marks_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gauze::patterns;
  if (size == 0) return 0;
  std::optional<BasketFormat> format;
  if (data[0] % 5 < 4) format = static_cast<BasketFormat>(data[0] % 5);
  // The release, a line of two dashes, the marks.
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  const std::size_t border = text.find("\n--\n");
  if (border == std::string_view::npos) return 0;
  const std::string_view released = text.substr(0, border);
  std::string marks = "row,position,item,operation,text\n" + std::string(text.substr(border + 4));
  static_cast<void>(restore(released, marks, format));
  if (gauze::find_invalid_utf8(released)) return 0;  // places are in UTF-8
  BasketReading reading(format);
  reading.encoding = "utf-8";
  if (!marks.ends_with('\n')) marks += '\n';
  std::string checked = marks;
  internal::append_checks(checked, released, "");
  const auto key = internal::parse_marks(checked);
  if (!key) {
    if (key.error().message.empty()) std::abort();
    return 0;
  }
  const auto original = internal::undo_marks(released, key->lines, reading);
  if (!original) {
    if (original.error().message.empty()) std::abort();
    return 0;
  }
  if (border + 4 == text.size() && *original != released) std::abort();
  if (original->size() > released.size() + marks.size()) std::abort();
  // With the right checks it is restored; with others, only what they name.
  const auto other = restore(released, checked, reading);
  if (original->empty() ? !other.has_value() : other.has_value() && !other->empty()) std::abort();
  internal::append_checks(marks, released, *original);
  const auto back = restore(released, marks, reading);
  if (!back || *back != *original) std::abort();
  return 0;
}
