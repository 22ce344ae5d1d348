#include "gauze/assess/evaluation/sweep.h"

#include <algorithm>
#include <cmath>

#include "gauze/base/parallel.h"

namespace gauze::assess {

using schema::ReleaseMode;

namespace {

double defined(const std::optional<double>& value) { return value ? *value : kUndefined; }

/// The mean of those that are defined.
double mean_of(std::initializer_list<double> values) {
  double sum = 0;
  double count = 0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    sum += value;
    count += 1;
  }
  return count > 0 ? sum / count : kUndefined;
}

/// Streams of a repetition, the same at every epsilon.
enum class Stream : std::uint64_t { counts, training, bootstrap, attack, levels };
SeededRandom stream(const EvaluationSetting& setting, std::size_t repetition, Stream which) {
  return SeededRandom(setting.seed,
                      8 * static_cast<std::uint64_t>(repetition) + static_cast<std::uint64_t>(which) + 1);
}

}  // namespace

std::array<double, 6> performance_figures(const models::Performance& one) {
  return {defined(one.accuracy),  defined(one.balanced_accuracy),
          defined(one.precision), defined(one.recall),
          defined(one.f1),        defined(one.auc)};
}

std::array<double, 8> gap_figures(const FairnessGaps& gaps) {
  return {gaps.eod_sum,           gaps.eod_max, gaps.eod_mean, gaps.equal_opportunity, gaps.demographic_parity,
          gaps.predictive_parity, gaps.tpr_gap, gaps.fpr_gap};
}

std::array<double, 4> rate_figures(const models::GroupRates& rates) {
  return {defined(rates.tpr), defined(rates.fpr), defined(rates.selection_rate), defined(rates.precision)};
}

std::optional<Estimate> SweepRuns::estimate_of(std::size_t candidate, const FigurePath& path) const {
  const std::size_t figure = figures.find(path);
  if (figure == figures.size()) return std::nullopt;
  return estimate(values[candidate][figure]);
}

Sweep::Sweep(const EvaluationSetting& setting, const EvaluationData& data, const ReleasedColumns& columns,
             std::optional<double> unprotected_auc)
    : setting_(setting), data_(data), columns_(columns), unprotected_auc_(unprotected_auc) {}

Result<std::shared_ptr<const Sweep::Prepared>> Sweep::prepared(const std::vector<int>& levels) {
  const std::lock_guard lock(mutex_);
  auto& place = cache_[levels];
  if (place) return place;
  GAUZE_TRY(LevelView view, LevelView::make(setting_, data_, columns_, levels));
  auto made = std::make_shared<Prepared>(Prepared{std::move(view), {}});
  for (const Candidate& one : candidates_) {
    GAUZE_TRY(Mechanism mechanism, Mechanism::make(setting_, made->view, one.epsilon, one.k));
    made->mechanisms.push_back(std::move(mechanism));
  }
  place = std::move(made);
  return place;
}

Result<void> Sweep::prepare() {
  candidates_ = setting_.candidates();
  main_levels_ = fixed_levels(setting_, columns_);
  if (setting_.policy.release->mode == ReleaseMode::select && !setting_.as_published) {
    for (const Candidate& one : candidates_) {
      GAUZE_TRY(const release::ReleasePlan plan,
                release::ReleasePlan::make(setting_.policy, {.epsilon = one.epsilon, .delta = setting_.delta}));
      GAUZE_TRY(release::LevelSelection selection, plan.level_selection());
      std::vector<Rational> scores = selection.scores(data_.tuples, data_.tuples.counts);
      selections_.push_back({std::move(selection), std::move(scores)});
    }
    const Selection& last = selections_.back();
    const auto best = std::max_element(last.scores.begin(), last.scores.end());
    main_levels_ = last.selection.candidates()[static_cast<std::size_t>(best - last.scores.begin())];
  }
  GAUZE_TRY(const auto main, prepared(main_levels_));
  main_view_ = &main->view;
  list_figures();
  return {};
}

const Mechanism& Sweep::mechanism(std::size_t candidate) const {
  return cache_.at(main_levels_)->mechanisms[candidate];
}

