#include "gauze/audit/study/learning_study.h"

namespace gauze::audit {
namespace {

Json figure(const std::optional<double>& epsilon, const Rational& delta) {
  if (!epsilon) return {};
  return Json::object({{"epsilon", *epsilon}, {"delta", Json::number(delta.to_decimal_up(12))}});
}

Json attack_json(const StudyResult::Attack& attack) {
  return Json::object({{"attack", word_of(kAttackWords, attack.kind)},
                       {"accuracy", gauze::to_json(attack.accuracy)},
                       {"auc", gauze::to_json(attack.auc)}});
}

}  // namespace

Json LearningStudy::to_json() const {
  Json list = Json::array();
  for (const StudyResult& result : results) {
    Json attack = Json();
    if (const StudyResult::Attack* strongest = result.strongest_attack()) attack = attack_json(*strongest);
    Json attacks = Json::array();
    for (const StudyResult::Attack& one : result.attacks) {
      Json entry = attack_json(one);
      Json rates = Json::array();
      for (std::size_t i = 0; i < one.rates.size(); ++i)
        rates.push(Json::object({{"fpr", Json::number(false_rates[i].to_decimal())},
                                 {"tpr", gauze::to_json(one.rates[i])},
                                 {"measurable", one.rates[i].has_value()}}));
      attacks.push(std::move(entry.set("tpr_at_fpr", std::move(rates))));
    }
    list.push(Json::object({{"model", word_of(learn::kModelWords, result.model)},
                            {"method", word_of(kStudyMethodWords, result.method)},
                            {"epsilon", result.epsilon ? Json::number(result.epsilon->to_decimal()) : Json()},
                            {"claimed", figure(result.claimed, delta)},
                            {"proved", figure(result.proved, delta)},
                            {"accuracy", gauze::to_json(result.accuracy)},
                            {"f1_weighted", gauze::to_json(result.f1_weighted)},
                            {"balanced_accuracy", gauze::to_json(result.balanced_accuracy)},
                            {"attack", std::move(attack)},
                            {"attacks", std::move(attacks)}}));
  }
  return Json::object({{"internal", true}, {"majority", gauze::to_json(majority)}, {"results", std::move(list)}});
}

}  // namespace gauze::audit
