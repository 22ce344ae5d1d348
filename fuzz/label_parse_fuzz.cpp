// Any bytes give a label or an error; a label that was read is written and read again unchanged, and is safe to
// print.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gauze/files/json_reader.h"
#include "gauze/label/label.h"
#include "gauze/label/printable_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto json = gauze::read_json(text)) {
    const auto again = gauze::read_json(json->dump());
    if (!again || again->dump() != json->dump()) std::abort();
  }
  const auto label = gauze::PrivacyLabel::parse(text);
  if (!label) return 0;
  const auto again = gauze::PrivacyLabel::parse(label->to_json().dump(2));
  if (!again || again->to_json().dump() != label->to_json().dump()) std::abort();
  // One line at a time, since line breaks are the text's own.
  std::string line;
  for (const char c : label->to_text()) {
    if (c != '\n') {
      line += c;
      continue;
    }
    if (!gauze::is_printable(line)) std::abort();
    line.clear();
  }
  return 0;
}
