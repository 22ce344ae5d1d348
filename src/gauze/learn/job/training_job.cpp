#include "gauze/learn/job/training_job.h"

#include <algorithm>

#include "gauze/learn/model/model_kinds.h"

namespace gauze::learn {
namespace {

/// Answers of the units that were kept apart, counted with noise.
Result<HoldoutFigures> measure_holdout(const TrainingPlan& plan, const ModelFile& file, const LearningRows& rows,
                                       const std::vector<std::uint8_t>& included, Streams& streams) {
  GAUZE_TRY(RowPredictor predictor, RowPredictor::make(file));
  std::size_t units = rows.units();
  if (plan.neighbours == Neighbours::replace_one) units = std::min<std::size_t>(units, plan.declared);
  HoldoutFigures result;
  std::vector<std::vector<std::int64_t>> counts(plan.outputs, std::vector<std::int64_t>(plan.outputs));
  std::vector<std::uint32_t> own;
  std::vector<std::uint32_t> codes;
  std::vector<Answer> answers;
  std::vector<float> scores;
  streams.with(StreamPurpose::holdout, 1, 0, [&](RandomWords& random) {
    for (std::size_t unit = 0; unit < units; ++unit) {
      if (included[unit] != 0) continue;
      own.assign(rows.rows_of(unit).begin(), rows.rows_of(unit).end());
      const std::size_t count = std::min<std::size_t>(own.size(), plan.max_rows);
      codes.clear();
      for (std::size_t i = 0; i < count; ++i) {
        std::swap(own[i], own[i + random.below(own.size() - i)]);
        codes.insert(codes.end(), rows.codes(own[i]).begin(), rows.codes(own[i]).end());
      }
      if (count == 0) continue;
      predictor.answer(codes, count, answers, scores);
      for (std::size_t i = 0; i < count; ++i) ++counts[rows.target(own[i]).label][answers[i].label];
    }
  });
  const Rational sensitivity(
      static_cast<std::int64_t>(plan.max_rows * (plan.neighbours == Neighbours::replace_one ? 2 : 1)));
  const Rational scale = sensitivity / *plan.holdout_epsilon;
  GAUZE_TRY(const DiscreteLaplaceLaw law, DiscreteLaplaceLaw::make(scale));
  result.noise_scale = scale.to_double_up();
  std::vector<std::int64_t> noise(plan.outputs);
  for (std::size_t i = 0; i < plan.outputs; ++i) {
    streams.with(StreamPurpose::holdout, 2, i, [&](RandomWords& random) { law.sample(random, noise); });
    std::vector<double> cells;
    for (std::size_t j = 0; j < plan.outputs; ++j) cells.push_back(static_cast<double>(counts[i][j] + noise[j]));
    result.confusion.push_back(std::move(cells));
  }
  SeededRandom simulated(1);  // of what is public by now
  result.figures = noisy_figures(result.confusion, file.description.policy.target.ordered, result.noise_scale,
                                 kIntervalDraws, simulated);
  result.majority = majority_of(clipped_at_zero(result.confusion));
  return result;
}

template <class Run, class AnyStreams>
Result<TrainedModel> make_model(const TrainingPlan& plan, const schema::Policy& policy, const LearningRows& rows,
                                AnyStreams& streams, RunRequest request, const StateSink& sink, Progress& progress,
                                const Run& run) {
  if (plan.options.holdout) request.included = training_units(rows.units(), *plan.options.holdout, streams);
  GAUZE_TRY(const TrainingState state, run(plan, *policy.learn, rows, streams, request, sink, progress));
  GAUZE_TRY(const Network<float> network, Network<float>::make(plan.layers, plan.inputs));
  std::vector<float> weights = state.model(plan.options.average.to_double());
  // steps that are far too large may end beyond floats: a model file holds numbers
  for (float& weight : weights)
    if (!(std::abs(weight) <= 1e30F)) weight = weight > 0 ? 1e30F : weight < 0 ? -1e30F : 0.0F;
  TrainedModel trained{.file = ModelFile::of_network(describe(plan, policy), network, weights)};
  if (plan.options.holdout) {
    GAUZE_TRY(trained.holdout, measure_holdout(plan, trained.file, rows, request.included, streams));
  }
  return trained;
}

}  // namespace

std::string_view kind_word(const TrainingPlan& plan) { return word_of(kModelWords, plan.options.kind); }

std::vector<table::DeclaredColumn> training_columns(const schema::LearnPolicy& policy) {
  std::vector<table::DeclaredColumn> columns;
  for (const std::string& name : policy.columns()) columns.push_back({.name = name, .unreadable = ""});
  return columns;
}

Result<LearningRows> read_training_rows(table::DeclaredSource& source, const schema::Policy& policy,
                                        InputEncoding encoding, const ByteWitness& witness, Progress& progress) {
  LearningRows rows(*policy.learn, encoding, policy.input.decimal.value_or(table::DecimalSign::point),
                    policy.input.null_tokens);
  GAUZE_TRY_VOID(source.read(rows, progress, witness));
  rows.finish();
  return rows;
}

ModelDescription describe(const TrainingPlan& plan, const schema::Policy& policy) {
  ModelDescription model;
  model.kind = kind_word(plan);
  model.loss = plan.loss;
  model.decimal = policy.input.decimal.value_or(table::DecimalSign::point);
  model.null_tokens = policy.input.null_tokens;
  model.policy.features = policy.learn->features;
  model.policy.target = policy.learn->target;
  model.policy.groups = policy.learn->groups;
  model.policy.unit = policy.learn->unit;
  model.policy.neighbours = plan.neighbours;
  return model;
}

Result<TrainedModel> train_model(const TrainingPlan& plan, const schema::Policy& policy, const LearningRows& rows,
                                 SecureStreams& streams, RunRequest request, const StateSink& sink,
                                 Progress& progress) {
  return make_model(plan, policy, rows, streams, std::move(request), sink, progress, train);
}

Result<TrainedModel> simulate_model(const TrainingPlan& plan, const schema::Policy& policy, const LearningRows& rows,
                                    SeededStreams& streams, RunRequest request, const StateSink& sink,
                                    Progress& progress) {
  return make_model(plan, policy, rows, streams, std::move(request), sink, progress, simulate_training);
}

}  // namespace gauze::learn
