// The document of docs/formats/evaluation.md.
#include <algorithm>
#include <cmath>

#include "gauze/assess/evaluation/advice.h"
#include "gauze/assess/evaluation/evaluation.h"
#include "gauze/schema/policy/criterion_text.h"

namespace gauze::assess {
namespace {

Json number(const Rational& value) { return Json::number(value.to_decimal()); }

Json numbers(std::span<const double> values) {
  Json list = Json::array();
  for (const double value : values) list.push(value);
  return list;
}

/// Whiskers at 1.5 interquartile ranges, as far as there are values.
Json box(std::vector<double> values, bool with_outliers) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const double q1 = quantile(values, 0.25);
  const double q3 = quantile(values, 0.75);
  const double low_fence = q1 - 1.5 * (q3 - q1);
  const double high_fence = q3 + 1.5 * (q3 - q1);
  const auto first = std::lower_bound(values.begin(), values.end(), low_fence);
  const auto last = std::upper_bound(values.begin(), values.end(), high_fence);
  Json object = Json::object(
      {{"low", *first}, {"q1", q1}, {"median", quantile(values, 0.5)}, {"q3", q3}, {"high", *(last - 1)}});
  if (with_outliers) {
    // At most 40: the farthest ones on both sides.
    Json outliers = Json::array();
    const auto below = std::min<std::ptrdiff_t>(20, first - values.begin());
    const auto above = std::min<std::ptrdiff_t>(20, values.end() - last);
    for (auto value = values.begin(); value != values.begin() + below; ++value) outliers.push(*value);
    for (auto value = values.end() - above; value != values.end(); ++value) outliers.push(*value);
    object.set("outliers", std::move(outliers));
  }
  return object;
}

constexpr std::array<double, 6> kSizeEdges = {1, 5, 20, 100, 500, 2500};

Json relative_error(const std::vector<ClassError>& errors, std::size_t repetitions) {
  std::vector<double> all;
  for (const ClassError& one : errors) all.push_back(one.error);
  Json by_size = Json::array();
  for (std::size_t i = 0; i < kSizeEdges.size(); ++i) {
    const bool last = i + 1 == kSizeEdges.size();
    std::vector<double> values;
    for (const ClassError& one : errors)
      if (one.size >= kSizeEdges[i] && (last || one.size < kSizeEdges[i + 1])) values.push_back(one.error);
    if (values.empty()) continue;
    Json entry = Json::object({{"from", kSizeEdges[i]},
                               {"to", last ? Json() : Json(kSizeEdges[i + 1] - 1)},
                               {"classes", values.size() / repetitions}});
    const Json summary = box(std::move(values), false);
    for (const auto& [key, value] : *summary.members()) entry.set(key, value);
    by_size.push(std::move(entry));
  }
  return Json::object({{"all", box(std::move(all), true)}, {"by_size", std::move(by_size)}});
}

Json group_json(const models::GroupRates& rates, double minimum) {
  Json undefined = Json::array();
  Json object = Json::object({{"size", rates.size}});
  const auto figures = rate_figures(rates);
  for (std::size_t i = 0; i < figures.size(); ++i) {
    object.set(kRateWords[i], figures[i]);
    if (std::isnan(figures[i])) undefined.push(kRateWords[i]);
  }
  return object.set("undefined", std::move(undefined)).set("small", rates.size < minimum);
}

Json fairness_json(const ModelRun& run, const EvaluationData& data, double minimum) {
  Json object = Json::object();
  for (std::size_t g = 0; g < run.gaps.size(); ++g) {
    Json grouping = Json::object();
    const auto figures = gap_figures(run.gaps[g]);
    for (std::size_t i = 0; i < figures.size(); ++i) grouping.set(kGapWords[i], figures[i]);
    Json groups = Json::object();
    for (std::size_t i = 0; i < run.groups[g].size(); ++i)
      groups.set(data.groupings[g].groups[i], group_json(run.groups[g][i], minimum));
    object.set(data.groupings[g].name, grouping.set("groups", std::move(groups)));
  }
  return object;
}

Json performance_json(const models::Performance& performance) {
  Json object = Json::object();
  const auto figures = performance_figures(performance);
  for (std::size_t i = 0; i < figures.size(); ++i) object.set(kPerformanceWords[i], figures[i]);
  return object.set("degenerate", is_degenerate(performance) ? 1 : 0);
}

/// Null where the policy's k was the only one.
Json ks_json(const EvaluationSetting& setting) {
  if (setting.ks.empty()) return {};
  Json list = Json::array();
  for (const std::uint64_t k : setting.ks) list.push(k);
  return list;
}

Json anchors_json(const EvaluationSetting& setting) {
  const auto pair = [](const char* zero, const char* one) { return Json::object({{"zero", zero}, {"one", one}}); };
  if (setting.as_published)
    return Json::object({{"privacy", pair("the smallest noisy count of this sweep, and a large epsilon",
                                          "the largest smallest count of this sweep (60 %), and epsilon 0 (40 %)")},
                         {"utility", pair("the largest TVD of this sweep", "the smallest TVD of this sweep")},
                         {"fairness", pair("the largest equalised odds of this sweep",
                                           "the smallest equalised odds of this sweep")}});
  return Json::object(
      {{"privacy", pair("an attacker can be certain whether one person is in the data",
                        "the release tells nothing about whether one person is in the data")},
       {"utility", pair("nothing of the distribution, the detail, the marginals and the model is left",
                        "as good as the unprotected data in each of them")},
       {"fairness", pair("one group is always treated as positive where another never is",
                         "true and false positive rates are the same in all groups")}});
}

}  // namespace

