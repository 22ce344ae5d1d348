#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "gauze/audit/events/audit_random.h"
#include "gauze/audit/model/recipe.h"
#include "gauze/learn/step/training_run.h"

namespace gauze::audit {

/// What tests break in the engine, to see whether an audit finds it. Empty: the engine as it is.
struct EngineFault {
  std::function<void(const learn::StepSum&)> in_sum = {};  ///< changes the noisy sum of a step before anybody sees it
  bool reuses_noise = false;  ///< every second step has the noise of the one before; of seeded runs alone
};

/// Randomness of one run of an audit. The first weights are those of any other run: they are public, and an attacker knows them.
class RunStreams final : public learn::Streams {
 public:
  /// Without a seed from the stream that releases use.
  RunStreams(std::optional<std::uint64_t> seed, std::uint64_t run, const EngineFault& fault);
  void with(learn::StreamPurpose purpose, std::uint64_t step, std::uint64_t piece, const Use& use) override;

 private:
  std::optional<learn::SeededStreams> seeded_ = {};
  bool reuses_noise_;
};

/// The seed of an audit's runs, drawn from its own; none where there is none.
[[nodiscard]] std::optional<std::uint64_t> seed_of_runs(const AuditRandom& random);
/// That of one run: another one for each.
[[nodiscard]] std::uint64_t seed_of_run(std::uint64_t seed, std::uint64_t run);

/// A recipe of training on the same rows, run again and again by the code of `train`. One call at a time. What it is made of must outlive it.
class EngineRuns {
 public:
  [[nodiscard]] static Result<EngineRuns> make(const Recipe& recipe, const schema::Policy& policy,
                                               const learn::LearningRows& rows, learn::StepProbe& probe);

  /// What would leave, but for the sums that the probe saw.
  struct Released {
    std::vector<float> weights = {};  ///< of the model
    std::optional<double> clip = {};  ///< where it adapts
    std::vector<double> entropies = {};
  };
  [[nodiscard]] Result<Released> run(learn::Streams& streams, const Progress& progress);

 private:
  EngineRuns(const Recipe& recipe, const schema::Policy& policy, const learn::LearningRows& rows,
             learn::StepProbe& probe)
      : recipe_(&recipe), policy_(&policy), rows_(&rows), probe_(&probe) {}

  const Recipe* recipe_;
  const schema::Policy* policy_;
  const learn::LearningRows* rows_;
  learn::StepProbe* probe_;
  std::optional<learn::RepeatedTraining> training_ = {};  // not of the published method
};

/// How many coordinates the noisy sum of a step has.
[[nodiscard]] std::size_t summed_weights(const Recipe& recipe);
/// The file of a model with these weights.
[[nodiscard]] Result<learn::ModelFile> model_of(const Recipe& recipe, const schema::Policy& policy,
                                                std::span<const float> weights);

}  // namespace gauze::audit
