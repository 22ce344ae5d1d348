#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "gauze/base/progress.h"
#include "gauze/learn/plan/training_plan.h"
#include "gauze/learn/step/entropies.h"
#include "gauze/learn/step/noisy_sum.h"
#include "gauze/learn/step/step_probe.h"

namespace gauze::learn {

/// All that goes on from one step to the next; a checkpoint keeps it. No randomness is in it.
struct TrainingState {
  std::uint64_t step = 0;  ///< steps taken
  std::vector<float> weights = {};
  std::vector<float> average = {};  ///< empty without
  Optimiser::State optimiser = {};
  double clip = 1;
  std::vector<double> entropies = {};  ///< of shaped noise: drawn once

  /// The model: the averaged weights where there are some, corrected for their start.
  [[nodiscard]] std::vector<float> model(double decay) const;
};

/// Takes what would survive the run: a checkpoint, then the model. `steps` is how many it holds since the one before, or since where
/// the run began. What it is given may be published, at the price of the plan.
using StateSink = std::function<Result<void>(const TrainingState& state, std::uint64_t steps)>;

/// How a run is to go.
struct RunRequest {
  std::optional<TrainingState> from = {};   ///< a checkpoint
  std::optional<std::uint64_t> until = {};  ///< the last step; none: that of the plan
  std::uint64_t every = 0;                  ///< checkpoints after so many steps; 0: none
  std::vector<std::uint8_t> included = {};  ///< by unit, 0: kept apart from training; empty: all
  StepProbe* probe = nullptr;               ///< of an audit
};

/// Trains as the plan says.
///
/// Privacy unit, neighbours, guarantee : those of the plan; proven in docs/proofs/dp-sgd.md.
/// Not covered : the time it takes.
/// A stop that is asked for ends the run with `interrupted`; checkpoints that were handed over stay.
[[nodiscard]] Result<TrainingState> train(const TrainingPlan& plan, const schema::LearnPolicy& policy,
                                          const LearningRows& rows, SecureStreams& streams, const RunRequest& request,
                                          const StateSink& sink, Progress& progress);

/// The same from a seed: promises nothing.
[[nodiscard]] Result<TrainingState> simulate_training(const TrainingPlan& plan, const schema::LearnPolicy& policy,
                                                      const LearningRows& rows, SeededStreams& streams,
                                                      const RunRequest& request, const StateSink& sink,
                                                      Progress& progress);

/// The same run again and again, for audits: what does not depend on randomness is made once. Nothing counts its steps, so
/// nothing of it may leave. One call at a time.
class RepeatedTraining {
 public:
  [[nodiscard]] static Result<RepeatedTraining> make(const TrainingPlan& plan, const schema::LearnPolicy& policy,
                                                     const LearningRows& rows, const RunRequest& request);
  RepeatedTraining(RepeatedTraining&&) noexcept;
  RepeatedTraining& operator=(RepeatedTraining&&) noexcept;
  ~RepeatedTraining();

  /// A whole run, with randomness of its own in `streams`. Ends with `interrupted` when a stop is asked for.
  [[nodiscard]] Result<TrainingState> run(Streams& streams, const Progress& progress);

 private:
  struct Parts;
  explicit RepeatedTraining(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

/// Initial weights: zeros, or normal numbers of variance 2 / in (a hundredth of that in the last layer). From the stream alone.
[[nodiscard]] std::vector<float> initial_weights(const Network<float>& network, InitialWeights kind,
                                                 Streams& streams);

/// By unit whether it is kept for training: each by a coin of its own that falls on the other side with the share `holdout`.
[[nodiscard]] std::vector<std::uint8_t> training_units(std::size_t units, const Rational& holdout, Streams& streams);

}  // namespace gauze::learn
