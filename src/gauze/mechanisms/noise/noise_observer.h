#pragma once

#include <optional>
#include <span>

#include "gauze/mechanisms/noise/grid.h"

namespace gauze {

class NoiseLaw;

/// One call that is about to add noise (or to choose at random), as a test sees it. It refers to what the caller holds:
/// an observer copies what it wants to keep.
struct NoiseEvent {
  enum class Norm { l1, l2, maximum };

  std::string_view mechanism;
  Norm norm = Norm::l1;
  const Rational& declared_sensitivity;  ///< in grid units
  std::span<const Int128> values;        ///< before noise, in grid units
  int exponent = 0;                      ///< the grid is 2^exponent
  const NoiseLaw* law = nullptr;         ///< of the noise on each value, in grid units; none where one is chosen
  /// Where the values stand in a longer vector, rising; none: they are all of it, one after the other.
  std::optional<std::span<const std::uint64_t>> places = {};
  /// Of that vector, whose other values are 0 and get noise as well; none: what is not here gets no noise.
  std::optional<std::uint64_t> length = {};
};

/// A hook for *neighbour replay*: run the same call on two neighbouring inputs and check that the values before noise
/// never differ by more than the declared sensitivity, and that the calls are the same. Nothing is installed unless a
/// test does so.
class NoiseObserver {
 public:
  virtual ~NoiseObserver() = default;
  virtual void on_noise(const NoiseEvent& event) = 0;

  /// Installs the observer for the calling thread while it lives.
  class Scope {
   public:
    explicit Scope(NoiseObserver& observer) : previous_(current_) { current_ = &observer; }
    ~Scope() { current_ = previous_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    NoiseObserver* previous_;
  };

  [[nodiscard]] static bool is_installed() { return current_ != nullptr; }
  static void report(const NoiseEvent& event) {
    if (current_ != nullptr) current_->on_noise(event);
  }

 private:
  static inline thread_local NoiseObserver* current_ = nullptr;
};

}  // namespace gauze
