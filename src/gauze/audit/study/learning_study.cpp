#include "gauze/audit/study/learning_study.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numeric>

#include "gauze/audit/figures/membership_figures.h"
#include "gauze/audit/model/answer_attacks.h"
#include "gauze/audit/scores/shadow_scores.h"
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

/// Answers about all rows, by true class.
Result<learn::Confusion> confusion_of(const ModelFile& model, const LearningRows& rows, std::size_t classes) {
  GAUZE_TRY(learn::RowPredictor predictor, learn::RowPredictor::make(model));
  learn::Confusion confusion(classes, std::vector<double>(classes));
  std::vector<std::uint32_t> codes;
  std::vector<learn::Answer> answered;
  std::vector<float> scores;
  for (std::size_t unit = 0; unit < rows.units(); ++unit) {
    const auto own = rows.rows_of(unit);
    codes.clear();
    for (const std::uint32_t row : own) codes.insert(codes.end(), rows.codes(row).begin(), rows.codes(row).end());
    predictor.answer(codes, own.size(), answered, scores);
    for (std::size_t i = 0; i < own.size(); ++i) ++confusion[rows.target(own[i]).label][answered[i].label];
  }
  return confusion;
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

/// What the models of one arm say about the records, until all its seeds are there and it is attacked.
class Attacked {
 public:
  Attacked(const StudyRequest& request, std::size_t units)
      : request_(&request), seen_(request.seeds), left_(request.seeds) {
    const bool by_others = std::any_of(request.attacks.begin(), request.attacks.end(),
                                       [](AttackKind attack) { return shadows_needed(attack) > 0; });
    if (!by_others) return;
    const std::size_t values = units * request.seeds;
    logits_ = {.records = units,
               .models = request.seeds,
               .values = std::vector<double>(values, NAN),
               .member = std::vector<std::int8_t>(values, -1)};
    confidences_ = logits_;
  }

  Result<void> see(const ModelFile& model, const LearningRows& all, const Split& split, std::size_t seed) {
    Seen& seen = seen_[seed];
    // equal numbers: units stand in random order, so the first ones are a random choice
    const auto add = [&](const std::vector<std::uint32_t>& units, std::size_t most, std::int8_t is_member) {
      for (const std::uint32_t unit : units) {
        if (seen.units.size() == most) break;
        if (all.rows_of(unit).empty()) continue;
        seen.units.push_back(unit);
        seen.member.push_back(is_member);
      }
    };
    add(split.test, split.test.size(), 0);
    const std::size_t others = seen.units.size();
    add(split.training, 2 * others, 1);
    GAUZE_TRY(seen.signals, signals_of(model, all, seen.units));
    if (logits_.models == 0) return {};
    std::vector<std::uint32_t> units;
    for (std::uint32_t unit = 0; unit < all.units(); ++unit)
      if (!all.rows_of(unit).empty()) units.push_back(unit);
    GAUZE_TRY(const Signals signals, signals_of(model, all, units));
    const std::size_t begin = seed * logits_.records;
    for (std::size_t i = 0; i < units.size(); ++i) {
      logits_.values[begin + units[i]] = signals.logit[i];
      confidences_.values[begin + units[i]] = signals.confidence[i];
      logits_.member[begin + units[i]] = confidences_.member[begin + units[i]] = 0;
    }
    for (const std::uint32_t unit : split.training)
      if (!all.rows_of(unit).empty()) logits_.member[begin + unit] = confidences_.member[begin + unit] = 1;
    return {};
  }

  /// True for whoever brings the last seed.
  bool is_last() { return --left_ == 0; }

  /// Attacks every seed's model, and forgets what was seen.
  std::vector<StudyResult::Attack> attack() {
    std::vector<StudyResult::Attack> results;
    for (const AttackKind kind : request_->attacks) {
      StudyResult::Attack result{.kind = kind};
      std::vector<double> accuracy;
      std::vector<double> area;
      std::vector<std::vector<double>> rates(request_->false_rates.size());
      for (std::size_t seed = 0; seed < seen_.size(); ++seed) {
        SeededRandom random(request_->first_seed + seed, 0xa77ac4);
        const std::vector<double> scores = scores_of(kind, seed, random);
        std::vector<double> members;
        std::vector<double> others;
        for (std::size_t i = 0; i < scores.size(); ++i)
          (seen_[seed].member[i] == 1 ? members : others).push_back(scores[i]);
        const MembershipFigures figures = membership_figures(members, others, request_->false_rates, random);
        accuracy.push_back(figures.accuracy.value_or(NAN));
        area.push_back(figures.auc.value_or(NAN));
        for (std::size_t i = 0; i < rates.size(); ++i) rates[i].push_back(figures.rates[i].tpr.value_or(NAN));
      }
      result.accuracy = estimate(accuracy);
      result.auc = estimate(area);
      for (const std::vector<double>& rate : rates) result.rates.push_back(estimate(rate));
      results.push_back(std::move(result));
    }
    seen_.clear();
    logits_ = confidences_ = {};
    return results;
  }

 private:
  struct Seen {
    std::vector<std::uint32_t> units;
    std::vector<std::int8_t> member;
    Signals signals;
  };

  [[nodiscard]] std::vector<double> scores_of(AttackKind kind, std::size_t seed, RandomWords& random) const {
    const Seen& seen = seen_[seed];
    if (shadows_needed(kind) == 0) return answer_attack(kind, seen.signals, seen.member, random);
    const std::vector<double> all = kind == AttackKind::rmia ? rmia_scores(confidences_, seed, {})
                                    : kind == AttackKind::lira
                                        ? lira_scores(logits_, seed, ShadowVariance::automatic)
                                        : lira_offline_scores(logits_, seed, ShadowVariance::automatic);
    std::vector<double> scores;
    for (const std::uint32_t unit : seen.units) scores.push_back(all[unit]);
    return scores;
  }

  const StudyRequest* request_;
  std::vector<Seen> seen_;
  ShadowScores logits_;
  ShadowScores confidences_;
  std::atomic<std::uint64_t> left_;
};

Result<Run> run_arm(const Arm& arm, const schema::Policy& policy, const LearningRows& all, const Split& split,
                    std::uint64_t seed, const std::function<Result<void>(const ModelFile&)>& attacked) {
  const LearningRows training = all.select(split.training);
  GAUZE_TRY(const ModelFile model, train_arm(arm, policy, training, seed));
  GAUZE_TRY(const learn::Confusion confusion,
            confusion_of(model, all.select(split.test), policy.learn->target.classes.size()));
  const learn::Figures figures = learn::figures_of(confusion, false);
  GAUZE_TRY_VOID(attacked(model));
  return Run{.accuracy = figures.accuracy.value_or(NAN),
             .f1_weighted = figures.f1_weighted.value_or(NAN),
             .balanced_accuracy = figures.balanced_accuracy.value_or(NAN)};
}

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

StudyResult summarise(Arm arm, const std::vector<Run>& runs) {
  const auto over = [&](double Run::*figure) {
    std::vector<double> values;
    for (const Run& run : runs) values.push_back(run.*figure);
    return estimate(values);
  };
  StudyResult result = std::move(arm.result);
  result.accuracy = over(&Run::accuracy);
  result.f1_weighted = over(&Run::f1_weighted);
  result.balanced_accuracy = over(&Run::balanced_accuracy);
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
  for (const AttackKind attack : request.attacks)
    if (request.seeds < 1 + shadows_needed(attack))
      return asking_for("seeds", invalid_parameter("the attack {} needs {} models of other seeds beside the target",
                                                   word_of(kAttackWords, attack), shadows_needed(attack)));
  const auto rows = request.training.rows ? request.training.rows : policy.learn->rows;
  if (!rows) return asking_for("rows", invalid_parameter("the number of rows is needed, declared"));
  const Rational share = Rational(static_cast<std::int64_t>(*rows)) * request.training_share + Rational(1, 2);
  const auto declared = static_cast<std::uint64_t>(std::max(1.0, share.floor().to_double()));
  GAUZE_TRY(std::vector<Arm> arms, arms_of(policy, request, declared));

  std::vector<Split> splits;
  for (std::uint64_t i = 0; i < request.seeds; ++i)
    splits.push_back(split_units(expanded.units(), request, request.first_seed + i));
  std::vector<std::vector<Run>> runs(arms.size(), std::vector<Run>(request.seeds));
  std::vector<std::unique_ptr<Attacked>> attacked;
  for (std::size_t arm = 0; arm < arms.size() && !request.attacks.empty(); ++arm)
    attacked.push_back(std::make_unique<Attacked>(request, expanded.units()));
  std::mutex mutex;
  Result<void> failed;
  progress.begin("training", arms.size() * request.seeds);
  parallel_for(arms.size() * request.seeds, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (progress.stop_requested()) return;
      const std::size_t arm = i / request.seeds;
      const std::size_t seed = i % request.seeds;
      const LearningRows& all = arms[arm].published ? positions : expanded;
      const auto attack = [&](const ModelFile& model) -> Result<void> {
        if (attacked.empty()) return {};
        GAUZE_TRY_VOID(attacked[arm]->see(model, all, splits[seed], seed));
        if (attacked[arm]->is_last()) arms[arm].result.attacks = attacked[arm]->attack();
        return {};
      };
      auto run = run_arm(arms[arm], policy, all, splits[seed], request.first_seed + seed, attack);
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
  study.false_rates = request.false_rates;
  std::vector<double> majority;
  for (const Split& split : splits) {
    const LearningRows test = expanded.select(split.test);
    if (test.rows() > 0) majority.push_back(majority_share(test, policy.learn->target.classes.size()));
  }
  study.majority = estimate(majority);
  for (std::size_t arm = 0; arm < arms.size(); ++arm)
    study.results.push_back(summarise(std::move(arms[arm]), runs[arm]));
  return study;
}

const StudyResult::Attack* StudyResult::strongest_attack() const {
  const auto area = [](const Attack& attack) { return attack.auc ? attack.auc->mean : 0; };
  const auto found = std::max_element(attacks.begin(), attacks.end(),
                                      [&](const Attack& a, const Attack& b) { return area(a) < area(b); });
  return found == attacks.end() ? nullptr : &*found;
}

}  // namespace gauze::audit
