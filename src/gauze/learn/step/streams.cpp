#include "gauze/learn/step/streams.h"

namespace gauze::learn {

void SeededStreams::with(StreamPurpose purpose, std::uint64_t step, std::uint64_t piece, const Use& use) {
  // steps are below 2^36, pieces below 2^24
  SeededRandom stream(seed_, static_cast<std::uint64_t>(purpose) << 60U | (step << 24U) | piece);
  use(stream);
}

}  // namespace gauze::learn
