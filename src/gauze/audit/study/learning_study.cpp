#include "gauze/audit/study/learning_study.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

#include "gauze/audit/figures/linear_attack.h"
#include "gauze/audit/figures/roc.h"
#include "gauze/base/parallel.h"
#include "gauze/learn/job/training_job.h"
#include "gauze/learn/published/published_training.h"

namespace gauze::audit {
namespace {

using learn::LearningRows;
using learn::ModelFile;
using learn::PublishedPlan;
using learn::TrainingPlan;

/// One line of the study: what is trained, with its plan.
struct Arm {
  StudyResult result;
  std::optional<TrainingPlan> plan = {};
  std::optional<PublishedPlan> published = {};
};

/// What one seed gave for one arm.
struct Run {
  double accuracy = 0;
  double f1_weighted = 0;
  double balanced_accuracy = 0;
  double trained_accuracy = 0;
  double trained_auc = 0;
  double loss_accuracy = 0;
  double loss_auc = 0;
};

/// The units of one seed's parts.
struct Split {
  std::vector<std::uint32_t> training;
  std::vector<std::uint32_t> test;
};

Split split_units(std::size_t units, const StudyRequest& request, std::uint64_t seed) {
  SeededRandom random(seed, 0x5317);
  std::vector<std::uint32_t> order(units);
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = units; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  const auto count = [&](const Rational& share) {
    return static_cast<std::size_t>((Rational(static_cast<std::int64_t>(units)) * share).floor().to_double());
  };
  Split split;
  split.training.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count(request.training_share)));
  split.test.assign(order.end() - static_cast<std::ptrdiff_t>(count(request.test_share)), order.end());
  return split;
}

/// Answers about the rows of some units: confusion, and for each unit the mean of ln f_y and of the answers.
struct Answers {
  learn::Confusion confusion;
  std::vector<double> loss;
  std::vector<float> outputs;
};

Result<Answers> answers_of(const ModelFile& model, const LearningRows& rows, std::size_t classes, std::size_t most) {
  GAUZE_TRY(learn::RowPredictor predictor, learn::RowPredictor::make(model));
  Answers answers{.confusion = learn::Confusion(classes, std::vector<double>(classes)), .loss = {}, .outputs = {}};
  std::vector<std::uint32_t> codes;
  std::vector<learn::Answer> answered;
  std::vector<float> scores;
  for (std::size_t unit = 0; unit < rows.units() && unit < most; ++unit) {
    const auto own = rows.rows_of(unit);
    if (own.empty()) continue;
    codes.clear();
    for (const std::uint32_t row : own) codes.insert(codes.end(), rows.codes(row).begin(), rows.codes(row).end());
    predictor.answer(codes, own.size(), answered, scores);
    double loss = 0;
    std::vector<float> mean(classes);
    for (std::size_t i = 0; i < own.size(); ++i) {
      const std::uint32_t truth = rows.target(own[i]).label;
      ++answers.confusion[truth][answered[i].label];
      loss += std::log(std::max(static_cast<double>(scores[i * classes + truth]), 1e-30)) /
              static_cast<double>(own.size());
      for (std::size_t c = 0; c < classes; ++c) mean[c] += scores[i * classes + c] / static_cast<float>(own.size());
    }
    answers.loss.push_back(loss);
    answers.outputs.insert(answers.outputs.end(), mean.begin(), mean.end());
  }
  return answers;
}

Result<ModelFile> train_arm(const Arm& arm, const schema::Policy& policy, const LearningRows& rows,
                            std::uint64_t seed) {
  learn::SeededStreams streams(seed);
  Progress silent;
  if (arm.published) {
    GAUZE_TRY(learn::PublishedModel made,
              learn::simulate_as_published(*arm.published, policy, rows, streams, silent));
    return std::move(made.file);
  }
  const learn::StateSink nowhere = [](const learn::TrainingState&, std::uint64_t) { return Result<void>(); };
  GAUZE_TRY(learn::TrainedModel made, learn::simulate_model(*arm.plan, policy, rows, streams, {}, nowhere, silent));
  return std::move(made.file);
}

