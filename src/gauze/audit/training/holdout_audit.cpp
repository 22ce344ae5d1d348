#include "gauze/audit/training/holdout_audit.h"

#include <mutex>

#include "gauze/audit/events/event_audit.h"
#include "gauze/audit/model/quiet_progress.h"
#include "gauze/audit/training/extreme_pair.h"
#include "gauze/base/parallel.h"

namespace gauze::audit {
namespace {

constexpr std::size_t kModelsOfAPiece = 16;

/// The weights of a file, tensor by tensor, then the cells of the hold-out.
std::vector<double> numbers_of(const learn::TrainedModel& trained) {
  std::vector<double> numbers;
  for (const auto& [name, tensor] : trained.file.tensors)
    numbers.insert(numbers.end(), tensor.values.begin(), tensor.values.end());
  for (const std::vector<double>& row : trained.holdout->confusion)
    numbers.insert(numbers.end(), row.begin(), row.end());
  return numbers;
}

Result<void> draw_models(const HoldoutDraw& draw, const learn::LearningRows& rows, std::uint64_t streams,
                         std::uint64_t runs, Outcomes& side, Progress& progress) {
  std::vector<std::vector<double>> drawn(runs);
  std::mutex mutex;
  Result<void> failed;
  parallel_for(runs, kModelsOfAPiece, [&](std::size_t begin, std::size_t end) {
    for (std::size_t run = begin; run < end && !progress.stop_requested(); ++run) {
      auto trained = draw(rows, streams + run);
      if (trained) {
        drawn[run] = numbers_of(*trained);
        continue;
      }
      const std::lock_guard lock(mutex);
      failed = tl::unexpected(std::move(trained).error());
    }
    progress.advance(end - begin);
  });
  GAUZE_TRY_VOID(progress.check());
  GAUZE_TRY_VOID(failed);
  for (const std::vector<double>& numbers : drawn) side.add_numbers(numbers);
  return {};
}

}  // namespace

HoldoutDraw draws_of_training(const learn::TrainingPlan& plan, const schema::Policy& policy,
                              const AuditRandom& random) {
  return [&plan, &policy, seed = seed_of_runs(random)](const learn::LearningRows& rows,
                                                       std::uint64_t run) -> Result<learn::TrainedModel> {
    const learn::StateSink nowhere = [](const learn::TrainingState&, std::uint64_t) { return Result<void>(); };
    Progress silent;
    if (seed) {
      learn::SeededStreams streams(seed_of_run(*seed, run));
      return learn::simulate_model(plan, policy, rows, streams, {}, nowhere, silent);
    }
    learn::SecureStreams streams;
    return learn::train_model(plan, policy, rows, streams, {}, nowhere, silent);
  };
}

Result<ClaimAudit> audit_training_holdout(const learn::TrainingPlan& plan, const schema::Policy& policy,
                                          const HoldoutDraw& draw, const TrainingPairRequest& request,
                                          Progress& progress) {
  GAUZE_TRY(const ExtremePair pair, extreme_pair(Recipe(plan), policy, progress));
  OutcomePair outcomes;
  progress.begin("training", 2 * request.runs);
  GAUZE_TRY_VOID(draw_models(draw, pair.left, 0, request.runs, outcomes.left, progress));
  GAUZE_TRY_VOID(draw_models(draw, pair.right, kRightStreams, request.runs, outcomes.right, progress));
  for (std::size_t i = 0; i < plan.weights; ++i) outcomes.names.push_back(fmt::format("weight {}", i + 1));
  for (std::size_t i = 0; i < plan.outputs * plan.outputs; ++i)
    outcomes.names.push_back(fmt::format("cell {} of the hold-out", i + 1));
  return audit_outcomes(outcomes, {.claim = "train, hold-out",
                                   .claimed = request.claimed,
                                   .delta = request.claimed.delta,
                                   .levels = request.levels});
}

}  // namespace gauze::audit
