#include "gauze/audit/training/engine_runs.h"

#include "gauze/audit/model/quiet_progress.h"
#include "gauze/learn/job/training_job.h"
#include "gauze/learn/published/published_training.h"

namespace gauze::audit {
namespace {

constexpr std::uint64_t kFirstWeights = 1;  ///< the seed of weights that every run begins with
constexpr std::uint64_t kSeeds = 3;         ///< the stream of an audit's seed that gives those of its runs
constexpr std::uint64_t kOdd = 0x9e37'79b9'7f4a'7c15;

}  // namespace

RunStreams::RunStreams(std::optional<std::uint64_t> seed, std::uint64_t run, const EngineFault& fault)
    : reuses_noise_(fault.reuses_noise) {
  if (seed) seeded_.emplace(seed_of_run(*seed, run));
}

void RunStreams::with(learn::StreamPurpose purpose, std::uint64_t step, std::uint64_t piece, const Use& use) {
  if (purpose == learn::StreamPurpose::weights) {
    learn::SeededStreams(kFirstWeights).with(purpose, step, piece, use);
  } else if (seeded_) {
    const bool is_old = reuses_noise_ && purpose == learn::StreamPurpose::noise;
    seeded_->with(purpose, is_old ? step / 2 * 2 : step, piece, use);
  } else {
    learn::SecureStreams().with(purpose, step, piece, use);
  }
}

std::optional<std::uint64_t> seed_of_runs(const AuditRandom& random) {
  if (!random.is_seeded()) return std::nullopt;
  return random.draw(kSeeds, [](RandomWords& words) { return words.next(); });
}

std::uint64_t seed_of_run(std::uint64_t seed, std::uint64_t run) { return seed + run * kOdd; }

Result<EngineRuns> EngineRuns::make(const Recipe& recipe, const schema::Policy& policy,
                                    const learn::LearningRows& rows, learn::StepProbe& probe) {
  EngineRuns runs(recipe, policy, rows, probe);
  if (recipe.plan()) {
    GAUZE_TRY(runs.training_, learn::RepeatedTraining::make(*recipe.plan(), *policy.learn, rows, {.probe = &probe}));
  }
  return runs;
}

Result<EngineRuns::Released> EngineRuns::run(learn::Streams& streams, const Progress& progress) {
  if (training_) {
    GAUZE_TRY(learn::TrainingState state, training_->run(streams, progress));
    Released released{.weights = state.model(recipe_->plan()->options.average.to_double()),
                      .entropies = std::move(state.entropies)};
    if (recipe_->plan()->options.adaptive) released.clip = state.clip;
    return released;
  }
  const std::unique_ptr<Progress> own = quiet(progress);
  GAUZE_TRY(learn::PublishedModel made,
            learn::audit_as_published(*recipe_->published(), *policy_, *rows_, streams, *probe_, *own));
  return Released{.weights = std::move(made.weights)};
}

std::size_t summed_weights(const Recipe& recipe) {
  if (recipe.plan()) return recipe.plan()->weights;
  const learn::PublishedPlan& plan = *recipe.published();
  return plan.options.reading == learn::Reading::private_ ? plan.weights : plan.weights - plan.mapping_weights;
}

Result<learn::ModelFile> model_of(const Recipe& recipe, const schema::Policy& policy,
                                  std::span<const float> weights) {
  const auto file = [&](const std::vector<learn::LayerSpec>& layers, std::size_t inputs,
                        learn::ModelDescription description) -> Result<learn::ModelFile> {
    GAUZE_TRY(const learn::Network<float> network, learn::Network<float>::make(layers, inputs));
    return learn::ModelFile::of_network(std::move(description), network, weights);
  };
  if (const auto& plan = recipe.plan()) return file(plan->layers, plan->inputs, learn::describe(*plan, policy));
  const learn::PublishedPlan& plan = *recipe.published();
  return file(plan.layers, plan.attributes, learn::describe(plan, policy));
}

}  // namespace gauze::audit