Json Evaluation::setting_json(const std::string& file) const {
  const EvaluationSetting& setting = *setting_;
  const schema::PolicyRelease& release = *setting.policy.release;
  const bool select = release.mode == schema::ReleaseMode::select && !setting.as_published;
  Json quasi = Json::array();
  Json levels = Json::object();
  for (std::size_t i = 0; i < columns_->quasi.size(); ++i) {
    quasi.push(columns_->quasi[i]->name());
    levels.set(columns_->quasi[i]->name(), view().levels[i]);
  }
  Json protected_columns = Json::array();
  for (const std::string& name : setting.protected_columns) protected_columns.push(name);
  const std::string unit = release.unit ? "one value of " + release.unit->id : "row";
  return Json::object({{"file", file},
                       {"rows", data_->rows},
                       {"test_rows", setting.measures_models() ? data_->test_rows : 0},
                       {"quasi", std::move(quasi)},
                       {"levels", select ? Json() : std::move(levels)},
                       {"k", setting.policy.privacy.k},
                       {"ks", ks_json(setting)},
                       {"mode", setting.as_published ? std::string_view("as-published")
                                                     : word_of(schema::kReleaseModeWords, release.mode)},
                       {"kind", word_of(schema::kReleaseKindWords, release.kind)},
                       {"noise", setting.as_published ? std::string_view("laplace")
                                                      : word_of(schema::kReleaseNoiseWords, release.noise)},
                       {"neighbours", to_string(release.neighbours)},
                       {"unit", unit},
                       {"delta", number(setting.delta)},
                       {"as_published", setting.as_published},
                       {"noise_scale", number(setting.noise_scale)},
                       {"target", setting.target ? Json(*setting.target) : Json()},
                       {"positive", setting.target ? Json(setting.positive) : Json()},
                       {"protected", std::move(protected_columns)},
                       {"minimum_group", setting.minimum_group},
                       {"repetitions", setting.repetitions},
                       {"epsilons_found", setting.epsilons_found},
                       {"seed", setting.seed},
                       {"weights", Json::object({{"privacy", setting.weights.privacy},
                                                 {"utility", setting.weights.utility},
                                                 {"fairness", setting.weights.fairness}})},
                       {"cells", view().domain->size()},
                       {"score_kind", setting.as_published ? "as-published" : "absolute"}});
}

