#include "gauze/text/statistics/target_choice.h"

namespace gauze::text {
namespace {

bool is_guess(ChoiceTarget target) { return target == ChoiceTarget::bayes || target == ChoiceTarget::bayes_prior; }

/// Of the chances to stay; the target is no guess.
double stays_figure(const std::vector<double>& stays, ChoiceTarget target) {
  switch (target) {
    case ChoiceTarget::q05_n:
      return quantile_of(stays, 0.05);
    case ChoiceTarget::q50_n:
      return quantile_of(stays, 0.5);
    case ChoiceTarget::q95_n:
      return quantile_of(stays, 0.95);
    default:
      return spread_of(stays).mean;
  }
}

double figure_of(const TextFigures& figures, ChoiceTarget target) {
  if (figures.sampled && target == ChoiceTarget::mean_n) return figures.sampled->mean_stays.high;
  if (!is_guess(target)) return stays_figure(figures.stays(), target);
  const bool uniform = target == ChoiceTarget::bayes;
  if (figures.exact) return uniform ? figures.exact->bayes_uniform : *figures.exact->bayes_prior;
  return (uniform ? figures.sampled->bayes_uniform : figures.sampled->bayes_prior)->high;
}

/// Guesses under some mechanisms need not get better with epsilon. What is sampled takes too long to be followed from
/// small epsilons on: there the figure is at most the target at the epsilon that is found, and above it one step further.
Result<FigureGrows> growth(const WordVectors& vectors, const MechanismOptions& mechanism, ChoiceTarget target) {
  if (!is_guess(target) || mechanism.kind == MechanismKind::santext) return FigureGrows::always;
  GAUZE_TRY(const bool sampled, is_sampled(vectors, mechanism));
  return sampled ? FigureGrows::always : FigureGrows::perhaps;
}

}  // namespace

bool has_interval(ChoiceTarget target) { return target == ChoiceTarget::mean_n || is_guess(target); }

Result<bool> is_sampled(const WordVectors& vectors, const MechanismOptions& mechanism) {
  GAUZE_TRY(const TextMechanism made, TextMechanism::make(vectors, mechanism.at(Rational(1))));
  return !closed_law(made).has_value();
}

std::optional<std::pair<double, double>> TargetChoice::interval() const {
  if (!figures.sampled || !has_interval(target)) return std::nullopt;
  const SampledStatistics& sampled = *figures.sampled;
  if (target == ChoiceTarget::mean_n) return std::pair(sampled.mean_stays.low, sampled.mean_stays.high);
  const SampledGuess& guess = target == ChoiceTarget::bayes ? *sampled.bayes_uniform : *sampled.bayes_prior;
  return std::pair(guess.low, guess.high);
}

Result<TargetChoice> choose_for_target(const WordVectors& vectors, const MechanismOptions& mechanism,
                                       ChoiceTarget target, const Rational& value, FiguresRequest request,
                                       Progress& progress) {
  if (target == ChoiceTarget::bayes_prior && request.prior.empty())
    return invalid_parameter("the target bayes-prior needs a prior: how frequent each word is");
  if (is_guess(target)) request.sample = vectors.size();  // a guess is one among all words
  const auto figures_at = [&](const Rational& epsilon) -> Result<TextFigures> {
    GAUZE_TRY(auto figures, text_figures(vectors, mechanism, {&epsilon, 1}, request, progress));
    return std::move(figures.front());
  };
  const auto figure = [&](const Rational& epsilon) -> Result<double> {
    if (mechanism.kind != MechanismKind::dchi && !mechanism.as_published && !is_guess(target)) {
      GAUZE_TRY(const TextMechanism made, TextMechanism::make(vectors, mechanism.at(epsilon)));
      GAUZE_TRY(const std::vector<double> stays, chances_to_stay(*made.softmax(), &progress));
      return stays_figure(stays, target);
    }
    GAUZE_TRY(const TextFigures figures, figures_at(epsilon));
    return figure_of(figures, target);
  };
  TargetChoice result{.target = target, .value = value, .choice = {}, .figures = {}};
  GAUZE_TRY(const FigureGrows grows, growth(vectors, mechanism, target));
  GAUZE_TRY(result.choice, choose_epsilon(figure, value.to_double(), grows));
  GAUZE_TRY(result.figures, figures_at(result.choice.epsilon));
  return result;
}

Json to_json(const TargetChoice& choice, const WordVectors& vectors) {
  Json result = Json::object({{"epsilon", Json::number(choice.choice.epsilon.to_decimal())},
                              {"target", to_string(choice.target)},
                              {"value", choice.value.to_double()},
                              {"achieved", choice.choice.achieved},
                              {"next", choice.choice.next},
                              {"evaluations", choice.choice.evaluations},
                              {"exact", choice.figures.exact.has_value()}});
  result.set("figures", to_json(choice.figures, vectors));
  return result;
}

}  // namespace gauze::text
