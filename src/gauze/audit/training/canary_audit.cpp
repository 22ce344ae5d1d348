#include "gauze/audit/training/canary_audit.h"

#include <algorithm>
#include <numeric>

#include "gauze/audit/bounds/one_run.h"
#include "gauze/audit/model/signals.h"
#include "gauze/audit/training/extreme_pair.h"
#include "gauze/learn/score/scored_rows.h"

namespace gauze::audit {
namespace {

using learn::LearningRows;

constexpr std::size_t kFewestCanaries = 2;
constexpr std::size_t kMostCanaries = 10'000'000;
constexpr std::uint64_t kCoins = 1;  ///< streams of the audit's seed
constexpr std::uint64_t kCells = 2;
constexpr std::uint64_t kInClips = std::uint64_t{1} << learn::kUnitBits;

/// Adds C to a coordinate of its own for each canary that is in and sampled.
class GradientCanaries final : public learn::StepProbe {
 public:
  GradientCanaries(std::vector<std::uint8_t> coins, std::size_t weights, const EngineFault& fault)
      : coins_(std::move(coins)), weights_(weights), fault_(&fault), scores_(coins_.size()) {}

  [[nodiscard]] std::size_t places() const override { return coins_.size(); }
  [[nodiscard]] std::size_t coordinates() const override {
    return coins_.size() > weights_ ? coins_.size() - weights_ : 0;
  }
  void begin(std::span<const float>) override {}
  void see(const learn::StepSum& sum) override {
    if (fault_->in_sum) fault_->in_sum(sum);
    for (const std::uint32_t place : sum.planted)
      if (coins_[place] != 0) sum.noisy[place] += kInClips;
    for (std::size_t i = 0; i < scores_.size(); ++i)
      scores_[i] +=
          static_cast<double>(static_cast<std::int64_t>(sum.noisy[i] - sum.rows[i])) / static_cast<double>(kInClips);
  }
  [[nodiscard]] const std::vector<double>& scores() const { return scores_; }

 private:
  std::vector<std::uint8_t> coins_;
  std::size_t weights_;
  const EngineFault* fault_;
  std::vector<double> scores_;
};

/// Keeps the weights that a run begins with.
class FirstWeights final : public learn::StepProbe {
 public:
  explicit FirstWeights(const EngineFault& fault) : fault_(&fault) {}
  void begin(std::span<const float> weights) override { kept.assign(weights.begin(), weights.end()); }
  void see(const learn::StepSum& sum) override {
    if (fault_->in_sum) fault_->in_sum(sum);
  }
  std::vector<float> kept;

