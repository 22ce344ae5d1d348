#include "gauze/assess/evaluation/advice.h"

namespace gauze::assess {
namespace {

Advice held_against(const Evaluation& evaluation, std::string_view source, const Rational& epsilon) {
  const EvaluationSetting& setting = evaluation.setting();
  Advice advice{.source = source, .epsilon = epsilon, .won = {}, .above_ceiling = !setting.is_allowed(epsilon)};
  const auto rates = win_rates(evaluation.runs()->scores, setting.weights, evaluation.eligible());
  for (std::size_t i = 0; i < rates.size(); ++i)
    if (evaluation.candidates()[i].epsilon == epsilon) advice.won = advice.won.value_or(0) + rates[i].mean;
  return advice;
}

std::string sentence(const Advice& advice) {
  std::string text = fmt::format("{} ({}): ", advice.epsilon.to_decimal(), advice.source);
  if (!advice.won)
    text += "not tried";
  else
    text += fmt::format("won in {:.0f} % of the repetitions here", 100 * *advice.won);
  return text;
}

}  // namespace

std::vector<Advice> advice_of(const Evaluation& evaluation) {
  const Scenario* const scenario = evaluation.setting().scenario;
  std::vector<Advice> all;
  if (scenario == nullptr || !evaluation.runs()) return all;
  for (const Rational& epsilon : scenario->advised) all.push_back(held_against(evaluation, "closing list", epsilon));
  all.push_back(held_against(evaluation, "Table 4.7", scenario->tabled));
  return all;
}

std::string advice_text(const Evaluation& evaluation) {
  const Scenario* const scenario = evaluation.setting().scenario;
  if (scenario == nullptr) return "";
  std::string text = fmt::format("The thesis advises for {} epsilon ", scenario->name);
  bool above = false;
  bool first = true;
  for (const Advice& one : advice_of(evaluation)) {
    text += (first ? "" : "; ") + sentence(one);
    if (one.above_ceiling) text += ", above the ceiling";
    above = above || one.above_ceiling;
    first = false;
  }
  text += ".";
  if (const auto ceiling = ceiling_of(*scenario))
    text += fmt::format(
        " The profile {} of T/TAF 137 lets a release spend {} in all: larger epsilons are marked and never recommended{}.",
        scenario->profile, ceiling->to_decimal(), above ? ", those the thesis advises among them" : "");
  return text;
}

}  // namespace gauze::assess
