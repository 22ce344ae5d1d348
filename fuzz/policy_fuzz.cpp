// Any bytes give a policy that keeps its own rules and reads back from what is written of it, or an error with a place.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gauze/schema/policy/policy.h"
#include "gauze/schema/policy/policy_writer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gauze::schema;
  const auto policy = parse_policy({reinterpret_cast<const char*>(data), size}, "p.yaml", "folder");
  if (!policy) return policy.error().message.starts_with("p.yaml:") ? 0 : (std::abort(), 0);
  if (!check(*policy)) std::abort();
  const auto back = parse_policy(format_policy(*policy, "folder"), "p.yaml", "folder");
  if (!back || !(*back == *policy)) std::abort();
  return 0;
}
