#include "gauze/audit/figures/figure_json.h"
#include "gauze/audit/model/model_attack.h"

namespace gauze::audit {
namespace {

Json groups_json(const std::vector<AttackedGroup>& groups) {
  Json object = Json::object();
  for (const AttackedGroup& group : groups)
    object.set(group.name, Json::object({{"auc", gauze::to_json(group.auc)},
                                         {"members", group.members},
                                         {"nonmembers", group.nonmembers},
                                         {"small", group.small()}}));
  return object;
}

Json attacks_json(const std::vector<AttackResult>& attacks) {
  Json list = Json::array();
  for (const AttackResult& attack : attacks) {
    Json rates = Json::array();
    for (const RateOverTargets& rate : attack.rates)
      rates.push(Json::object({{"fpr", Json::number(rate.fpr.to_decimal())},
                               {"tpr", gauze::to_json(rate.tpr)},
                               {"measurable", rate.tpr.has_value()}}));
    Json exposed = Json::array();
    for (const Exposed& one : attack.exposed) exposed.push(Json::object({{"row", one.row}, {"score", one.score}}));
    list.push(Json::object({{"attack", word_of(kAttackWords, attack.attack)},
                            {"auc", gauze::to_json(attack.auc)},
                            {"accuracy", gauze::to_json(attack.accuracy)},
                            {"advantage", gauze::to_json(attack.advantage)},
                            {"tpr_at_fpr", std::move(rates)},
                            {"epsilon_lower", figure_json(attack.epsilon_lower)},
                            {"delta1", figure_json(attack.delta1)},
                            {"claimed_at_delta1", figure_json(attack.claimed_at_delta1)},
                            {"by_class", groups_json(attack.by_class)},
                            {"by_group", groups_json(attack.by_group)},
                            {"exposed", std::move(exposed)}}));
  }
  return list;
}

/// Shares of others and of members, for the picture.
Json curves_json(const std::vector<AttackResult>& attacks) {
  Json curves = Json::array();
  for (const AttackResult& attack : attacks) {
    Json points = Json::array();
    for (const auto& [share, rate] : attack.curve) points.push(Json::array({share, rate}));
    curves.push(Json::object({{"attack", word_of(kAttackWords, attack.attack)}, {"points", std::move(points)}}));
  }
  return curves;
}

}  // namespace

Json ModelAttack::to_json() const {
  return Json::object(
      {{"internal", true},
       {"model", model},
       {"method", method},
       {"shadows", shadows},
       {"targets", targets},
       {"attacks", attacks_json(attacks)},
       {"roc", curves_json(attacks)},
       {"gap", Json::object({{"train", gauze::to_json(train_accuracy)}, {"test", gauze::to_json(test_accuracy)}})},
       {"claimed", Json::object({{"epsilon", figure_json(claimed.epsilon)},
                                 {"delta", claimed.epsilon ? Json(claimed.delta) : Json()}})},
       {"advantage_bound", figure_json(advantage_bound)},
       {"unprotected", unprotected ? Json::object({{"attacks", attacks_json(*unprotected)}}) : Json()},
       {"alarm", Json::object({{"epsilon_lower", alarm.epsilon_lower},
                               {"delta1", alarm.delta1},
                               {"claimed_at_delta1", figure_json(alarm.claimed_at_delta1)},
                               {"rate", alarm.rate}})},
       {"holds", holds ? Json(*holds) : Json()}});
}

}  // namespace gauze::audit
