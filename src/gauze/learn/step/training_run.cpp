#include "gauze/learn/step/training_run.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "gauze/learn/step/plain_draws.h"

namespace gauze::learn {
namespace {

/// What a step needs that stays the same over the run, and the state of the run.
class Run {
 public:
  /// What does not depend on randomness: begin() comes before the first step.
  static Result<Run> make(const TrainingPlan& plan, const schema::LearnPolicy& policy, const LearningRows& rows,
                          const RunRequest& request) {
    GAUZE_TRY(Network<float> network, Network<float>::make(plan.layers, plan.inputs));
    Run run(plan, policy, rows, request, std::make_unique<Network<float>>(std::move(network)));
    if (plan.is_private()) {
      const Rational units(kSensitivityUnits);
      GAUZE_TRY(RoundedGaussianLaw law, RoundedGaussianLaw::make(plan.sigma_gradient * units));
      run.noise_ = std::make_unique<RoundedGaussianLaw>(std::move(law));
      if (plan.options.adaptive) {
        GAUZE_TRY(RoundedGaussianLaw share, RoundedGaussianLaw::make(Rational(2) * plan.sigma_clipping));
        run.clipping_noise_ = std::make_unique<RoundedGaussianLaw>(std::move(share));
      }
    }
    return run;
  }

  /// The state before the first step.
  Result<void> begin(Streams& streams) {
    const TrainingPlan& plan = *plan_;
    if (request_->from) {
      state_ = *request_->from;
      optimiser_.set_state(state_.optimiser);
    } else {
      state_ = {};
      optimiser_ = optimiser_of(plan);
      state_.weights = initial_weights(*network_, plan.initial, streams);
      // without clipping the grid is coarser, and holds larger sums
      state_.clip = plan.is_private() ? plan.clip() : 0x1p14;
      if (plan.options.average.sign() > 0) state_.average.assign(plan.weights, 0.0F);
      if (plan.options.method == MethodKind::shaped) {
        GAUZE_TRY(state_.entropies, entropies_for(plan, *policy_, *rows_, request_->included, streams));
      }
    }
    if (!sums_ || !state_.entropies.empty()) GAUZE_TRY_VOID(prepare_sums());
    if (request_->probe != nullptr) request_->probe->begin(state_.weights);
    return {};
  }

  Result<void> step(Streams& streams) {
    const std::uint64_t number = state_.step;
    sampling_.sample(rows_->units(), number, streams);
    const std::vector<std::uint8_t>& included = request_->included;
    if (!included.empty()) std::erase_if(sampling_.units(), [&](std::uint32_t unit) { return included[unit] == 0; });
    sums_->add_up(state_.weights, sampling_.units(), state_.clip, number, streams, true, noise_.get(), sum_);
    if (request_->probe != nullptr)
      request_->probe->see({.step = number, .planted = sampling_.planted(), .rows = sum_.rows, .noisy = sum_.units});
    const double factor = std::ldexp(state_.clip, -kUnitBits) / normaliser_;
    for (std::size_t i = 0; i < gradient_.size(); ++i)
      gradient_[i] = static_cast<float>(static_cast<double>(static_cast<std::int64_t>(sum_.units[i])) * factor);
    for (std::size_t i = 0; i < scales_.size(); ++i) gradient_[i] *= scales_[i];
    optimiser_.move(number, gradient_, state_.weights);
    if (clipping_noise_) move_clip(streams);
    const auto decay = static_cast<float>(plan_->options.average.to_double());
    for (std::size_t i = 0; i < state_.average.size(); ++i)
      state_.average[i] = decay * state_.average[i] + (1 - decay) * state_.weights[i];
    ++state_.step;
    return {};
  }

  [[nodiscard]] TrainingState state() const {
    TrainingState state = state_;
    state.optimiser = optimiser_.state();
    return state;
  }
  [[nodiscard]] std::uint64_t steps_taken() const { return state_.step; }

