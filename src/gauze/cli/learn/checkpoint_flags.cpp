#include "gauze/cli/learn/checkpoint_flags.h"

#include <algorithm>

#include "gauze/cli/flags/publishing.h"
#include "gauze/learn/job/checkpoint.h"
#include "gauze/learn/job/training_job.h"
#include "gauze/publish/output_places.h"

namespace gauze::cli {
namespace {

constexpr const char* kTraining = "training";
constexpr const char* kContent = "checkpoint";
constexpr std::int64_t kMostSteps = 1'000'000'000'000;

/// A tenth of the steps, rounded up.
std::uint64_t usual_interval(const learn::TrainingPlan& plan) { return (plan.steps + 9) / 10; }

}  // namespace

std::vector<Flag> checkpoint_flags() {
  return {{.name = "checkpoint",
           .placeholder = "FILE",
           .help = "keep the run in FILE as it goes on, to continue it after an interruption; needs --ledger",
           .is_file = true,
           .makes = Makes::labelled_file},
          {.name = "every", .placeholder = "N", .help = "steps between checkpoints, a tenth of all unless given"},
          // No is_file: a run may go on in the checkpoint that it continues.
          {.name = "resume",
           .placeholder = "FILE",
           .help = "continue from that checkpoint, with the same flags; nothing is charged again"}};
}

Result<void> check_checkpoint_flags(const Invocation& invocation) {
  if (invocation.has("every") && !invocation.has("checkpoint"))
    return make_error(ErrorCode::usage, "--every goes with --checkpoint");
  for (const char* flag : {"checkpoint", "resume"}) {
    if (!invocation.has(flag)) continue;
    if (!invocation.has("ledger"))
      return make_error(ErrorCode::usage,
                        "--{} needs --ledger: without one nothing counts the steps that were let out", flag);
    if (invocation.has("holdout"))
      return make_error(
          ErrorCode::usage,
          "--{} does not go with --holdout: a run that is continued would choose anew who is kept apart", flag);
    if (invocation.has("seed"))
      return make_error(ErrorCode::usage,
                        "--{} does not go with --seed: a seeded run is not charged, so that nothing counts its steps",
                        flag);
    if (invocation.has("request"))
      return make_error(ErrorCode::usage,
                        "--{} does not go with --request: a run with checkpoints has more than one output", flag);
  }
  if (!invocation.has("resume") || !invocation.has("output")) return {};
  GAUZE_TRY(const std::string from, invocation.text("resume"));
  GAUZE_TRY(const std::string output, invocation.text("output"));
  return publish::check_places({{.what = "-o", .path = output, .labelled = true}}, {{"what --resume names", from}});
}

TrainingLeg::TrainingLeg(Invocation& invocation, publish::Publication& publication, const learn::TrainingPlan& plan,
                         const schema::Policy& policy, const PrivacyCost& cost)
    : invocation_(invocation), publication_(publication), plan_(plan), policy_(policy), cost_(cost) {
  request_.until = plan.steps;
}

Result<bool> TrainingLeg::pay() {
  if (invocation_.has("checkpoint")) {
    request_.every = usual_interval(plan_);
    if (invocation_.has("every")) {
      GAUZE_TRY(const std::int64_t every, invocation_.integer("every", 1, kMostSteps));
      request_.every = static_cast<std::uint64_t>(every);
    }
  }
  if (!request_.from) {
    GAUZE_TRY(const bool granted, reserve(invocation_, publication_, cost_, plan_.steps));
    if (!granted) return false;
  }
  publication_.bind_policy(policy_.text);
  return true;
}

Result<void> TrainingLeg::take_up() {
  if (!invocation_.has("resume")) return {};
  GAUZE_TRY(const std::string path, invocation_.text("resume"));
  GAUZE_TRY(const std::string dataset, invocation_.text("dataset"));
  GAUZE_TRY(learn::Checkpoint checkpoint, learn::Checkpoint::read(path));
  if (checkpoint.dataset != dataset)
    return invalid_parameter("the checkpoint is of a training on another dataset than '{}'", dataset);
  if (const auto taken = publication_.take_up(checkpoint.reservation, cost_, plan_.steps); !taken) {
    if (taken.error().code != ErrorCode::invalid_parameter) return taken;
    return invalid_parameter("the checkpoint cannot be continued with this ledger and these parameters: {}",
                             taken.error().message);
  }
  if (!publication_.is_commitment_to(kTraining, learn::training_terms(plan_, policy_), checkpoint.training))
    return invalid_parameter(
        "the checkpoint was made with other parameters or another policy: continue it with the same ones");
  if (!publication_.is_commitment_to(kContent, checkpoint.bound_bytes(), checkpoint.content))
    return learn::no_checkpoint("it is not as it was written");
  GAUZE_TRY_VOID(checkpoint.check_fits(plan_, *policy_.learn));
  const std::uint64_t to_end = plan_.steps - checkpoint.state.step;
  const std::uint64_t steps = std::min(to_end, publication_.steps_left());
  if (steps == 0)
    return make_error(
        ErrorCode::budget_exhausted,
        "no steps are left: reservation {} paid for {}, and all of them were counted for checkpoints and models",
        checkpoint.reservation, plan_.steps);
  invocation_.note(
      fmt::format("training {} steps, from step {} of {}{}", steps, checkpoint.state.step, plan_.steps,
                  steps < to_end ? "; the other steps are used up, in files that were made or lost" : ""));
  static_cast<void>(invocation_.err().flush());
  GAUZE_TRY_VOID(invocation_.progress().check());
  invocation_.set_aftermath(publication_.aftermath());
  request_.until = checkpoint.state.step + steps;
  request_.from = std::move(checkpoint.state);
  return {};
}

learn::StateSink TrainingLeg::sink() {
  return [this](const learn::TrainingState& state, std::uint64_t steps) { return let_out(state, steps); };
}

Result<void> TrainingLeg::let_out(const learn::TrainingState& state, std::uint64_t steps) {
  GAUZE_TRY_VOID(publication_.progress(steps));
  invocation_.set_aftermath(publication_.aftermath());
  if (state.step == request_.until) return {};  // the model
  GAUZE_TRY(const std::string path, invocation_.text("checkpoint"));
  learn::Checkpoint checkpoint{.state = state, .reservation = publication_.reservation()};
  GAUZE_TRY(checkpoint.dataset, invocation_.text("dataset"));
  checkpoint.training = publication_.commitment_to(kTraining, learn::training_terms(plan_, policy_));
  checkpoint.content = publication_.commitment_to(kContent, checkpoint.bound_bytes());
  GAUZE_TRY(publish::LabelledOutput output, publish::LabelledOutput::create(path));
  GAUZE_TRY_VOID(output.write(checkpoint.to_bytes()));
  GAUZE_TRY_VOID(publication_.put_checkpoint(
      learn::training_label(plan_, policy_, cost_, assumption_, "checkpoint of a model"), output));
  kept_step_ = state.step;
  return {};
}

Error TrainingLeg::explained(Error error) const {
  if (error.code == ErrorCode::interrupted && kept_step_ > 0)
    error.message = fmt::format("interrupted; there is no model, and the checkpoint is that of step {} of {}",
                                kept_step_, plan_.steps);
  return error;
}

}  // namespace gauze::cli