Result<Run> run_arm(const Arm& arm, const schema::Policy& policy, const LearningRows& all, const Split& split,
                    const StudyRequest& request, std::uint64_t seed) {
  const std::size_t classes = policy.learn->target.classes.size();
  const LearningRows training = all.select(split.training);
  const LearningRows test = all.select(split.test);
  GAUZE_TRY(const ModelFile model, train_arm(arm, policy, training, seed));
  GAUZE_TRY(const Answers others, answers_of(model, test, classes, test.units()));
  const learn::Figures figures = learn::figures_of(others.confusion, false);
  Run run{.accuracy = figures.accuracy.value_or(NAN),
          .f1_weighted = figures.f1_weighted.value_or(NAN),
          .balanced_accuracy = figures.balanced_accuracy.value_or(NAN)};
  if (!request.attack) return run;
  // equal numbers: units stand in random order, so the first ones are a random choice
  GAUZE_TRY(Answers members, answers_of(model, training, classes, test.units()));
  const std::size_t count = std::min(members.loss.size(), others.loss.size());
  const std::span<const double> in = std::span<const double>(members.loss).first(count);
  const std::span<const double> out = std::span<const double>(others.loss).first(count);
  SeededRandom random(seed, 0xa77ac4);
  run.loss_auc = area_under_curve(in, out).value_or(NAN);
  run.loss_accuracy = attack_accuracy(in, out, random).value_or(NAN);
  const LinearAttack linear =
      linear_attack(std::span<const float>(members.outputs).first(count * classes),
                    std::span<const float>(others.outputs).first(count * classes), classes, random);
  run.trained_auc = area_under_curve(linear.members, linear.others).value_or(NAN);
  run.trained_accuracy = attack_accuracy(linear.members, linear.others, random).value_or(NAN);
  return run;
}

bool is_published(StudyMethod method) { return method >= StudyMethod::apba_frozen; }

Result<Arm> published_arm(const schema::Policy& policy, const StudyRequest& request, learn::ModelKind model,
                          StudyMethod method, const Rational& epsilon, std::uint64_t declared) {
  learn::PublishedOptions options = request.published;
  options.kind = model;
  options.reading = method == StudyMethod::apba_plain     ? learn::Reading::plain
                    : method == StudyMethod::apba_private ? learn::Reading::private_
                                                          : learn::Reading::frozen;
  if (method == StudyMethod::apba_uniform) options.allocation = learn::Allocation::uniform;
  options.epsilon_1 = epsilon * Rational(2, 5);
  options.epsilon_2 = epsilon * Rational(3, 5);
  options.delta = request.delta;
  options.rows = declared;
  Arm arm;
  GAUZE_TRY(arm.published, PublishedPlan::make(std::move(options), *policy.learn));
  arm.result = {.model = model, .method = method, .epsilon = epsilon, .claimed = epsilon.to_double()};
  if (arm.published->is_proved()) arm.result.proved = arm.published->if_public->upper;
  return arm;
}

Result<Arm> sound_arm(const schema::Policy& policy, const StudyRequest& request, learn::ModelKind model,
                      StudyMethod method, const std::optional<Rational>& epsilon, std::uint64_t declared) {
  learn::TrainingOptions options = request.training;
  options.kind = model;
  options.rows = declared;
  options.method = method == StudyMethod::shaped ? learn::MethodKind::shaped : learn::MethodKind::dpsgd;
  if (options.sampling != learn::SamplingKind::full) {
    const std::uint64_t usual = 512;
    options.batch = std::min(options.batch.value_or(usual), declared);
  }
  if (method == StudyMethod::none) {
    options.unprotected = true;
    options.epsilon.reset();
    options.sigma.reset();
    options.delta.reset();
  } else {
    options.delta = request.delta;
    if (epsilon) options.epsilon = epsilon;
  }
  Arm arm;
  GAUZE_TRY(arm.plan, TrainingPlan::make(std::move(options), *policy.learn));
  arm.result = {.model = model, .method = method, .epsilon = epsilon};
  if (method != StudyMethod::none) arm.result.claimed = arm.result.proved = arm.plan->claimed_epsilon.to_double_up();
  return arm;
}