void Sweep::list_figures() {
  const auto add = [&](FigurePath path) { return figures_.add(std::move(path)); };
  Places& p = places_;
  p.tvd = add({"tvd"});
  p.tvd_raw = add({"tvd_raw"});
  p.mse = add({"mse"});
  p.classes = add({"classes"});
  p.k_noisy = add({"k_noisy"});
  p.total = add({"total"});
  p.privacy_score = add({"privacy", "score"});
  p.linkage = add({"privacy", "linkage"});
  p.highest_risk = add({"privacy", "highest_risk"});
  p.membership = add({"privacy", "membership"});
  p.utility_score = add({"utility", "score"});
  p.distribution = add({"utility", "parts", "distribution"});
  p.detail = add({"utility", "parts", "detail"});
  p.marginals_part = add({"utility", "parts", "marginals"});
  p.model_part = add({"utility", "parts", "model"});
  for (const char* ways : {"1", "2", "3"}) p.marginals.push_back(add({"utility", "marginals", ways}));
  p.range_queries = add({"utility", "range_queries", "error"});
  for (const auto& column : columns_.quasi)
    for (const char* word : {"statistic", "rejected"})
      p.chi_square.push_back(add({"utility", "chi_square", column->name(), word}));
  if (setting_.measures_models()) {
    for (const char* family : {"logistic", "trees"}) {
      for (const char* word : kPerformanceWords) p.models.push_back(add({"utility", "models", family, word}));
      p.degenerate.push_back(add({"utility", "models", family, "degenerate"}));
    }
  }
  if (setting_.measures_fairness()) {
    p.fairness_score = add({"fairness", "score"});
    for (const Grouping& grouping : data_.groupings) {
      for (const char* word : kGapWords) p.gaps.push_back(add({"fairness", grouping.name, word}));
      std::vector<std::size_t>& groups = p.groups.emplace_back();
      for (const std::string& group : grouping.groups) {
        for (const char* word : kRateWords) groups.push_back(add({"fairness", grouping.name, "groups", group, word}));
        groups.push_back(add({"fairness", grouping.name, "groups", group, "count_error"}));
      }
    }
  }
  p.score = add({"score"});
}

void Sweep::measure_counts(const Prepared& prepared, const CountRun& run,
                           const std::function<void(std::size_t, double)>& set,
                           std::vector<ClassError>& errors) const {
  const LevelView& view = prepared.view;
  const ClassTable& released = run.released;
  const auto n = static_cast<double>(view.histogram.total);
  const double tvd = total_variation(view.truth, released);
  set(places_.tvd, tvd);
  set(places_.tvd_raw, run.absolute_noise / (2 * n));
  set(places_.mse, mean_squared_error(view.truth, released));
  set(places_.classes, static_cast<double>(released.classes.size()));
  double smallest = kUndefined;
  for (const ClassCount& one : released.classes)
    smallest = std::isnan(smallest) ? one.count : std::min(smallest, one.count);
  set(places_.k_noisy, smallest);
  set(places_.highest_risk, 1 / smallest);
  set(places_.total, released.total());
  std::array<double, 3> distances{};
  for (std::size_t ways = 0; ways < 3; ++ways) {
    distances[ways] = view.marginals->distance(released, ways + 1);
    set(places_.marginals[ways], distances[ways]);
  }
  set(places_.distribution, 1 - tvd);
  set(places_.detail, released.classes.empty() ? 0 : 1 - view.loss);
  set(places_.marginals_part, 1 - mean_of({distances[0], distances[1], distances[2]}));
  if (!setting_.counts_only) set(places_.range_queries, view.queries->error(released));
  for (std::size_t c = 0; c < columns_.quasi.size(); ++c) {
    const Marginals::ChiSquare chi = view.marginals->chi_square(released, c);
    set(places_.chi_square[2 * c], chi.statistic);
    set(places_.chi_square[2 * c + 1], std::isnan(chi.statistic) ? kUndefined : chi.rejected ? 1 : 0);
  }
  // Who knows the quasi-identifiers of a record picks one of its class's released records.
  double linked = 0;
  std::size_t next = 0;
  std::size_t sample = 0;
  for (std::size_t i = 0; i < view.histogram.cells.size(); ++i) {
    const schema::CellCount& one = view.histogram.cells[i];
    while (next < released.classes.size() && released.classes[next].cell < one.cell) ++next;
    const bool named = next < released.classes.size() && released.classes[next].cell == one.cell;
    const double count = named ? released.classes[next].count : 0;
    const auto size = static_cast<double>(one.count);
    if (named) linked += size * std::min(1.0, 1 / std::max(1.0, count));
    if (sample < view.sampled_classes.size() && view.sampled_classes[sample] == i) {
      errors.push_back({static_cast<float>((count - size) / size), static_cast<float>(size)});
      ++sample;
    }
  }
  set(places_.linkage, linked / n);
}

