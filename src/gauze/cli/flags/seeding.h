#pragma once

#include <memory>
#include <variant>

#include "gauze/base/error.h"
#include "gauze/cli/core/invocation.h"
#include "gauze/label/label.h"
#include "gauze/random/secure_random.h"
#include "gauze/random/seeded_random.h"

namespace gauze::cli {

/// --seed and --insecure-seed: a release takes a seed only when both are given, and then has no guarantee.
[[nodiscard]] Flag seed_flag();
[[nodiscard]] Flag insecure_seed_flag();

/// --seed of a command that only simulates: given, or drawn anew each time.
[[nodiscard]] Flag simulation_seed_flag();
[[nodiscard]] Result<std::uint64_t> simulation_seed(const Invocation& invocation);

/// Where the randomness of a command comes from: the operating system, or a seed for demonstrations.
class RandomChoice {
 public:
  /// A `usage` error for a seed without --insecure-seed.
  [[nodiscard]] static Result<RandomChoice> make(const Invocation& invocation);

  [[nodiscard]] bool is_seeded() const { return seeded_ != nullptr; }

  /// Calls release(SecureRandom&) or simulate(SeededRandom&), whichever applies.
  template <class Release, class Simulate>
  auto draw(Release release, Simulate simulate) {
    return seeded_ ? simulate(*seeded_) : release(SecureRandom::of_thread());
  }

 private:
  std::unique_ptr<SeededRandom> seeded_;
};

}  // namespace gauze::cli
