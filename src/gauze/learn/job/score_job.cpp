#include "gauze/learn/job/score_job.h"

#include <algorithm>
#include <numeric>

#include "gauze/mechanisms/noise/noise_law.h"

namespace gauze::learn {
namespace {

constexpr std::size_t kBootstrap = 300;

double total_of(const Confusion& confusion) {
  double total = 0;
  for (const auto& row : confusion) total = std::accumulate(row.begin(), row.end(), total);
  return total;
}

Rational noise_scale(const schema::LearnPolicy& policy, const Rational& epsilon) {
  const bool replaces = policy.neighbours == Neighbours::replace_one;
  return Rational(static_cast<std::int64_t>(policy.max_rows() * (replaces ? 2 : 1))) / epsilon;
}

/// The rows that count: at most max_rows of each unit, at random.
std::vector<std::uint32_t> counted_rows(const ScoredRows& rows, std::uint64_t most, RandomWords& random) {
  std::vector<std::uint32_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0U);
  if (rows.units() == rows.size()) return order;
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  std::vector<std::uint64_t> seen(rows.units());
  std::erase_if(order, [&](std::uint32_t row) { return ++seen[rows.unit_of_row[row]] > most; });
  return order;
}

Result<ModelScore> draw_score(const ScoredRows& rows, const schema::LearnPolicy& policy, const ScoreRequest& request,
                              RandomWords& random) {
  const std::size_t classes = rows.classes();
  const std::size_t groups = std::max<std::size_t>(rows.group_names.size(), 1);
  std::vector<std::int64_t> counts(groups * classes * classes);
  for (const std::uint32_t row : counted_rows(rows, policy.max_rows(), random)) {
    const std::size_t group = rows.groups.empty() ? 0 : rows.groups[row];
    ++counts[(group * classes + rows.truths[row]) * classes + rows.predicted[row]];
  }
  const Rational scale = noise_scale(policy, *request.epsilon);
  GAUZE_TRY(const DiscreteLaplaceLaw law, DiscreteLaplaceLaw::make(scale));
  std::vector<std::int64_t> noise(counts.size());
  law.sample(random, noise);
  std::vector<Confusion> by_group;
  Confusion all(classes, std::vector<double>(classes));
  for (std::size_t g = 0; g < groups; ++g) {
    Confusion own(classes, std::vector<double>(classes));
    for (std::size_t i = 0; i < classes; ++i)
      for (std::size_t j = 0; j < classes; ++j) {
        const std::size_t at = (g * classes + i) * classes + j;
        own[i][j] = static_cast<double>(counts[at] + noise[at]);
        all[i][j] += own[i][j];
      }
    by_group.push_back(std::move(own));
  }
  ModelScore score{.confusion = all, .classes = rows.class_names, .internal = false};
  SeededRandom simulated(1);  // what follows is made of what is public by now
  const double deviation = scale.to_double_up();
  score.figures =
      noisy_figures(all, rows.ordered, deviation * std::sqrt(static_cast<double>(groups)), kIntervalDraws, simulated);
  score.majority = majority_of(clipped_at_zero(all));
  for (std::size_t g = 0; g < rows.group_names.size(); ++g) {
    ModelScore::Group group{.name = rows.group_names[g], .size = std::max(0.0, total_of(by_group[g]))};
    if (group.size >= static_cast<double>(request.min_group))
      group.figures = noisy_figures(by_group[g], rows.ordered, deviation, kIntervalDraws, simulated);
    score.groups.push_back(std::move(group));
  }
  return score;
}

}  // namespace

Json ModelScore::to_json() const {
  Json object = figures.to_json();
  Json table = Json::array();
  for (const auto& row : confusion) {
    Json cells = Json::array();
    for (const double cell : row) cells.push(static_cast<std::int64_t>(cell));
    table.push(std::move(cells));
  }
  Json names = Json::array();
  for (const std::string& name : classes) names.push(name);
  object.set("confusion", classes.empty() ? Json() : std::move(table)).set("classes", std::move(names));
  object.set("majority", Json::object({{"class", majority.label ? Json(classes[*majority.label]) : Json()},
                                       {"accuracy", majority.accuracy ? Json(*majority.accuracy) : Json()}}));
  if (!groups.empty()) {
    Json by = Json::object();
    for (const Group& group : groups) by.set(group.name, group.figures.value_or(FigureEstimates{}).to_json());
    object.set("by_group", std::move(by));
  }
  if (rows) object.set("rows", *rows);
  object.set("internal", internal);
  return object;
}

