#pragma once

#include <memory>

#include "gauze/random/random_words.h"

namespace gauze {

/// Randomness for everything that leaves the house: AES-256 in counter mode, keyed straight from the kernel (getrandom).
///
/// - Each block of output also yields the next key (fast key erasure), and words are wiped as they are taken: a captured
///   state does not reveal the past.
/// - After fork, or a raw clone, the child draws a new key before its next word; parent and child never share one, also
///   where both have the same process id, as the first processes of two containers do.
/// - Buffers and keys are wiped when they are replaced and when the object ends.
/// - A failure of the kernel's generator or of OpenSSL ends the program: there is no weaker way to go on.
class SecureRandom final : public RandomWords {
 public:
  SecureRandom();
  ~SecureRandom();

  /// The stream of the calling thread, made at first use.
  [[nodiscard]] static SecureRandom& of_thread();

 private:
  void refill() override;

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gauze
