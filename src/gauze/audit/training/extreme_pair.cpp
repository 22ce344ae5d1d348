#include "gauze/audit/training/extreme_pair.h"

#include <algorithm>
#include <cmath>

#include "gauze/audit/training/engine_runs.h"

namespace gauze::audit {
namespace {

using learn::LearningRows;

constexpr double kUnit = 0x1p-36;
constexpr int kLiftBits = 20;            ///< clips are so much larger where norms are measured
constexpr std::size_t kMostClasses = 4;  ///< whose records are tried
static_assert(learn::kUnitBits == 36);

/// A record: where in the domain its features lie, and its class.
struct Record {
  enum class Place { high, low, other };
  Place place = Place::high;
  std::size_t target = 0;  ///< of a number: 0 low, 1 high
};

std::vector<Record> records_of(const schema::LearnPolicy& policy) {
  const std::size_t targets = policy.target.numeric ? 2 : std::min(kMostClasses, policy.target.classes.size());
  std::vector<Record> records;
  for (std::size_t target = 0; target < targets; ++target)
    for (const auto place : {Record::Place::high, Record::Place::low, Record::Place::other})
      records.push_back({place, target});
  return records;
}

std::string feature_cell(const schema::LearnFeature& feature, Record::Place place) {
  if (feature.kind == schema::LearnFeature::Kind::numeric)
    return (place == Record::Place::low ? feature.low : feature.high).to_decimal();
  switch (place) {
    case Record::Place::high:
      return feature.values.back();
    case Record::Place::low:
      return feature.values.front();
    case Record::Place::other:
      break;
  }
  return {};
}

std::string target_cell(const schema::LearnTarget& target, std::size_t which) {
  if (target.numeric) return (which == 0 ? target.low : target.high).to_decimal();
  return target.classes[which].values.front();
}

/// One unit of each record, with as many rows as it may have, and one more.
LearningRows rows_of_records(const schema::LearnPolicy& policy, learn::InputEncoding encoding,
                             const std::vector<Record>& records) {
  LearningRows rows(policy, encoding, table::DecimalSign::point, {});
  std::vector<std::string> cells;
  for (std::size_t unit = 0; unit < records.size(); ++unit) {
    cells.clear();
    for (const std::string& column : policy.columns()) {
      if (const schema::LearnFeature* feature = policy.find(column))
        cells.push_back(feature_cell(*feature, records[unit].place));
      else if (column == policy.target.column)
        cells.push_back(target_cell(policy.target, records[unit].target));
      else if (policy.weights && column == policy.weights->column)
        cells.push_back(policy.weights->high.to_decimal());
      else
        cells.push_back(fmt::format("unit {}", unit));
    }
    const std::vector<std::string_view> views(cells.begin(), cells.end());
    const std::uint64_t count = policy.unit ? policy.max_rows() + 1 : 1;
    for (std::uint64_t i = 0; i < count; ++i) rows.add(views);
  }
  rows.finish();
  return rows;
}

/// How many more records stand beside the one that differs. A sample of fixed size has another one in it where this one is not: that
/// another one pulls the other way is the worst that can be.
std::size_t others_of(const Recipe& recipe) {
  constexpr std::uint64_t kMostOthers = 100'000;
  const auto& plan = recipe.plan();
  const bool is_fixed = plan ? plan->sampling == learn::SamplingKind::fixed_size
                             : recipe.published()->options.batch < recipe.declared();
  return is_fixed ? std::min(recipe.declared() - 1, kMostOthers) : 0;
}

/// The same recipe with everybody in its one step, and with a clip that is so many bits larger.
Recipe first_step_of(const Recipe& recipe, int clip_bits) {
  const Rational factor = Rational::power_of_two(clip_bits);
  if (const auto& own = recipe.plan()) {
    learn::TrainingPlan plan = *own;
    plan.sampling = learn::SamplingKind::full;
    plan.steps = 1;
    plan.options.clip = plan.options.clip * factor;
    return Recipe(std::move(plan));
  }
  learn::PublishedPlan plan = *recipe.published();
  plan.options.batch = plan.declared;
  plan.options.epochs = 1;
  plan.steps_of_epoch = 1;
  plan.options.clip = plan.options.clip * factor;
  return Recipe(std::move(plan));
}

class FirstSum final : public learn::StepProbe {
 public:
  void begin(std::span<const float>) override {}
  void see(const learn::StepSum& sum) override {
    clips.clear();
    for (const std::uint64_t one : sum.rows)
      clips.push_back(static_cast<double>(static_cast<std::int64_t>(one)) * kUnit);
  }
  std::vector<double> clips;
};

/// What one step makes of these rows; its noise is the same every time.
struct FirstStep {
  std::vector<double> sum;  ///< of the rows alone
  std::vector<float> weights;
};

Result<FirstStep> first_step(const Recipe& recipe, const schema::Policy& policy, const LearningRows& rows,
                             const Progress& progress) {
  FirstSum probe;
  GAUZE_TRY(EngineRuns runs, EngineRuns::make(recipe, policy, rows, probe));
  const EngineFault none;
  RunStreams streams(1, 0, none);
  GAUZE_TRY(EngineRuns::Released released, runs.run(streams, progress));
  return FirstStep{std::move(probe.clips), std::move(released.weights)};
}

template <class Number>
std::vector<double> difference(const std::vector<Number>& a, const std::vector<Number>& b) {
  std::vector<double> result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    result[i] = static_cast<double>(b[i]) - static_cast<double>(a[i]);
    if (!std::isfinite(result[i])) result[i] = 0;
  }
  return result;
}

double norm_of(const std::vector<double>& vector) {
  double sum = 0;
  for (const double one : vector) sum += one * one;
  return std::sqrt(sum);
}

/// Empty where there is no direction.
std::vector<double> direction_of(std::vector<double> vector) {
  const double norm = norm_of(vector);
  if (!(norm > 0)) return {};
  for (double& one : vector) one /= norm;
  return vector;
}

/// A record that may be in a pair.
struct Candidate {
  Record record;
  FirstStep step;
  double norm = 0;  ///< of its gradient before the clip, in clips
};

/// Two of them, or none and one.
struct Chosen {
  std::optional<std::size_t> left = {};
  std::size_t right = 0;
  double distance = 0;
};

/// Those whose clipped gradients lie furthest apart; of equals those whose gradients are longest.
Chosen choose(const std::vector<Candidate>& candidates, bool replaces) {
  constexpr double kEqual = 1e-6;
  Chosen chosen;
  double longest = 0;
  const auto consider = [&](std::optional<std::size_t> left, std::size_t right, double distance) {
    const double norm = std::min(candidates[right].norm, left ? candidates[*left].norm : HUGE_VAL);
    const bool further = distance > chosen.distance * (1 + kEqual);
    const bool longer = distance >= chosen.distance * (1 - kEqual) && norm > longest;
    if (!further && !longer) return;
    chosen = {left, right, std::max(distance, chosen.distance)};
    longest = norm;
  };
  for (std::size_t right = 0; right < candidates.size(); ++right) {
    const std::vector<double>& sum = candidates[right].step.sum;
    if (!replaces) consider({}, right, norm_of(sum));
    for (std::size_t left = 0; replaces && left < right; ++left)
      consider(left, right, norm_of(difference(candidates[left].step.sum, sum)));
  }
  return chosen;
}

}  // namespace