 private:
  const EngineFault* fault_;
};

std::vector<std::uint8_t> toss(const CanaryRequest& request) {
  std::vector<std::uint8_t> coins(request.canaries);
  request.random.draw(kCoins, [&](RandomWords& random) {
    for (std::uint8_t& coin : coins) coin = static_cast<std::uint8_t>(random.next() >> 63U);
  });
  return coins;
}

/// A random row of the policy's domain, in the order of its columns.
std::vector<std::string> random_row(const schema::LearnPolicy& policy, table::DecimalSign sign, std::size_t number,
                                    RandomWords& random) {
  const auto number_between = [&](const Rational& low, const Rational& high) {
    constexpr std::uint64_t kSteps = 1 << 20;
    const double share = static_cast<double>(random.below(kSteps + 1)) / static_cast<double>(kSteps);
    return number_cell(low.to_double() + share * (high.to_double() - low.to_double()), sign);
  };
  const auto one_of = [&](const std::vector<std::string>& values) { return values[random.below(values.size())]; };
  std::vector<std::string> cells;
  for (const std::string& column : policy.columns()) {
    if (const schema::LearnFeature* feature = policy.find(column)) {
      const bool is_number = feature->kind == schema::LearnFeature::Kind::numeric;
      cells.push_back(is_number ? number_between(feature->low, feature->high) : one_of(feature->values));
    } else if (column == policy.target.column) {
      if (policy.target.numeric)
        cells.push_back(number_between(policy.target.low, policy.target.high));
      else
        cells.push_back(one_of(policy.target.classes[random.below(policy.target.classes.size())].values));
    } else if (policy.weights && column == policy.weights->column) {
      cells.push_back(number_cell(policy.weights->high.to_double(), sign));
    } else {
      cells.push_back(
          fmt::format("\x01"
                      "canary {}",
                      number));  // an id that no table has
    }
  }
  return cells;
}

/// Minus the squared error of a model of a number: ln f_y but for what does not depend on the model.
Result<std::vector<double>> error_scores(const learn::ModelFile& model, const LearningRows& rows,
                                         std::span<const std::uint32_t> units) {
  GAUZE_TRY(learn::RowPredictor predictor, learn::RowPredictor::make(model));
  std::vector<double> scores;
  std::vector<float> output;
  for (const std::uint32_t unit : units) {
    if (rows.rows_of(unit).empty()) {  // its target is one that counts as missing
      scores.push_back(0);
      continue;
    }
    const std::uint32_t row = rows.rows_of(unit).front();
    predictor.outputs_of(std::vector<std::uint32_t>(rows.codes(row).begin(), rows.codes(row).end()), 1, output);
    const double error = static_cast<double>(output[0]) - static_cast<double>(rows.target(row).value);
    scores.push_back(std::isfinite(error) ? -error * error : 0);
  }
  return scores;
}

/// How sure the model is of what each canary says.
Result<std::vector<double>> sureness(const Recipe& recipe, const schema::Policy& policy,
                                     std::span<const float> weights, const LearningRows& rows,
                                     std::span<const std::uint32_t> canaries) {
  std::vector<float> finite(weights.begin(), weights.end());
  for (float& weight : finite)  // as a file holds them
    if (!(std::abs(weight) <= 1e30F)) weight = weight > 0 ? 1e30F : weight < 0 ? -1e30F : 0.0F;
  GAUZE_TRY(const learn::ModelFile model, model_of(recipe, policy, finite));
  if (policy.learn->target.numeric) return error_scores(model, rows, canaries);
  GAUZE_TRY(Signals signals, signals_of(model, rows, canaries));
  return std::move(signals.loss);
}

Result<std::vector<double>> gradient_scores(const Recipe& recipe, const schema::Policy& policy, LearningRows& rows,
                                            const ReadRows& read, const std::vector<std::uint8_t>& coins,
                                            const CanaryRequest& request, Progress& progress) {
  GAUZE_TRY_VOID(read(rows));
  rows.finish();
  GradientCanaries canaries(coins, summed_weights(recipe), request.fault);
  GAUZE_TRY(EngineRuns runs, EngineRuns::make(recipe, policy, rows, canaries));
  RunStreams streams(seed_of_runs(request.random), 0, request.fault);
  progress.begin("training", 0);
  GAUZE_TRY(const EngineRuns::Released released, runs.run(streams, progress));
  static_cast<void>(released);
  return canaries.scores();
}

Result<std::vector<double>> input_scores(const Recipe& recipe, const schema::Policy& policy, LearningRows& rows,
                                         const ReadRows& read, const std::vector<std::uint8_t>& coins,
                                         const CanaryRequest& request, Progress& progress) {
  const table::DecimalSign sign = policy.input.decimal.value_or(table::DecimalSign::point);
  request.random.draw(kCells, [&](RandomWords& random) {
    for (std::size_t i = 0; i < coins.size(); ++i) {
      const std::vector<std::string> cells = random_row(*policy.learn, sign, i, random);
      rows.add(std::vector<std::string_view>(cells.begin(), cells.end()));
    }
  });
  GAUZE_TRY_VOID(read(rows));
  rows.finish();
  std::vector<std::uint8_t> marks = coins;
  marks.resize(rows.units(), 1);
  const LearningRows trained_on = rows.only(marks);
  FirstWeights first(request.fault);
  GAUZE_TRY(EngineRuns runs, EngineRuns::make(recipe, policy, trained_on, first));
  RunStreams streams(seed_of_runs(request.random), 0, request.fault);
  progress.begin("training", 0);
  GAUZE_TRY(const EngineRuns::Released released, runs.run(streams, progress));
  std::vector<std::uint32_t> canaries(coins.size());
  std::iota(canaries.begin(), canaries.end(), 0U);
  GAUZE_TRY(std::vector<double> scores, sureness(recipe, policy, released.weights, rows, canaries));
  GAUZE_TRY(const std::vector<double> before, sureness(recipe, policy, first.kept, rows, canaries));
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] -= before[i];
  return scores;
}

}  // namespace

