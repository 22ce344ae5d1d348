// Any bytes are a state or a bad_data error, also when the checksum has been made to fit: a state that was read is written as the
// same bytes, and merges with nothing that has a source of it.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gauze/collect/reports/state_file.h"
#include "gauze/files/sha256.h"

using namespace gauze::collect;

namespace {

void check(std::string_view bytes) {
  const auto state = decode_state(bytes, "x");
  if (!state) {
    if (state.error().code != gauze::ErrorCode::bad_data) std::abort();
    return;
  }
  if (encode_state(*state) != bytes) std::abort();
  const auto twice = merge(*state, *state);
  if (twice && !state->sources.empty()) std::abort();
  Aggregate nothing;
  nothing.task = state->task;
  nothing.parts = state->parts;
  nothing.cells = state->cells;
  const auto same = merge(nothing, *state);
  if (same && !(*same == *state)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check(bytes);
  std::string sealed(bytes.substr(0, size < 32 ? 0 : size - 32));
  gauze::Sha256 hash;
  hash.add(sealed);
  const auto digest = hash.finish_bytes();
  check(sealed.append(digest.begin(), digest.end()));
  return 0;
}