void Sweep::measure_groups(const Prepared& prepared, const CountRun& run,
                           const std::function<void(std::size_t, double)>& set) const {
  const LevelView& view = prepared.view;
  for (std::size_t g = 0; g < data_.groupings.size(); ++g) {
    std::vector<double> errors(data_.groupings[g].groups.size(), 0);
    std::size_t next = 0;
    for (std::size_t i = 0; i < view.histogram.cells.size(); ++i) {
      const schema::CellCount& one = view.histogram.cells[i];
      const auto& classes = run.released.classes;
      while (next < classes.size() && classes[next].cell < one.cell) ++next;
      const double count = next < classes.size() && classes[next].cell == one.cell ? classes[next].count : 0;
      const auto size = static_cast<double>(one.count);
      for (const LevelView::GroupShare& share : view.group_shares[g][i])
        errors[share.group] += share.rows * std::abs(count - size) / size;
    }
    for (std::size_t group = 0; group < errors.size(); ++group) {
      const double inside = view.group_rows[g][group] - view.group_outside[g][group];
      set(places_.groups[g][5 * group + 4], inside > 0 ? errors[group] / inside : kUndefined);
    }
  }
}

void Sweep::measure_models(const Prepared&, const ModelRun& run,
                           const std::function<void(std::size_t, double)>& set) const {
  std::size_t place = 0;
  for (const models::Performance* one : {&run.logistic, &run.trees})
    for (const double value : performance_figures(*one)) set(places_.models[place++], value);
  set(places_.degenerate[0], is_degenerate(run.logistic) ? 1 : 0);
  set(places_.degenerate[1], is_degenerate(run.trees) ? 1 : 0);
  // 1: as good as on the unprotected data; 0: no better than a coin.
  const double best = unprotected_auc_.value_or(kUndefined);
  const double auc = defined(run.logistic.auc);
  set(places_.model_part, best > 0.5 ? std::clamp((auc - 0.5) / (best - 0.5), 0.0, 1.0) : kUndefined);
  if (!setting_.measures_fairness()) return;
  std::size_t gap = 0;
  double fairness = 0;
  double columns = 0;
  for (std::size_t g = 0; g < run.gaps.size(); ++g) {
    for (const double value : gap_figures(run.gaps[g])) set(places_.gaps[gap++], value);
    for (std::size_t group = 0; group < run.groups[g].size(); ++group) {
      const auto rates = rate_figures(run.groups[g][group]);
      for (std::size_t i = 0; i < rates.size(); ++i) set(places_.groups[g][5 * group + i], rates[i]);
    }
    if (data_.groupings[g].intersection || std::isnan(run.gaps[g].eod_max)) continue;
    fairness += 1 - run.gaps[g].eod_max;
    columns += 1;
  }
  set(places_.fairness_score, columns > 0 ? fairness / columns : kUndefined);
}

void Sweep::run_once(std::size_t candidate, std::size_t repetition, SweepRuns& runs,
                     std::vector<std::vector<ClassError>>& errors) {
  const auto set = [&](std::size_t figure, double value) { runs.values[candidate][figure][repetition] = value; };
  std::vector<int> levels = main_levels_;
  if (!selections_.empty()) {
    SeededRandom random = stream(setting_, repetition, Stream::levels);
    const auto chosen = selections_[candidate].selection.simulate(random, selections_[candidate].scores);
    GAUZE_CHECK(chosen.has_value());
    levels = *chosen;
  }
  const auto found = prepared(levels);
  GAUZE_CHECK(found.has_value());  // candidates were tried out by the plan
  const Prepared& here = **found;
  const Mechanism& mechanism = here.mechanisms[candidate];
  SeededRandom counts = stream(setting_, repetition, Stream::counts);
  const CountRun run = mechanism.counts(counts, here.view);
  measure_counts(here, run, set, errors[candidate]);
  SeededRandom attack = stream(setting_, repetition, Stream::attack);
  set(places_.membership, mechanism.membership_advantage(attack, here.view, kAttackTargets));
  if (setting_.measures_fairness()) measure_groups(here, run, set);
  if (!setting_.measures_models()) return;
  SeededRandom training = stream(setting_, repetition, Stream::training);
  SeededRandom bootstrap = stream(setting_, repetition, Stream::bootstrap);
  const std::vector<double> weights = here.view.test->resampled_weights(bootstrap);
  const FairnessRules rules{.minimum_group = setting_.as_published ? 0 : setting_.minimum_group,
                            .undefined_is_zero = setting_.as_published};
  const ClassTable learnt = mechanism.training(training, here.view);
  if (learnt.classes.empty()) return;  // from nothing nothing is learnt: models and fairness stay undefined
  measure_models(here, here.view.test->run(here.view.examples(learnt), weights, rules), set);
}