 private:
  Run(const TrainingPlan& plan, const schema::LearnPolicy& policy, const LearningRows& rows,
      const RunRequest& request, std::unique_ptr<Network<float>> network)
      : plan_(&plan),
        policy_(&policy),
        rows_(&rows),
        request_(&request),
        network_(std::move(network)),
        sampling_(UnitSampler({.kind = plan.sampling,
                               .batch = plan.batch,
                               .declared = plan.declared,
                               .bounded = plan.neighbours == Neighbours::replace_one}),
                  request.probe),
        optimiser_(optimiser_of(plan)),
        normaliser_(plan.normaliser.to_double()),
        gradient_(plan.weights) {}

  static Optimiser optimiser_of(const TrainingPlan& plan) {
    return Optimiser({.kind = plan.optimiser,
                      .schedule = plan.schedule,
                      .rate = plan.options.learning_rate.to_double(),
                      .steps = plan.steps},
                     plan.weights);
  }

  Result<void> prepare_sums() {
    GradientSums::Options options{.loss = plan_->loss,
                                  .micro_batch = plan_->micro_batch,
                                  .max_rows = plan_->max_rows,
                                  .clipped = plan_->is_private()};
    if (request_->probe != nullptr) {
      options.further = request_->probe->coordinates();
      options.keeps_rows = true;
    }
    if (!state_.entropies.empty()) {
      options.input_scales = input_scales(*policy_, state_.entropies);
      GAUZE_TRY(const std::vector<std::int32_t> inputs, network_->input_of_weights());
      scales_.resize(inputs.size());
      for (std::size_t i = 0; i < inputs.size(); ++i)
        scales_[i] =
            inputs[i] < 0 ? 1.0F : static_cast<float>(options.input_scales[static_cast<std::size_t>(inputs[i])]);
      // one number for both: what a gradient is divided by before the noise, and multiplied with after it
      for (double& scale : options.input_scales) scale = static_cast<float>(scale);
      options.scales = scales_;
    }
    sums_ = std::make_unique<GradientSums>(*network_, *rows_, std::move(options));
    return {};
  }

  /// Towards the quantile of the norms, by their noisy share within the clip.
  void move_clip(Streams& streams) {
    std::int64_t noise = 0;
    streams.with(StreamPurpose::clipping, state_.step, 0,
                 [&](RandomWords& random) { clipping_noise_->sample(random, std::span(&noise, 1)); });
    const double share = std::clamp(0.5 + static_cast<double>(sum_.within_clip + noise) / 2 / normaliser_, 0.0, 1.0);
    const double quantile = plan_->options.adaptive->quantile.to_double();
    state_.clip = std::clamp(state_.clip * std::exp(-0.2 * (share - quantile)), std::ldexp(plan_->clip(), -20),
                             std::ldexp(plan_->clip(), 20));
  }

