#include "gauze/text/utility/utility_curves.h"

namespace gauze::text {
namespace {

/// The outcome of a study at every mechanism's epsilon.
template <class Curve, class Study>
Result<void> follow(Curve& curve, const Study& study, std::span<const TextMechanism> mechanisms,
                    const UtilityOptions& options, Progress& progress) {
  for (const TextMechanism& mechanism : mechanisms) {
    const auto replacer = make_replacer(mechanism, options.memory_bytes);
    GAUZE_TRY(auto outcome, study.run(*replacer, seed_at(options.seed, mechanism.epsilon()), progress));
    curve.epsilons.push_back(mechanism.epsilon());
    curve.outcomes.push_back(std::move(outcome));
  }
  return {};
}

Json figure_json(const RepeatedFigure& figure) {
  return Json::object({{"mean", figure.mean}, {"low", figure.low}, {"high", figure.high}, {"sd", figure.sd}});
}

Json cell_json(const ClassificationStudy::Cell& cell) {
  return Json::object(
      {{"accuracy", figure_json(cell.accuracy)}, {"balanced_accuracy", figure_json(cell.balanced_accuracy)}});
}

Json cell_json(const RankingStudy::Cell& cell) {
  return Json::object({{"map", figure_json(cell.map)}, {"mrr", figure_json(cell.mrr)}});
}

template <class Cells>
Json cells_json(const Cells& cells) {
  return Json::object({{"clean_clean", cell_json(cells.clean_clean)},
                       {"sanitized_clean", cell_json(cells.sanitized_clean)},
                       {"clean_sanitized", cell_json(cells.clean_sanitized)},
                       {"sanitized_sanitized", cell_json(cells.sanitized_sanitized)}});
}

}  // namespace

Result<ClassificationCurve> classification_curve(std::span<const TextMechanism> mechanisms,
                                                 const ClassificationTask& task, const std::vector<TextModel>& models,
                                                 const UtilityOptions& options, Progress& progress) {
  if (mechanisms.empty()) return invalid_parameter("a curve needs at least one epsilon");
  const auto repetitions = static_cast<std::size_t>(options.repetitions);
  progress.begin("training", models.size() + mechanisms.size() * repetitions * (models.size() + 1));
  GAUZE_TRY(const ClassificationStudy study,
            ClassificationStudy::make(mechanisms.front().vectors(), task,
                                      {.models = models, .repetitions = options.repetitions}, progress));
  ClassificationCurve curve{
      .task = task, .models = models, .repetitions = options.repetitions, .language = options.language};
  GAUZE_TRY_VOID(follow(curve, study, mechanisms, options, progress));
  return curve;
}

Json to_json(const ClassificationCurve& curve) {
  const ClassificationTask& task = curve.task;
  Json labels = Json::array();
  for (const std::string& label : task.labels) labels.push(label);
  Json list = Json::array();
  for (std::size_t e = 0; e < curve.outcomes.size(); ++e) {
    const ClassificationStudy::Outcome& outcome = curve.outcomes[e];
    Json models = Json::object();
    for (std::size_t m = 0; m < curve.models.size(); ++m)
      models.set(to_string(curve.models[m]), cells_json(outcome.models[m]));
    list.push(Json::object({{"epsilon", Json::number(curve.epsilons[e].to_decimal())},
                            {"models", std::move(models)},
                            {"unchanged_share", outcome.unchanged_share},
                            {"masked_share", outcome.masked_share}}));
  }
  return Json::object(
      {{"train_documents", task.train.size()},
       {"test_documents", task.test.size()},
       {"labels", std::move(labels)},
       {"majority", Json::object({{"label", task.labels[task.majority]}, {"accuracy", task.majority_accuracy}})},
       {"unseen_test_documents", task.unseen},
       {"language", to_string(curve.language)},
       {"repetitions", curve.repetitions},
       {"results", std::move(list)},
       {"notice", kUtilityNotice}});
}

Result<RankingCurve> ranking_curve(std::span<const TextMechanism> mechanisms, const RankingTask& task,
                                   const UtilityOptions& options, Progress& progress) {
  if (mechanisms.empty()) return invalid_parameter("a curve needs at least one epsilon");
  GAUZE_TRY(const RankingStudy study, RankingStudy::make(mechanisms.front().vectors(), task, options.repetitions));
  progress.begin("ranking", mechanisms.size() * static_cast<std::size_t>(options.repetitions));
  RankingCurve curve{
      .task = task, .random = study.random(), .repetitions = options.repetitions, .language = options.language};
  GAUZE_TRY_VOID(follow(curve, study, mechanisms, options, progress));
  return curve;
}

Json to_json(const RankingCurve& curve) {
  Json list = Json::array();
  for (std::size_t e = 0; e < curve.outcomes.size(); ++e) {
    Json entry = Json::object({{"epsilon", Json::number(curve.epsilons[e].to_decimal())}});
    const Json cells = cells_json(curve.outcomes[e]);
    for (const auto& [key, cell] : *cells.members()) entry.set(key, cell);
    entry.set("unchanged_share", curve.outcomes[e].unchanged_share);
    entry.set("masked_share", curve.outcomes[e].masked_share);
    list.push(std::move(entry));
  }
  return Json::object({{"queries", curve.task.queries.size()},
                       {"pairs", curve.task.rows},
                       {"left_out", curve.task.left_out},
                       {"random", Json::object({{"map", curve.random.map}, {"mrr", curve.random.mrr}})},
                       {"language", to_string(curve.language)},
                       {"repetitions", curve.repetitions},
                       {"results", std::move(list)},
                       {"notice", kUtilityNotice}});
}

void thin_out(std::vector<std::string>& entries, std::size_t wanted) {
  if (entries.size() <= wanted) return;
  const std::size_t all = entries.size();
  for (std::size_t i = 0; i < wanted; ++i) {
    const auto from = static_cast<std::size_t>(static_cast<unsigned __int128>(2 * i + 1) * all / (2 * wanted));
    if (from != i) entries[i] = std::move(entries[from]);
  }
  entries.resize(wanted);
}

}  // namespace gauze::text