Json Evaluation::published_loss_json() const {
  const std::vector<double>& losses = view().published_losses;
  if (losses.empty()) return {};
  Json columns = Json::object();
  double sum = 0;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    columns.set(columns_->quasi[i]->name(), losses[i]);
    sum += losses[i];
  }
  return Json::object({{"total", sum / static_cast<double>(losses.size())}, {"columns", std::move(columns)}});
}

Json Evaluation::reference_json(std::size_t candidate) const {
  const Candidate& one = candidates_[candidate];
  if (setting_->ks.empty()) return number(one.epsilon);
  return Json::object({{"epsilon", number(one.epsilon)}, {"k", one.k}});
}

Json Evaluation::candidate_json(std::size_t candidate) const {
  const EvaluationSetting& setting = *setting_;
  const Rational& epsilon = candidates_[candidate].epsilon;
  const double value = epsilon.to_double();
  Json object = Json::object({{"epsilon", number(epsilon)}});
  if (!setting.ks.empty()) object.set("k", candidates_[candidate].k);
  if (setting.scenario != nullptr) object.set("above_ceiling", !setting.is_allowed(epsilon));
  const auto& list = runs_->figures;
  std::uint64_t smallest = 0;
  for (const schema::CellCount& one : view().histogram.cells)
    smallest = smallest == 0 ? one.count : std::min(smallest, one.count);
  for (std::size_t figure = 0; figure < list.size(); ++figure) {
    const FigurePath& path = list.path(figure);
    const auto found = estimate(runs_->values[candidate][figure]);
    const bool share = path.back() == "rejected" || path.back() == "degenerate";
    put(object, path, share ? (found ? Json(found->mean) : Json()) : gauze::to_json(found));
    if (figure == list.find({"tvd_raw"}))
      object.set("tvd_raw_expected", sweep_->mechanism(candidate).expected_raw_distance(view()));
  }
  const bool published = setting.as_published;
  put(object, {"privacy", "k_true"}, smallest);
  put(object, {"privacy", "epsilon"}, published ? Json() : number(epsilon));
  put(object, {"privacy", "delta"}, published ? Json() : number(setting.delta));
  put(object, {"privacy", "membership_bound"},
      published ? Json() : Json(membership_bound(value, setting.delta.to_double())));
  put(object, {"utility", "range_queries", "queries"}, view().queries->size());
  Json losses = Json::object();
  for (std::size_t i = 0; i < columns_->quasi.size(); ++i)
    losses.set(columns_->quasi[i]->name(), view().column_losses[i]);
  put(object, {"utility", "generalisation_loss"},
      Json::object(
          {{"total", view().loss}, {"columns", std::move(losses)}, {"as_published", published_loss_json()}}));
  put(object, {"utility", "relative_error"},
      relative_error(runs_->errors[candidate], static_cast<std::size_t>(setting.repetitions)));
  if (!setting.measures_models()) put(object, {"utility", "models"}, Json());
  if (setting.measures_fairness()) {
    for (std::size_t g = 0; g < data_->groupings.size(); ++g) {
      const Grouping& grouping = data_->groupings[g];
      for (std::size_t i = 0; i < grouping.groups.size(); ++i) {
        const FigurePath base = {"fairness", grouping.name, "groups", grouping.groups[i]};
        const double size = baselines_->unprotected.groups[g][i].size;
        Json undefined = Json::array();
        for (const char* word : kRateWords) {
          FigurePath path = base;
          path.emplace_back(word);
          if (!runs_->estimate_of(candidate, path)) undefined.push(word);
        }
        for (auto& [key, fact] : std::vector<std::pair<const char*, Json>>{
                 {"size", size}, {"undefined", std::move(undefined)}, {"small", size < setting.minimum_group}}) {
          FigurePath path = base;
          path.emplace_back(key);
          put(object, path, std::move(fact));
        }
      }
    }
  } else {
    object.set("fairness", Json());
  }
  const auto rates = win_rates(runs_->scores, setting.weights, eligible_);
  object.set("win_rate", gauze::to_json(rates[candidate]));
  return object;
}

