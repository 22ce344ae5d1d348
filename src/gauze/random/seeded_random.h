#pragma once

#include <memory>

#include "gauze/random/random_words.h"

namespace gauze {

/// Randomness that repeats: for tests, simulations and evaluations. It has no guarantee of any kind, and no function
/// that releases something takes it: those are named `simulate` and return what must not leave the house.
class SeededRandom final : public RandomWords {
 public:
  /// Streams of different (seed, stream) pairs are independent.
  explicit SeededRandom(std::uint64_t seed, std::uint64_t stream = 0);
  ~SeededRandom();

 private:
  void refill() override;

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gauze
