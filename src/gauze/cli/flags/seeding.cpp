#include "gauze/cli/flags/seeding.h"

namespace gauze::cli {

Flag seed_flag() {
  return {
      .name = "seed", .placeholder = "S", .help = "repeat the same draws, for demonstrations; needs --insecure-seed"};
}

Flag insecure_seed_flag() {
  return {.name = "insecure-seed", .help = "accept that a seeded output has no guarantee; its label says so"};
}

Flag simulation_seed_flag() {
  return {
      .name = "seed", .placeholder = "S", .help = "simulations repeat with the same seed; without it they differ"};
}

Result<std::uint64_t> simulation_seed(const Invocation& invocation) {
  if (!invocation.has("seed")) return SecureRandom::of_thread().next();
  GAUZE_TRY(const std::int64_t seed, invocation.integer("seed", 0));
  return static_cast<std::uint64_t>(seed);
}

Result<RandomChoice> RandomChoice::make(const Invocation& invocation) {
  RandomChoice choice;
  if (!invocation.has("seed")) {
    if (invocation.has("insecure-seed")) return make_error(ErrorCode::usage, "--insecure-seed goes with --seed");
    return choice;
  }
  if (!invocation.has("insecure-seed")) {
    return make_error(ErrorCode::usage,
                      "a release takes no --seed: whoever knows it can subtract the noise; for a demonstration add "
                      "--insecure-seed, and the label will say that there is no guarantee");
  }
  GAUZE_TRY(const std::int64_t seed, invocation.integer("seed", 0));
  choice.seeded_ = std::make_unique<SeededRandom>(static_cast<std::uint64_t>(seed));
  return choice;
}

}  // namespace gauze::cli