Result<std::vector<Arm>> arms_of(const schema::Policy& policy, const StudyRequest& request, std::uint64_t declared) {
  std::vector<Arm> arms;
  for (const learn::ModelKind model : request.models) {
    for (const StudyMethod method : request.methods) {
      const bool once = method == StudyMethod::none || (!is_published(method) && request.training.sigma);
      if (once) {
        GAUZE_TRY(Arm arm, sound_arm(policy, request, model, method, {}, declared));
        arms.push_back(std::move(arm));
        continue;
      }
      if (request.epsilons.empty()) return invalid_parameter("epsilons are needed for methods with a budget");
      for (const Rational& epsilon : request.epsilons) {
        GAUZE_TRY(Arm arm, is_published(method) ? published_arm(policy, request, model, method, epsilon, declared)
                                                : sound_arm(policy, request, model, method, epsilon, declared));
        arms.push_back(std::move(arm));
      }
    }
  }
  return arms;
}

StudyResult summarise(Arm arm, const std::vector<Run>& runs, bool attack) {
  const auto over = [&](double Run::*figure) {
    std::vector<double> values;
    for (const Run& run : runs) values.push_back(run.*figure);
    return estimate(values);
  };
  StudyResult result = std::move(arm.result);
  result.accuracy = over(&Run::accuracy);
  result.f1_weighted = over(&Run::f1_weighted);
  result.balanced_accuracy = over(&Run::balanced_accuracy);
  if (!attack) return result;
  const auto trained = over(&Run::trained_auc);
  const auto loss = over(&Run::loss_auc);
  const bool stronger = trained && (!loss || trained->mean > loss->mean);
  result.attack = {.name = stronger ? "trained" : "loss",
                   .accuracy = over(stronger ? &Run::trained_accuracy : &Run::loss_accuracy),
                   .auc = stronger ? trained : loss};
  return result;
}

/// The share of the commonest class of a part's rows.
double majority_share(const LearningRows& rows, std::size_t classes) {
  std::vector<double> counts(classes);
  for (std::size_t row = 0; row < rows.rows(); ++row) ++counts[rows.target(row).label];
  return *std::max_element(counts.begin(), counts.end()) / static_cast<double>(rows.rows());
}

}  // namespace

Result<LearningStudy> study_learning(const schema::Policy& policy, const LearningRows& expanded,
                                     const LearningRows& positions, const StudyRequest& request, Progress& progress) {
  if (policy.learn->target.numeric)
    return invalid_parameter("a study compares classifiers: the target must have classes");
  if (request.training_share + request.test_share > Rational(1) || request.training_share.sign() <= 0 ||
      request.test_share.sign() <= 0)
    return invalid_parameter("the shares of a split must be above 0 and add up to at most 1");
  const auto rows = request.training.rows ? request.training.rows : policy.learn->rows;
  if (!rows) return asking_for("rows", invalid_parameter("the number of rows is needed, declared"));
  const Rational share = Rational(static_cast<std::int64_t>(*rows)) * request.training_share + Rational(1, 2);
  const auto declared = static_cast<std::uint64_t>(std::max(1.0, share.floor().to_double()));
  GAUZE_TRY(std::vector<Arm> arms, arms_of(policy, request, declared));

  std::vector<Split> splits;
  for (std::uint64_t i = 0; i < request.seeds; ++i)
    splits.push_back(split_units(expanded.units(), request, request.first_seed + i));
  std::vector<std::vector<Run>> runs(arms.size(), std::vector<Run>(request.seeds));
  std::mutex mutex;
  Result<void> failed;
  progress.begin("training", arms.size() * request.seeds);
  parallel_for(arms.size() * request.seeds, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (progress.stop_requested()) return;
      const std::size_t arm = i / request.seeds;
      const std::size_t seed = i % request.seeds;
      const LearningRows& all = arms[arm].published ? positions : expanded;
      auto run = run_arm(arms[arm], policy, all, splits[seed], request, request.first_seed + seed);
      if (run) {
        runs[arm][seed] = *run;
      } else {
        const std::lock_guard lock(mutex);
        if (failed) failed = tl::unexpected(run.error());
      }
      progress.advance();
    }
  });
  GAUZE_TRY_VOID(progress.check());
  GAUZE_TRY_VOID(failed);
  LearningStudy study;
  study.delta = request.delta;
  std::vector<double> majority;
  for (const Split& split : splits) {
    const LearningRows test = expanded.select(split.test);
    if (test.rows() > 0) majority.push_back(majority_share(test, policy.learn->target.classes.size()));
  }
  study.majority = estimate(majority);
  for (std::size_t arm = 0; arm < arms.size(); ++arm)
    study.results.push_back(summarise(std::move(arms[arm]), runs[arm], request.attack));
  return study;
}

}  // namespace gauze::audit
