#include "gauze/learn/published/published_training.h"

#include <algorithm>
#include <cmath>

#include "gauze/learn/step/noisy_sum.h"
#include "gauze/learn/step/plain_draws.h"
#include "gauze/learn/step/training_run.h"

namespace gauze::learn {
namespace {

/// w0: a weight for each output and attribute, then a bias for each output.
class MappingLayer {
 public:
  MappingLayer(const PublishedPlan& plan, const BudgetAllocation& allocation) : plan_(&plan) {
    for (const BudgetAllocation::Column& column : allocation.columns)
      scales_.push_back(plan.laplace_scale(column.epsilon));
  }

  /// Lines 5 and 6. A bias belongs to no attribute: it takes the budget of those that are not sensitive.
  void clip_and_noise(std::span<float> weights, std::uint64_t epoch, Streams& streams) const {
    double norm = 0;
    for (const float weight : weights) norm += std::abs(static_cast<double>(weight));
    const double factor = 1 / std::max(1.0, norm / plan_->options.clip_w.to_double());
    const double bias_scale = plan_->laplace_scale(plan_->options.epsilon_1.to_double());
    const std::size_t attributes = plan_->attributes;
    streams.with(StreamPurpose::clipping, epoch, 0, [&](RandomWords& random) {
      for (std::size_t i = 0; i < weights.size(); ++i) {
        const double scale = i < attributes * attributes ? scales_[i % attributes] : bias_scale;
        weights[i] = static_cast<float>(static_cast<double>(weights[i]) * factor + laplace_draw(scale, random));
      }
    });
  }

  /// f(w0, x), each row by itself.
  static void map(std::span<const float> weights, std::span<const float> encoded, std::span<float> inputs) {
    const std::size_t size = encoded.size();
    for (std::size_t out = 0; out < size; ++out) {
      float sum = weights[size * size + out];
      for (std::size_t in = 0; in < size; ++in) sum += weights[out * size + in] * encoded[in];
      inputs[out] = sum;
    }
  }