Json Evaluation::recommendation_json() const {
  const EvaluationSetting& setting = *setting_;
  const Choice best = choice();
  Json candidates = Json::array();
  for (const std::size_t i : best.candidates) candidates.push(reference_json(i));
  Json weightings = Json::object();
  for (const NamedWeights& named : kWeightings) {
    if (named.weights.fairness > named.weights.privacy + named.weights.utility &&
        !is_fairness_scored(runs_->scores)) {
      weightings.set(named.name, Json());
      continue;
    }
    const Choice one = choose(runs_->scores, named.weights, eligible_);
    Json entry = Json::object({{"epsilon", number(candidates_[one.winner].epsilon)}});
    if (!setting.ks.empty()) entry.set("k", candidates_[one.winner].k);
    entry.set("win_rate", one.win_rate.mean).set("clear", one.clear);
    weightings.set(named.name, std::move(entry));
  }
  Json space = Json::object();
  Json intervals = Json::object();
  const auto shares = weight_space_estimates(runs_->scores, eligible_);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const std::string key =
        (setting.ks.empty() ? "" : std::to_string(candidates_[i].k) + "/") + candidates_[i].epsilon.to_decimal();
    space.set(key, shares[i].mean);
    intervals.set(key, gauze::to_json(shares[i]));
  }
  Json front = Json::array();
  for (const std::size_t i : pareto_front(mean_scores(runs_->scores))) front.push(reference_json(i));
  Json object = Json::object({{"epsilon", number(candidates_[best.winner].epsilon)}});
  if (!setting.ks.empty()) object.set("k", candidates_[best.winner].k);
  for (auto& [key, value] : std::vector<std::pair<const char*, Json>>{
           {"win_rate", best.win_rate.mean},
           {"clear", best.clear},
           {"runner_up", best.runner_up == best.winner ? Json() : reference_json(best.runner_up)},
           {"candidates", std::move(candidates)},
           {"text", recommendation_text()},
           {"by_weighting", std::move(weightings)},
           {"weight_space", std::move(space)},
           {"weight_space_intervals", std::move(intervals)},
           {"pareto", std::move(front)}})
    object.set(key, std::move(value));
  return object;
}

Json Evaluation::scenario_json() const {
  const Scenario* const scenario = setting_->scenario;
  if (scenario == nullptr) return {};
  const auto ceiling = ceiling_of(*scenario);
  Json advice = Json::array();
  for (const Advice& one : advice_of(*this))
    advice.push(Json::object({{"source", one.source},
                              {"epsilon", number(one.epsilon)},
                              {"tried", one.won.has_value()},
                              {"won", one.won ? Json(*one.won) : Json()},
                              {"above_ceiling", one.above_ceiling}}));
  return Json::object({{"name", scenario->name},
                       {"weighting", scenario->weighting},
                       {"profile", ceiling ? Json(scenario->profile) : Json()},
                       {"ceiling", ceiling ? number(*ceiling) : Json()},
                       {"advice", std::move(advice)},
                       {"text", advice_text(*this)}});
}

Json Evaluation::baselines_json() const {
  if (!baselines_) return {};
  return Json::object(
      {{"majority", Json::object({{"accuracy", baselines_->majority_accuracy}})},
       {"unprotected",
        Json::object({{"models", Json::object({{"logistic", performance_json(baselines_->unprotected.logistic)},
                                               {"trees", performance_json(baselines_->unprotected.trees)}})},
                      {"fairness", setting_->measures_fairness()
                                       ? fairness_json(baselines_->unprotected, *data_, setting_->minimum_group)
                                       : Json()}})}});
}

