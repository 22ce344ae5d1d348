#include "gauze/audit/study/learning_study.h"

namespace gauze::audit {
namespace {

Json figure(const std::optional<double>& epsilon, const Rational& delta) {
  if (!epsilon) return {};
  return Json::object({{"epsilon", *epsilon}, {"delta", Json::number(delta.to_decimal_up(12))}});
}

}  // namespace

Json LearningStudy::to_json() const {
  Json list = Json::array();
  for (const StudyResult& result : results) {
    Json attack = Json();
    if (result.attack)
      attack = Json::object({{"attack", result.attack->name},
                             {"accuracy", gauze::to_json(result.attack->accuracy)},
                             {"auc", gauze::to_json(result.attack->auc)}});
    list.push(Json::object({{"model", word_of(learn::kModelWords, result.model)},
                            {"method", word_of(kStudyMethodWords, result.method)},
                            {"epsilon", result.epsilon ? Json::number(result.epsilon->to_decimal()) : Json()},
                            {"claimed", figure(result.claimed, delta)},
                            {"proved", figure(result.proved, delta)},
                            {"accuracy", gauze::to_json(result.accuracy)},
                            {"f1_weighted", gauze::to_json(result.f1_weighted)},
                            {"balanced_accuracy", gauze::to_json(result.balanced_accuracy)},
                            {"attack", std::move(attack)}}));
  }
  return Json::object({{"internal", true}, {"majority", gauze::to_json(majority)}, {"results", std::move(list)}});
}

}  // namespace gauze::audit