 private:
  const PublishedPlan* plan_;
  std::vector<double> scales_;
};

void add_scaled(const GradientSums::Sum& sum, double factor, std::span<float> gradient) {
  for (std::size_t i = 0; i < gradient.size(); ++i)
    gradient[i] = static_cast<float>(static_cast<double>(static_cast<std::int64_t>(sum.units[i])) * factor);
}

Result<PublishedModel> run_published(const PublishedPlan& plan, const schema::Policy& policy,
                                     const LearningRows& rows, Streams& streams, StepProbe* probe,
                                     Progress& progress) {
  const PublishedOptions& options = plan.options;
  PublishedModel made;
  made.allocation = options.allocation == Allocation::uniform
                        ? uniform_budgets(rows.encoder().features(), plan.sensitive, options.epsilon_1)
                        : allocate_budgets(rows, plan.sensitive, options.epsilon_1, options.log);
  GAUZE_TRY(const Network<float> whole, Network<float>::make(plan.layers, plan.attributes));
  GAUZE_TRY(const Network<float> rest, Network<float>::make(plan.rest, plan.attributes));
  GAUZE_TRY(const RoundedGaussianLaw law, RoundedGaussianLaw::make(plan.sigma * Rational(kSensitivityUnits)));
  std::vector<float> weights = initial_weights(whole, options.initial, streams);
  const std::span<float> mapping = std::span(weights).first(plan.mapping_weights);
  const std::span<float> model = std::span(weights).subspan(plan.mapping_weights);
  const MappingLayer layer(plan, made.allocation);
  StepSampling sampling(
      UnitSampler({.kind = options.batch == plan.declared ? SamplingKind::full : SamplingKind::fixed_size,
                   .batch = options.batch,
                   .declared = plan.declared,
                   .bounded = true}),
      probe);
  const bool moves_all = options.reading == Reading::private_;
  GradientSums::Options noisy{.loss = plan.loss, .micro_batch = plan.micro_batch, .max_rows = plan.max_rows};
  if (!moves_all)
    noisy.map_inputs = [mapping](std::span<const float> encoded, std::span<float> inputs) {
      MappingLayer::map(mapping, encoded, inputs);
    };
  if (probe != nullptr) {
    noisy.further = probe->coordinates();
    noisy.keeps_rows = true;
    probe->begin(weights);
  }
  GradientSums sums(moves_all ? whole : rest, rows, noisy);
  GradientSums plain(
      whole, rows, {.loss = plan.loss, .micro_batch = plan.micro_batch, .max_rows = plan.max_rows, .clipped = false});
  const std::span<float> moved = moves_all ? std::span(weights) : model;
  const Optimiser::Options moving{.kind = options.optimiser,
                                  .schedule = options.schedule,
                                  .rate = options.learning_rate.to_double(),
                                  .steps = plan.steps()};
  Optimiser optimiser(moving, moved.size());
  Optimiser plain_optimiser(moving, mapping.size());
  std::vector<float> gradient(moved.size());
  std::vector<float> plain_gradient(mapping.size());
  GradientSums::Sum sum;
  const double clip = options.clip.to_double();
  const auto batch = static_cast<double>(options.batch);
  constexpr double kPlainClip = 0x1p14;  // the grid of sums that nothing clips
  progress.begin("training", plan.steps());
  std::uint64_t step = 0;
  for (std::uint64_t epoch = 0; epoch < options.epochs; ++epoch) {
    layer.clip_and_noise(mapping, epoch, streams);
    for (std::uint64_t i = 0; i < plan.steps_of_epoch; ++i, ++step) {
      GAUZE_TRY_VOID(progress.check());
      sampling.sample(rows.units(), step, streams);
      if (options.reading == Reading::plain) {
        plain.add_up(weights, sampling.units(), kPlainClip, step, streams, true, nullptr, sum);
        add_scaled(sum, std::ldexp(kPlainClip, -kUnitBits) / batch, plain_gradient);
      }
      sums.add_up(moved, sampling.units(), clip, step, streams, true, &law, sum);
      if (probe != nullptr)
        probe->see({.step = step, .planted = sampling.planted(), .rows = sum.rows, .noisy = sum.units});
      add_scaled(sum, std::ldexp(clip, -kUnitBits) / batch, gradient);
      optimiser.move(step, gradient, moved);
      if (options.reading == Reading::plain) plain_optimiser.move(step, plain_gradient, mapping);
      progress.advance();
    }
  }
  for (float& weight : weights)
    if (!(std::abs(weight) <= 1e30F)) weight = weight > 0 ? 1e30F : weight < 0 ? -1e30F : 0.0F;
  made.file = ModelFile::of_network(describe(plan, policy), whole, weights);
  made.weights = std::move(weights);
  return made;
}

}  // namespace

ModelDescription describe(const PublishedPlan& plan, const schema::Policy& policy) {
  ModelDescription description;
  description.kind = word_of(kModelWords, plan.options.kind);
  description.loss = plan.loss;
  description.encoding = InputEncoding::positions;
  description.decimal = policy.input.decimal.value_or(table::DecimalSign::point);
  description.null_tokens = policy.input.null_tokens;
  description.policy.features = policy.learn->features;
  description.policy.target = policy.learn->target;
  description.policy.groups = policy.learn->groups;
  description.policy.unit = policy.learn->unit;
  description.policy.neighbours = Neighbours::replace_one;
  return description;
}

Result<PublishedModel> train_as_published(const PublishedPlan& plan, const schema::Policy& policy,
                                          const LearningRows& rows, SecureStreams& streams, Progress& progress) {
  return run_published(plan, policy, rows, streams, nullptr, progress);
}

Result<PublishedModel> simulate_as_published(const PublishedPlan& plan, const schema::Policy& policy,
                                             const LearningRows& rows, SeededStreams& streams, Progress& progress) {
  return run_published(plan, policy, rows, streams, nullptr, progress);
}

Result<PublishedModel> audit_as_published(const PublishedPlan& plan, const schema::Policy& policy,
                                          const LearningRows& rows, Streams& streams, StepProbe& probe,
                                          Progress& progress) {
  return run_published(plan, policy, rows, streams, &probe, progress);
}

}  // namespace gauze::learn
