// Any bytes give a composition whose events all pass their own check, or an error that can be printed.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gauze/accounting/spec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto spec = gauze::parse_composition_spec({reinterpret_cast<const char*>(data), size});
  if (!spec) return spec.error().message.empty() ? (std::abort(), 0) : 0;
  if (spec->alternatives.empty()) std::abort();
  for (const auto& events : spec->alternatives) {
    for (const auto& event : events) {
      if (!gauze::check(event)) std::abort();
    }
  }
  return 0;
}
