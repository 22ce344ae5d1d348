#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "gauze/random/secure_random.h"
#include "gauze/random/seeded_random.h"

namespace gauze::audit {

/// Where the runs of an audit take randomness from: the stream that releases use, or a seed, to repeat what was found.
class AuditRandom {
 public:
  explicit AuditRandom(std::optional<std::uint64_t> seed = {}) : seed_(seed) {}

  [[nodiscard]] bool is_seeded() const { return seed_.has_value(); }
  /// Calls one of both with a stream of its own for each number. From any thread.
  template <class OnSecure, class OnSeeded>
  auto draw(std::uint64_t stream, OnSecure&& on_secure, OnSeeded&& on_seeded) const {
    if (!seed_) return std::forward<OnSecure>(on_secure)(SecureRandom::of_thread());
    SeededRandom random(*seed_, stream);
    return std::forward<OnSeeded>(on_seeded)(random);
  }
  /// The same for what takes either.
  template <class Use>
  auto draw(std::uint64_t stream, Use&& use) const {
    return draw(stream, use, use);
  }

 private:
  std::optional<std::uint64_t> seed_;
};

/// Streams of the right side have numbers above those of the left.
inline constexpr std::uint64_t kRightStreams = std::uint64_t{1} << 40U;

}  // namespace gauze::audit
