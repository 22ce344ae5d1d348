#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gauze {

/// A source of uniform, independent 64-bit words. Samplers draw from it; whoever releases something must hold a
/// SecureRandom (or a SeededRandom, for simulations), so that the kind of randomness is visible in the signature.
///
/// Thread safety: none; one object a thread.
class RandomWords {
 public:
  RandomWords(const RandomWords&) = delete;
  RandomWords& operator=(const RandomWords&) = delete;

  [[nodiscard]] std::uint64_t next() {
    if (position_ == end_ || stale()) [[unlikely]]
      refill();
    const std::uint64_t word = *position_;
    *position_++ = 0;
    return word;
  }

  /// Fills the span with words.
  void fill(std::span<std::uint64_t> words);

  /// Uniform in [0, bound), exactly, by rejection. bound must not be 0.
  [[nodiscard]] std::uint64_t below(std::uint64_t bound);

 protected:
  RandomWords() = default;
  ~RandomWords() = default;

  /// Makes [position_, end_) a fresh, non-empty run of words.
  virtual void refill() = 0;

  /// Words are wiped as they are taken: what was drawn is nowhere left in the stream.
  std::uint64_t* position_ = nullptr;
  std::uint64_t* end_ = nullptr;
  /// Points to a word that changes when buffered words may no longer be used (after fork).
  const volatile std::uint64_t* epoch_now_ = &no_epoch_;
  std::uint64_t epoch_of_buffer_ = 0;

 private:
  [[nodiscard]] bool stale() const { return *epoch_now_ != epoch_of_buffer_; }
  static inline const std::uint64_t no_epoch_ = 0;
};

}  // namespace gauze
