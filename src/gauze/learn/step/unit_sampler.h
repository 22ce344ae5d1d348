#pragma once

#include <cstdint>
#include <vector>

#include "gauze/base/error.h"
#include "gauze/base/words.h"
#include "gauze/random/random_words.h"

namespace gauze::learn {

enum class SamplingKind {
  poisson,     ///< each unit by a coin of its own; neighbours add or remove one
  fixed_size,  ///< so many of the declared places without replacement; neighbours replace one
  full,        ///< everybody
};
inline constexpr Words<SamplingKind, 3> kSamplingWords = {
    {{SamplingKind::poisson, "poisson"}, {SamplingKind::fixed_size, "fixed-size"}, {SamplingKind::full, "full"}}};

/// Which units a step sees, exactly as accounted for.
///
/// poisson    : each unit with probability floor(q 2^64) / 2^64, at most q, by a comparison of integers.
/// fixed-size : `batch` of `declared` places, all sets equally likely. A place without a unit stays empty; units after the last place
///              are never drawn.
/// full       : all units; with replace-one neighbours those of the declared places.
/// Order      : uniformly random, so that which micro-batch a unit is in says nothing.
/// Thread safety: const members may be called concurrently.
class UnitSampler {
 public:
  struct Options {
    SamplingKind kind = SamplingKind::poisson;
    std::uint64_t batch = 0;     ///< expected (poisson) or exact (fixed-size)
    std::uint64_t declared = 0;  ///< units of the table, as declared
    bool bounded = false;        ///< full: units after the declared places are left out
  };
  explicit UnitSampler(const Options& options);

  /// The numbers of the sampled ones among `units`, in random order.
  void sample(std::size_t units, RandomWords& random, std::vector<std::uint32_t>& sampled) const;

  /// floor(q 2^64), of poisson.
  [[nodiscard]] std::uint64_t threshold() const { return threshold_; }

 private:
  void sample_poisson(std::size_t units, RandomWords& random, std::vector<std::uint32_t>& sampled) const;
  void sample_places(std::size_t units, RandomWords& random, std::vector<std::uint32_t>& sampled) const;

  Options options_;
  std::uint64_t threshold_ = 0;
};

}  // namespace gauze::learn