PrivacyCost score_cost(const Rational& epsilon, const schema::LearnPolicy& policy) {
  PrivacyCost cost = PrivacyCost::of_epsilon(epsilon);
  cost.unit = policy.privacy_unit();
  cost.neighbours = policy.neighbours;
  return cost;
}

Result<ModelScore> internal_score(const ScoredRows& rows, const ScoreRequest& request, const Progress& progress) {
  SeededRandom random(1);
  GAUZE_TRY(const FigureEstimates all, bootstrap_figures(rows, {}, kBootstrap, random, progress));
  ModelScore score{
      .figures = all, .confusion = confusion_of(rows, {}), .classes = rows.class_names, .rows = rows.size()};
  score.majority = majority_of(score.confusion);
  for (std::uint32_t g = 0; g < rows.group_names.size(); ++g) {
    ModelScore::Group group{.name = rows.group_names[g],
                            .size = static_cast<double>(std::count(rows.groups.begin(), rows.groups.end(), g))};
    if (group.size >= static_cast<double>(request.min_group) && group.size > 0) {
      GAUZE_TRY(group.figures, bootstrap_figures(rows, g, kBootstrap, random, progress));
    }
    score.groups.push_back(std::move(group));
  }
  return score;
}

Result<ModelScore> paid_score(const ScoredRows& rows, const schema::LearnPolicy& policy, const ScoreRequest& request,
                              SecureRandom& random) {
  return draw_score(rows, policy, request, random);
}

Result<ModelScore> simulate_paid_score(const ScoredRows& rows, const schema::LearnPolicy& policy,
                                       const ScoreRequest& request, SeededRandom& random) {
  return draw_score(rows, policy, request, random);
}

PrivacyLabel score_label(const ModelFile& model, const schema::LearnPolicy& policy, const ScoreRequest& request,
                         const std::string& assumption) {
  PrivacyLabel label;
  label.released.kind = "figures of a model";
  label.parameters = Json::object({{"model", model.description.kind}});
  if (!request.epsilon) {
    label.definition = Definition::internal;
    label.warning = "exact figures of private rows: for the owner's eyes, not to be published";
    label.mechanism = "exact figures";
    label.privacy_unit = policy.privacy_unit();
    label.neighbours = policy.neighbours;
    label.does_not_cover = {"anybody: the figures are those of the rows"};
    return label;
  }
  score_cost(*request.epsilon, policy).put_into(label);
  label.mechanism = "exact discrete Laplace noise on counts of group, truth and prediction; figures follow from them";
  label.parameters.set("scale", Json::number(noise_scale(policy, *request.epsilon).to_decimal_up(12)));
  if (policy.max_rows() > 1) label.parameters.set("max_rows", policy.max_rows());
  label.covers = {fmt::format("all that the scored table holds about {}", policy.privacy_unit())};
  label.does_not_cover = {"the model, which has a label of its own",
                          "rows of the table the model was trained on, unless its cost is added to this one",
                          "the time that scoring took", "other releases from the same data: their costs add up"};
  if (!assumption.empty()) label.does_not_cover.push_back(assumption);
  return label;
}

PrivacyLabel prediction_label(const ModelFile& model) {
  PrivacyLabel label;
  label.released.kind = "predictions";
  label.definition = Definition::internal;
  label.parameters = Json::object({{"model", model.description.kind}});
  label.privacy_unit = "one row";
  label.neighbours = Neighbours::not_applicable;
  label.mechanism = "a model's answers about the rows it was given";
  label.warning = "predictions about the rows they were made from: as private as those rows";
  label.does_not_cover = {"the rows that were predicted on: what a model says about a row is that row's own",
                          "the rows the model was trained on: the model's label says what protects them"};
  return label;
}

}  // namespace gauze::learn
