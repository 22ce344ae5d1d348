#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gauze/learn/step/streams.h"
#include "gauze/learn/step/unit_sampler.h"

namespace gauze::learn {

/// The sum of one step on the grid of its clip (two's complement), as the step goes on with it.
struct StepSum {
  std::uint64_t step = 0;
  std::span<const std::uint32_t> planted = {};  ///< which places of the probe were sampled
  std::span<const std::uint64_t> rows = {};     ///< of the rows alone, without noise
  std::span<std::uint64_t> noisy = {};          ///< with noise; what is changed here counts
};

/// What an audit plants into the steps of a run, and sees of them. It sees sums without noise: a run that is released has no probe.
class StepProbe {
 public:
  virtual ~StepProbe() = default;
  /// Places before those of the rows, sampled as they are, without a row.
  [[nodiscard]] virtual std::size_t places() const { return 0; }
  /// Coordinates behind those of the weights, which belong to none: noised by the same call.
  [[nodiscard]] virtual std::size_t coordinates() const { return 0; }
  /// The weights before the first step.
  virtual void begin(std::span<const float> weights) = 0;
  virtual void see(const StepSum& sum) = 0;

 protected:
  StepProbe() = default;
  StepProbe(const StepProbe&) = default;
  StepProbe& operator=(const StepProbe&) = default;
};

/// Who is in a step: of `units` and of the places of a probe, if there is one.
class StepSampling {
 public:
  StepSampling(const UnitSampler& sampler, const StepProbe* probe)
      : sampler_(sampler), places_(probe == nullptr ? 0 : probe->places()) {}

  void sample(std::size_t units, std::uint64_t step, Streams& streams);
  [[nodiscard]] std::vector<std::uint32_t>& units() { return units_; }
  [[nodiscard]] const std::vector<std::uint32_t>& planted() const { return planted_; }

 private:
  UnitSampler sampler_;
  std::size_t places_;
  std::vector<std::uint32_t> units_;
  std::vector<std::uint32_t> planted_;
};

}  // namespace gauze::learn