Result<void> check_canaries(const Recipe& recipe, const CanaryRequest& request) {
  if (request.canaries < kFewestCanaries || request.canaries > kMostCanaries)
    return invalid_parameter("there must be from {} to {} canaries, but there are {}", kFewestCanaries, kMostCanaries,
                             request.canaries);
  if (recipe.neighbours() == Neighbours::replace_one && request.canaries > recipe.declared())
    return asking_for(
        "canaries", invalid_parameter("under replace-one canaries take the first of the declared places: there must "
                                      "not be more of them than rows, {}, but there are {}",
                                      recipe.declared(), request.canaries));
  return {};
}

Result<CanaryAudit> audit_canaries(const Recipe& recipe, const schema::Policy& policy, const ReadRows& read,
                                   const CanaryRequest& request, Progress& progress) {
  GAUZE_TRY_VOID(check_canaries(recipe, request));
  const std::vector<std::uint8_t> coins = toss(request);
  LearningRows rows(*policy.learn, recipe.encoding(), policy.input.decimal.value_or(table::DecimalSign::point),
                    policy.input.null_tokens);
  const auto scores_by = request.kind == CanaryKind::gradient ? gradient_scores : input_scores;
  GAUZE_TRY(const std::vector<double> scores, scores_by(recipe, policy, rows, read, coins, request, progress));
  std::vector<double> members;
  std::vector<double> others;
  for (std::size_t i = 0; i < scores.size(); ++i) (coins[i] != 0 ? members : others).push_back(scores[i]);
  const SortedScores sorted(std::move(members), std::move(others));

  const Claim claimed = request.claimed.value_or(recipe.claim());
  // one delta alone is known of claims that somebody states and of published ones
  const bool stays = request.claimed || recipe.published();
  const double printed_risk = request.levels.printed_risk(kNumbersOfGuesses);
  const double alarm_risk = request.levels.alarm_risk(kNumbersOfGuesses);
  const auto delta_at = [&](double risk) {
    return stays ? claimed.delta : telling_delta(claimed.delta, risk, request.canaries);
  };
  const OneRunBound bound = one_run_bound(sorted, delta_at(printed_risk), printed_risk);
  CanaryAudit found{.audit = {.claim = "train",
                              .epsilon_lower = bound.epsilon_lower,
                              .confidence = request.levels.confidence,
                              .delta = delta_at(printed_risk),
                              .event = fmt::format("{} of {} guesses about {} canaries are right", bound.correct,
                                                   bound.guesses, request.canaries),
                              .reach = one_run_lower(request.canaries, request.canaries, request.canaries,
                                                     delta_at(printed_risk), printed_risk),
                              .claimed = claimed,
                              .alarm_lower = one_run_bound(sorted, delta_at(alarm_risk), alarm_risk).epsilon_lower,
                              .alarm_rate = request.levels.alarm},
                    .guesses = bound.guesses,
                    .correct = bound.correct};
  if (stays && claimed.epsilon && 2 * claimed.delta >= alarm_risk) {
    found.warnings.push_back(Warning::of_privacy(
        "cannot_alarm",
        "only one delta of the claim is known, and twice that is more than the alarm may be wrong: no bound from one "
        "run can lie above 0 there"));
    return found;
  }
  if (stays) {
    found.audit.decide();
    return found;
  }
  found.audit.claimed_at_delta1 = recipe.claimed_at(delta_at(printed_risk));
  found.audit.alarm_delta1 = delta_at(alarm_risk);
  found.audit.alarm_claimed = recipe.claimed_at(delta_at(alarm_risk));
  if (found.audit.alarm_claimed) found.audit.decide(found.audit.alarm_claimed);
  return found;
}

}  // namespace gauze::audit
