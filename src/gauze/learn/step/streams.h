#pragma once

#include <cstdint>
#include <functional>

#include "gauze/random/secure_random.h"
#include "gauze/random/seeded_random.h"

namespace gauze::learn {

/// What randomness is for. With a seed, each purpose, step and piece has a stream of its own, so that nothing depends on threads.
enum class StreamPurpose : std::uint64_t { weights, holdout, histograms, sampling, rows, dropout, noise, clipping };

/// Where a training run takes randomness from. `train` takes SecureStreams, `simulate` SeededStreams; nothing converts.
class Streams {
 public:
  using Use = std::function<void(RandomWords&)>;
  virtual ~Streams() = default;
  /// Calls with a stream that nobody else uses meanwhile. From any thread.
  virtual void with(StreamPurpose purpose, std::uint64_t step, std::uint64_t piece, const Use& use) = 0;

 protected:
  Streams() = default;
  Streams(const Streams&) = default;
  Streams& operator=(const Streams&) = default;
};

/// The cryptographic stream of the thread.
class SecureStreams final : public Streams {
 public:
  void with(StreamPurpose, std::uint64_t, std::uint64_t, const Use& use) override { use(SecureRandom::of_thread()); }
};

/// Streams that repeat, for simulations and tests: they promise nothing.
class SeededStreams final : public Streams {
 public:
  explicit SeededStreams(std::uint64_t seed) : seed_(seed) {}
  void with(StreamPurpose purpose, std::uint64_t step, std::uint64_t piece, const Use& use) override;

 private:
  std::uint64_t seed_;
};

}  // namespace gauze::learn
