#include "gauze/assess/evaluation/comparison.h"

#include <cmath>

#include "gauze/base/parallel.h"

namespace gauze::assess {
namespace {

/// The classes of at least k records; the rest is suppressed.
ClassTable suppress_small(const LevelView& view, std::uint64_t k) {
  ClassTable table = view.truth;
  std::erase_if(table.classes, [&](const ClassCount& one) { return one.count < static_cast<double>(k); });
  return table;
}

/// What a model learns from a table that is k-anonymous without noise.
ClassTable training_without_noise(const LevelView& view, std::uint64_t k) {
  ClassTable table;
  for (const schema::CellCount& one : view.train_classes.cells) {
    if (one.count < k) continue;
    const LevelView::Outcomes& rows = view.train_outcomes.at(one.cell);
    table.classes.push_back({one.cell * view.cells_a_class, static_cast<double>(rows.positive)});
    table.classes.push_back({one.cell * view.cells_a_class + 1, static_cast<double>(rows.negative)});
  }
  return table;
}

struct Runner {
  const EvaluationSetting& setting;
  const EvaluationData& data;
  const LevelView& view;
  double baseline_accuracy;
  std::size_t tvd = 0;
  std::vector<std::size_t> models;  // seven a family
  std::vector<std::size_t> gaps;    // two a grouping

  void list(FigureList& figures) {
    tvd = figures.add({"tvd"});
    if (setting.measures_models()) {
      for (const char* family : {"logistic", "trees"}) {
        for (const char* word : kPerformanceWords) models.push_back(figures.add({"models", family, word}));
        models.push_back(figures.add({"models", family, "retention"}));
      }
    }
    if (setting.measures_fairness())
      for (const Grouping& grouping : data.groupings)
        for (const char* word : {"eod_sum", "eod_max"})
          gaps.push_back(figures.add({"fairness", grouping.name, word}));
  }

  void measure(Comparison::Method& method, std::size_t run, const ClassTable& released,
               const ClassTable& training) const {
    const auto set = [&](std::size_t figure, double value) { method.values[figure][run] = value; };
    set(tvd, total_variation(view.truth, released));
    if (!setting.measures_models()) return;
    SeededRandom bootstrap(setting.seed, 8 * static_cast<std::uint64_t>(run) + 3);
    const FairnessRules rules{.minimum_group = setting.as_published ? 0 : setting.minimum_group,
                              .undefined_is_zero = setting.as_published};
    const ModelRun result = view.test->run(view.examples(training), view.test->resampled_weights(bootstrap), rules);
    std::size_t place = 0;
    for (const models::Performance* one : {&result.logistic, &result.trees}) {
      const auto figures = performance_figures(*one);
      for (const double value : figures) set(models[place++], value);
      set(models[place++], figures[0] / baseline_accuracy);
    }
    place = 0;
    if (!setting.measures_fairness()) return;
    for (const FairnessGaps& one : result.gaps) {
      set(gaps[place++], one.eod_sum);
      set(gaps[place++], one.eod_max);
    }
  }
};

double suppressed_share(const LevelView& view, std::uint64_t k) {
  double rows = static_cast<double>(view.histogram.outside);
  for (const schema::CellCount& one : view.histogram.cells)
    if (one.count < k) rows += static_cast<double>(one.count);
  return rows / static_cast<double>(view.histogram.total);
}

}  // namespace

Result<Comparison> compare(const EvaluationSetting& setting, const EvaluationData& data, const LevelView& view,
                           const Rational& epsilon, const std::optional<Baselines>& baselines, Progress& progress) {
  const std::uint64_t k = setting.policy.privacy.k;
  GAUZE_TRY(const Mechanism noise_alone, Mechanism::make(setting, view, epsilon, 1));
  GAUZE_TRY(const Mechanism hybrid, Mechanism::make(setting, view, epsilon, k));
  Runner runner{
      .setting = setting,
      .data = data,
      .view = view,
      .baseline_accuracy = baselines ? baselines->unprotected.logistic.accuracy.value_or(std::nan("")) : std::nan(""),
      .models = {},
      .gaps = {}};
  FigureList figures;
  runner.list(figures);
  const auto repetitions = static_cast<std::size_t>(setting.repetitions);
  const std::vector<std::vector<double>> empty(figures.size(), std::vector<double>(repetitions, kUndefined));
  const double suppressed = suppressed_share(view, k);
  Comparison comparison{.epsilon = epsilon, .generalisation_loss = view.loss, .methods = {}};
  comparison.methods = {{"k-anonymity", k, std::nullopt, suppressed, figures, empty},
                        {"differential-privacy", std::nullopt, epsilon, 0, figures, empty},
                        {"hybrid", k, epsilon, suppressed, figures, empty}};
  progress.begin("comparing methods", repetitions);
  parallel_for(repetitions, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t run = begin; run < end && !progress.stop_requested(); ++run) {
      const bool models = setting.measures_models();
      runner.measure(comparison.methods[0], run, suppress_small(view, k),
                     models ? training_without_noise(view, k) : ClassTable());
      for (std::size_t m = 1; m < 3; ++m) {
        const Mechanism& mechanism = m == 1 ? noise_alone : hybrid;
        SeededRandom counts(setting.seed, 8 * static_cast<std::uint64_t>(run) + 1);
        SeededRandom training(setting.seed, 8 * static_cast<std::uint64_t>(run) + 2);
        const ClassTable released = mechanism.counts(counts, view).released;
        runner.measure(comparison.methods[m], run, released,
                       models ? mechanism.training(training, view) : ClassTable());
      }
      progress.advance();
    }
  });
  GAUZE_TRY_VOID(progress.check());
  return comparison;
}

Json Comparison::to_json() const {
  Json list = Json::array();
  for (const Method& method : methods) {
    Json object = Json::object({{"name", method.name},
                                {"k", method.k ? Json(*method.k) : Json()},
                                {"epsilon", method.epsilon ? Json::number(method.epsilon->to_decimal()) : Json()},
                                {"generalisation_loss", generalisation_loss},
                                {"suppressed", method.suppressed}});
    for (std::size_t figure = 0; figure < method.figures.size(); ++figure)
      put(object, method.figures.path(figure), gauze::to_json(estimate(method.values[figure])));
    for (const char* key : {"fairness", "models"})
      if (object.find(key) == nullptr) object.set(key, Json());
    list.push(std::move(object));
  }
  return Json::object({{"epsilon", Json::number(epsilon.to_decimal())}, {"methods", std::move(list)}});
}

}  // namespace gauze::assess
