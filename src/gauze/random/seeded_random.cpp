#include "gauze/random/seeded_random.h"

#include <cstring>

#include "gauze/random/internal/counter_cipher.h"

namespace gauze {

struct SeededRandom::State {
  internal::CounterCipher cipher;
};

SeededRandom::SeededRandom(std::uint64_t seed, std::uint64_t stream) : state_(std::make_unique<State>()) {
  internal::CipherKey key;
  std::memcpy(key.bytes.data(), &seed, sizeof seed);
  std::memcpy(key.bytes.data() + sizeof seed, &stream, sizeof stream);
  state_->cipher.rekey(key);
}

SeededRandom::~SeededRandom() = default;

void SeededRandom::refill() {
  const auto words = state_->cipher.next_block();
  position_ = words.data();
  end_ = words.data() + words.size();
}

}  // namespace gauze
