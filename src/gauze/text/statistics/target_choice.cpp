#include "gauze/text/statistics/target_choice.h"

#include <algorithm>
#include <cmath>

#include "gauze/statistics/binomial_interval.h"

namespace gauze::text {
namespace {

bool is_guess(ChoiceTarget target) { return target == ChoiceTarget::bayes || target == ChoiceTarget::bayes_prior; }

/// A guess is one among all words, and the largest of all is among them.
bool needs_all_words(ChoiceTarget target, const FiguresRequest& request) {
  return is_guess(target) || (target == ChoiceTarget::max_n && request.words.empty());
}

/// The chances to stay of the words that matter: those asked for, or all.
std::vector<double> chances_that_matter(const TextFigures& figures) {
  if (figures.words.empty()) return figures.stays();
  std::vector<double> chances;
  for (const TextFigures::OfWord& one : figures.words) chances.push_back(one.stays);
  return chances;
}

/// Of the largest chance among sampled ones, at 95 % for all of them together (Bonferroni).
std::pair<double, double> largest_interval(const TextFigures& figures) {
  const std::vector<double> chances = chances_that_matter(figures);
  const std::uint64_t draws = figures.sampled->draws;
  const double confidence = 1 - 0.05 / static_cast<double>(chances.size());
  const double largest = *std::max_element(chances.begin(), chances.end());
  const auto hits = static_cast<std::uint64_t>(std::llround(largest * static_cast<double>(draws)));
  const ShareInterval interval = clopper_pearson(hits, draws, confidence);
  return {interval.low, interval.high};
}

/// Of the chances to stay; the target is no guess.
double stays_figure(const std::vector<double>& stays, ChoiceTarget target) {
  switch (target) {
    case ChoiceTarget::q05_n:
      return quantile_of(stays, 0.05);
    case ChoiceTarget::q50_n:
      return quantile_of(stays, 0.5);
    case ChoiceTarget::q95_n:
      return quantile_of(stays, 0.95);
    case ChoiceTarget::max_n:
      return *std::max_element(stays.begin(), stays.end());
    default:
      return spread_of(stays).mean;
  }
}

double figure_of(const TextFigures& figures, ChoiceTarget target) {
  if (figures.sampled && target == ChoiceTarget::mean_n) return figures.sampled->mean_stays.high;
  if (target == ChoiceTarget::max_n)
    return figures.sampled ? largest_interval(figures).second : stays_figure(chances_that_matter(figures), target);
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

bool has_interval(ChoiceTarget target) {
  return target == ChoiceTarget::mean_n || target == ChoiceTarget::max_n || is_guess(target);
}

Result<bool> is_sampled(const WordVectors& vectors, const MechanismOptions& mechanism) {
  GAUZE_TRY(const TextMechanism made, TextMechanism::make(vectors, mechanism.at(Rational(1))));
  return !closed_law(made).has_value();
}

std::optional<std::pair<double, double>> TargetChoice::interval() const {
  if (!figures.sampled || !has_interval(target)) return std::nullopt;
  const SampledStatistics& sampled = *figures.sampled;
  if (target == ChoiceTarget::mean_n) return std::pair(sampled.mean_stays.low, sampled.mean_stays.high);
  if (target == ChoiceTarget::max_n) return largest_interval(figures);
  const SampledGuess& guess = target == ChoiceTarget::bayes ? *sampled.bayes_uniform : *sampled.bayes_prior;
  return std::pair(guess.low, guess.high);
}

Result<TargetChoice> choose_for_target(const WordVectors& vectors, const MechanismOptions& mechanism,
                                       ChoiceTarget target, const Rational& value, FiguresRequest request,
                                       Progress& progress) {
  if (target == ChoiceTarget::bayes_prior && request.prior.empty())
    return invalid_parameter("the target bayes-prior needs a prior: how frequent each word is");
  if (needs_all_words(target, request)) request.sample = vectors.size();
  const auto figures_at = [&](const Rational& epsilon) -> Result<TextFigures> {
    GAUZE_TRY(auto figures, text_figures(vectors, mechanism, {&epsilon, 1}, request, progress));
    return std::move(figures.front());
  };
  const auto own_words = std::exchange(request.own_words, std::nullopt);  // they are for the result alone
  const auto figure = [&](const Rational& epsilon) -> Result<double> {
    if (is_softmax(mechanism.kind) && !mechanism.as_published && !is_guess(target)) {
      GAUZE_TRY(const TextMechanism made, TextMechanism::make(vectors, mechanism.at(epsilon)));
      GAUZE_TRY(const std::vector<double> stays, chances_to_stay(*made.softmax(), &progress));
      if (target != ChoiceTarget::max_n || request.words.empty()) return stays_figure(stays, target);
      std::vector<double> that_matter;
      for (const std::uint32_t word : request.words) that_matter.push_back(stays[word]);
      return stays_figure(that_matter, target);
    }
    GAUZE_TRY(const TextFigures figures, figures_at(epsilon));
    return figure_of(figures, target);
  };
  TargetChoice result{.target = target, .value = value, .choice = {}, .figures = {}};
  GAUZE_TRY(const FigureGrows grows, growth(vectors, mechanism, target));
  GAUZE_TRY(result.choice, choose_epsilon(figure, value.to_double(), grows));
  request.own_words = own_words;
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
  if (choice.figures.own_words) {
    result.set("own_words", to_json(*choice.figures.own_words, vectors));
    result.set("notice", kOwnWordsNotice);
  }
  return result;
}

}  // namespace gauze::text
