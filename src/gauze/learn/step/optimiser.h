#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gauze/base/words.h"

namespace gauze::learn {

enum class OptimiserKind { sgd, momentum, adam };
inline constexpr Words<OptimiserKind, 3> kOptimiserWords = {
    {{OptimiserKind::sgd, "sgd"}, {OptimiserKind::momentum, "momentum"}, {OptimiserKind::adam, "adam"}}};

enum class ScheduleKind { constant, cosine };
inline constexpr Words<ScheduleKind, 2> kScheduleWords = {
    {{ScheduleKind::constant, "constant"}, {ScheduleKind::cosine, "cosine"}}};

/// Moves weights by noisy gradients. All of it is post-processing: what is drawn has its noise already.
class Optimiser {
 public:
  struct Options {
    OptimiserKind kind = OptimiserKind::sgd;
    ScheduleKind schedule = ScheduleKind::constant;
    double rate = 0.5;
    std::uint64_t steps = 1;  ///< of the schedule
  };
  /// What it remembers between steps; a checkpoint keeps it.
  struct State {
    std::vector<float> first = {};   ///< momentum, adam
    std::vector<float> second = {};  ///< adam
  };
  Optimiser(const Options& options, std::size_t weights);

  /// sgd: w -= r g. momentum: v = 0.9 v + g, w -= r v. adam: 0.9, 0.999, 1e-8, bias-corrected. `step` counts from 0.
  void move(std::uint64_t step, std::span<const float> gradient, std::span<float> weights);
  /// constant, or rate (1 + cos(pi t / steps)) / 2.
  [[nodiscard]] double rate_at(std::uint64_t step) const;

  [[nodiscard]] const State& state() const { return state_; }
  void set_state(State state) { state_ = std::move(state); }

 private:
  Options options_;
  State state_;
};

}  // namespace gauze::learn