std::string number_cell(double value, table::DecimalSign sign) {
  std::string text = fmt::format("{}", value);
  if (sign == table::DecimalSign::comma) std::replace(text.begin(), text.end(), '.', ',');
  return text;
}

schema::Policy policy_of_pairs() {
  schema::Policy policy;
  policy.learn.emplace();
  policy.learn->features = {{.name = "x", .low = -1, .high = 1}};
  policy.learn->target = {.column = "y", .classes = {{"no", {"no"}}, {"yes", {"yes"}}}};
  policy.learn->weights = {.column = "w", .low = 0, .high = 1'000'000};
  policy.learn->sensitive = {"x"};
  policy.learn->entropies.emplace();
  policy.learn->entropies->given = {{"x", Rational(1)}};
  return policy;
}

Result<ExtremePair> extreme_pair(const Recipe& recipe, const schema::Policy& policy, const Progress& progress) {
  const schema::LearnPolicy& learn = *policy.learn;
  const Recipe judged = first_step_of(recipe, 0);
  const Recipe lifted = first_step_of(recipe, kLiftBits);
  const auto rows_of = [&](const std::vector<Record>& one_each) {
    return rows_of_records(learn, recipe.encoding(), one_each);
  };
  std::vector<Candidate> candidates;
  for (const Record& record : records_of(learn)) {
    GAUZE_TRY(FirstStep step, first_step(judged, policy, rows_of({record}), progress));
    GAUZE_TRY(const FirstStep unclipped, first_step(lifted, policy, rows_of({record}), progress));
    candidates.push_back({record, std::move(step), std::ldexp(norm_of(unclipped.sum), kLiftBits)});
  }
  const Chosen chosen = choose(candidates, recipe.neighbours() == Neighbours::replace_one);
  if (!(chosen.distance > 0))
    return invalid_parameter(
        "no record that the policy allows moves this model in its first step: there is nothing to look for");
  const Candidate& right = candidates[chosen.right];
  GAUZE_TRY(const FirstStep of_nothing, first_step(judged, policy, rows_of({}), progress));
  const FirstStep& of_left = chosen.left ? candidates[*chosen.left].step : of_nothing;
  const std::size_t others = others_of(recipe);
  std::vector<Record> in_left;
  if (chosen.left) in_left.assign(1 + others, candidates[*chosen.left].record);
  std::vector<Record> in_right = in_left;
  in_right.resize(std::max<std::size_t>(1, in_left.size()));
  in_right.front() = right.record;
  ExtremePair pair{.left = rows_of(in_left),
                   .right = rows_of(in_right),
                   .norm = right.norm,
                   .in_sum = direction_of(difference(of_left.sum, right.step.sum)),
                   .in_model = direction_of(difference(of_left.weights, right.step.weights))};
  const std::string size = pair.norm < 10 ? fmt::format("its gradient {:.3g} times the clip", pair.norm)
                                          : fmt::format("its gradient {:.0f} times the clip", pair.norm);
  const std::string many = others > 0 ? fmt::format("{} times an extreme record", others + 1) : "an extreme record";
  pair.what = chosen.left ? fmt::format("left: {}; right: another one in the place of one, {}", many, size)
                          : fmt::format("left: an empty table; right: one extreme record, {}", size);
  return pair;
}

}  // namespace gauze::audit