Json Evaluation::disparity_json() const {
  if (data_->groupings.empty()) return {};
  const LevelView& here = view();
  const auto k = setting_->policy.privacy.k;
  Json object = Json::object();
  for (std::size_t g = 0; g < data_->groupings.size(); ++g) {
    const std::size_t groups = data_->groupings[g].groups.size();
    std::vector<double> suppressed = here.group_outside[g];
    std::vector<double> risk(groups, 0);
    for (std::size_t i = 0; i < here.histogram.cells.size(); ++i) {
      const auto size = static_cast<double>(here.histogram.cells[i].count);
      for (const LevelView::GroupShare& share : here.group_shares[g][i]) {
        if (here.histogram.cells[i].count < k) suppressed[share.group] += share.rows;
        risk[share.group] += share.rows / size;
      }
    }
    Json list = Json::object();
    for (std::size_t i = 0; i < groups; ++i) {
      const double rows = here.group_rows[g][i];
      list.set(data_->groupings[g].groups[i], Json::object({{"rows", rows},
                                                            {"suppression_rate", suppressed[i] / rows},
                                                            {"generalisation_loss", here.group_losses[g][i]},
                                                            {"risk", risk[i] / rows}}));
    }
    object.set(data_->groupings[g].name, std::move(list));
  }
  return object;
}

Json Evaluation::classes_json() const {
  const auto& cells = view().histogram.cells;
  std::uint64_t smallest = 0;
  std::uint64_t largest = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> bins;  // classes, rows: sizes from 2^i to 2^(i+1) - 1
  for (const schema::CellCount& one : cells) {
    smallest = smallest == 0 ? one.count : std::min(smallest, one.count);
    largest = std::max(largest, one.count);
    std::size_t bin = 0;
    while ((one.count >> (bin + 1)) != 0) ++bin;
    if (bins.size() <= bin) bins.resize(bin + 1);
    bins[bin].first += 1;
    bins[bin].second += one.count;
  }
  Json sizes = Json::array();
  for (std::size_t i = 0; i < bins.size(); ++i)
    sizes.push(Json::object({{"from", std::uint64_t{1} << i},
                             {"to", (std::uint64_t{1} << (i + 1)) - 1},
                             {"classes", bins[i].first},
                             {"rows", bins[i].second}}));
  return Json::object({{"count", cells.size()},
                       {"smallest", smallest},
                       {"largest", largest},
                       {"empty_cells", view().domain->size() - cells.size()},
                       {"outside", view().histogram.outside},
                       {"sizes", std::move(sizes)}});
}

Json Evaluation::to_json(const std::string& file) const {
  Json document = Json::object({{"internal", true}, {"setting", setting_json(file)}});
  document.set("warnings", gauze::to_json(data_->warnings));
  if (runs_) {
    document.set("anchors", anchors_json(*setting_));
    Json list = Json::array();
    for (std::size_t i = 0; i < candidates_.size(); ++i) list.push(candidate_json(i));
    document.set("epsilons", std::move(list));
    document.set("recommendation", recommendation_json());
    document.set("scenario", scenario_json());
    document.set("requirements", requirements_ ? requirements_->to_json() : Json());
    Json privacy = Json::array();
    Json utility = Json::array();
    Json fairness = Json::array();
    for (const std::vector<Scores>& runs : runs_->scores) {
      std::array<std::vector<double>, 3> scores;
      for (const Scores& one : runs) {
        scores[0].push_back(one.privacy);
        scores[1].push_back(one.utility);
        scores[2].push_back(one.fairness);
      }
      privacy.push(numbers(scores[0]));
      utility.push(numbers(scores[1]));
      fairness.push(numbers(scores[2]));
    }
    document.set("draws", Json::object({{"privacy", std::move(privacy)},
                                        {"utility", std::move(utility)},
                                        {"fairness", setting_->measures_fairness() ? std::move(fairness) : Json()}}));
  }
  document.set("baselines", baselines_json());
  document.set("disparity", disparity_json());
  document.set("classes", classes_json());
  if (runs_) document.set("lattice", lattice_);
  document.set("comparison", comparison_->to_json());
  document.set("label", label().to_json());
  return document;
}

}  // namespace gauze::assess
