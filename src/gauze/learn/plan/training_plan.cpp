#include "gauze/learn/plan/training_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gauze/accounting/calibration.h"
#include "gauze/learn/engine/network.h"
#include "gauze/learn/plan/plan_price.h"
#include "gauze/learn/rows/row_encoder.h"
#include "gauze/learn/step/noisy_sum.h"

namespace gauze::learn {
namespace {

constexpr std::uint64_t kMostSteps = 100'000'000;

Result<void> check_amounts(const TrainingOptions& options) {
  const bool by_epsilon = options.epsilon.has_value();
  const bool by_sigma = options.sigma.has_value();
  if (by_epsilon + by_sigma + options.unprotected != 1)
    return invalid_parameter("give one of epsilon with delta, sigma with delta, or epsilon inf for no privacy");
  if (options.unprotected) {
    if (options.delta) return invalid_parameter("epsilon inf promises nothing, and takes no delta");
    return {};
  }
  if (!options.delta) return invalid_parameter("delta is needed: a probability far below 1 / rows, such as 1e-6");
  if (!(*options.delta > Rational() && *options.delta < Rational(1)))
    return invalid_parameter("delta must be above 0 and below 1: Gaussian noise has no guarantee without it");
  if (by_epsilon && !(*options.epsilon > Rational() && *options.epsilon <= Rational(1'000'000)))
    return invalid_parameter("epsilon must be above 0 and at most 1,000,000");
  if (by_sigma && !(*options.sigma > Rational() && *options.sigma <= Rational(kMostSigma)))
    return invalid_parameter("sigma must be above 0 and at most {}", kMostSigma);
  if (by_sigma && *options.sigma < Rational(1, 100))
    return invalid_parameter(
        "sigma below 0.01 protects nobody: epsilon would be above 1,000,000; epsilon inf says so");
  return {};
}

Result<void> check_training(const TrainingOptions& options) {
  const auto positive = [](const Rational& value, std::string_view what, const Rational& most) -> Result<void> {
    if (value > Rational() && value <= most) return {};
    return invalid_parameter("{} must be above 0 and at most {}", what, most.to_decimal());
  };
  GAUZE_TRY_VOID(positive(options.clip, "clip", Rational::power_of_two(40)));
  if (options.clip < Rational::power_of_two(-40)) return invalid_parameter("clip must be at least 2^-40");
  GAUZE_TRY_VOID(positive(options.learning_rate, "learning-rate", Rational(1'000'000)));
  if (!(options.average >= Rational() && options.average < Rational(1)))
    return invalid_parameter("average must be from 0 to below 1");
  if (options.adaptive && !(options.adaptive->quantile > Rational() && options.adaptive->quantile < Rational(1)))
    return invalid_parameter("the quantile of an adaptive clip must lie between 0 and 1");
  if (options.adaptive && options.method == MethodKind::shaped)
    return invalid_parameter("an adaptive clip does not go with the method shaped");
  if (options.adaptive && options.unprotected)
    return invalid_parameter("epsilon inf clips nothing, and takes no adaptive clip");
  if (options.steps && options.epochs) return invalid_parameter("give either steps or epochs");
  if (options.holdout.has_value() != options.holdout_epsilon.has_value())
    return invalid_parameter("holdout and holdout-epsilon come together");
  if (!options.holdout) return {};
  if (options.unprotected) return invalid_parameter("epsilon inf takes no paid hold-out: score the model instead");
  if (!(*options.holdout > Rational() && *options.holdout < Rational(1)))
    return invalid_parameter("holdout must lie between 0 and 1: a share of the units");
  if (!(*options.holdout_epsilon > Rational())) return invalid_parameter("holdout-epsilon must be above 0");
  return {};
}

/// The number of units of the training table, and how many of them a step sees.
Result<std::uint64_t> declared_units(const TrainingOptions& options, const schema::LearnPolicy& policy) {
  const auto rows = options.rows ? options.rows : policy.rows;
  if (!rows)
    return asking_for("rows", invalid_parameter("the number of {} is needed, declared: a round, public number; it is "
                                                "private otherwise (key rows of the policy)",
                                                policy.unit ? "units" : "rows"));
  if (*rows == 0) return invalid_parameter("rows must be at least 1");
  return *rows;
}

/// Units summed in double before rounding: a power of two that depends on public figures alone.
Result<std::uint32_t> micro_batch_for(std::uint64_t batch, std::uint64_t terms) {
  if (terms > kMostTerms)
    return invalid_parameter("a unit has {} positions times rows; at most {} are within the proof", terms,
                             kMostTerms);
  std::uint32_t size = 128;
  while (size < 512 && batch >= std::uint64_t{8} * size) size *= 2;
  while (size > 1 && terms * size * size > kMostTerms) size /= 2;
  return size;
}

}  // namespace

Result<void> TrainingPlan::shape_model(const schema::LearnPolicy& policy) {
  const LossKind usual = policy.target.numeric            ? LossKind::squared
                         : options.kind == ModelKind::svm ? LossKind::hinge
                                                          : LossKind::softmax;
  loss = options.loss.value_or(usual);
  const bool classifies = options.kind == ModelKind::logistic || options.kind == ModelKind::svm;
  if (policy.target.numeric && (loss != LossKind::squared || classifies))
    return invalid_parameter("a numeric target takes the loss squared, and a model other than logistic and svm");
  if (!policy.target.numeric && loss == LossKind::squared)
    return invalid_parameter("the loss squared needs a numeric target");
  const RowEncoder encoder(policy.features, InputEncoding::expanded, table::DecimalSign::point, {});
  inputs = encoder.inputs();
  outputs = policy.target.numeric ? 1 : policy.target.classes.size();
  const std::vector<std::size_t> inputs_of = encoder.inputs_of_features();
  GAUZE_TRY(layers, model_layers(options.kind, options.shape, inputs_of, outputs));
  optimiser = options.optimiser.value_or(OptimiserKind::momentum);
  schedule = options.schedule.value_or(ScheduleKind::cosine);
  initial = options.initial.value_or(classifies ? InitialWeights::zero : InitialWeights::scaled);
  if (options.method == MethodKind::shaped) {
    if (options.shape.reshape)
      return invalid_parameter("shaped noise needs weights that serve one attribute each: not with reshape");
    if (policy.sensitive.empty())
      return invalid_parameter("the method shaped needs sensitive attributes in the policy");
    if (!policy.entropies)
      return invalid_parameter("the method shaped needs entropies in the policy: public ones, or {{rho: 0.002}}");
  }
  return {};
}

Result<void> TrainingPlan::sample_units(const schema::LearnPolicy& policy) {
  unit = policy.privacy_unit();
  max_rows = policy.max_rows();
  neighbours = options.neighbours.value_or(policy.neighbours);
  GAUZE_TRY_VOID(check_one_unit(neighbours));
  GAUZE_TRY(declared, declared_units(options, policy));
  const bool replaces = neighbours == Neighbours::replace_one;
  sampling = options.sampling.value_or(replaces ? SamplingKind::fixed_size : SamplingKind::poisson);
  if (sampling == SamplingKind::fixed_size && !replaces)
    return invalid_parameter("fixed-size sampling needs replace-one neighbours: with add-remove take poisson");
  if (sampling == SamplingKind::poisson && replaces)
    return invalid_parameter("poisson sampling needs add-remove neighbours: with replace-one take fixed-size");
  batch = options.batch.value_or(sampling == SamplingKind::full ? declared : std::min<std::uint64_t>(512, declared));
  if (batch == 0) return invalid_parameter("batch must be at least 1");
  if (batch > declared)
    return invalid_parameter("batch {} is above the declared number of rows, {}", batch, declared);
  if (batch > kMostBatch) return invalid_parameter("batch must be at most 2^26, {}", kMostBatch);
  if (sampling == SamplingKind::full && batch != declared)
    return invalid_parameter("full sampling sees all {} rows: leave batch out", declared);
  if (batch == declared) sampling = SamplingKind::full;
  rate = Rational(static_cast<std::int64_t>(batch)) / Rational(static_cast<std::int64_t>(declared));
  Rational count = options.steps ? Rational(static_cast<std::int64_t>(*options.steps)) : Rational(1'000);
  if (options.epochs) {
    if (!(*options.epochs > Rational())) return invalid_parameter("epochs must be above 0");
    count = (*options.epochs / rate).ceil();
  }
  if (!(count >= Rational(1) && count <= Rational(static_cast<std::int64_t>(kMostSteps))))
    return invalid_parameter("steps must be from 1 to {}", kMostSteps);
  steps = static_cast<std::uint64_t>(*count.to_int64());
  normaliser = Rational(static_cast<std::int64_t>(batch)) * (Rational(1) - options.holdout.value_or(Rational()));
  return {};
}

double TrainingPlan::noise_deviation() const { return sigma_gradient.to_double() * clip(); }

Result<TrainingPlan> TrainingPlan::make(TrainingOptions options, const schema::LearnPolicy& policy) {
  GAUZE_TRY_VOID(check(policy));
  GAUZE_TRY_VOID(check_amounts(options));
  GAUZE_TRY_VOID(check_training(options));
  TrainingPlan plan;
  plan.options = std::move(options);
  GAUZE_TRY_VOID(plan.shape_model(policy));
  GAUZE_TRY_VOID(plan.sample_units(policy));
  GAUZE_TRY(const Network<float> network, Network<float>::make(plan.layers, plan.inputs));
  plan.weights = network.weights();
  GAUZE_TRY(plan.micro_batch, micro_batch_for(plan.batch, network.most_positions() * plan.max_rows));
  if (plan.options.method == MethodKind::shaped) {
    GAUZE_TRY(const auto inputs_of_weights, network.input_of_weights());
    static_cast<void>(inputs_of_weights);
  }
  plan.operations = network.operations_per_row() * static_cast<double>(plan.max_rows) *
                    static_cast<double>(plan.batch) * static_cast<double>(plan.steps);
  plan.memory = network.bytes_per_row() * plan.micro_batch * plan.max_rows + plan.weights * 64 +
                plan.declared * (policy.features.size() * 4 + 24);
  if (!plan.options.unprotected) {
    plan.delta = *plan.options.delta;
    GAUZE_TRY_VOID(plan.plan_histograms(policy));
    GAUZE_TRY_VOID(plan.price());
    GAUZE_TRY_VOID(plan.price_holdout());
    if (plan.delta >= Rational(1) / Rational(static_cast<std::int64_t>(plan.declared)))
      plan.warnings.push_back(Warning::of_privacy(
          "large_delta",
          "delta is 1 / rows or more: a release that publishes one person at random would satisfy it"));
  }
  return plan;
}

}  // namespace gauze::learn
