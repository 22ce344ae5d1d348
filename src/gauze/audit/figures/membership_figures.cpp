#include "gauze/audit/figures/membership_figures.h"

#include <algorithm>
#include <cmath>

#include "gauze/audit/figures/figure_json.h"

namespace gauze::audit {

MembershipFigures membership_figures(std::span<const double> members, std::span<const double> others,
                                     const std::vector<Rational>& false_rates, RandomWords& random) {
  MembershipFigures figures{.members = members.size(), .nonmembers = others.size()};
  figures.accuracy = attack_accuracy(members, others, random);
  if (figures.accuracy) figures.advantage = 2 * *figures.accuracy - 1;
  const SortedScores sorted({members.begin(), members.end()}, {others.begin(), others.end()});
  figures.auc = sorted.area();
  for (const Rational& share : false_rates) figures.rates.push_back({.fpr = share, .tpr = sorted.rate_at(share)});
  return figures;
}

Json MembershipFigures::to_json() const {
  Json list = Json::array();
  for (const RateAt& rate : rates)
    list.push(Json::object({{"fpr", Json::number(rate.fpr.to_decimal())},
                            {"tpr", figure_json(rate.tpr)},
                            {"measurable", rate.tpr.has_value()}}));
  return Json::object({{"members", members},
                       {"nonmembers", nonmembers},
                       {"auc", figure_json(auc)},
                       {"accuracy", figure_json(accuracy)},
                       {"advantage", figure_json(advantage)},
                       {"tpr_at_fpr", std::move(list)}});
}

double advantage_bound(double epsilon, double delta) {
  // by e^-eps, so that a large epsilon gives 1
  const double inverse = std::exp(-epsilon);
  return std::min(1.0, (1 - inverse + 2 * delta * inverse) / (1 + inverse));
}

}  // namespace gauze::audit