Result<SweepRuns> Sweep::run(Progress& progress) {
  const auto repetitions = static_cast<std::size_t>(setting_.repetitions);
  const std::size_t candidates = candidates_.size();
  SweepRuns runs;
  runs.figures = figures_;
  runs.values.assign(candidates,
                     std::vector<std::vector<double>>(figures_.size(), std::vector<double>(repetitions, kUndefined)));
  std::vector<std::vector<std::vector<ClassError>>> errors(repetitions);
  progress.begin("simulating releases", repetitions * candidates);
  parallel_for(repetitions, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t repetition = begin; repetition < end; ++repetition) {
      errors[repetition].resize(candidates);
      for (std::size_t one = 0; one < candidates && !progress.stop_requested(); ++one) {
        run_once(one, repetition, runs, errors[repetition]);
        progress.advance();
      }
    }
  });
  GAUZE_TRY_VOID(progress.check());
  runs.errors.resize(candidates);
  for (const auto& run : errors)
    for (std::size_t one = 0; one < candidates; ++one)
      runs.errors[one].insert(runs.errors[one].end(), run[one].begin(), run[one].end());
  add_scores(runs);
  return runs;
}

void Sweep::add_scores(SweepRuns& runs) const {
  const auto repetitions = static_cast<std::size_t>(setting_.repetitions);
  const std::size_t candidates = candidates_.size();
  // Where fairness cannot be scored anywhere, the score is that of the rest; where it can, a run without it has none.
  const bool is_scored =
      setting_.measures_fairness() &&
      std::any_of(runs.values.begin(), runs.values.end(), [&](const auto& of_candidate) {
        const std::vector<double>& scores = of_candidate[places_.fairness_score];
        return std::any_of(scores.begin(), scores.end(), [](double one) { return !std::isnan(one); });
      });
  const auto value = [&](std::size_t candidate, std::size_t figure, std::size_t run) -> double& {
    return runs.values[candidate][figure][run];
  };
  runs.scores.assign(candidates, std::vector<Scores>(repetitions));
  for (std::size_t run = 0; run < repetitions; ++run) {
    std::vector<Scores> scores;
    if (setting_.as_published) {
      PublishedInputs inputs;
      std::size_t columns = 0;
      if (setting_.measures_fairness())
        columns = static_cast<std::size_t>(std::count_if(data_.groupings.begin(), data_.groupings.end(),
                                                         [](const Grouping& one) { return !one.intersection; }));
      inputs.equalised_odds.resize(columns);
      for (std::size_t e = 0; e < candidates; ++e) {
        inputs.epsilons.push_back(candidates_[e].epsilon.to_double());
        const double k = value(e, places_.k_noisy, run);
        inputs.k.push_back(std::isnan(k) ? 0 : k);
        inputs.tvd.push_back(value(e, places_.tvd, run));
        for (std::size_t c = 0; c < columns; ++c) {
          const double odds = value(e, places_.gaps[kGapWords.size() * c], run);
          inputs.equalised_odds[c].push_back(std::isnan(odds) ? 0 : odds);
        }
      }
      scores = published_scores(inputs);
    } else {
      for (std::size_t e = 0; e < candidates; ++e)
        scores.push_back({privacy_score(candidates_[e].epsilon.to_double(), setting_.delta.to_double()),
                          mean_of({value(e, places_.distribution, run), value(e, places_.detail, run),
                                   value(e, places_.marginals_part, run), value(e, places_.model_part, run)}),
                          setting_.measures_fairness() ? value(e, places_.fairness_score, run) : kUndefined});
    }
    for (std::size_t e = 0; e < candidates; ++e) {
      runs.scores[e][run] = scores[e];
      value(e, places_.privacy_score, run) = scores[e].privacy;
      value(e, places_.utility_score, run) = scores[e].utility;
      if (setting_.measures_fairness()) value(e, places_.fairness_score, run) = scores[e].fairness;
      const bool undefined = is_scored && std::isnan(scores[e].fairness);
      value(e, places_.score, run) = undefined ? kUndefined : integrate(scores[e], setting_.weights);
    }
  }
}

}  // namespace gauze::assess
