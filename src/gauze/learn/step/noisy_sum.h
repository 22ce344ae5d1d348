#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "gauze/learn/engine/network.h"
#include "gauze/learn/rows/learning_rows.h"
#include "gauze/learn/step/streams.h"
#include "gauze/mechanisms/noise/noise_law.h"

namespace gauze::learn {

/// The grid on which gradients add up: units of the clip times 2^-36.
inline constexpr int kUnitBits = 36;
/// What one unit can change of the sum, in units: C (1 + 2^-20).
inline constexpr std::int64_t kSensitivityUnits = (std::int64_t{1} << kUnitBits) + (std::int64_t{1} << 16);

/// min(1, clip / n_up) rounded down, where n_up^2 is (1 + 2^-24) times what Network::squared_norms() gave; 0 where that is not
/// finite. The norm itself, rounded up, too.
struct ClipFactor {
  double factor = 0;
  double norm = 0;  ///< may be infinite
};
[[nodiscard]] ClipFactor clip_factor(double squared_norm, double clip);

/// The sum of the clipped gradients of sampled units, on the grid, and its noise.
///
/// Privacy unit   : one unit of LearningRows.
/// Neighbours     : add or remove one unit; replaced: twice the sensitivity.
/// Guarantee      : coupled as in docs/proofs/dp-sgd.md, the sums of two samples that differ by one unit differ by at most
///                  kSensitivityUnits in the Euclidean norm, whatever the unit holds. add_noise() adds the exact normal law, rounded.
/// Not covered    : which units are sampled (UnitSampler), the time a step takes.
/// Thread safety  : one call at a time; it uses the threads of parallel_for itself, and what it returns does not depend on them.
class GradientSums {
 public:
  struct Options {
    LossKind loss = LossKind::softmax;
    std::uint32_t micro_batch = 128;        ///< units summed in double before rounding
    std::uint64_t max_rows = 1;             ///< of a unit
    bool clipped = true;                    ///< false: factors are 1 (no privacy at all)
    std::vector<float> scales = {};         ///< by weight: gradients count divided by these (shaped); empty: 1
    std::vector<double> input_scales = {};  ///< the same by input, for norms
    NormMode norms = NormMode::ghost;
    /// From a row's encoded inputs to those of the network, each row by itself; empty: they are the same.
    std::function<void(std::span<const float> encoded, std::span<float> inputs)> map_inputs = {};
    std::size_t further = 0;  ///< coordinates behind those of the weights: noise alone
    bool keeps_rows = false;  ///< whether Sum::rows is filled: for audits
  };
  GradientSums(const Network<float>& network, const LearningRows& rows, Options options);
  ~GradientSums();

  struct Sum {
    std::vector<std::uint64_t> units;      ///< two's complement
    std::vector<std::uint64_t> rows = {};  ///< the same without noise: private, for audits alone
    std::int64_t within_clip =
        0;  ///< of adaptive clipping: how many norms are at most the clip, less how many are not
  };
  /// The sum over the sampled units, in this order. `noise`, if any, is drawn beside it and is in the sum.
  void add_up(std::span<const float> weights, std::span<const std::uint32_t> sampled, double clip, std::uint64_t step,
              Streams& streams, bool training, const NoiseLaw* noise, Sum& sum);

 private:
  struct Worker;
  class Lease;
  void add_micro_batch(Worker& worker, std::span<const std::uint32_t> units, double clip, std::uint64_t step,
                       std::uint64_t piece, Streams& streams, bool training);
  void draw_noise(const NoiseLaw& noise, std::uint64_t step, std::size_t piece, Streams& streams,
                  std::span<std::uint64_t> sum);

  const Network<float>* network_;
  const LearningRows* rows_;
  Options options_;
  std::vector<double> per_unit_;  // 1 / (the clip's unit and the scale), by weight; one entry without scales
  std::unique_ptr<Network<float>::Packed> packed_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<Worker*> idle_;
};

}  // namespace gauze::learn