  const TrainingPlan* plan_;
  const schema::LearnPolicy* policy_;
  const LearningRows* rows_;
  const RunRequest* request_;
  std::unique_ptr<Network<float>> network_;
  StepSampling sampling_;
  Optimiser optimiser_;
  double normaliser_;
  std::unique_ptr<RoundedGaussianLaw> noise_;
  std::unique_ptr<RoundedGaussianLaw> clipping_noise_;
  std::unique_ptr<GradientSums> sums_;
  std::vector<float> scales_;
  TrainingState state_;
  GradientSums::Sum sum_;
  std::vector<float> gradient_;
};

Result<TrainingState> run_training(const TrainingPlan& plan, const schema::LearnPolicy& policy,
                                   const LearningRows& rows, Streams& streams, const RunRequest& request,
                                   const StateSink& sink, Progress& progress) {
  GAUZE_TRY(Run run, Run::make(plan, policy, rows, request));
  GAUZE_TRY_VOID(run.begin(streams));
  const std::uint64_t until = request.until.value_or(plan.steps);
  std::uint64_t persisted = run.steps_taken();
  progress.begin("training", until - std::min(until, persisted));
  while (run.steps_taken() < until) {
    GAUZE_TRY_VOID(progress.check());
    GAUZE_TRY_VOID(run.step(streams));
    progress.advance();
    const std::uint64_t taken = run.steps_taken();
    if (request.every != 0 && taken % request.every == 0 && taken < until) {
      GAUZE_TRY_VOID(sink(run.state(), taken - persisted));
      persisted = taken;
    }
  }
  TrainingState state = run.state();
  GAUZE_TRY_VOID(sink(state, state.step - persisted));
  return state;
}

}  // namespace

std::vector<float> TrainingState::model(double decay) const {
  if (average.empty()) return weights;
  const double correction = 1 - std::pow(decay, static_cast<double>(step));
  if (!(correction > 0)) return weights;
  std::vector<float> corrected(average.size());
  for (std::size_t i = 0; i < average.size(); ++i)
    corrected[i] = static_cast<float>(static_cast<double>(average[i]) / correction);
  return corrected;
}

Result<TrainingState> train(const TrainingPlan& plan, const schema::LearnPolicy& policy, const LearningRows& rows,
                            SecureStreams& streams, const RunRequest& request, const StateSink& sink,
                            Progress& progress) {
  return run_training(plan, policy, rows, streams, request, sink, progress);
}

Result<TrainingState> simulate_training(const TrainingPlan& plan, const schema::LearnPolicy& policy,
                                        const LearningRows& rows, SeededStreams& streams, const RunRequest& request,
                                        const StateSink& sink, Progress& progress) {
  return run_training(plan, policy, rows, streams, request, sink, progress);
}

struct RepeatedTraining::Parts {
  TrainingPlan plan;
  RunRequest request;
  std::optional<Run> run = {};
};

RepeatedTraining::RepeatedTraining(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
RepeatedTraining::RepeatedTraining(RepeatedTraining&&) noexcept = default;
RepeatedTraining& RepeatedTraining::operator=(RepeatedTraining&&) noexcept = default;
RepeatedTraining::~RepeatedTraining() = default;

Result<RepeatedTraining> RepeatedTraining::make(const TrainingPlan& plan, const schema::LearnPolicy& policy,
                                                const LearningRows& rows, const RunRequest& request) {
  auto parts = std::make_unique<Parts>(Parts{plan, request});
  GAUZE_TRY(parts->run, Run::make(parts->plan, policy, rows, parts->request));
  return RepeatedTraining(std::move(parts));
}

Result<TrainingState> RepeatedTraining::run(Streams& streams, const Progress& progress) {
  Run& run = *parts_->run;
  GAUZE_TRY_VOID(run.begin(streams));
  while (run.steps_taken() < parts_->plan.steps) {
    GAUZE_TRY_VOID(progress.check());
    GAUZE_TRY_VOID(run.step(streams));
  }
  return run.state();
}

std::vector<float> initial_weights(const Network<float>& network, InitialWeights kind, Streams& streams) {
  std::vector<float> weights(network.weights());
  const std::vector<WeightTensor>& tensors = network.tensors();
  const auto drawn = [](const WeightTensor& tensor) { return tensor.fan_in > 0; };
  const auto last = std::find_if(tensors.rbegin(), tensors.rend(), drawn);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const WeightTensor& tensor = tensors[i];
    const std::span<float> own = std::span(weights).subspan(tensor.offset, tensor.size());
    if (!drawn(tensor) || kind == InitialWeights::zero) {
      std::fill(own.begin(), own.end(), static_cast<float>(tensor.initial));
      continue;
    }
    const bool is_last = last != tensors.rend() && &*last == &tensor;
    const double deviation = std::sqrt(2.0 / static_cast<double>(tensor.fan_in) * (is_last ? 0.01 : 1.0));
    streams.with(StreamPurpose::weights, 0, i, [&](RandomWords& random) {
      for (float& weight : own) weight = static_cast<float>(deviation * normal_draw(random));
    });
  }
  return weights;
}

std::vector<std::uint8_t> training_units(std::size_t units, const Rational& holdout, Streams& streams) {
  const Rational threshold = (holdout * Rational::power_of_two(64)).floor();
  // below 2^64: the share is below 1
  const auto high = static_cast<std::uint64_t>(*(threshold / Rational::power_of_two(32)).floor().to_int64());
  const auto low = static_cast<std::uint64_t>(
      *(threshold - Rational(static_cast<std::int64_t>(high)) * Rational::power_of_two(32)).to_int64());
  const std::uint64_t limit = (high << 32U) | low;
  std::vector<std::uint8_t> kept(units);
  streams.with(StreamPurpose::holdout, 0, 0, [&](RandomWords& random) {
    for (std::uint8_t& one : kept) one = random.next() >= limit ? 1 : 0;
  });
  return kept;
}

}  // namespace gauze::learn
