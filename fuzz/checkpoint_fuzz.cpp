// Any bytes give a checkpoint that reads back from what is written of it, or an error.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gauze/learn/job/checkpoint.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gauze::learn;
  const auto checkpoint = Checkpoint::parse({reinterpret_cast<const char*>(data), size});
  if (!checkpoint) return 0;
  const std::string bytes = checkpoint->to_bytes();
  const auto back = Checkpoint::parse(bytes);
  if (!back || back->to_bytes() != bytes || back->bound_bytes() != checkpoint->bound_bytes()) std::abort();
  if (back->state.weights != checkpoint->state.weights || back->state.clip != checkpoint->state.clip ||
      back->state.entropies != checkpoint->state.entropies || back->state.step != checkpoint->state.step)
    std::abort();
  return 0;
}
