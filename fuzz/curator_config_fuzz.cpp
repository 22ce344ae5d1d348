// Any bytes are a configuration or an error; one that is read is written to a text that reads back to it.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gauze/server/config/curator_config.h"

using namespace gauze::server;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = parse_curator_config({reinterpret_cast<const char*>(data), size}, "/srv/curator.yaml");
  if (!read) return 0;
  const std::string text = curator_config_text(*read);
  const auto again = parse_curator_config(text, "/srv/curator.yaml");
  if (!again || curator_config_text(*again) != text) std::abort();
  return 0;
}
